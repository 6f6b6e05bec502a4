"""The review of a recorded game on a page, which grows while it is made, and a new game from any of its positions.

`junqi-referee review` finds the values, in a process of its own. For the host's page only: it takes processor time.
"""

import asyncio
import json
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from junqi_board.answers.scenes import Eyes, expect_ply, read_record
from junqi_board.game.seating import ENGINE, ME
from junqi_board.page import Answer, Count, LongText, Page, answers
from junqi_board.saving import write_new
from junqi_engine.client.line_process import own_command
from junqi_engine.errors import Refused
from junqi_engine.rules.board import BOARDS
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_referee.settings.settings import Visibility

KEY_NODES = 400_000
"""For a move that seems to have decided: about a second."""
MAX_LINE_BYTES = 1 << 24
WITHOUT_CLOCK = {"limits": {"move_ms": 1000}}
"""The time of the engines in a game from a position of a record."""
KEPT = ("name", "command", "options", "who", "program")
"""What such a game keeps of its players."""
OMITTED = ("lineups", "rules")
"""Parts of a review that the page does not show."""


class Review:
    """The review that a page follows: one at a time."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._making: asyncio.Task[None] | None = None

    def close(self) -> None:
        if self._making is not None:
            self._making.cancel()

    async def make(self, line: str, nodes: int) -> bool:
        """Send the review as it grows. Whether it came to its end; `Refused` if it fails."""
        self.close()
        making = self._making = asyncio.create_task(self._make(line, nodes))
        await asyncio.wait([making])
        if making.cancelled():
            return False
        making.result()
        return True

    async def _make(self, line: str, nodes: int) -> None:
        record = await read_record(self._page, line)
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
                async for line_found in process.stdout:
                    self._send(json.loads(line_found), is_whole=False)
                code, told = await process.wait(), (await errors).decode(errors="replace").strip().splitlines()
            finally:
                if process.returncode is None:
                    process.terminate()
                    await process.wait()
            if code != ExitCode.DONE:
                raise Refused("review-failed", f"the review has failed: {told[-1] if told else f'exit code {code}'}")
            self._send(json.loads(out.read_text(encoding="utf-8"))["games"][0], is_whole=True)

    def _send(self, review: dict[str, Any], is_whole: bool) -> None:
        shown = {key: value for key, value in review.items() if key not in OMITTED}
        self._page.send({"type": "review", "is_whole": is_whole, "review": shown})


@answers(host_only=True, is_slow=True)
async def review_start(page: Page, line: LongText, nodes: Annotated[int, Meta(ge=1000, le=10_000_000)]) -> Answer:
    return {"type": "reviewed", "is_whole": await page.own(Review).make(line, nodes)}


@answers(host_only=True)
async def review_stop(page: Page) -> None:
    page.own(Review).close()


@answers(host_only=True, is_slow=True)
async def play_from(page: Page, line: LongText, ply: Count, eyes: Eyes) -> Answer:
    """A new game from a position of a record: the person plays the seats of `eyes` and sees what they saw."""
    host = page.host
    record = await read_record(page, line)
    expect_ply(ply, len(record.moves))
    begun = _game_from(record, ply, eyes, [program.name for program in host.programs])
    try:
        path = await asyncio.to_thread(_write, host.folder, begun)
    except OSError as error:
        raise Refused("not-saved", f"{host.folder}: {error.strerror}") from None
    table = await host.resume_game(path)
    game, truth = table.game, table.game.truth_in_play()
    if any(truth.turn in player.party.seats and not player.party.is_engine for player in game.players):
        table.do(lambda now_s: game.set_paused(False, now_s))
    return host.opened_game(table)


def _write(folder: Path, record: GameRecord) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return write_new(folder, f"{record.as_line()}\n".encode())


def _game_from(record: GameRecord, ply: int, eyes: str, programs: Sequence[str]) -> GameRecord:
    """The unfinished game of the board that a record was after `ply` moves, without clocks. In a game of the person the
    players are the same; in another one the person has the seats of `eyes`, against the first program.
    """
    board = BOARDS[record.variant]
    if set(record.lineups) != set(board.seats):
        raise Refused("bad-record", "the record has no line-ups to play from")
    engines = record.engines if _is_of_person(record, eyes, programs) else _engines(record, eyes, programs[0])
    return replace(
        record,
        game=1,
        engines={seats: WITHOUT_CLOCK | {key: entry[key] for key in KEPT} for seats, entry in engines.items()},
        moves=record.moves[:ply],
        times_ms=record.times_ms[:ply],
        scores=record.scores[:ply],
        # What a record may have for every move must not be longer than the moves.
        depths=[],
        nodes=[],
        comments={},
        result="draw",
        ending=Ending.INTERRUPTED,
        detail="",
    )


def _is_of_person(record: GameRecord, eyes: str, programs: Sequence[str]) -> bool:
    """Whether the record is of a game of the person, who saw what `eyes` see, with known programs alone."""
    parties = record.engines
    if not all({*KEPT} <= {*entry} for entry in parties.values()):
        return False
    mine = "".join(seats for seats, entry in parties.items() if entry["who"] == ME)
    others = [entry for entry in parties.values() if entry["who"] != ME]
    is_known = all(entry["who"] == ENGINE and entry["program"] in programs for entry in others)
    return is_known and mine != "" and {*mine} <= {*eyes}


def _engines(record: GameRecord, eyes: str, program: str) -> dict[str, dict[str, Any]]:
    board = BOARDS[record.variant]
    is_dark = record.visibility == Visibility.DARK
    team = next((team for team in board.teams if eyes[:1] in tuple(team)), board.teams[0])
    mine = (eyes if eyes in tuple(board.seats) else team[0]) if is_dark else team
    person = {"name": "person", "command": "", "options": {}, "who": ME, "program": ""}
    engine = person | {"name": program, "who": ENGINE}
    groups = [*board.seats] if is_dark else [*board.teams]
    return {group: person if group == mine else engine | {"program": program} for group in groups}
