"""A lesson as data for the page: its scene, its legal moves, and the scene after each of them."""

from typing import Any

from junqi_engine.notation.fen import HIDDEN
from junqi_engine.notation.moves import format_code
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seat_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Placement
from tools.board.drawing import junqi
from tools.board.drawing.paths import path_of
from tools.board.lessons.course import COURSE, Lesson


def boards() -> dict[str, Any]:
    """By variant, the board as a page draws it, and its pieces before the first move."""
    return {
        variant: {"type": "board", **junqi.board_data(board), "pieces": junqi.hidden_pieces(board)}
        for variant, board in BOARDS.items()
    }


def lessons() -> list[dict[str, Any]]:
    """All lessons."""
    return [_lesson(lesson) for lesson in COURSE]


def _lesson(lesson: Lesson) -> dict[str, Any]:
    board = BOARDS[lesson.variant]
    start = _state(board, lesson)
    shown = {board.point_named[name] for name in lesson.shown.split()}
    movers = {str(board.point_named[name]) for name in lesson.movers.split()}
    legal = {point: moves for point, moves in junqi.targets(start, "S").items() if point in movers}
    good = lesson.good.split() or [move for moves in legal.values() for move in moves.values()]
    if not set(good) <= {move for moves in legal.values() for move in moves.values()}:
        raise ValueError(f"lesson {lesson.name}: {lesson.good} are not all legal: {legal}")
    after = {}
    for code in start.legal_moves():
        state = start.copy()
        state.play(code)
        move = format_code(board, code)
        if any(move in moves.values() for moves in legal.values()):
            after[move] = {"pieces": _pieces(state, shown), "last": _told(start, state)}
    return {
        "name": lesson.name,
        "variant": lesson.variant,
        "pieces": _pieces(start, shown),
        "targets": legal,
        "good": good,
        "marked": [board.point_named[name] for name in lesson.marked.split()],
        "after": after,
    }


def _state(board: Board, lesson: Lesson) -> GameState:
    placements = []
    for word in lesson.pieces.split():
        piece, _, name = word.partition(":")
        placements.append(Placement(board.seats.index(piece[0]), board.point_named[name], LETTERS.index(piece[1])))
    placements.sort(key=lambda placement: placement.seat)
    return GameState.from_placements(board, Rules.of(board), placements, 0, board.all_alive, 0, 40)


def _told(before: GameState, after: GameState) -> dict[str, Any]:
    """The move that led to a position, with its way and the pieces of its battle, as `story.told` has it."""
    board, seen = after.board, after.record[-1]
    occupied = {point for point in board.points if before.piece_at(point) is not None}
    kinds = before.position["kind"]

    def known(point: int, is_own: bool) -> dict[str, Any]:
        piece = before.piece_at(point)
        assert piece is not None
        letter = LETTERS[int(kinds[piece])] if is_own else HIDDEN
        return {
            "piece": piece,
            "seat": board.seats[seat_of(piece)],
            "letter": letter,
            "may": LETTERS if letter == HIDDEN else letter,
        }

    path = path_of(board, occupied, seen.from_point, seen.to_point)
    has_battle = before.piece_at(seen.to_point) is not None
    battle = {"attacker": known(seen.from_point, True), "defender": known(seen.to_point, False) if has_battle else None}
    return {**(junqi.last_move(after) or {}), "path": path, **battle}


def _pieces(state: GameState, shown: set[int]) -> list[list[Any]]:
    """The pieces as South sees them, in Siguo with its partner; flags that a battle reveals, and `shown`, are seen."""
    board, found = state.board, []
    seen = shown.union(*(move.shown_flags for move in state.record))
    own = board.teams[0] if len(board.seats) > 2 else "S"
    for point in board.points:
        piece = state.piece_at(point)
        if piece is not None:
            seat = board.seats[seat_of(piece)]
            is_seen = seat in own or point in seen
            letter = LETTERS[int(state.position["kind"][piece])] if is_seen else HIDDEN
            found.append([point, piece, seat, letter])
    return found
