"""A recorded game on a page: checked against the rules and shown ply by ply, as any seat, team or everyone saw it."""

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Any, ClassVar

from junqi_engine.errors import JunqiError
from junqi_engine.notation.jgs import parse_jgs
from junqi_engine.notation.seats import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS
from tools.board.drawing import junqi, story
from tools.board.errors import RequestError
from tools.board.game.parts import Phase
from tools.board.messages import LONG_TEXT, MAX_NUMBER, number, text
from tools.board.server import Server
from tools.board.views.base import Command, MessageId, PageContext, View
from tools.referee.exits import RefereeError
from tools.referee.records.game_record import GameRecord
from tools.referee.records.jgs_conversion import game_of_jgs
from tools.referee.records.replay import bare, begin, verify

MAX_NAME_CHARS = 60
MAX_REASON_CHARS = 300


class ReplayView(View):
    """One open record. `scenes[viewer][ply]` is what a page draws, made when a viewer is first chosen."""

    def __init__(self, page: PageContext) -> None:
        super().__init__(page)
        self._record: GameRecord | None = None
        self._scenes: dict[str, list[dict[str, Any]]] = {}

    async def _open(self, message_id: MessageId, line: str) -> None:
        record = await asyncio.to_thread(read_game, line)
        refuse_running_game(self.page.server, record)
        self._record, self._scenes = record, {}
        board = BOARDS[record.variant]
        engines = {seat: engine.get("name", "") for seats, engine in record.engines.items() for seat in seats}
        self.page.send({"type": "board", **junqi.board_data(board)})
        self.page.send(
            {
                "type": "replay",
                "id": message_id,
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
        )

    async def _convert(self, message_id: MessageId, data: str) -> None:
        record = await asyncio.to_thread(_read_jgs, data)
        self.page.send({"type": "replay_converted", "id": message_id, "line": record.as_line()})

    async def _show(self, message_id: MessageId, ply: int, eyes: str) -> None:
        record, scenes = await self._scenes_of(eyes)
        if ply > len(record.moves):
            raise RequestError("bad-ply", f"ply: expected at most {len(record.moves)}, got {ply}")
        self.page.send({"type": "replay_scene", "id": message_id, "at": ply, "eyes": eyes, **scenes[ply]})

    async def _story(self, message_id: MessageId, eyes: str) -> None:
        """What each entry of the record did, as `eyes` saw it."""
        _, scenes = await self._scenes_of(eyes)
        entries = [scene["last"] for scene in scenes[1:]]
        self.page.send({"type": "replay_story", "id": message_id, "eyes": eyes, "entries": entries})

    async def _scenes_of(self, eyes: str) -> tuple[GameRecord, list[dict[str, Any]]]:
        """The open record and its scenes as `eyes` saw them."""
        record = self._record
        if record is None:
            raise RequestError("no-record", "open a record first")
        board = BOARDS[record.variant]
        if eyes not in (OPEN_VIEWER, *board.teams, *board.seats):
            raise RequestError("bad-eyes", f"eyes: {eyes!r} is not a seat, a team or *")
        if eyes not in self._scenes:
            scenes, found = self._scenes, await asyncio.to_thread(_all_scenes, record, eyes)
            scenes[eyes] = found  # of this record, also if another has been opened meanwhile
        if record is not self._record:
            raise RequestError("stale", "another record has been opened meanwhile")
        refuse_running_game(self.page.server, record)
        return record, self._scenes[eyes]

    commands: ClassVar[Mapping[str, Command]] = {
        "replay_open": Command(_open, {"line": LONG_TEXT}, is_slow=True),
        "replay_convert": Command(_convert, {"data": LONG_TEXT}, is_slow=True),
        "replay_show": Command(_show, {"ply": number(0, MAX_NUMBER), "eyes": text(8)}, is_slow=True),
        "replay_story": Command(_story, {"eyes": text(8)}, is_slow=True),
    }


def refuse_running_game(server: Server, record: GameRecord) -> None:
    """A record shows all pieces, so nobody may open that of the game being played; its line-ups tell it."""
    for session in server.tables.values():
        is_it = (record.variant, record.lineups) == (session.game.board.variant, session.game.lineups)
        if is_it and session.game.phase == Phase.PLAYING:
            told = "this is the game being played; its record can be opened when it is over"
            raise RequestError("game-running", told)


def read_game(line: str) -> GameRecord:
    """The game in a line of a record; `RequestError` unless the rules allow it."""
    if not line.strip():
        raise RequestError("bad-record", "this is not a recorded game: there is no text")
    try:
        record = GameRecord.from_line(line)
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


def _read_jgs(data: str) -> GameRecord:
    """The record of a `.jgs` file in base64."""
    try:
        return game_of_jgs(parse_jgs(base64.b64decode(data, validate=True)), 1)
    except ValueError as error:
        raise RequestError("bad-record", f"the .jgs file cannot be read: {error}"[:MAX_REASON_CHARS]) from None


def _all_scenes(record: GameRecord, eyes: str) -> list[dict[str, Any]]:
    """The scene before the first move and after each."""
    try:
        truth = begin(record, "the record")
        found = [story.scene(truth.view(eyes), None)]
        for move in record.moves:
            truth.play(bare(move))
            found.append(story.scene(truth.view(eyes), found[-1]))
    except (JunqiError, ValueError, RefereeError) as error:
        raise RequestError("bad-record", f"the record cannot be played: {error}"[:MAX_REASON_CHARS]) from None
    return found
