"""Hostile plans for `tests/helpers/broken_engines/planned.py`: random bytes, lines of the grammar, damaged lines."""

import random
import signal
from collections.abc import Callable, Mapping, Sequence

Act = list
Plan = dict[str, list[list[Act]]]

CONTEST = ("INFO", "START", "GO")
COMMANDS = ("uci", "isready", "setoption", "position", "go", "setup", "belief", "d", "legal")
NUMBERS = ("0", "-1", "--5", "+5", "1e9", "NaN", "5" * 5000, "-" + "9" * 400, "\xb2", "0x10", "", "1.5", "9" * 19)
WORDS = (
    *("info", "score", "cp", "mate", "depth", "nodes", "time", "nps", "multipv", "pv", "string", "error", "belief"),
    *("bestmove", "option", "name", "type", "spin", "combo", "check", "default", "min", "max", "var", "id", "author"),
    *("uciok", "readyok", "ponder", "legal", "fen", "points", "solved", "resign:S", "pass:S", "@", "(none)", "a1a2"),
    *("g6h5", "a6b5", "e7d8", "h5g6", "a:0.5", "UCI_Variant", "Player", "siguo", "luzhanqi", "klotski", "<empty>"),
)
LINES = (
    "info depth {n} score cp {n} nodes {n} nps {n} time {n} pv a6b5 e7d8",
    "info depth {n} score mate {n} multipv {n} pv {w} {w}",
    "info string {w} {w} {n}",
    "info string error {w}: {w}",
    "info string fen {w} {n}",
    "info string legal {w} {w}",
    "info string points {n}",
    "info belief g6 a:{n} b:0.5",
    "bestmove {w}",
    "bestmove {w} ponder {w}",
    "bestmove",
    "bestmove @cbfahdehgegidcfkjkijgjhli",
    "bestmove @{w}",
    "option name {w} type spin default {n} min {n} max {n}",
    "option name UCI_Variant type combo default {w} var {w} var siguo var luzhanqi",
    "option name Player type combo default {w} var {w} var {w}",
    "option name Seed type spin min 5 max 4",
    "option name {w}",
    "id name {w}",
    "uciok",
    "readyok",
    "{w} {w} {n} {w}",
    "NAME {w}",
    "ARRAY {w}",
    "BESTMOVE {w}",
)
BIG = 2_000_000
HONEST: Act = ["honest"]


def plan(rng: random.Random, commands: Sequence[str] = COMMANDS) -> Plan:
    """What an engine does at some commands; at the others it behaves well, so that it gets far."""
    chosen = rng.sample(commands, rng.choice((1, 1, 2, 3)))
    return {command: _entries(rng) for command in chosen}


def _entries(rng: random.Random) -> list[list[Act]]:
    """What to do at a command, often only after some honest answers."""
    return [[HONEST]] * rng.choice((0, 0, 1, 5, 9)) + [_entry(rng) for _ in range(rng.randint(1, 4))]


def _entry(rng: random.Random) -> list[Act]:
    """What to do at one command: often the honest answer somewhere among hostile acts."""
    acts = [_act(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    if rng.random() < 0.6:
        acts.insert(rng.randint(0, len(acts)), HONEST)
    return acts


def _act(rng: random.Random) -> Act:
    makers: Mapping[str, tuple[int, Callable[[], Act]]] = {
        "line": (10, lambda: ["say", line(rng) + "\n"]),
        "partial": (2, lambda: ["say", line(rng)]),
        "bytes": (2, lambda: ["say", noise(rng, 300) + "\n"]),
        "long": (1, lambda: ["flood", rng.choice(("x", "1", "\0", " ", "info ")), rng.choice((4_000, BIG))]),
        "flood": (2, lambda: ["flood", line(rng)[:200] + "\n", rng.choice((50, 2_000, 20_000))]),
        "sleep": (2, lambda: ["sleep", rng.choice((1, 30, 200, 600))]),
        "child": (1, lambda: ["child", rng.choice((1, 100, 2_000)), line(rng) + "\n"]),
        "deaf": (1, lambda: ["deaf"]),
        "exit": (1, lambda: ["exit", rng.choice((0, 1, 77))]),
        "close": (1, lambda: ["close", rng.choice((0, 1, 1))]),
        "kill": (1, lambda: ["kill", rng.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM))]),
        "other": (4, lambda: rng.choice((HONEST, ["halves"], ["cut"], ["orphan"]))),
    }
    weights = [weight for weight, _ in makers.values()]
    [(_, make)] = rng.choices(list(makers.values()), weights)
    return make()


def line(rng: random.Random) -> str:
    """A line of the grammar with any words and numbers, often damaged."""
    text = "".join(_filled(piece, rng) for piece in rng.choice(LINES).split(" "))[1:]
    return damaged(text, rng) if rng.random() < 0.4 else text


def _filled(piece: str, rng: random.Random) -> str:
    return " " + piece.replace("{n}", rng.choice(NUMBERS)).replace("{w}", rng.choice(WORDS))


def damaged(text: str, rng: random.Random) -> str:
    """A text with some characters removed, repeated or replaced by any bytes but newlines."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        change = rng.choice(("", noise(rng, 3), text[at : at + 5] * 3))
        text = text[:at] + change + text[at + rng.randint(0, 4) :]
    return text


def noise(rng: random.Random, most: int) -> str:
    """Any bytes but newlines, as characters."""
    return "".join(chr(rng.randint(0, 255)) for _ in range(rng.randint(1, most))).replace("\n", "")
