"""A recorded game on the page: opened, checked against the rules, and shown ply by ply to whatever eyes are wanted."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from junqi_engine.errors import JunqiError
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS
from tools.board import scenes
from tools.board.messages import BadMessage
from tools.referee.exits import RefereeError
from tools.referee.records import GameRecord
from tools.referee.replay import bare, begin, verify

Send = Callable[[dict[str, Any]], None]


class ReplayDesk:
    """Answers the `replay_` messages of one page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._record: GameRecord | None = None
        self._scenes: dict[str, list[dict[str, Any]]] = {}
        self.handlers: dict[str, Callable[..., Awaitable[None]]] = {
            "replay_open": self._open,
            "replay_show": self._show,
        }

    def close(self) -> None:
        """Nothing runs on."""

    async def _open(self, identity: int | None, line: str) -> None:
        record = await asyncio.to_thread(_read, line)
        self._record, self._scenes = record, {}
        board = BOARDS[record.variant]
        engines = {seat: engine.get("name", "") for seats, engine in record.engines.items() for seat in seats}
        self._send({"type": "board", **scenes.board_data(board)})
        self._send(
            {
                "type": "replay",
                "id": identity,
                "variant": record.variant,
                "game": record.game,
                "visibility": record.visibility,
                "names": {seat: str(engines.get(seat, ""))[:60] for seat in board.seats},
                "moves": record.moves,
                "times_ms": record.times_ms,
                "scores": record.scores,
                "result": record.result,
                "ending": record.ending.value,
                "detail": record.detail[:300],
                "eyes": [OPEN_VIEWER, *board.teams, *board.seats] if len(board.seats) > 2 else ["*", *board.seats],
            }
        )

    async def _show(self, identity: int | None, ply: int, eyes: str) -> None:
        record = self._record
        if record is None:
            raise BadMessage("no-record", "no record is open")
        board = BOARDS[record.variant]
        if eyes not in (OPEN_VIEWER, *board.teams, *board.seats):
            raise BadMessage("bad-eyes", f"{eyes!r} is neither a seat, nor a team, nor *")
        if ply > len(record.moves):
            raise BadMessage("bad-ply", f"the game has {len(record.moves)} moves")
        if eyes not in self._scenes:
            self._scenes[eyes] = await asyncio.to_thread(_all_scenes, record, eyes)
        self._send({"type": "replay_scene", "id": identity, "at": ply, "eyes": eyes, **self._scenes[eyes][ply]})


def _read(line: str) -> GameRecord:
    """The game in a line of a record; `BadMessage` unless it is one that the rules allow."""
    try:
        record = GameRecord.from_line(line)
        begin(record, "the record")
        fault = verify(record)
    except (ValueError, RefereeError) as error:
        raise BadMessage("bad-record", f"this is no recorded game: {error}"[:300]) from None
    if fault is not None:
        raise BadMessage("bad-record", f"the record is not as the rules have it: {fault}"[:300])
    return record


def _all_scenes(record: GameRecord, eyes: str) -> list[dict[str, Any]]:
    """The scene before the first move and after each."""
    try:
        truth = begin(record, "the record")
        found = [scenes.scene(truth.view(eyes))]
        for move in record.moves:
            truth.play(bare(move))
            found.append(scenes.scene(truth.view(eyes)))
    except (JunqiError, ValueError, RefereeError) as error:
        raise BadMessage("bad-record", f"the record cannot be played: {error}"[:300]) from None
    return found
