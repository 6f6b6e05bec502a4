"""A recorded game on a page: checked against the rules and shown ply by ply, as any seat, team or everyone saw it."""

import asyncio
import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from junqi_board.drawing import junqi, story
from junqi_board.errors import RequestError
from junqi_board.game.record import MAX_MOVES
from junqi_board.messages import LONG_TEXT, MAX_NUMBER, number, text
from junqi_board.views.base import Command, MessageId, PageContext, T, View
from junqi_engine.errors import Refused
from junqi_engine.notation.jgs import parse_jgs
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS
from junqi_referee.exits import RefereeError
from junqi_referee.records.conversion import game_of_jgs, read_games
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import bare, begin, verify
from junqi_referee.truth import Truth

MAX_NAME_CHARS = 60
MAX_REASON_CHARS = 300


class Steps:
    """A record as `eyes` saw it, step by step, as far as it has been asked for."""

    def __init__(self, record: GameRecord, eyes: str) -> None:
        self.record = record
        self.eyes = eyes
        self._story = story.Story(eyes)
        self._truth: Truth | None = None

    def scene(self, ply: int) -> dict[str, Any]:
        """The position after this many moves, as a page draws it."""
        self._follow(ply)
        return self._story.scenes[ply]

    def entries(self) -> list[dict[str, Any]]:
        self._follow(len(self.record.moves))
        return self._story.entries

    def _follow(self, ply: int) -> None:
        try:
            if self._truth is None:
                self._truth = self._start()
                self._story.follow(self._truth, self._start)
            while len(self._truth.moves) < ply:
                self._truth.play(bare(self.record.moves[len(self._truth.moves)]))
                self._story.follow(self._truth, self._start)
        except (Refused, ValueError, RefereeError) as error:
            raise RequestError("bad-record", f"the record cannot be played: {error}"[:MAX_REASON_CHARS]) from None

    def _start(self) -> Truth:
        return begin(self.record, "the record")


def described(record: GameRecord) -> dict[str, Any]:
    """What a page shows of a record besides its scenes; `eyes` are those with which it can be seen."""
    board = BOARDS[record.variant]
    engines = {seat: engine.get("name", "") for seats, engine in record.engines.items() for seat in seats}
    return {
        "variant": record.variant,
        "game": record.game,
        "visibility": record.visibility,
        "names": {seat: str(engines.get(seat, ""))[:MAX_NAME_CHARS] for seat in board.seats},
        "moves": record.moves,
        "times_ms": record.times_ms,
        "scores": record.scores,
        "result": record.result,
        "ending": record.ending.value,
        "detail": record.detail[:MAX_REASON_CHARS],
        "eyes": [OPEN_VIEWER, *board.teams, *board.seats] if len(board.seats) > 2 else ["*", *board.seats],
    }


