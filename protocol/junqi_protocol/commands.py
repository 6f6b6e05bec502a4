"""The commands of the protocol in one table: name, arguments, help text, handler.

To add a command, write a handler and add an entry to `COMMANDS`. `parse`, the session and `help` read the table. A
handler takes a `Call`; it raises `Refused` for a command that cannot be carried out, and then has changed nothing.
`parse` is total: any line is a command, a malformed command or nothing, and never raises an exception.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from junqi_engine.errors import Refused
from junqi_engine.version import __version__
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.options import quoted, whole_number
from junqi_protocol.streams import MAX_LINE_BYTES, InputLine
from junqi_protocol.variant_game import Control, GoRequest, VariantGame

PROTOCOL_VERSION = 1
VERSION = f"junqi-engine {__version__} protocol-version {PROTOCOL_VERSION}"


class CommandLine(NamedTuple):
    """A command and its arguments, which can be long and are split only on demand."""

    name: str
    arguments: bytes = b""

    @property
    def command(self) -> "Command":
        return COMMANDS[self.name]

    @property
    def words(self) -> list[str]:
        return self.arguments.decode("utf-8", "replace").split()


@dataclass(frozen=True)
class Call:
    """A command line to carry out. `control` belongs to this call; its `info` and `say` print. `open_log` opens a log
    file, none for an empty path: OSError or ValueError if it cannot be written. What a call says is kept until it is
    told: when the answer of a search arrives, the search must have ended.
    """

    line: CommandLine
    dispatcher: Dispatcher
    control: Control
    open_log: Callable[[str], None]
    answer: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return self.line.words

    @property
    def text(self) -> str:
        """The arguments with single spaces between them."""
        return " ".join(self.line.words)

    @property
    def game(self) -> VariantGame:
        return self.dispatcher.game

    def say(self, *lines: str) -> None:
        self.answer.extend(lines)

    def tell(self) -> None:
        for line in self.answer:
            self.control.say(line)


@dataclass(frozen=True)
class Command:
    """A command of the protocol. The worker, which owns the game, calls the handlers in the order of the input; `go` is
    one of its jobs, so they wait for the end of a search. Without a handler, the session carries a command out itself,
    as soon as it is read.

    `stops_unlimited`: a search without a limit is stopped, so that the command can be carried out.
    `needs_game`: the game is loaded before.
    """

    name: str
    arguments: str
    text: str
    handler: Callable[[Call], None] | None
    stops_unlimited: bool = False
    needs_game: bool = True

    @property
    def help(self) -> str:
        return f"{self.name:<13} {f'{self.arguments}: ' if self.arguments else ''}{self.text}"


def set_option(call: Call) -> None:
    dispatcher = call.dispatcher
    options = dispatcher.options
    previous_log = options["Log File"]
    if dispatcher.set_option(call.words, call.control) != "Log File":
        return
    path = str(options["Log File"])
    try:
        call.open_log(path)
    except (OSError, ValueError) as error:
        options.set(options.find("Log File"), previous_log)
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused("bad-file", f"option Log File: {quoted(path)}: {reason}") from error


def _bench(call: Call) -> None:
    result = call.game.bench(call.control)
    if not result.is_complete:
        call.say("bench stopped")
        return
    nps = int(result.nodes / max(result.seconds, 1e-9))
    call.say(*result.lines, f"bench nodes {result.nodes} nps {nps} signature {result.signature:016X}")


def _belief(call: Call) -> None:
    if len(call.words) > 1:
        raise Refused("bad-argument", f"belief: {quoted(call.text)} is more than one point")
    for line in call.game.belief(call.words[0] if call.words else None):
        call.control.info(line)


def _export(call: Call) -> None:
    if not call.words:
        raise Refused("bad-argument", "export: the name of a file must follow")
    call.game.export(call.text)


_TABLE = (
    Command("uci", "", "print the engine's name and its options", None),
    Command("isready", "", "print readyok when everything is loaded", None),
    Command("setoption", "name X [value Y]", "set an option", set_option, needs_game=False),
    Command("ucinewgame", "", "discard everything about the last game", lambda call: call.game.new_game(),
            stops_unlimited=True),
    Command("position", "startpos [lineup S:<25> ...] [viewer SEATS] [moves ...] | fen <FEN> [moves ...]",
            "set up a position", lambda call: call.game.set_position(call.words), stops_unlimited=True),
    Command("go", "depth N | nodes N | movetime MS | time MS inc MS | wtime MS btime MS winc MS binc MS | movestogo N"
            " | infinite | ponder | searchmoves M... | perft N | setup [SEAT] | hint"
            " | generate [LEVEL]",
            "search and print one bestmove", None, stops_unlimited=True),
    Command("stop", "", "end the search and print the best move so far", None),
    Command("ponderhit", "", "the opponent played the expected move", None),
    Command("quit", "", "stop the search and exit", None),
    Command("d", "", "draw the position", lambda call: call.say(*call.game.describe())),
    Command("legal", "", "list the legal moves", lambda call: call.say(" ".join(["legal", *call.game.legal()]))),
    Command("moves", "", "list the moves so far with what everyone saw, and how the game ended",
            lambda call: call.say(" ".join(["moves", *call.game.record()]), *call.game.ending())),
    Command("eval", "", "print the static evaluation",
            lambda call: call.say(*call.game.evaluate(call.control))),
    Command("belief", "[POINT]", "print what the hidden pieces may be", _belief),
    Command("bench", "", "measure the speed and print a signature of the behaviour", _bench),
    Command("export", "FILE", "write the last solution to a file", _export),
    Command("help", "", "print the commands",
            lambda call: call.say(*(command.help for command in COMMANDS.values())), needs_game=False),
    Command("version", "", "print the version", lambda call: call.say(VERSION), needs_game=False),
)  # fmt: skip

COMMANDS: dict[str, Command] = {command.name: command for command in _TABLE}
"""All commands by name, in the order in which `help` prints them."""


SEARCHED_BYTES = 1 << 16
"""How much of a line is searched for a command."""

IGNORED = ("debug", "gameover", "register")
"""Words of UCI that clients send and that have no effect here."""
_NAMES = b"|".join(sorted((name.encode() for name in (*COMMANDS, *IGNORED)), reverse=True))
_COMMAND = re.compile(rb"(?<!\S)(" + _NAMES + rb")(?!\S)")


class MalformedCommand(NamedTuple):
    """A line without a command that can be carried out: an error code and its text.

    If it `awaits_bestmove`, the command was `go`, and a client waits for the answer.
    """

    code: str
    text: str
    awaits_bestmove: bool = False


def parse(line: InputLine) -> CommandLine | MalformedCommand | None:
    """The command of a line; None for a blank line, a comment or a word of UCI without effect. Unknown words before a
    command are skipped.
    """
    head = line.content[:SEARCHED_BYTES]
    found = _COMMAND.search(head)
    if line.is_cut:
        start = quoted(_text(head[:20]))
        text = f"the line is longer than {MAX_LINE_BYTES >> 20} MiB and was dropped; it begins with {start}"
        return MalformedCommand("line-too-long", text, awaits_bestmove=found is not None and found[1] == b"go")
    if head.lstrip().startswith(b"#") or not (head.strip() or line.content.strip()):
        return None
    if found is None:
        return MalformedCommand("unknown-command", quoted(" ".join(_text(head[:200]).split())))
    name = found[1].decode()
    return None if name in IGNORED else CommandLine(name, line.content[found.end() :])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


MAX_GO_BYTES = 1 << 16
MAX_DEPTH = 100_000
MAX_PERFT_DEPTH = 64
MAX_TIME_MS = 10**12
MAX_NODES = 10**18 - 1

_LARGEST = {
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
"""The arguments that have a number from 0 to a largest one."""
_CLOCKS = {"time", "wtime", "btime"}
"""These may be negative: a GUI subtracts its own delay. A clock that has run out means "move at once"."""
_KEYWORDS = {*_LARGEST, "mate", "infinite", "ponder", "hint", "searchmoves", "setup", "generate"}
"""`mate` is a word of UCI without a meaning here: it and its number are ignored."""
_FIELDS = {"movetime": "movetime_ms", "time": "time_ms", "inc": "inc_ms"}
"""The fields of a `GoRequest` whose names are not those of the arguments."""
_ONLY_ARGUMENT = ("perft", "setup")
_PURPOSES = {"hint", "generate", "searchmoves"}
"""At most one of these is given."""


def parse_go(arguments: bytes) -> GoRequest:
    """The request that the arguments of a `go` make; `Refused` for any that is unknown, missing or repeated.

    A number outside of its range is taken as the nearest one inside, except for `perft`; `taken` says so.
    """
    if len(arguments) > MAX_GO_BYTES:
        raise Refused("too-large", f"go: {len(arguments)} bytes; the limit is {MAX_GO_BYTES}")
    words = arguments.decode("utf-8", "replace").split()
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    searchmoves: tuple[str, ...] = ()
    setup_seat = level = None
    seen: set[str] = set()
    taken: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word not in _KEYWORDS:
            raise Refused("bad-argument", f"go: unknown word {quoted(word)}")
        if word in seen:
            raise Refused("bad-argument", f"go: {word} is given twice")
        seen.add(word)
        if word == "mate":
            index += index < len(words) and words[index] not in _KEYWORDS
        elif word in _LARGEST:
            if index == len(words) or words[index] in _KEYWORDS:
                raise Refused("bad-number", f"go: {word} needs a number")
            number = whole_number(words[index], f"go {word}")
            index += 1
            numbers[word] = min(max(0, number), _LARGEST[word])
            if numbers[word] != number and not (word in _CLOCKS and number < 0):
                if word == "perft":
                    raise Refused("bad-number", f"go perft: {number} is not between 0 and {MAX_PERFT_DEPTH}")
                taken.append(f"go {word}: {number} is taken as {numbers[word]}")
        elif word == "searchmoves":
            end = next((i for i in range(index, len(words)) if words[i] in _KEYWORDS), len(words))
            searchmoves = tuple(words[index:end])
            if not searchmoves:
                raise Refused("bad-argument", "go: searchmoves needs at least one move")
            index = end
        else:
            flags.add(word)
            if word == "setup" and index < len(words):
                setup_seat = words[index]
                index += 1
            elif word == "generate" and index < len(words) and words[index] not in _KEYWORDS:
                level = words[index]
                index += 1
    for word in _ONLY_ARGUMENT:
        if word in seen and len(seen) > 1:
            raise Refused("bad-argument", f"go: {word} cannot be combined with other arguments")
    if len(both := sorted(_PURPOSES & seen)) > 1:
        raise Refused("bad-argument", f"go: {both[0]} cannot be combined with {both[1]}")
    given: dict[str, Any] = {_FIELDS.get(word, word): number for word, number in numbers.items()}
    clocks, increments = (tuple(given.pop(f"{side}{word}", None) for side in "wb") for word in ("time", "inc"))
    return GoRequest(
        **given, **dict.fromkeys(flags, True), clocks_ms=clocks, increments_ms=increments,
        searchmoves=searchmoves, setup_seat=setup_seat, level=level, taken=tuple(taken),
    )  # fmt: skip
