"""An engine at a person's elbow: what it believes of hidden pieces, and what it would play.

It is told what the person's own seats have seen and nothing more, so all that it says may be shown.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import Board
from junqi_engine.rules.pieces import LETTERS
from protocol.client import EngineError
from tools.board import scenes
from tools.board.engines import Engine, Refused, Stable
from tools.board.messages import BadMessage

PATIENCE_MS = 10_000
_BELIEF = re.compile(r"info belief ([a-q][0-9]{1,2})((?: [a-l]:[01]\.[0-9]+)+)")


def parse_belief(board: Board, lines: list[str]) -> dict[str, dict[str, float]]:
    """By point, by letter, how likely it is; what does not parse is left out."""
    found: dict[str, dict[str, float]] = {}
    for line in lines:
        match = _BELIEF.fullmatch(line)
        if match is None or match[1] not in board.point_named:
            continue
        entries = (entry.split(":") for entry in match[2].split())
        chances = {letter: min(1.0, float(chance)) for letter, chance in entries if letter in LETTERS}
        found[str(board.point_named[match[1]])] = chances
    return found


class Adviser:
    """The adviser of one page's party. Its process is started when it is first needed."""

    def __init__(self, board: Board, options: Mapping[str, str], stable: Stable, send: Any) -> None:
        self.board = board
        self.shows_belief = False
        self._options = dict(options)
        self._stable = stable
        self._send = send
        self._engine: Engine | None = None
        self._wanted: str | None = None
        self._is_believing = False
        self._is_advising = False
        self._starting = asyncio.Lock()

    async def advise(self, line: str, view: SeatView, seats: str, move_ms: int) -> None:
        """Search in the position that a `position` command sets up, and show the lines and the move that come."""
        legal = scenes.targets(view, seats)
        if not legal:
            raise BadMessage("not-your-turn", "it is not your turn")
        if self._is_advising:
            raise BadMessage("busy", "the engine is thinking already")
        self._is_advising = True
        try:
            engine = await self._ready_engine()
            answer = await engine.search(line, f"go movetime {move_ms}", move_ms + PATIENCE_MS)
        except (EngineError, Refused) as error:
            self._give_up(str(error))
        else:
            for start, targets in legal.items():
                for target, move in targets.items():
                    if move == answer.move:
                        self._send({"type": "advice", "move": move, "from": int(start), "to": int(target)})
                        return
            self._give_up(f"it advises {answer.move[:20]!r}, which is not legal")
        finally:
            self._is_advising = False

    def stop(self) -> None:
        """End the running search: what has been found is shown."""
        if self._engine is not None:
            self._engine.stop()

    async def believe(self, line: str) -> None:
        """Show what is believed in a position; of several that are asked for meanwhile only the last is."""
        self._wanted = line
        if self._is_believing:
            return
        self._is_believing = True
        try:
            while self._wanted is not None and self.shows_belief:
                line, self._wanted = self._wanted, None
                engine = await self._ready_engine()
                lines = await engine.consult(line, "belief")
                if self._wanted is None:
                    self._send({"type": "belief", "points": parse_belief(self.board, lines)})
        except (EngineError, Refused) as error:
            self.shows_belief = False
            self._give_up(str(error))
        finally:
            self._is_believing = False

    def close(self) -> None:
        if self._engine is not None:
            self._stable.give_back(self._engine)
            self._engine = None

    async def _ready_engine(self) -> Engine:
        async with self._starting:
            if self._engine is None:
                engine = await self._stable.take(self._stable.programs[0])
                await engine.set_options(self._options)
                engine.listener = self._show_lines
                self._engine = engine
            return self._engine

    def _show_lines(self, lines: list[str]) -> None:
        self._send({"type": "info", "name": "adviser", "seats": "", "lines": lines})

    def _give_up(self, text: str) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
        self._send({"type": "notice", "code": "adviser-failed", "text": f"the adviser has failed: {text}"})
