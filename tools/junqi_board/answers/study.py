"""Study of a position: a FEN, moves tried on it, and the engine's best lines.

The page keeps the moves; each message has all of them, so nothing is kept here but an engine process. The engine is
told the position only.
"""

import asyncio
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from junqi_board.connection import Connection, Text, answers, chars
from junqi_board.messages.records import StudyLine, StudyLines, StudyOutcomes, StudyPosition
from junqi_board.scenes import junqi
from junqi_board.scenes.story import last_move_of
from junqi_engine.client.engine_lines import Info
from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.moves import format_move, parse_move, split_move
from junqi_engine.rules.board import BOARDS, Board

MAX_LINES = 5
MAX_PV_MOVES = 12
OUTCOMES = ("x", "o", "=")
PATIENCE_S = 30.0
SHOW_EVERY_S = 0.1

Fen = Annotated[str, chars(4_000)]
Moves = Annotated[str, chars(20_000)]


@answers(host_only=True, is_slow=True)
async def study_show(connection: Connection, variant: Text, fen: Fen, moves: Moves) -> StudyPosition | StudyOutcomes:
    """A position and what can be played in it; the outcomes to choose from if that of the last move is open."""
    return await asyncio.to_thread(answer_of, _board(variant), fen.strip(), moves.split())


@answers(host_only=True, is_slow=True)
async def study_search(
    connection: Connection,
    variant: Text,
    fen: Fen,
    moves: Moves,
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)],
    ms: Annotated[int, Meta(ge=100, le=60_000)],
) -> StudyLines:
    board = _board(variant)
    playing = asyncio.create_task(asyncio.to_thread(_play, board, fen.strip(), moves.split()))
    async with connection.analyst.task(check=playing) as (engine, stop):
        view = playing.result()
        await engine.set_options({"UCI_Variant": variant, "MultiPV": str(lines), "UCI_ShowWDL": "true"})
        position = f"position fen {format_fen(view)}"
        sent: StudyLines | None = None
        search = asyncio.create_task(engine.search(position, f"go movetime {ms}", ms + 1000 * PATIENCE_S, stop=stop))
        while not search.done():
            await asyncio.wait([search], timeout=SHOW_EVERY_S)
            found = _best_lines(board, engine.reports, fen)
            if found != sent:
                connection.send(found)
                sent = found
        await search
    return sent or StudyLines(fen, [])


@answers(host_only=True)
async def study_stop(connection: Connection) -> None:
    connection.analyst.stop()


def _board(variant: str) -> Board:
    if variant not in BOARDS:
        raise Refused("bad-setup", f"variant: {variant!r} is not one of {', '.join(BOARDS)}")
    return BOARDS[variant]


def answer_of(board: Board, fen: str, moves: list[str]) -> StudyPosition | StudyOutcomes:
    """The position after the moves; if several outcomes of the last one are possible, these."""
    try:
        view = _play(board, fen, moves)
    except Refused:
        # A battle with a hidden piece has several outcomes, or only one that is possible.
        *before, last = moves or [""]
        possible = [last + suffix for suffix in OUTCOMES if _is_possible(board, fen, [*before, last + suffix])]
        if len(possible) > 1:
            return StudyOutcomes(possible)
        if not possible:
            raise
        moves = [*before, *possible]
        view = _play(board, fen, moves)
    if moves:
        moves = [*moves[:-1], format_move(board, view.record[-1])]
    earlier = junqi.scene(_play(board, fen, moves[:-1])) if moves else None
    return StudyPosition(
        **asdict(junqi.scene(view))
        | {"last": last_move_of(view, earlier), "fen": format_fen(view), "targets": targets_of(view)},
        start=format_fen(_play(board, fen, [])),
        moves=moves,
        over="" if view.result.name == "ONGOING" else view.result.name,
    )


def targets_of(view: SeatView) -> dict[str, dict[str, str]]:
    """The legal moves, as in `junqi.targets`; a person who knows that of a seat with hidden pieces types it."""
    return junqi.targets(view, view.board.seats) if view.sees(view.turn) else {}


def _is_possible(board: Board, fen: str, moves: list[str]) -> bool:
    try:
        _play(board, fen, moves)
    except Refused:
        return False
    return True


def _play(board: Board, fen: str, moves: list[str]) -> SeatView:
    """The view after the moves from a FEN, or from the start of a game of which all is hidden but South's team."""
    view = parse_fen(board, fen) if fen else start_view(board)
    for move in moves:
        view.observe(parse_move(board, move))
    return view


def _best_lines(board: Board, reports: Iterable[Info], fen: str) -> StudyLines:
    found = {report.multipv: line for report in list(reports) if (line := _shown(board, report)) is not None}
    return StudyLines(fen, [found[rank] for rank in sorted(found) if 1 <= rank <= MAX_LINES])


def _shown(board: Board, report: Info) -> StudyLine | None:
    moves = list(report.pv[:MAX_PV_MOVES])
    words = split_move(moves[0]) if moves else None
    if report.score is None or words is None or not {words.from_point, words.to_point} <= set(board.point_named):
        return None
    start, target = board.point_named[words.from_point], board.point_named[words.to_point]
    win = None if report.wdl is None else report.wdl[0] / 1000
    return StudyLine(report.multipv, win, moves, start, target)
