"""Lines for hostile conversations: good commands, damaged ones, and bytes of any kind."""

import random

from junqi_engine.players.versions import VERSIONS
from protocol.commands import CommandLine
from protocol.grammar import parse
from protocol.lines import InputLine
from tools.proof.fuzz.samples import GRAMMAR, TROUBLE, damaged, positions

MAX_LINES = 8
GOES = (
    *(
        "go nodes 20",
        "go nodes 3 searchmoves zz",
        "go movetime 1",
        "go depth 1",
        "go perft 1",
        "go setup",
        "go setup S",
    ),
    *("go wtime 20 btime 20 winc 1 binc 1 movestogo 3", "go time 10 inc 1", "go infinite", "go infinite nodes 5"),
    *("go ponder", "go ponder movetime 2", "go", "go depth many", "go nodes", "go sideways", "go depth 1 depth 2"),
    *("go perft 99", "go searchmoves", "go setup Q", "joho go nodes 2", "\tgo nodes 1\r", "go nodes -1"),
)
OTHERS = (
    *("stop", "ponderhit", "ucinewgame", "isready", "uci", "d", "legal", "eval", "belief", "belief z99", "help"),
    *("help options", "version", "list_commands", "debug on", "debug off", "debug maybe", "# go", "", "\t \r", "xyzzy"),
    *("gameover win", "gameover tie", "position startpos", "position", "position fen", "position startpos moves ?"),
    *("setoption", "setoption name Hash value 0", "setoption name Hash value 2", "setoption name Hash value 99999999"),
    *("setoption name Threads value 4096", "setoption name Player value 9", "setoption name Seed value many"),
    *("setoption name MultiPV value 3", "setoption name MultiPV value 1", "setoption name Move Overhead value 0"),
    *("setoption name Log File value /no/such/folder/log", "setoption name Skill Level value 5", "export"),
    *("setoption name Method value best", "setoption name MaxSteps value 5", "setoption name Metric value unit"),
    *(f"setoption name Player value {version}" for version in VERSIONS),
)
EFFECTS_OUTSIDE = frozenset({"quit", "export", "bench"})
"""Commands that end the process, write a file or take seconds, and are kept out of what is damaged at random."""
LARGE_OPTIONS = (b"hash", b"threads", b"log", b"disk", b"variant")


def hostile_lines(variant: str, rng: random.Random) -> list[bytes]:
    """The lines of a conversation, without their newlines."""
    return [_line(variant, rng) for _ in range(rng.randint(1, MAX_LINES))]


def _line(variant: str, rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(GOES).encode()
    if kind < 0.6:
        return rng.choice(OTHERS).encode()
    if kind < 0.8:
        return _harmless(b"position " + damaged(positions(variant), rng))
    if kind < 0.9:
        return _harmless(damaged(GRAMMAR, rng))
    if kind < 0.95:
        trouble = rng.choice(TROUBLE)
        return _harmless(b"go " + (trouble if isinstance(trouble, bytes) else trouble.encode()))
    return _harmless(rng.randbytes(rng.choice((1, 10, 100, 5000))))


def _harmless(data: bytes) -> bytes:
    """Text of one or more lines without those that reach beyond the conversation."""
    return b"\n".join(line for line in data.split(b"\n") if not _reaches_beyond(line))


def _reaches_beyond(line: bytes) -> bool:
    found = parse(InputLine(line))
    if not isinstance(found, CommandLine):
        return False
    is_large = found.name == "setoption" and any(name in line.lower() for name in LARGE_OPTIONS)
    return is_large or found.name in EFFECTS_OUTSIDE
