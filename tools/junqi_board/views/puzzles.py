"""Brain teasers on a page: played by hand, with hints and solutions from the search of an engine."""

import json
import re
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, ClassVar

from junqi_board.daily import daily
from junqi_board.drawing.puzzles import VARIANTS, BadDrawing, draw
from junqi_board.engines import BoardEngine
from junqi_board.errors import RequestError
from junqi_board.messages import LONG_TEXT, number, one_of, text
from junqi_board.views.base import Command, EngineView, MessageId
from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.errors import CommandRejected, EngineError

PATIENCE_S = 24 * 3600.0
"""How long a solver may take; the page can stop it at any time."""
PLACE = {"variant": text(), "position": LONG_TEXT, "moves": LONG_TEXT}
"""The fields of a puzzle after some moves."""


Entry = dict[str, Any]


@cache
def known_positions() -> dict[str, list[Entry]]:
    """By variant, names and positions; a page opens a variant with its first position.

    `best` is the least number of moves to the goal by the way of counting (the option `Metric`), under `` if there is
    one way only; it is empty if it is not known, or if there is no solution; a long test repeats it and `level`, as
    `junqi_puzzles.difficulty` rates it. `goal` names the text that states the goal, `piece` the piece that it means.
    `swaps` end a puzzle of match-3, whose `best` are points; 0 if there is no end.
    """
    known = _read("junqi_board", "known_puzzles.json")
    submarine = [
        _entry(f"{level['level']}", level["setup"], "submarine", {"": level["fewest"]}, level["difficulty"])
        for level in _read("junqi_puzzles", "submarine", "levels.json")
    ]
    return {"klotski": known["klotski"], "submarine": submarine} | known


def daily_positions(day: date) -> list[Entry]:
    """The puzzles of a day, each with its `variant`; the name is that of a text."""
    found = []
    for one in daily(day):
        if one.kind == "tour":
            height, width = (int(side) for side in one.position.split()[0].split("x"))
            is_closed = "closed" in one.position.split()
            goal, best = "tour-closed" if is_closed else "tour", {"": height * width - (not is_closed)}
        else:
            goal = "match3-line" if one.kind == "match3" else one.kind
            best = {"move" if one.variant == "klotski" else "": one.best}
        found.append(_entry(one.kind, one.position, goal, best, one.level, one.swaps) | {"variant": one.variant})
    return found


def _read(package: str, *path: str) -> Any:
    return json.loads(resources.files(package).joinpath(*path).read_text(encoding="utf-8"))


def _entry(name: str, position: str, goal: str, best: dict[str, int], level: str = "", swaps: int = 0) -> Entry:
    piece = position.rstrip("./")[-1] if goal == "klotski" else ""
    return {
        "name": name, "position": position, "goal": goal, "best": best, "piece": piece, "level": level, "swaps": swaps,
    }  # fmt: skip


class PuzzleView(EngineView):
    """Brain teasers, by an engine process of its own. Each request has the position and the moves so far."""

    async def _show(self, message_id: MessageId, variant: str, position: str, moves: str) -> None:
        """Send a puzzle as it is after the moves."""
        async with self._work(variant, position, moves) as (engine, line, _):
            lines = await engine.consult(line, "d", "legal")
            texts = [line.removeprefix("info string ") for line in lines if line.startswith("info string ")]
            fens = [text[4:] for text in texts if text.startswith("fen ")]
            legal = [text[5:].split() for text in texts if text == "legal" or text.startswith("legal ")]
            if not fens or not legal:
                raise BadDrawing("the engine does not report the position")
            drawing = draw(variant, fens[-1], legal[-1])
        self.page.send(
            {
                "type": "puzzle",
                "id": message_id,
                "variant": variant,
                "position": position,
                "moves": moves.split(),
                "solved": "solved" in texts or "the submarine has left" in texts,
                "points": _number(texts, "points"),
                **drawing,
            }
        )

    async def _solve(
        self, message_id: MessageId, variant: str, position: str, moves: str, what: str, depth: int
    ) -> None:
        """Search for a solution, or for a hint, which is one move; `depth` is the number of swaps, 0 for no limit."""
        go = f"go{' hint' * (what == 'hint')}{f' depth {depth}' * (depth > 0)}"
        async with self._work(variant, position, moves) as (engine, line, stop):
            await engine.consult(line)
            answer = await engine.search(line, go, patience_s=PATIENCE_S, stop=stop)
            found = engine.pv or ([] if answer.move == NO_MOVE else [answer.move])
            texts = [line.removeprefix("info string ") for line in engine.texts]
        rejected = [text.removeprefix("error ") for text in texts if text.startswith("error ")]
        if rejected:
            raise RequestError("rejected", rejected[-1])
        message: dict[str, Any] = {"type": "puzzle_answer", "id": message_id, "what": what}
        if what == "hint":
            message |= {"moves": found[:1], "left": _number(texts, "hint left"), "said": [] if found else texts[:1]}
        else:
            message |= {"moves": found, "said": texts[-6:]}
        self.page.send(message)

    async def _today(self, message_id: MessageId) -> None:
        """The puzzles of the day. A page asks whenever it shows them, since it may stay open for days."""
        self.page.send({"type": "puzzle_today", "id": message_id, "puzzles": daily_positions(date.today())})

    commands: ClassVar[Mapping[str, Command]] = {
        "puzzle_show": Command(_show, PLACE, is_slow=True, host_only=True),
        "puzzle_solve": Command(
            _solve,
            PLACE | {"what": one_of("hint", "solution"), "depth": number(0, 100)},
            is_slow=True,
            host_only=True,
        ),
        "puzzle_today": Command(_today, host_only=True),
        "puzzle_stop": Command(EngineView._end_search, host_only=True),
    }

    @asynccontextmanager
    async def _work(
        self, variant: str, position: str, moves: str
    ) -> AsyncIterator[tuple[BoardEngine, str, threading.Event]]:
        """The engine for one task, the line of the position, and what stops its search. Earlier tasks are stopped.

        Failures become a `RequestError`; a failed process is replaced by the next task.
        """
        if variant not in VARIANTS or variant not in self.page.server.variants:
            raise RequestError("bad-setup", f"the engine does not solve {variant!r}")
        for move in moves.split():
            if not move.isalnum():
                raise RequestError("illegal-move", f"{move[:20]!r} is not a move")
        line = f"position fen {position}{' moves ' * bool(moves)}{moves}"
        stop = self._replace_stop()
        try:
            async with self._lock:
                engine = await self._ready_engine()
                await engine.consult(f"setoption name UCI_Variant value {variant}")
                yield engine, line, stop
        except CommandRejected as error:
            raise RequestError("rejected", str(error)) from None
        except BadDrawing as error:
            raise RequestError("bad-drawing", str(error)) from None
        except EngineError as error:
            self._drop_engine()
            raise RequestError("engine-failed", f"the engine has failed; your moves are kept: {error}") from None


def _number(texts: list[str], words: str) -> int | None:
    """The number after the words with which a text begins; None if no text does."""
    for line in texts:
        digits = line.removeprefix(f"{words} ").partition(" ")[0]
        if line.startswith(f"{words} ") and re.fullmatch("[0-9]{1,9}", digits):
            return int(digits)
    return None
