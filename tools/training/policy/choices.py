"""Choices of searches in recorded games: the moves that a team had, and the one that it played.

`Choices` has a row for each move of each position:

| field | shape | meaning |
|---|---|---|
| kind, leaves, enters, meets | (m,) | of the move: see `features.POLICY` |
| features | (m, 8) | see `features.FEATURES` |
| first | (n + 1,) | by position: its first row; the last entry is m |
| chosen | (n,) | by position: which of its moves was played |
| game | (n,) | by position: the number of the game |
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.information.style_belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import NO_PIECE, enemy_field, from_point_of, piece_in, team_of, to_point_of
from tools.training.games import Game, team_view
from tools.training.policy.features import FEATURES, QUIET, describe, facts_of


@dataclass(frozen=True)
class Choices:
    """See the module."""

    kind: np.ndarray
    leaves: np.ndarray
    enters: np.ndarray
    meets: np.ndarray
    features: np.ndarray
    first: np.ndarray
    chosen: np.ndarray
    game: np.ndarray

    def __len__(self) -> int:
        return len(self.chosen)

    def of_games(self, is_held_out: bool, fold: int) -> np.ndarray:
        """The positions of the games that are held out, one in `fold`, or of the others."""
        return np.flatnonzero((self.game % fold == 0) == is_held_out)


@dataclass
class _Rows:
    """What grows while games are read."""

    cells: list[tuple[int, int, int, int]] = field(default_factory=list)
    features: list[np.ndarray] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [0])
    chosen: list[int] = field(default_factory=list)
    game: list[int] = field(default_factory=list)

    def add(self, view: SeatView, moves: list[int], played: int, game: int) -> None:
        board, position, facts = view.board, view.position, facts_of(view, log_weights(view))
        enemy = np.uint8(enemy_field(view.turn))
        for move in moves:
            start, target = from_point_of(move), to_point_of(move)
            kind, occupant = position["kind"][piece_in(int(position["board"][start]))], int(position["board"][target])
            features = np.empty(len(FEATURES), np.float32)
            describe(board.tables, position, facts, np.uint16(move), np.uint8(kind), enemy, features)
            shown = QUIET if occupant == NO_PIECE else int(facts["classes"][piece_in(occupant)])
            self.cells.append((int(kind), int(facts["seen"][start]), int(facts["seen"][target]), shown))
            self.features.append(features)
        self.first.append(len(self.cells))
        self.chosen.append(moves.index(played))
        self.game.append(game)


def choices_of(games: Iterable[Game], every: int) -> Choices:
    """The choices of every so many plies, of those that had more than one move. ValueError if there is none."""
    rows = _Rows()
    for number, game in enumerate(games):
        start = GameState.start(game.board, game.lineups, game.rules)
        views = [team_view(start, team, game.first) for team in range(2)]
        for ply, seen in enumerate(game.moves):
            view = views[team_of(views[0].turn)]
            if seen.is_ply and ply % every == number % every:
                moves = view.legal_moves()
                if len(moves) > 1:
                    rows.add(view, moves, seen.move, number)
            for each in views:
                each.observe(seen)
    if not rows.chosen:
        raise ValueError("the games have no position with a choice")
    cells = np.array(rows.cells, np.uint8)
    kind, leaves, enters, meets = (np.ascontiguousarray(column) for column in cells.T)
    return Choices(
        kind, leaves, enters, meets, np.array(rows.features, np.float32), np.array(rows.first), np.array(rows.chosen),
        np.array(rows.game),
    )  # fmt: skip
