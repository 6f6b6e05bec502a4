"""The tutorial: positions of real games, and what each legal move in them leads to, all worked out in advance.

So the page teaches without an engine, also while the engine still compiles. `python -m junqi_board.lessons` writes
`page/lessons.json` and `page/boards.json`.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from junqi_board.drawing import junqi
from junqi_board.drawing.story import path_of
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.notation.moves import format_code
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, LINEUP_INDICES, Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import contains, seat_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import FLAG, LETTERS, MOVABLE_MASK, Outcome, battle, letters_of
from junqi_engine.rules.position import Placement

PAGE = Path(__file__).parent / "page"
_OWN = "Sl:b1 Sj:a1 Sj:c1 Sj:b2 Sh:d1"
_ENEMY = "Nl:d12 Nj:e12 Nj:c12 Nj:d11 Nh:b12 Ng:b9"
_HOME = f"{_OWN} {_ENEMY}"
_FOUR = (
    "Sl:h1 Sj:g1 Sj:i1 Sj:h2 Sh:j1 Sf:g6 Se:i3 "
    "El:q8 Ej:q7 Ej:q9 Ej:p8 Eh:q10 Ef:l11 Eg:o9 Ee:m9 "
    "Nl:j17 Nj:k17 Nj:i17 Nj:j16 Nh:h17 Nf:k12 Nd:i13 "
    "Wl:a10 Wj:a11 Wj:a9 Wj:b10 Wh:a8 Wf:f7 Wg:c9"
)


@dataclass(frozen=True)
class Lesson:
    """A position, and a move to find in it.

    `pieces` are words such as `Sa:c4`: seat, letter, point. `movers` are the points of the pieces that may move,
    `good` the moves that fulfil the task, empty for any. `shown` are points of enemies whose pieces are revealed,
    `marked` the points that the words mean, which the board marks: a narrow screen has no names of points.
    """

    name: str
    variant: str
    pieces: str
    movers: str
    good: str = ""
    shown: str = ""
    marked: str = ""


COURSE: tuple[Lesson, ...] = (
    Lesson("roads", "luzhanqi", f"{_HOME} Sg:c3 Sf:e5 Nf:a8", "c3"),
    Lesson("campsites", "luzhanqi", f"{_HOME} Sb:c5 Sg:a4 Na:c6 Nd:d7", "c5", "c5c4 c5b5 c5d5"),
    Lesson("railways", "luzhanqi", f"{_HOME} Sf:a2 Sd:e5 Ne:c8 Nd:e7", "a2", "a2a10 a2a11"),
    Lesson("engineers", "luzhanqi", f"{_HOME} Si:a3 Sf:e3 Ne:a8 Nk:c9", "a3", "a3e9 a3e10 a3e11", marked="e9 e10 e11"),
    Lesson("battles", "luzhanqi", f"{_HOME} Sd:c5 Sg:e3 Nf:c6 Nd:e8", "c5", "c5c6", marked="c6"),
    Lesson("ranks", "luzhanqi", f"{_HOME} Sb:c5 Sg:b6 Se:e4 Nc:c6 Nf:e8", "b6 c5", "c5c6", marked="c6"),
    Lesson("bombs", "luzhanqi", f"{_HOME} Sk:d5 Sc:e4 Na:d6 Ne:a8", "d5 e4", "d5d6", marked="d6"),
    Lesson("mines", "luzhanqi", f"{_HOME} Si:d10 Se:e11 Nk:b8 Ne:a7", "d10 e11", "d10d11", marked="d11"),
    Lesson(
        "headquarters",
        "luzhanqi",
        f"{_OWN} Nl:d12 Nj:e12 Nh:b12 Nj:b11 Nf:a8 Sf:c12 Sb:e7",
        "c12",
        "c12d12",
        shown="d12",
        marked="d12",
    ),
    Lesson("curves", "siguo", f"{_FOUR} Sd:k3", "k3", "k3o7 k3p7", marked="o7 p7"),
    Lesson("elimination", "siguo", f"{_FOUR.replace('Ej:p8', 'Sc:p8')}", "p8", "p8q8", shown="q8", marked="q8"),
)


def boards() -> dict[str, Any]:
    """By variant, the board as a page draws it, and its pieces before the first move."""
    return {
        variant: {"type": "board", **junqi.board_data(board), "pieces": junqi.hidden_pieces(board)}
        for variant, board in BOARDS.items()
    }


def lessons() -> list[dict[str, Any]]:
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
            after[move] = {"pieces": _pieces(state, shown), "last": _told(start, state, shown)}
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


def _told(before: GameState, after: GameState, shown: set[int]) -> dict[str, Any]:
    """The move that led to a position, with its way and the pieces of its battle, as `story.told` has it."""
    board, seen = after.board, after.record[-1]
    occupied = {point for point in board.points if before.piece_at(point) is not None}
    path = path_of(board, occupied, seen.from_point, seen.to_point)
    attacker = _known(before, seen.from_point, _letter(before, seen.from_point))
    defender = None
    if before.piece_at(seen.to_point) is not None:
        defender = _known(before, seen.to_point, _may_be(before, seen, is_shown=seen.to_point in shown))
    return {**(junqi.last_move(after) or {}), "path": path, "attacker": attacker, "defender": defender}


def _letter(state: GameState, point: int) -> str:
    piece = state.piece_at(point)
    assert piece is not None
    return LETTERS[int(state.position["kind"][piece])]


def _known(state: GameState, point: int, may: str) -> dict[str, Any]:
    piece = state.piece_at(point)
    assert piece is not None
    seat = state.board.seats[seat_of(piece)]
    return {"piece": piece, "seat": seat, "letter": may if len(may) == 1 else HIDDEN, "may": may}


def _may_be(before: GameState, seen: SeenMove, is_shown: bool) -> str:
    """What a defender may be after its battle, by the place where it stands and by what it did."""
    board, point = before.board, seen.to_point
    defender = _letter(before, point)
    if is_shown or (defender == LETTERS[FLAG] and seen.outcome == Outcome.ATTACKER_WON):
        return defender
    attacker = LETTERS.index(_letter(before, seen.from_point))
    owner = board.owner(point)
    piece = before.piece_at(point)
    is_at_home = piece is not None and owner == seat_of(piece)
    home = MASK_AT[LINEUP_INDICES.index(point % BLOCK_POINTS)] if is_at_home else MOVABLE_MASK
    kinds = [kind for kind in range(len(LETTERS)) if contains(home | MOVABLE_MASK, kind)]
    return letters_of(sum(1 << kind for kind in kinds if battle(attacker, kind).outcome == seen.outcome))


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


def files() -> dict[str, str]:
    """By the name of a file of the page, its text."""
    found = {"boards.json": boards(), "lessons.json": lessons()}
    return {name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n" for name, value in found.items()}


if __name__ == "__main__":
    for name, text in files().items():
        (PAGE / name).write_text(text, encoding="utf-8")
