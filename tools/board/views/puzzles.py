"""Puzzles on the page: a position that the engine holds, played by hand, with hints and solutions from its search."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from protocol.client import EngineError
from tools.board.drawings import VARIANTS, BadDrawing, Drawing, draw
from tools.board.engines import Engine, Refused
from tools.board.house import House
from tools.board.messages import BadMessage

Send = Callable[[dict[str, Any]], None]

OPTIONS = {
    "Metric": "move",
    "Scoring": "1/3/10",
    "LongRun": "cap",
    "EmptySwap": "false",
    "StartWithRuns": "resolve",
    "Method": "best",
}
"""What a page may set, with the values that are set otherwise; no option that names a file is among them."""
PATIENCE_S = 24 * 3600.0
"""How long a solver may take. Whoever waits can stop it."""
STARTPOS = "startpos"


class PuzzleDesk:
    """Answers the `puzzle_` messages of one page."""

    def __init__(self, house: House, send: Send) -> None:
        self._house = house
        self._send = send
        self._engine: Engine | None = None
        self._variant = ""
        self._options = dict(OPTIONS)
        self._position = ""
        self._moves: list[str] = []
        self._drawing: Drawing | None = None
        self._turn = asyncio.Lock()
        self._is_closed = False
        self.handlers: dict[str, Callable[..., Awaitable[None]]] = {
            "puzzle_open": self._open,
            "puzzle_move": self._move,
            "puzzle_back": self._back,
            "puzzle_restart": self._restart,
            "puzzle_solve": self._solve,
            "puzzle_stop": self._stop,
        }

    def close(self) -> None:
        self._is_closed = True
        if self._engine is not None:
            self._house.stable.give_back(self._engine)
            self._engine = None

    async def _open(
        self, identity: int | None, variant: str, position: str, options: dict[str, str], moves: str
    ) -> None:
        if variant not in VARIANTS or variant not in self._house.variants:
            raise BadMessage("bad-setup", f"the engine does not solve {variant!r}")
        if not set(options) <= set(OPTIONS):
            raise BadMessage("bad-setup", f"options are {', '.join(OPTIONS)}")
        for move in moves.split():
            _check_move(move)
        words = position.strip()
        await self._show(identity, variant, words or STARTPOS, OPTIONS | options, moves.split())

    async def _move(self, identity: int | None, move: str) -> None:
        self._check_open()
        _check_move(move)
        await self._show(identity, self._variant, self._position, self._options, [*self._moves, move])

    async def _back(self, identity: int | None) -> None:
        self._check_open()
        if not self._moves:
            raise BadMessage("no-take-back", "no move has been made")
        self._drawing = None
        await self._show(identity, self._variant, self._position, self._options, self._moves[:-1])

    async def _restart(self, identity: int | None) -> None:
        self._check_open()
        self._drawing = None
        await self._show(identity, self._variant, self._position, self._options, [])

    async def _solve(self, identity: int | None, what: str, depth: int) -> None:
        """Search; `depth` swaps at most in match-3, 0 = as far as it takes."""
        self._check_open()
        go = f"go depth {depth}" if depth else "go"
        async with self._work() as engine:
            await engine.consult(*self._setting(), self._line(self._moves))
            answer = await engine.search(self._line(self._moves), go, patience_s=PATIENCE_S)
            moves = engine.pv or ([] if answer.move == "(none)" else [answer.move])
            said = [line.removeprefix("info string ") for line in engine.said]
        rejected = [text.removeprefix("error ") for text in said if text.startswith("error ")]
        if rejected:
            raise BadMessage("rejected", rejected[-1])
        message = {"type": "puzzle_answer", "id": identity, "what": what, "at": len(self._moves), "said": said[-6:]}
        self._send(message | {"moves": moves[:1] if what == "hint" else moves, "count": len(moves)})

    async def _stop(self, identity: int | None) -> None:
        if self._engine is not None:
            self._engine.stop()

    async def _show(
        self, identity: int | None, variant: str, position: str, options: dict[str, str], moves: list[str]
    ) -> None:
        """Put a position before the engine, and what it makes of it before the page. A rejection changes nothing."""
        async with self._work() as engine:
            old = self._variant, self._position, self._options
            self._variant, self._position, self._options = variant, position, options
            try:
                lines = await engine.consult(*self._setting(), self._line(moves), "d", "legal")
                said = [line.removeprefix("info string ") for line in lines if line.startswith("info string ")]
                fens = [text[4:] for text in said if text.startswith("fen ")]
                legal = [text[5:].split() for text in said if text == "legal" or text.startswith("legal ")]
                if not fens or not legal:
                    raise BadDrawing("the engine does not say what the position is")
                before = self._drawing if (variant, position) == old[:2] and len(moves) > len(self._moves) else None
                drawing = draw(variant, fens[-1], legal[-1], before)
            except BaseException:
                self._variant, self._position, self._options = old
                raise
            self._moves, self._drawing = moves, drawing
        self._send(
            {
                "type": "puzzle",
                "id": identity,
                "variant": variant,
                "position": fens[-1],
                "moves": moves,
                "solved": "solved" in said or "the submarine has left" in said,
                "points": _points(said),
                "notes": [text for text in said if text.startswith(("wave ", "warning", "no swap"))][:8],
                **drawing,
            }
        )

    def _setting(self) -> list[str]:
        return [
            f"setoption name UCI_Variant value {self._variant}",
            *(f"setoption name {name} value {value}" for name, value in self._options.items()),
        ]

    def _line(self, moves: list[str]) -> str:
        start = STARTPOS if self._position == STARTPOS else f"fen {self._position}"
        return f"position {start}{' moves ' if moves else ''}{' '.join(moves)}"

    def _check_open(self) -> None:
        if not self._variant:
            raise BadMessage("no-puzzle", "no puzzle is open")

    @asynccontextmanager
    async def _work(self) -> AsyncIterator[Engine]:
        """The engine for one piece of work, after those asked for before; a search that runs is stopped for it.

        What goes wrong comes out as a `BadMessage`; a process that is out of order is replaced at the next.
        """
        if self._engine is not None:
            self._engine.stop()
        try:
            async with self._turn:
                yield await self._ready_engine()
        except Refused as error:
            raise BadMessage("rejected", str(error)) from None
        except BadDrawing as error:
            raise BadMessage("bad-drawing", str(error)) from None
        except EngineError as error:
            self._let_go()
            raise BadMessage("engine-failed", f"the engine has failed, your moves are kept: {error}") from None

    async def _ready_engine(self) -> Engine:
        if self._engine is None:
            engine = await self._house.stable.take(self._house.programs[0])
            if self._is_closed:
                self._house.stable.give_back(engine)
                raise BadMessage("busy", "the page has gone")
            engine.listener = lambda lines: self._send({"type": "puzzle_info", "lines": lines})
            self._engine = engine
        return self._engine

    def _let_go(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def _check_move(move: str) -> None:
    if not move.isalnum():
        raise BadMessage("illegal-move", f"{move[:20]!r} is no move")


def _points(said: list[str]) -> int | None:
    """The points so far, where a puzzle has points."""
    for text in said:
        words = text.split()
        if words[:1] == ["points"] and len(words) > 1 and words[1].isdigit():
            return int(words[1])
    return None
