"""Bytes to lines to commands. Total: any bytes give commands or faults, never an exception."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from protocol.game import GoRequest, Rejection
from protocol.options import quoted, whole_number

MAX_LINE_BYTES = 16 * 1024 * 1024
KEPT_OF_LONG_LINE = 256
SEARCHED_BYTES = 1 << 16
"""How far into a line a command is looked for."""
MAX_GO_BYTES = 1 << 16
MAX_DEPTH = 100_000
MAX_PERFT_DEPTH = 64
MAX_TIME_MS = 10**12
MAX_NODES = 10**18 - 1

COMMANDS = {
    "uci": "who the engine is, and its options",
    "debug": "on or off: echo every command",
    "isready": "answers readyok once all is loaded",
    "setoption": "name X [value Y]",
    "ucinewgame": "forget the last game",
    "position": "startpos [lineup S:<25> ...] [viewer SEATS] [moves ...] | fen <FEN> [moves ...]",
    "go": "depth N | nodes N | movetime MS | infinite | ponder | searchmoves M... | perft N | setup [SEAT]; clocks",
    "stop": "end the search now",
    "ponderhit": "the move that was pondered on was played",
    "gameover": "win, loss or draw: the game has ended",
    "quit": "leave",
    "d": "draw the position",
    "legal": "the legal moves",
    "eval": "the static evaluation",
    "belief": "[POINT]: what hidden pieces may be",
    "bench": "speed and a signature of the behaviour",
    "export": "FILE: write the last solution",
    "help": "this list",
    "list_commands": "the commands by name",
    "version": "the engine's version",
}


_COMMAND = re.compile(rb"(?<!\S)(" + b"|".join(sorted(map(str.encode, COMMANDS), reverse=True)) + rb")(?!\S)")


class Line(NamedTuple):
    """One line of input, or, when `is_cut`, the beginning of one that was too long."""

    content: bytes
    is_cut: bool = False


class Command(NamedTuple):
    """A command and what stands behind it, which may be long and is split only when it is asked for."""

    name: str
    rest: bytes = b""

    @property
    def words(self) -> list[str]:
        return self.rest.decode("utf-8", "replace").split()


class Fault(NamedTuple):
    """A line that is no command. `awaits_bestmove`: it would have been a `go`."""

    code: str
    text: str
    awaits_bestmove: bool = False


class LineSplitter:
    """Cuts a stream of bytes at its newlines; holds at most `MAX_LINE_BYTES` of an unfinished line."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._start_of_cut: bytes | None = None

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that `data` completes."""
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._add(piece)
            yield self._finish()
        self._add(pieces[-1])

    def end(self) -> Iterator[Line]:
        """The line that the end of input completes, if any."""
        if self._parts or self._start_of_cut is not None:
            yield self._finish()

    def _add(self, piece: bytes) -> None:
        if self._start_of_cut is not None:
            self._start_of_cut = (self._start_of_cut + piece[:KEPT_OF_LONG_LINE]).lstrip()[:KEPT_OF_LONG_LINE]
            return
        if not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > MAX_LINE_BYTES:
            self._start_of_cut = b"".join(self._parts).lstrip()[:KEPT_OF_LONG_LINE]
            self._parts.clear()

    def _finish(self) -> Line:
        is_cut = self._start_of_cut is not None
        line = Line(self._start_of_cut or b"".join(self._parts), is_cut)
        self._parts.clear()
        self._size = 0
        self._start_of_cut = None
        return line


def parse(line: Line) -> Command | Fault | None:
    """The command of a line; None for a blank line or a comment. Unknown words before a command are skipped."""
    head = line.content[:SEARCHED_BYTES]
    found = _COMMAND.search(head)
    if line.is_cut:
        text = f"a line of over {MAX_LINE_BYTES >> 20} MiB was dropped; it began with {quoted(_text(head[:20]))}"
        return Fault("line-too-long", text, awaits_bestmove=found is not None and found[1] == b"go")
    if head.lstrip().startswith(b"#") or not (head.strip() or line.content.strip()):
        return None
    if found is None:
        return Fault("unknown-command", quoted(" ".join(_text(head[:200]).split())))
    return Command(found[1].decode(), line.content[found.end() :])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


_COUNTS = {
    "depth": MAX_DEPTH,
    "nodes": MAX_NODES,
    "movetime": MAX_TIME_MS,
    "time": MAX_TIME_MS,
    "inc": MAX_TIME_MS,
    "wtime": MAX_TIME_MS,
    "btime": MAX_TIME_MS,
    "winc": MAX_TIME_MS,
    "binc": MAX_TIME_MS,
    "movestogo": MAX_DEPTH,
    "perft": MAX_PERFT_DEPTH,
}
_FLAGS = ("infinite", "ponder")
_GO_WORDS = {*_COUNTS, *_FLAGS, "searchmoves", "setup"}


def parse_go(command: Command) -> GoRequest:
    """The request that a `go` makes; a `Rejection` for anything unknown, missing, doubled or absurd."""
    if len(command.rest) > MAX_GO_BYTES:
        raise Rejection("too-large", f"go: {len(command.rest)} bytes, {MAX_GO_BYTES} at most")
    words = command.words
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    searchmoves: tuple[str, ...] = ()
    setup_seat = None
    seen: set[str] = set()
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word not in _GO_WORDS:
            raise Rejection("bad-argument", f"go: unknown word {quoted(word)}")
        if word in seen:
            raise Rejection("bad-argument", f"go: {word} is given twice")
        seen.add(word)
        if word in _COUNTS:
            if index == len(words) or words[index] in _GO_WORDS:
                raise Rejection("bad-number", f"go: {word} needs a number")
            number = whole_number(words[index], f"go {word}")
            if not 0 <= number <= _COUNTS[word]:
                raise Rejection("bad-number", f"go {word}: {number} is not from 0 to {_COUNTS[word]}")
            numbers[word] = number
            index += 1
        elif word == "searchmoves":
            end = next((i for i in range(index, len(words)) if words[i] in _GO_WORDS), len(words))
            searchmoves = tuple(words[index:end])
            if not searchmoves:
                raise Rejection("bad-argument", "go: searchmoves needs at least one move")
            index = end
        elif word == "setup":
            if index < len(words):
                setup_seat = words[index]
                index += 1
        else:
            flags.add(word)
    for alone in ("perft", "setup"):
        if alone in seen and len(seen) > 1:
            raise Rejection("bad-argument", f"go: {alone} stands alone")
    return GoRequest(
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        movetime_ms=numbers.get("movetime"),
        time_ms=numbers.get("time"),
        inc_ms=numbers.get("inc"),
        clocks_ms=(numbers.get("wtime"), numbers.get("btime")),
        increments_ms=(numbers.get("winc"), numbers.get("binc")),
        movestogo=numbers.get("movestogo"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        searchmoves=searchmoves,
        perft=numbers.get("perft"),
        setup="setup" in seen,
        setup_seat=setup_seat,
    )
