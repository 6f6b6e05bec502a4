"""Choices in recorded games, and the fit of a policy to them.

`Choices` has a row for each move of each position:

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numba.core import types

from junqi_engine.information.belief.opponents import policy_of
from junqi_engine.information.belief.policy import MOST_ROWS, POLICIES, ROWS, describe
from junqi_engine.information.belief.styles import Styles, load
from junqi_engine.information.public_game import TRACE_TYPE, PublicGame
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import enemy_field, from_point_of, piece_in, team_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, lineup_kinds
from tools.training.games import Game, open_view

NO_CHANCE = 1e-300


def players_of(game: Game) -> list[int]:
    """By team, the number of its policy in `POLICIES`: of the style that explains both line-ups best."""
    styles = load(game.board.variant)
    shares = styles.of_origins(styles.shares)
    found = []
    for team in range(2):
        odds = np.log(shares)
        for seat, letter in enumerate(game.board.seats):
            if team_of(seat) == team:
                chances = styles.of_origins(styles.shares * _likelihoods(styles, letter, game.lineups[letter]))
                odds += np.log(np.maximum(chances / shares, NO_CHANCE))
        best = int(np.flatnonzero(styles.origins == odds.argmax())[0])
        found.append(POLICIES.index(policy_of(styles.names[best])))
    return found


def _likelihoods(styles: Styles, letter: str, lineup: str) -> np.ndarray:
    """By style, the probability of a line-up, divided by a constant."""
    kinds = lineup_kinds(letter, lineup)
    logarithms = np.log(np.maximum(styles.tables[:, range(PIECES_PER_SEAT), kinds], NO_CHANCE)).sum(axis=1)
    logarithms -= styles.log_sums
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

    def of_games(self, is_held_out: bool, fold: int) -> np.ndarray:
        """The positions of the games that are held out, one in `fold`, or of the others."""
        return np.flatnonzero((self.games % fold == 0) == is_held_out)


@dataclass
class _Parts:
    """What grows while games are read: arrays by position, to be joined."""

    kinds: list[np.ndarray] = field(default_factory=list)
    rows: list[np.ndarray] = field(default_factory=list)
    lengths: list[np.ndarray] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [0])
    chosen: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, MOVES_TYPE, ROWS_OF_MOVES_TYPE, BYTES_TYPE))
def describe_moves(tables, position, trace, moves, rows, lengths):
    """Write the rows of each move of the seat to move, and their numbers."""
    enemy = enemy_field(position.turn)
    for number in range(len(moves)):
        start, target = from_point_of(moves[number]), to_point_of(moves[number])
        lengths[number] = describe(tables, position, trace, position.turn, enemy, start, target, rows[number])


def choices_of(games: Sequence[Game], every: int, whose: str | None = None) -> Choices:
    """The choices of every so many plies, of those that had more than one move. ValueError if there is none.

    `whose` is the name of the policy of all teams; without it, their line-ups tell. Of a policy with fewer than
    `SCARCE` teams, every ply counts.
    """
    players = [players_of(game) if whose is None else [POLICIES.index(whose)] * 2 for game in games]
    is_scarce = np.bincount(np.ravel(players).astype(int), minlength=len(POLICIES)) < SCARCE
    parts = _Parts()
    for number, game in enumerate(games):
        truth, public = open_view(game), PublicGame(game.board)
        for ply, seen in enumerate(game.moves):
            if seen.is_ply:
                public.prepare(seen)
                player = players[number][team_of(truth.turn)]
                is_wanted = is_scarce[player] or ply % every == number % every
                moves = truth.legal_moves() if is_wanted else []
                if len(moves) > 1:
                    _add(parts, public, truth.position, moves, seen.move)
                    parts.games.append(number)
                    parts.players.append(player)
            public.follow(truth.observe(seen))
    if not parts.chosen:
        raise ValueError("the games have no position with a choice")
    joined = {
        each.name: np.concatenate(part) if isinstance(part[0], np.ndarray) else np.array(part)
        for each in fields(parts)
        for part in [getattr(parts, each.name)]
    }
    return Choices(**joined)


def _add(parts: _Parts, public: PublicGame, truth: np.void, moves: Sequence[int], played: int) -> None:
    rows, lengths = np.zeros((len(moves), MOST_ROWS), np.uint16), np.zeros(len(moves), np.uint8)
    describe_moves(public.board.tables, public.position, public.trace, np.array(moves, np.uint16), rows, lengths)
    pieces = piece_in(truth["board"][from_point_of(np.array(moves))])
    parts.kinds.append(truth["kind"][pieces])
    parts.rows.append(rows)
    parts.lengths.append(lengths)
    parts.first.append(parts.first[-1] + len(moves))
    parts.chosen.append(moves.index(played))


RATE, DECAY = 0.1, 1e-4
EPOCHS = 8
TOP = (1, 5)
_TABLE = types.Array(types.float32, 2, "C")
_NUMBERS = types.Array(types.int64, 1, "C")
_SUMS = types.Array(types.float64, 1, "C")


@dataclass(frozen=True)
class Agreement:
    """Over some positions: the mean of -ln(probability of the choice), in nats, and how often the choice is among the
    first moves, by `TOP`.
    """

    loss: float
    top: tuple[float, ...]


@kernel(
    types.void(
        BYTES_TYPE, ROWS_OF_MOVES_TYPE, BYTES_TYPE, _NUMBERS, _NUMBERS, _NUMBERS, _TABLE, _TABLE,
        types.float64, types.boolean, _SUMS,
    )
)  # fmt: skip
def run(kinds, rows, lengths, first, chosen, order, table, squares, rate, learns, sums):
    """Go through positions; learn from each if wanted. `sums` receives the losses, and the ranks below each of `TOP`.

    `squares` are the sums of the squared gradients of all entries of the table.
    """
    scores = np.empty(MAX_MOVES)
    sums[:] = 0.0
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
        choice, better = chosen[position], 0
        for number in range(count):
            better += scores[number] > scores[choice] or (scores[number] == scores[choice] and number < choice)
        sums[0] += most + np.log(total) - scores[choice]
        for number in range(len(TOP)):
            sums[1 + number] += better < TOP[number]
        if not learns:
            continue
        for number in range(count):
            move = begin + number
            slope = np.exp(scores[number] - most) / total - (1.0 if number == choice else 0.0)
            for row in range(lengths[move]):
                _descend(table, squares, rows[move, row], kinds[move], slope, rate)


@kernel(types.void(_TABLE, _TABLE, types.int64, types.int64, types.float64, types.float64))
def _descend(table, squares, row, kind, slope, rate):
    slope += DECAY * table[row, kind]
    squares[row, kind] += slope * slope
    table[row, kind] -= rate * slope / np.sqrt(squares[row, kind])


def measure(table: np.ndarray, choices: Choices, positions: np.ndarray) -> Agreement:
    """How well a policy agrees with the choices of some positions."""
    return _pass(table.copy(), new_table(), choices, positions, 0.0, learns=False)


def new_table() -> np.ndarray:
    """A policy to which all moves are alike, (527, 12)."""
    return np.zeros((ROWS, KINDS), np.float32)


def fit(table: np.ndarray, choices: Choices, positions: np.ndarray, seed: int) -> Iterator[Agreement]:
    """Fit a policy from where its table is: its agreement on the way, after each epoch. The same table, choices,
    positions and seed give the same policy.
    """
    rng = np.random.default_rng(seed)
    squares = np.ones_like(table)
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        yield _pass(table, squares, choices, rng.permutation(positions), float(rate), learns=True)


def fitted(table: np.ndarray, choices: Choices, positions: np.ndarray, seed: int) -> np.ndarray:
    """The table that `fit` ends with."""
    for _ in fit(table, choices, positions, seed):
        pass
    return table


def _pass(
    table: np.ndarray, squares: np.ndarray, choices: Choices, positions: np.ndarray, rate: float, *, learns: bool
) -> Agreement:
    sums = np.zeros(1 + len(TOP))
    run(
        choices.kinds, choices.rows, choices.lengths, choices.first, choices.chosen, positions, table, squares, rate,
        learns, sums,
    )  # fmt: skip
    means = sums / max(1, len(positions))
    return Agreement(float(means[0]), tuple(float(mean) for mean in means[1:]))
