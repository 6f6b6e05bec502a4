"""Positions to fit a value to: features, the hand-written score, the score of the search, and the result.

`Positions` has a row for each position:

| field | shape | meaning |
|---|---|---|
| features | (n, seats, pieces) | by seat that sees and by piece: its feature, `ABSENT` for a removed piece |
| hand | (n,) | the hand-written score for the team to move, in hundredths of a Lieutenant |
| search | (n,) | the score of the search, in the same units |
| result | (n,) | 1 if the team to move won, 0.5 for a draw, else 0 |
| team | (n,) | the team to move |
| game | (n,) | the number of the game, from 0 on |
| phase | (n,) | the share of the game's plies that had been played |
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.evaluation.hand import HAND_WRITTEN
from junqi_engine.evaluation.hand import refresh as refresh_hand
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.evaluation.worths import WORTHS_TYPE, feature_of, find_mirrored, no_worths
from junqi_engine.information.public_game import CLASSES_TYPE, show
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.layout import NO_PIECE, PIECES, contains, piece_of, team_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, Result, lineup_kinds, new_position, place_lineup
from tools.training.selfplay.game_file import GameFile, StoredGame

ABSENT = np.uint16(0xFFFF)
DECIDED = 20_000
"""A larger score is a proven end of the game, from which there is nothing to learn."""
FEATURES_TYPE = types.Array(types.uint16, 3, "C")
_FLAGS_TYPE = types.Array(types.boolean, 1, "C")
_INTEGERS_TYPE = types.Array(types.int64, 1, "C")
_MIRRORED_TYPE = types.Array(types.uint8, 1, "C")


@dataclass(frozen=True)
class Positions:
    """See the module."""

    features: np.ndarray
    hand: np.ndarray
    search: np.ndarray
    result: np.ndarray
    team: np.ndarray
    game: np.ndarray
    phase: np.ndarray

    def __len__(self) -> int:
        return len(self.hand)

    def of_games(self, is_held_out: bool, fold: int) -> np.ndarray:
        """The rows of the games that are held out, one in `fold`, or of the others."""
        return np.flatnonzero((self.game % fold == 0) == is_held_out)


@kernel(types.void(WORTHS_TYPE, POSITION_TYPE, CLASSES_TYPE, _MIRRORED_TYPE, types.Array(types.uint16, 2, "C")))
def list_features(worths, position, classes, is_mirrored, features):
    """Fill the features of a position."""
    find_mirrored(worths, position, is_mirrored)
    for seat in range(worths.seats):
        for owner in range(worths.seats):
            for slot in range(PIECES_PER_SEAT):
                piece = piece_of(owner, slot)
                number = np.int64(ABSENT)
                if contains(position.alive, owner) and contains(position.present[owner], slot):
                    number = feature_of(
                        worths, is_mirrored[seat], seat, owner, position.kind[piece], np.int64(classes[piece]),
                        np.int64(position.where[piece]),
                    )  # fmt: skip
                features[seat, owner * PIECES_PER_SEAT + slot] = number


@kernel(
    types.int64(
        TABLES_TYPE, POSITION_TYPE, HAND_TYPE, WORTHS_TYPE, UNDO_TYPE, MOVES_TYPE, _FLAGS_TYPE, CLASSES_TYPE,
        _MIRRORED_TYPE, FEATURES_TYPE, _INTEGERS_TYPE, _INTEGERS_TYPE,
    )
)  # fmt: skip
def replay(tables, position, hand, worths, undo, moves, wanted, classes, is_mirrored, features, scores, teams):
    """Play the moves of a game; list the wanted positions in which a quiet move was played. Returns their number.

    `wanted` is by ply; it becomes false where the move was a battle.
    """
    count = 0
    for ply in range(len(moves)):
        is_quiet = position.board[to_point_of(moves[ply])] == NO_PIECE
        wanted[ply] &= is_quiet
        if wanted[ply]:
            refresh_hand(tables, position, np.uint8(0), hand)
            list_features(worths, position, classes, is_mirrored, features[count])
            team = team_of(position.turn)
            scores[count] = -hand.scores[0] if team else hand.scores[0]
            teams[count] = team
            count += 1
        make(tables, position, moves[ply], undo)
        show(position, undo, classes)
    return count


def positions_of(files: Iterable[GameFile], every: int = 1) -> Positions:
    """Quiet positions with a score of the search; `every` n-th of each game. ValueError if there is none."""
    parts = [part for part in _games(files, every) if len(part[0])]
    if not parts:
        raise ValueError("the games have no quiet position with a score")
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _games(files: Iterable[GameFile], every: int) -> Iterable[Sequence[np.ndarray]]:
    number = 0
    for file in files:
        for game in file.games:
            yield _of_game(file, game, number, every)
            number += 1


def _of_game(file: GameFile, game: StoredGame, number: int, every: int) -> Sequence[np.ndarray]:
    board, plies, pieces = file.board, len(game.moves), PIECES_PER_SEAT * len(file.board.seats)
    position = new_position(board, file.rules, board.all_alive, 0)
    for seat, lineup in enumerate(game.lineups):
        place_lineup(board, position, seat, lineup_kinds(board.seats[seat], lineup))
    search = np.array([DECIDED if score is None else score for score in game.scores or [None] * plies])
    wanted = np.abs(search) < DECIDED
    wanted[np.flatnonzero(wanted)[np.arange(wanted.sum()) % every != number % every]] = False
    features = np.empty((plies, len(board.seats), pieces), np.uint16)
    scores, teams = np.empty(plies, np.int64), np.empty(plies, np.int64)
    count = replay(
        board.tables, position, HAND_WRITTEN.new(1)[0], no_worths(board), np.zeros(1, UNDO)[0],
        np.array(game.moves, np.uint16), wanted, np.zeros(PIECES, np.uint8), np.zeros(len(board.seats), np.uint8),
        features, scores, teams,
    )  # fmt: skip
    first = {Result.TEAM_0: 1.0, Result.TEAM_1: 0.0}.get(game.result, 0.5)
    teams = teams[:count]
    return (
        features[:count], scores[:count].astype(np.float32), search[wanted].astype(np.float32),
        np.where(teams == 0, first, 1 - first).astype(np.float32), teams.astype(np.uint8), np.full(count, number),
        (np.flatnonzero(wanted) / plies).astype(np.float32),
    )  # fmt: skip