class ReplayView(View):
    """One open record, of which the steps are kept that one pair of eyes saw."""

    def __init__(self, page: PageContext) -> None:
        super().__init__(page)
        self._steps: Steps | None = None
        self._lock = asyncio.Lock()

    async def _open(self, message_id: MessageId, line: str) -> None:
        record = await asyncio.to_thread(read_game, line)
        self.page.refuse_running_game(record)
        self._steps = Steps(record, OPEN_VIEWER)
        self.page.send({"type": "board", **junqi.board_data(BOARDS[record.variant])})
        self.page.send({"type": "replay", "id": message_id, **described(record)})

    async def _given(self, message_id: MessageId) -> None:
        """The records of the file with which the board was started."""
        lines = await asyncio.to_thread(_read_file, self.page.server.games)
        self.page.send({"type": "replay_given", "id": message_id, "lines": lines})

    async def _convert(self, message_id: MessageId, data: str) -> None:
        record = await asyncio.to_thread(read_jgs, data)
        self.page.send({"type": "replay_converted", "id": message_id, "line": record.as_line()})

    async def _show(self, message_id: MessageId, ply: int, eyes: str) -> None:
        steps = self._steps_of(eyes)
        count = len(steps.record.moves)
        if ply > count:
            raise RequestError("bad-ply", f"ply: expected at most {count}, got {ply}")
        scene = await self._ask(steps, lambda: steps.scene(ply))
        self.page.send({"type": "replay_scene", "id": message_id, "at": ply, "eyes": eyes, **scene})

    async def _story(self, message_id: MessageId, eyes: str) -> None:
        """What each entry of the record did, as `eyes` saw it."""
        steps = self._steps_of(eyes)
        entries = await self._ask(steps, steps.entries)
        self.page.send({"type": "replay_story", "id": message_id, "eyes": eyes, "entries": entries})

    def _steps_of(self, eyes: str) -> Steps:
        """The steps of the open record as `eyes` saw them."""
        if self._steps is None:
            raise RequestError("no-record", "open a record first")
        board = BOARDS[self._steps.record.variant]
        if eyes not in (OPEN_VIEWER, *board.teams, *board.seats):
            raise RequestError("bad-eyes", f"eyes: {eyes!r} is not a seat, a team or *")
        if eyes != self._steps.eyes:
            self._steps = Steps(self._steps.record, eyes)
        return self._steps

    async def _ask(self, steps: Steps, question: Callable[[], T]) -> T:
        """The answer of `steps`, unless another record has been opened meanwhile."""
        async with self._lock:
            answer = await asyncio.to_thread(question)
        if self._steps is None or steps.record is not self._steps.record:
            raise RequestError("stale", "another record has been opened meanwhile")
        self.page.refuse_running_game(steps.record)
        return answer

    commands: ClassVar[Mapping[str, Command]] = {
        "replay_open": Command(_open, {"line": LONG_TEXT}, is_slow=True),
        "replay_given": Command(_given, is_slow=True, host_only=True),
        "replay_convert": Command(_convert, {"data": LONG_TEXT}, is_slow=True),
        "replay_show": Command(_show, {"ply": number(0, MAX_NUMBER), "eyes": text(8)}, is_slow=True),
        "replay_story": Command(_story, {"eyes": text(8)}, is_slow=True),
    }


def read_game(line: str) -> GameRecord:
    """The game in a line of a record; `RequestError` unless the rules allow it."""
    if not line.strip():
        raise RequestError("bad-record", "this is not a recorded game: there is no text")
    try:
        record = GameRecord.from_line(line)
        _check_length(len(record.moves))
        begin(record, "the record")
        fault = verify(record)
    except json.JSONDecodeError:
        text = f"this is not a recorded game: expected a JSON object, the text begins with {line.strip()[:20]!r}"
        raise RequestError("bad-record", text) from None
    except (ValueError, RefereeError) as error:
        raise RequestError("bad-record", f"this is not a recorded game: {error}"[:MAX_REASON_CHARS]) from None
    if fault is not None:
        raise RequestError("bad-record", f"the record breaks the rules: {fault}"[:MAX_REASON_CHARS])
    return record


def _read_file(path: Path | None) -> list[str]:
    """The lines of the records in a file of any format that the referee reads."""
    try:
        found = read_games([] if path is None else [str(path)], with_names=True)
    except RefereeError as error:
        raise RequestError("bad-record", str(error)[:MAX_REASON_CHARS]) from None
    if not found.games:
        raise RequestError("bad-record", str(next(iter(found.errors), "there are no games"))[:MAX_REASON_CHARS])
    return [record.as_line() for record in found.games]


def _check_length(count: int) -> None:
    """ValueError for a record that is too long for a page."""
    if count > MAX_MOVES:
        raise ValueError(f"{count} moves; a page can open records of at most {MAX_MOVES}")


def read_jgs(data: str) -> GameRecord:
    """The record of a `.jgs` file in base64."""
    try:
        file = parse_jgs(base64.b64decode(data, validate=True))
        _check_length(len(file.events))
        return game_of_jgs(file, 1)
    except ValueError as error:
        raise RequestError("bad-record", f"the .jgs file cannot be read: {error}"[:MAX_REASON_CHARS]) from None
