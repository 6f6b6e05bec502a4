"""Players 1.0 to 1.2 in a batch: the events of `players.events`, and their own dice.

`tests/env/test_opponents.py` compares their moves with those of the players.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numba.core import types

from junqi_engine.api.readable import seat_of_letter
from junqi_engine.env.observation import check_choice
from junqi_engine.env.observing import TRACK, TRACKS_TYPE, VIEWS_TYPE, make_and_follow
from junqi_engine.env.stepping import NUMBERS_TYPE, POSITIONS_TYPE, SEEDS_TYPE, draw, list_moves
from junqi_engine.errors import JunqiError
from junqi_engine.information.deduction import MASKS_TYPE
from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.players.events import LIMIT, Event, answer
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO_TYPE
from junqi_engine.rules.layout import NO_MOVE, from_point_of, team_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import POSITION_TYPE

VERSIONS = ("1.0", "1.1", "1.2")
"""The players that a batch has as opponents."""
CODES_TYPE = types.Array(types.uint8, 2, "C")
_PRIORITIES = np.zeros((len(VERSIONS), len(Event) + 1), np.int64)
for _row, _version in zip(_PRIORITIES, VERSIONS, strict=True):
    _priority = event_recipe(_version).priority
    _row[: len(_priority)] = _priority
_path_scratch = scratch_record(np.dtype([("path", np.uint8, LIMIT)], align=True))


def read_opponents(
    board: Board,
    rules: Rules,
    visibility: str | None,
    n: int,
    given: Mapping[str, str] | Sequence[Mapping[str, str]],
    auto_reset: bool,
) -> np.ndarray:
    """(n, seats): 0 for a seat of the caller, k for one that `VERSIONS[k - 1]` plays. `given` has the versions by seat,
    for all games or for each. `JunqiError` if it is wrong.
    """
    codes, tables = np.zeros((n, len(board.seats)), np.uint8), [given] * n if isinstance(given, Mapping) else given
    if len(tables) not in (0, n):
        raise JunqiError("bad-argument", f"opponents: {len(tables)} tables, expected {n}")
    for number, table in enumerate(tables):
        for letter, version in table.items():
            check_choice("opponent", version, VERSIONS)
            codes[number, seat_of_letter(board, letter, "seat of an opponent")] = 1 + VERSIONS.index(version)
    if codes.any() and visibility is None:
        raise JunqiError("bad-argument", "a batch whose visibility is None has no opponents")
    if auto_reset and codes.all(axis=1).any():
        raise JunqiError("bad-argument", "opponents: no seat is left for the caller, so auto_reset must be False")
    if codes.any() and not rules.no_contact and not rules.max_plies:
        raise JunqiError("bad-argument", "opponents need rules with a limit of plies")
    return codes


@kernel(types.uint16(SEEDS_TYPE, types.intp, MOVES_TYPE, types.intp))
def random_piece(seeds, game, moves, count):
    """A random piece that can move, then a random move of it."""
    first, start, chosen = game * MAX_MOVES, np.uint16(0), np.uint16(0)
    for is_move in range(2):
        seen = 0
        for i in range(first, first + count):
            if is_move:
                counts = from_point_of(moves[i]) == start
            else:
                counts = True
                for j in range(first, i):
                    counts &= from_point_of(moves[i]) != from_point_of(moves[j])
            if counts:
                seen += 1
                if draw(seeds, game, np.uint64(seen)) == 0:
                    chosen = moves[i]
        start = from_point_of(chosen)
    return chosen


@kernel(
    types.uint16(
        TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, record_type(TRACK), types.intp, MOVES_TYPE, types.intp, SEEDS_TYPE,
        types.intp,
    )
)  # fmt: skip
def choose(tables, position, masks, track, player, moves, count, seeds, game):
    """The move of a player: the lowest that answers its first event that has an answer, else a random one."""
    first, scratch = game * MAX_MOVES, _path_scratch()
    last = np.intp(track.ends[1 - team_of(np.intp(position.turn))])
    for event in _PRIORITIES[player]:
        if event == 0:
            break
        found = answer(tables, position, masks, last, event, moves, first, first + count, scratch.path)
        if found != NO_MOVE:
            return found
    return random_piece(seeds, game, moves, count)


@kernel(
    types.void(
        TABLES_TYPE, POSITIONS_TYPE, SEEDS_TYPE, MOVES_TYPE, NUMBERS_TYPE, UNDO_TYPE, VIEWS_TYPE, TRACKS_TYPE,
        NUMBERS_TYPE, CODES_TYPE,
    )
)  # fmt: skip
def play_opponents(tables, positions, seeds, moves, counts, undo, views, tracks, view_of, codes):
    """In every game, play on until a seat of the caller is to move, or to the end."""
    each = len(views) // len(positions)
    for game in range(len(positions)):
        while counts[game] and codes[game, positions[game].turn]:
            turn = np.intp(positions[game].turn)
            masks = views[game * each + view_of[turn]].masks
            move = choose(
                tables, positions[game], masks, tracks[game], codes[game, turn] - 1, moves, counts[game], seeds, game
            )
            make_and_follow(tables, positions, move, undo, views, tracks, game)
            list_moves(tables, positions, moves, counts, game)
