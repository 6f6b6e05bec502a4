"""How players choose their moves: `python -m junqi_training policy RECORD ...`.

`Choices` has a row for each move of each position of recorded games:

| field | shape | meaning |
|---|---|---|
| kinds | (m,) uint8 | the kind of the piece |
| rows, lengths | (m, 16) uint16, (m,) uint8 | the rows of the move (`policy`), and how many it has |
| first | (n + 1,) | by position: its first move; the last entry is m |
| chosen | (n,) | by position: which of its moves was played |
| games | (n,) | by position: the number of the game |
| players | (n,) | by position: the number of the seat's policy in `policy.POLICIES` |

A policy belongs to the style in which a seat set up. The fit is stochastic gradient descent on the cross-entropy of the
choices, by Adagrad (Duchi et al. 2011) with a cosine schedule.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.information.belief.policy import (
    HUNDREDTHS,
    MAX_ACTIVE_ROWS,
    POLICIES,
    POLICY_FILES,
    ROWS,
    active_rows,
    load_policies,
)
from junqi_engine.information.belief.styles import Styles, load_styles
from junqi_engine.information.public_record import PublicRecord
from junqi_engine.information.public_state import PUBLIC_STATE_TYPE
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import BOARDS, TABLES_TYPE
from junqi_engine.rules.layout import from_point_of, piece_in, team_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, lineup_kinds
from junqi_training.belief.styles import policy_of
from junqi_training.games import RecordedGame, open_view, read_games


def work(given: argparse.Namespace) -> None:
    """Fit a policy to the choices of all players of a variant; from there, each policy of belief to those of its teams,
    if these are enough, and write them.
    """
    whose = _whose(given.player)
    games = list(read_games(given.records))
    for variant, board in BOARDS.items():
        own = [game for game in games if game.board is board]
        if not own:
            continue
        choices = choices_of(own, given.every, whose)
        general, loss = fitted(new_table(), choices, np.arange(len(choices)), given.seed)
        print(f"{variant}: {len(own)} games; all: {len(choices)} choices, {loss:.3f} nats", flush=True)
        tables = {}
        for player, name in enumerate(POLICIES):
            ours = np.flatnonzero(choices.players == player)
            if len(ours) >= FEWEST:
                tables[name], loss = fitted(general.copy(), choices, ours, given.seed)
                print(f"{name}: {len(ours)} choices, {loss:.3f} nats", flush=True)
        print(f"written: {write(variant, tables, general)}")


EVERYBODY = ""


def _whose(words: Sequence[str] | None) -> Mapping[str, int] | None:
    """By the name of an engine, or `EVERYBODY`, the number of the policy that --player says its teams have."""
    found: dict[str, int] = {}
    for word in words or ():
        name, _, engine = word.partition("=")
        if name not in POLICIES:
            raise ValueError(f"--player {word!r}: expected one of {', '.join(map(repr, POLICIES))}")
        found[engine] = POLICIES.index(name)
    return found or None


FEWEST = 1000
"""A policy is fitted to this many choices at least."""
_LARGEST = np.iinfo(np.int16).max


def write(variant: str, tables: Mapping[str, np.ndarray], general: np.ndarray) -> Path:
    """Write the policies of a variant, and let belief read them again. Those without a table stay as they are; if there
    is no file yet, they are the `general` one.
    """
    file = POLICY_FILES[variant]
    before = dict(zip(POLICIES, load_policies(variant).tables, strict=True)) if file.exists() else {}
    entries = np.array([tables.get(name, before.get(name, general)) for name in POLICIES])
    hundredths = np.rint(np.clip(HUNDREDTHS * entries, -_LARGEST, _LARGEST)).astype(np.int16)
    np.savez_compressed(file, names=np.array(POLICIES), entries=hundredths)
    load_policies.cache_clear()
    return file


NO_CHANCE = 1e-300


def players_of(game: RecordedGame) -> list[int]:
    """By team, the number of its policy in `POLICIES`: of the style that explains both line-ups best."""
    styles = load_styles(game.board.variant)
    shares = styles.of_origins(styles.prior)
    found = []
    for team in range(2):
        odds = np.log(shares)
        for seat, letter in enumerate(game.board.seats):
            if team_of(seat) == team:
                chances = styles.of_origins(styles.prior * _likelihoods(styles, letter, game.lineups[letter]))
                odds += np.log(np.maximum(chances / shares, NO_CHANCE))
        best = int(np.flatnonzero(styles.origins == odds.argmax())[0])
        found.append(POLICIES.index(policy_of(styles.names[best])))
    return found


def _likelihoods(styles: Styles, letter: str, lineup: str) -> np.ndarray:
    """By style, the probability of a line-up, divided by a constant."""
    kinds = lineup_kinds(letter, lineup)
    logarithms = np.log(np.maximum(styles.tables[:, range(PIECES_PER_SEAT), kinds], NO_CHANCE)).sum(axis=1)
    logarithms -= styles.log_normalisers
    return np.exp(logarithms - logarithms.max())


SCARCE = 100
ROWS_OF_MOVES_TYPE = types.Array(types.uint16, 2, "C")
BYTES_TYPE = types.Array(types.uint8, 1, "C")


@dataclass(frozen=True)
class Choices:
    """See the module."""

    kinds: np.ndarray
    rows: np.ndarray
    lengths: np.ndarray
    first: np.ndarray
    chosen: np.ndarray
    games: np.ndarray
    players: np.ndarray

    def __len__(self) -> int:
        return len(self.chosen)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, MOVES_TYPE, ROWS_OF_MOVES_TYPE, BYTES_TYPE))
def describe_moves(tables, position, state, moves, rows, lengths):
    """Write the rows of each move of the seat to move, and their numbers."""
    for number in range(len(moves)):
        start, target = from_point_of(moves[number]), to_point_of(moves[number])
        lengths[number] = active_rows(tables, position, state, start, target, rows[number])


def choices_of(games: Sequence[RecordedGame], every: int, whose: Mapping[str, int] | None = None) -> Choices:
    """The choices of one ply in this many, of those that had more than one move. ValueError if there is none.

    `whose` has the numbers of policies by the names of engines, or of `EVERYBODY`; other teams are left out. Without
    it, their line-ups tell. Of a policy with fewer than `SCARCE` teams, every ply counts.
    """
    players: list[Sequence[int | None]] = [
        players_of(game) if whose is None else [whose.get(name, whose.get(EVERYBODY)) for name in game.engines]
        for game in games
    ]
    known = [player for teams in players for player in teams if player is not None]
    is_scarce = np.bincount(np.array(known, int), minlength=len(POLICIES)) < SCARCE
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray, int, int, int, int]] = []
    for number, game in enumerate(games):
        truth, public = open_view(game), PublicRecord(game.board)
        for ply, seen in enumerate(game.moves):
            if seen.is_ply:
                public.set_turn(seen)
                player = players[number][team_of(truth.turn)]
                is_wanted = player is not None and (is_scarce[player] or ply % every == number % every)
                moves = truth.legal_moves() if is_wanted else []
                if player is not None and len(moves) > 1:
                    described = _described(public, truth.position, moves)
                    found.append((*described, len(moves), moves.index(seen.move), number, player))
            public.append(truth.observe(seen))
    if not found:
        raise ValueError("the games have no position with a choice")
    kinds, rows, lengths, counts, *numbers = zip(*found, strict=True)
    first = np.concatenate([[0], np.cumsum(counts)])
    chosen, games_of, players_found = map(np.array, numbers)
    return Choices(
        np.concatenate(kinds), np.concatenate(rows), np.concatenate(lengths), first, chosen, games_of, players_found
    )


def _described(public: PublicRecord, truth: np.void, moves: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The kinds of the pieces that move, the rows of the moves, and how many rows each has."""
    rows, lengths = np.zeros((len(moves), MAX_ACTIVE_ROWS), np.uint16), np.zeros(len(moves), np.uint8)
    describe_moves(
        public.board.tables, public.positions[0], public.states[0], np.array(moves, np.uint16), rows, lengths
    )
    pieces = piece_in(truth["board"][from_point_of(np.array(moves))])
    return truth["kind"][pieces], rows, lengths


