"""The review of a recorded game on a page, which grows while it is made, and a new game from any of its positions.

`junqi-referee review` finds the values, in a process of its own. For the host's page only: it takes processor time.
"""

import asyncio
import json
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, convert

from junqi_board import own_problems
from junqi_board.answers.scenes import Viewer, expect_ply, read_record
from junqi_board.answers.study import Moves
from junqi_board.connection import Connection, Count, LongText, answers
from junqi_board.game.game import Phase
from junqi_board.game.record import check, entries_of, game_at
from junqi_board.game.seating import ENGINE, ME, Elo, Seating, Setup, Taker
from junqi_board.messages.game import OpenedGame
from junqi_board.messages.records import GrowingReview, Review, ReviewEnd
from junqi_board.store import Store
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.errors import Refused
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode

Nodes = Annotated[int, Meta(ge=1000, le=10_000_000)]
KEY_NODES = 400_000
"""For a move that seems to have decided: about a second."""
MAX_LINE_BYTES = 1 << 24
MAX_REVIEWS = 20
"""The number of reviews that are kept, so that a page that is loaded again has the same numbers."""
UNASKED = 0
"""The number of a review that the page itself has not asked for."""


@answers(host_only=True, is_slow=True)
async def review_start(connection: Connection, line: LongText, nodes: Nodes, number: Count) -> ReviewEnd:
    """Send the review as it grows, with the `number` of the request, and at last whether it came to its end.

    It ends those before it, unless it is refused.
    """
    making = asyncio.create_task(_make(connection, line, nodes, number, connection.reviews.copy()))
    connection.reviews.append(making)
    await asyncio.wait([making])
    connection.reviews.remove(making)
    if not making.cancelled():
        making.result()
    return ReviewEnd(not making.cancelled())


@answers(host_only=True)
async def review_stop(connection: Connection) -> None:
    for making in connection.reviews:
        making.cancel()


async def _make(
    connection: Connection, line: str, nodes: int, number: int, before: Sequence[asyncio.Task[None]]
) -> None:
    record = await read_record(connection, line)
    for making in before:
        making.cancel()
    kept, key = connection.host.reviews, record.as_line()
    if key in kept and kept[key][0] >= nodes:
        _send(connection, kept[key][1], number)
        _share(connection, record, kept[key][1])
        return
    with tempfile.TemporaryDirectory(prefix="junqi-review-") as folder:
        game, out = Path(folder, "game.jsonl"), Path(folder, "review.json")
        game.write_text(record.as_line() + "\n", encoding="utf-8")
        words = ("--out", str(out), "--nodes", str(nodes), "--key-nodes", str(KEY_NODES), "--live", "--unfinished")
        process = await asyncio.create_subprocess_exec(
            *own_command("junqi_referee", "review", str(game), *words),
            stdin=DEVNULL, stdout=PIPE, stderr=PIPE, limit=MAX_LINE_BYTES,
        )  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        errors = asyncio.create_task(process.stderr.read())
        try:
            async for found in process.stdout:
                _send(connection, json.loads(found), number)
            code, lines = await process.wait(), (await errors).decode(errors="replace").strip().splitlines()
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()
        if code != ExitCode.DONE:
            raise Refused("review-failed", f"the review has failed: {lines[-1] if lines else f'exit code {code}'}")
        review = json.loads(out.read_text(encoding="utf-8"))["games"][0]
    _send(connection, review, number)
    kept[key] = (nodes, review)
    if len(kept) > MAX_REVIEWS:
        del kept[next(iter(kept))]
    _share(connection, record, review)
    with suppress(Refused):  # the disk refuses: the page says so when a game is saved
        await asyncio.to_thread(_keep_problems, connection.host.store, record, review["steps"])


def _keep_problems(store: Store, record: GameRecord, steps: Sequence[dict[str, Any]]) -> None:
    own_problems.keep(store, own_problems.of_review(record, steps), date.today())


def _share(connection: Connection, record: GameRecord, review: dict[str, Any]) -> None:
    """Send the review of the finished game on the board to its other pages."""
    table = connection.table
    game = table.game
    if game.phase == Phase.OVER and (record.lineups, record.moves) == (game.lineups, game.moves):
        shared = GrowingReview(UNASKED, convert(review, Review))
        for seats, send in connection.host.pages_of(table):
            if seats != connection.seats:
                send(shared)


def _send(connection: Connection, review: dict[str, Any], number: int) -> None:
    connection.send(GrowingReview(number, convert(review, Review)))


@answers(host_only=True, is_slow=True)
async def play_from(
    connection: Connection, line: LongText, ply: Count, viewer: Viewer, moves: Moves, elo: Elo
) -> OpenedGame:
    """A new game from a position of a record, or of a variation by some `moves` from there, without clocks: of the same
    players or of new ones, and against engines that are limited to an Elo.
    """
    host = connection.host
    record = await read_record(connection, line)
    expect_ply(ply, len(record.moves))
    if moves:
        record = _with_variation(record, ply, moves.split())
        ply = len(record.moves)
        await asyncio.to_thread(check, record)
    if set(record.lineups) != set(BOARDS[record.variant].seats):
        raise Refused("bad-record", "the record has no line-ups to play from")
    programs = [program.name for program in host.programs]
    seats = _same_players(record, viewer, programs) or _new_players(record, viewer, programs[0])
    seats = {seat: Taker(ENGINE, one.program, elo) if one.who == ENGINE else one for seat, one in seats.items()}
    seating = Seating.read(Setup(record.variant, record.visibility, seats), host.programs, host.variants)
    return host.opened_game(host.turn_to(await asyncio.to_thread(game_at, ply, record, seating)))


def _with_variation(record: GameRecord, ply: int, moves: list[str]) -> GameRecord:
    """The record of a game in which other moves followed at `ply`, and which goes on."""
    played = [*record.moves[:ply], *moves]
    return replace(
        record, moves=played, times_ms=[0] * len(played), scores=[None] * len(played),
        result="draw", ending=Ending.INTERRUPTED,
    )  # fmt: skip


def _same_players(record: GameRecord, viewer: str, programs: Sequence[str]) -> dict[str, Taker] | None:
    """The players of a game of the person, who saw what `viewer` sees, with known programs alone; None of any other."""
    try:
        parties = entries_of(record)
    except Refused:
        return None
    mine = "".join(seats for seats, party in parties.items() if party.who == ME)
    is_known = all(party.who == ME or (party.who == ENGINE and party.program in programs) for party in parties.values())
    is_of_person = is_known and mine != "" and {*mine} <= {*viewer}
    return {seat: party for seats, party in parties.items() for seat in seats} if is_of_person else None


def _new_players(record: GameRecord, viewer: str, program: str) -> dict[str, Taker]:
    board = BOARDS[record.variant]
    team = next((team for team in board.teams if viewer[:1] in [*team]), board.teams[0])
    is_dark = record.visibility == Visibility.DARK
    mine = team if not is_dark else viewer if viewer in [*board.seats] else team[0]
    person, engine = Taker("me", "", None), Taker("engine", program, None)
    return {seat: person if seat in mine else engine for seat in board.seats}
