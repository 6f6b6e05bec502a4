"""Players 1.0 to 1.2 in a kernel: the events of `players.events`, and their own dice.

`tests/env/test_opponents.py` compares their moves with those of the players.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numba.core import types

from junqi_engine.env.dealing import SEEDS_TYPE, draw
from junqi_engine.env.observation import check_choice
from junqi_engine.env.observing import NO_POINT, TRACK, TRACKS_TYPE, VIEWS_TYPE, make_and_follow
from junqi_engine.env.stepping import NUMBERS_TYPE, POSITIONS_TYPE, list_moves
from junqi_engine.errors import JunqiError
from junqi_engine.information.deduction import MASKS_TYPE
from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.library.reading import seat_of_letter
from junqi_engine.players import events
from junqi_engine.players.flag_path import LIMIT, search
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import BLOCK_POINTS, FIRST_BACK_ROW, MAX_POINTS, ROW_POINTS, TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO_TYPE
from junqi_engine.rules.layout import (
    NO_MOVE,
    NO_PIECE,
    are_enemies,
    contains,
    from_point_of,
    move_of,
    piece_in,
    seat_of,
    slot_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import ALL_MASK, BOMB, ENGINEER, FLAG, RANKED_MASK
from junqi_engine.rules.position import POSITION_TYPE

VERSIONS = ("1.0", "1.1", "1.2")
"""The players that a batch has as opponents."""
CODES_TYPE = types.Array(types.uint8, 2, "C")
_FLAG, _FALSE_FLAG = 6, 7
_NUMBERS: dict[events.Finder, int] = {
    events.bomb: 1, events.capture: 2, events.camp: 3, events.unknown: 4, events.engineer: 5, events.flag: _FLAG,
    events.false_flag: _FALSE_FLAG,
}  # fmt: skip
_PRIORITIES = np.zeros((len(VERSIONS), len(_NUMBERS) + 1), np.int64)
for _row, _version in zip(_PRIORITIES, VERSIONS, strict=True):
    _priority = event_recipe(_version).priority
    _row[: len(_priority)] = [_NUMBERS[finder] for finder in _priority]
_FLAG_MASK, _MINE_OR_FLAG_MASK = 1 << FLAG, events.MINE_OR_FLAG_MASK
_HIGH_MASK, _BELOW_BRIGADIER_MASK = events.HIGH_MASK, events.BELOW_BRIGADIER_MASK
_path_scratch = scratch_record(
    np.dtype([("wanted", np.uint8, MAX_POINTS), ("path", np.uint8, LIMIT), ("moves", np.uint16, MAX_MOVES)], align=True)
)


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


@kernel(types.boolean(POSITION_TYPE, types.intp))
def is_in_back_rows(position, point):
    """Whether a piece stands in the two back rows of its own seat's block."""
    occupant = position.board[point]
    is_at_home = occupant != NO_PIECE and seat_of(piece_in(occupant)) == point // BLOCK_POINTS
    return is_at_home and point % BLOCK_POINTS // ROW_POINTS >= FIRST_BACK_ROW


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, record_type(TRACK), types.intp, types.uint16))
def answers(tables, position, masks, track, event, move):
    """Whether a move answers an event, other than those of paths to a flag."""
    start, target = np.intp(from_point_of(move)), np.intp(to_point_of(move))
    kind, occupant = np.intp(position.kind[piece_in(position.board[start])]), position.board[target]
    mask = np.intp(masks[piece_in(occupant)]) if occupant != NO_PIECE else 0
    is_ranked, ranks = contains(RANKED_MASK, kind), mask & RANKED_MASK
    if event == 1:
        return kind == BOMB and mask != 0 and mask & ~_HIGH_MASK == 0
    if event == 2:
        prey = (RANKED_MASK & ~((1 << kind + 1) - 1)) | _FLAG_MASK
        return is_ranked and ranks != 0 and mask & ~prey == 0
    if event == 3:
        last = track.ends[1 - team_of(np.intp(position.turn))]
        if last == NO_POINT or position.board[last] == NO_PIECE:
            return False
        is_beside = False
        for i in range(tables.near_camps[last]):
            is_beside |= tables.near[last, i] == target
        is_enemys = are_enemies(np.intp(seat_of(piece_in(position.board[last]))), np.intp(position.turn))
        is_own = target // BLOCK_POINTS == position.turn
        return is_beside and is_enemys and is_own and not tables.campsite[start]
    can_be_mine = is_in_back_rows(position, target) and mask & _MINE_OR_FLAG_MASK
    if event == 4:
        return is_ranked and ranks & (ranks - 1) != 0 and not can_be_mine
    return kind == ENGINEER and can_be_mine


@kernel(types.uint16(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, types.boolean, types.intp))
def first_of_path(tables, position, masks, is_proven, kinds):
    """The first move of the shortest path to a flag that is proven, or to one that is possible; `NO_MOVE` if there is
    none. Only pieces of `kinds` go.
    """
    scratch = _path_scratch()
    found = False
    for point in range(MAX_POINTS):
        occupant = position.board[point]
        scratch.wanted[point] = 0
        if occupant != NO_PIECE and tables.headquarters[point]:
            seat = np.intp(seat_of(piece_in(occupant)))
            mask = np.intp(masks[piece_in(occupant)])
            is_home = seat == point // BLOCK_POINTS and are_enemies(seat, np.intp(position.turn))
            if is_home and contains(mask, FLAG) and (mask == _FLAG_MASK) == is_proven:
                scratch.wanted[point] = 1
                found = True
    best, limit = np.uint16(NO_MOVE), LIMIT
    if not found:
        return best
    for point in range(MAX_POINTS):
        occupant = position.board[point]
        piece = piece_in(occupant)
        if limit == 0 or occupant == NO_PIECE or seat_of(piece) != position.turn:
            continue
        kind = np.intp(position.kind[piece])
        if contains(position.movable[position.turn], np.uint32(slot_of(piece))) and contains(kinds, kind):
            length = search(
                tables, position, np.uint8(point), kind == ENGINEER, scratch.wanted, limit, scratch.moves, scratch.path
            )
            if length:
                best, limit = np.uint16(move_of(point, np.intp(scratch.path[0]))), length - 1
    return best


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
    first = game * MAX_MOVES
    for event in _PRIORITIES[player]:
        found = np.uint16(NO_MOVE)
        if event == 0:
            break
        if event == _FLAG:
            found = first_of_path(tables, position, masks, True, ALL_MASK)
        elif event == _FALSE_FLAG:
            if first_of_path(tables, position, masks, True, ALL_MASK) == NO_MOVE:
                found = first_of_path(tables, position, masks, False, _BELOW_BRIGADIER_MASK)
        else:
            for i in range(first, first + count):
                is_lower = found == NO_MOVE or moves[i] < found
                if is_lower and answers(tables, position, masks, track, event, moves[i]):
                    found = moves[i]
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