RATE, DECAY = 0.1, 1e-4
EPOCHS = 8
_TABLE = types.Array(types.float32, 2, "C")
_NUMBERS = types.Array(types.int64, 1, "C")


@kernel(
    types.float64(
        BYTES_TYPE, ROWS_OF_MOVES_TYPE, BYTES_TYPE, _NUMBERS, _NUMBERS, _NUMBERS, _TABLE, _TABLE,
        types.float64,
    )
)  # fmt: skip
def run(kinds, rows, lengths, first, chosen, order, table, squares, rate):
    """Learn from each of some positions; returns the sum of their losses.

    `squares` are the sums of the squared gradients of all entries of the table.
    """
    scores = np.empty(MAX_MOVES)
    losses = 0.0
    for position in order:
        begin, count = first[position], first[position + 1] - first[position]
        most, total = -1e30, 0.0
        for number in range(count):
            move = begin + number
            scores[number] = 0.0
            for row in range(lengths[move]):
                scores[number] += table[rows[move, row], kinds[move]]
            most = max(most, scores[number])
        for number in range(count):
            total += np.exp(scores[number] - most)
        choice = chosen[position]
        losses += most + np.log(total) - scores[choice]
        for number in range(count):
            move = begin + number
            slope = np.exp(scores[number] - most) / total - (1.0 if number == choice else 0.0)
            for row in range(lengths[move]):
                _descend(table, squares, rows[move, row], kinds[move], slope, rate)
    return losses


@kernel(types.void(_TABLE, _TABLE, types.int64, types.int64, types.float64, types.float64))
def _descend(table, squares, row, kind, slope, rate):
    slope += DECAY * table[row, kind]
    squares[row, kind] += slope * slope
    table[row, kind] -= rate * slope / np.sqrt(squares[row, kind])


def new_table() -> np.ndarray:
    """A policy to which all moves are alike, (527, 12)."""
    return np.zeros((ROWS, KINDS), np.float32)


def fitted(table: np.ndarray, choices: Choices, positions: np.ndarray, seed: int) -> tuple[np.ndarray, float]:
    """The policy fitted from where `table` is, which changes, and its mean loss of the last epoch on the way, in nats.
    The same table, choices, positions and seed give the same policy.
    """
    rng, loss = np.random.default_rng(seed), 0.0
    squares = np.ones_like(table)
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        loss = run(
            choices.kinds, choices.rows, choices.lengths, choices.first, choices.chosen, rng.permutation(positions),
            table, squares, float(rate),
        )  # fmt: skip
    return table, loss / max(1, len(positions))
