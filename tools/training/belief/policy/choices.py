"""Choices in recorded games: the moves that a seat had, and the one that it played.

`Choices` has a row for each move of each position:

| field | shape | meaning |
|---|---|---|
| kinds | (m,) uint8 | the kind of the piece |
| rows, lengths | (m, 16) uint16, (m,) uint8 | the rows of the move (`policy`), and how many it has |
| first | (n + 1,) | by position: its first move; the last entry is m |
| chosen | (n,) | by position: which of its moves was played |
| games | (n,) | by position: the number of the game |
| players | (n,) | by position: the number of the seat's policy in `policy.POLICIES` |

A policy belongs to the style in which a seat set up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numba.core import types

from junqi_engine.information.policy import MOST_ROWS, POLICIES, describe
from junqi_engine.information.public_game import TRACE_TYPE, PublicGame
from junqi_engine.information.reading_belief import policy_of
from junqi_engine.information.style_belief import Styles, load
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import enemy_field, from_point_of, piece_in, team_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.rules.setup import lineup_kinds
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
