"""Brain teasers on a page: played by hand, with hints and solutions from the search of an engine.

Each request has the position and the moves so far.
"""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from functools import cache
from importlib import resources
from threading import Event
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from junqi_board import teasers
from junqi_board.connection import Connection, LongText, Text, answers
from junqi_board.engines import BoardEngine
from junqi_board.messages.learning import SolverReply, Teaser, TeaserList, TeaserScene
from junqi_board.scenes.teasers import VARIANTS, draw
from junqi_board.teasers import teasers_of, teasers_of_kind
from junqi_engine.errors import Refused
from junqi_engine.protocol_words import NO_MOVE_TEXT

PATIENCE_S = 24 * 3600.0
"""Time limit of a solver; the page can stop it at any time."""


@cache
def known_positions() -> dict[str, list[Teaser]]:
    levels = [
        {"name": str(one["level"]), "position": one["setup"], "best": one["fewest"], "level": one["difficulty"]}
        for one in _read("junqi_puzzles", "submarine", "levels.json")
    ]
    known = _read("junqi_board", "known_teasers.json")
    order = {"klotski": known["klotski"], "submarine": levels} | known
    return {variant: [_entry(variant, **one) for one in found] for variant, found in order.items()}


def _entry_of(one: teasers.Teaser) -> Teaser:
    return _entry(one.variant, one.kind, one.position, one.best, one.level, one.swaps)


def _entry(variant: str, name: str, position: str, best: int | None = None, level: str = "", swaps: int = 0) -> Teaser:
    """A teaser to choose. `best` is the least number of moves, or the most points if `swaps` end it.

    `goal` names the text that states the goal.
    """
    words = position.split()
    goal = {
        "klotski": "klotski" if "goal" in words else "cars",
        "match3": "match3-line" if swaps else "match3",
        "knights-tour": "tour-closed" if "closed" in words else "tour-end" if "end" in words else "tour",
    }.get(variant, variant)
    return Teaser(variant=variant, name=name, position=position, goal=goal, best=best, level=level, swaps=swaps)


def _read(package: str, *path: str) -> Any:
    return json.loads(resources.files(package).joinpath(*path).read_text(encoding="utf-8"))


@asynccontextmanager
async def _position(
    connection: Connection, variant: str, position: str, moves: str
) -> AsyncIterator[tuple[BoardEngine, str, Event]]:
    """The engine for one task, the line of a position, and what stops its search."""
    if variant not in VARIANTS or variant not in connection.host.variants:
        raise Refused("bad-setup", f"the engine does not solve {variant!r}")
    async with connection.solver.task() as (engine, stop):
        await engine.consult(f"setoption name UCI_Variant value {variant}")
        yield engine, f"position fen {position}{' moves ' * bool(moves)}{moves}", stop


@answers(host_only=True, is_slow=True)
async def teaser_show(connection: Connection, variant: Text, position: LongText, moves: LongText) -> TeaserScene:
    async with _position(connection, variant, position, moves) as (engine, line, _):
        lines = await engine.consult(line, "d", "legal")
    texts = [line.removeprefix("info string ") for line in lines if line.startswith("info string ")]
    fens = [text[4:] for text in texts if text.startswith("fen ")]
    legal = [text[5:].split() for text in texts if text == "legal" or text.startswith("legal ")]
    if not fens or not legal:
        raise Refused("bad-drawing", "the engine does not report the position")
    is_solved = "solved" in texts or "the submarine has left" in texts
    # The points of the last swap of match-3, wave by wave.
    waves = [int(found[1]) for text in texts if (found := re.fullmatch(r"wave \d+ of \S+: (\d{1,9}) points", text))]
    scene = draw(variant, fens[-1], legal[-1])
    return replace(scene, solved=is_solved, points=_number(texts, "points"), waves=waves)


@answers(host_only=True, is_slow=True)
async def teaser_solve(
    connection: Connection,
    variant: Text,
    position: LongText,
    moves: LongText,
    what: Literal["hint", "solution"],
    depth: Annotated[int, Meta(ge=0, le=100)],
) -> SolverReply:
    """Search for a solution, or for a hint, which is one move; `depth` is the number of swaps, 0 for no limit."""
    go = f"go{' hint' * (what == 'hint')}{f' depth {depth}' * (depth > 0)}"
    async with _position(connection, variant, position, moves) as (engine, line, stop):
        await engine.consult(line)
        answer = await engine.search(line, go, patience_s=PATIENCE_S, stop=stop)
        found = list(answer.info.pv) or ([] if answer.move == NO_MOVE_TEXT else [answer.move])
        texts = [report.string for report in engine.reports if report.string]
    rejected = [text.removeprefix("error ") for text in texts if text.startswith("error ")]
    if rejected:
        raise Refused("rejected", rejected[-1])
    if what == "solution":
        return SolverReply(what=what, moves=found, said=texts[-6:])
    left, said = _number(texts, "hint left"), [] if found else texts[:1]
    return SolverReply(what=what, moves=found[:1], left=left, said=said)


@answers(host_only=True)
async def teaser_list(connection: Connection) -> TeaserList:
    """The teasers of the day, and all by kind, of the variants that the engine solves.

    A page asks whenever it shows them: it may stay open for days.
    """
    today = [_entry_of(one) for one in teasers_of(date.today())]
    known = [one for found in known_positions().values() for one in found]
    every = {
        kind: [one for one in known if one.goal.split("-")[0] == kind]
        + [_entry_of(one) for one in teasers_of_kind(kind)]
        for kind, variant in teasers.VARIANTS.items()
        if variant in connection.host.variants
    }
    return TeaserList([one for one in today if one.variant in connection.host.variants], every)


@answers(host_only=True)
async def teaser_stop(connection: Connection) -> None:
    connection.solver.stop()


def _number(texts: list[str], words: str) -> int | None:
    """The number after the words with which a text begins; None if no text does."""
    for line in texts:
        digits = line.removeprefix(f"{words} ").partition(" ")[0]
        if line.startswith(f"{words} ") and re.fullmatch("[0-9]{1,9}", digits):
            return int(digits)
    return None
