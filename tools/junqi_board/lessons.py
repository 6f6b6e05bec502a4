"""The tutorial: positions of real games, with the position after each legal move, computed in advance.

The page thus teaches without an engine, also while the engine still compiles. `python -m junqi_board.lessons` writes
`page/learn/lessons.json` and `page/board/boards.json`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from junqi_board.messages.scenes import AfterMove, BoardData
from junqi_board.scenes import junqi
from junqi_board.scenes.story import scene
from junqi_engine.notation.fen import format_fen
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Placement, Snapshot
from junqi_referee.full_game import FullGame

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
    `good` the moves that fulfil the task, empty for any. `marked` are the points that the words mean, which the board
    marks: a narrow screen has no names of points.
    """

    name: str
    variant: str
    pieces: str
    movers: str
    good: str = ""
    marked: str = ""


COURSE: tuple[Lesson, ...] = (
    Lesson("roads", "luzhanqi", f"{_HOME} Sg:c3 Sf:e5 Nf:a8", "c3"),
    Lesson("campsites", "luzhanqi", f"{_HOME} Sb:c5 Sg:a4 Na:c6 Nd:d7", "c5", "c5c4 c5b5 c5d5"),
    Lesson("railways", "luzhanqi", f"{_HOME} Sf:a2 Sd:e5 Ne:c8 Nd:e7", "a2", "a2a10 a2a11", marked="a10 a11"),
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
        marked="d12",
    ),
    Lesson("curves", "siguo", f"{_FOUR} Sd:k3", "k3", "k3o7 k3p7", marked="o7 p7"),
    Lesson("elimination", "siguo", f"{_FOUR.replace('Ej:p8', 'Sc:p8')}", "p8", "p8q8", marked="q8"),
)


def boards() -> dict[str, BoardData]:
    """By variant, the board as a page draws it, and its pieces before the first move."""
    return {
        variant: replace(junqi.board_data(board), pieces=junqi.hidden_pieces(board))
        for variant, board in BOARDS.items()
    }


def lessons() -> list[dict[str, Any]]:
    return [_lesson(lesson) for lesson in COURSE]


def _lesson(lesson: Lesson) -> dict[str, Any]:
    start = _full_game(lesson)
    board, viewer = start.board, start.board.teams[0]
    before = scene(start.view(viewer), None)
    movers = {str(board.point_named[name]) for name in lesson.movers.split()}
    legal = {point: moves for point, moves in junqi.targets(start.view(viewer), "S").items() if point in movers}
    moves = [move for targets in legal.values() for move in targets.values()]
    good = lesson.good.split() or moves
    if not set(good) <= set(moves):
        raise ValueError(f"lesson {lesson.name}: {lesson.good} are not all legal: {legal}")
    after = {}
    for move in moves:
        full = _full_game(lesson)
        full.play(move)
        led_to = scene(full.view(viewer), before)
        after[move] = AfterMove(led_to.pieces, led_to.last)
    return {
        "name": lesson.name,
        "variant": lesson.variant,
        "pieces": before.pieces,
        "targets": legal,
        "good": good,
        "marked": [board.point_named[name] for name in lesson.marked.split()],
        "after": after,
    }


def _full_game(lesson: Lesson) -> FullGame:
    board = BOARDS[lesson.variant]
    placements = []
    for word in lesson.pieces.split():
        piece, _, name = word.partition(":")
        placements.append(Placement(board.seats.index(piece[0]), board.point_named[name], LETTERS.index(piece[1])))
    placements.sort(key=lambda placement: placement.seat)
    rules = Rules.of(board)
    state = GameState.from_snapshot(board, rules, Snapshot(placements, 0, board.all_alive, ply=40))
    return FullGame(lesson.variant, {}, "S", rules, fen=format_fen(state))


def files() -> dict[str, str]:
    found = {"board/boards.json": boards(), "learn/lessons.json": lessons()}
    return {name: msgspec.json.encode(value).decode() + "\n" for name, value in found.items()}


if __name__ == "__main__":
    for name, text in files().items():
        (PAGE / name).write_text(text, encoding="utf-8")
