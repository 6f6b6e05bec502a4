"""The commands of the protocol in one table, and the parser of input lines.

To add a command, write a handler and add an entry to `_TABLE`; `take` and `help` read the table. A handler raises
`Refused` for a command that cannot be carried out, and then has changed nothing. `parse` raises no exceptions.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import NamedTuple

from junqi_engine.errors import Refused, quoted
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.version import __version__
from junqi_protocol.catalogue import JUNQI_VARIANTS
from junqi_protocol.options import setoption_words, whole_number
from junqi_protocol.session import BESTMOVE, NO_BESTMOVE, Call, Session
from junqi_protocol.streams import MAX_LINE_BYTES
from junqi_protocol.variant_game import Control, GoRequest

PROTOCOL_VERSION = 2
VERSION = f"junqi-engine {__version__} protocol-version {PROTOCOL_VERSION}"


@dataclass(frozen=True)
class Command:
    """A command of the protocol: `at_once` runs in the main thread, `handler` in the worker.

    `stops_unlimited`: a search without a limit is stopped first, so that the command can be carried out.
    `needs_game`: the game is loaded first.
    """

    name: str
    arguments: str
    text: str
    handler: Callable[[Call], Iterable[str]] | None = None
    at_once: Callable[[Session, bytes], None] | None = None
    stops_unlimited: bool = False
    needs_game: bool = True
    in_puzzles: bool = True

    @property
    def help(self) -> str:
        return f"{self.name:<13} {f'{self.arguments}: ' if self.arguments else ''}{self.text}"


def take(session: Session, line: bytes) -> None:
    """Carry out a line of input, or queue it for the worker."""
    parsed = parse(line)
    if parsed is None:
        return
    command = COMMANDS.get(parsed.name)
    if command is not None and command.stops_unlimited:
        session.stop(only_unlimited=True)
    if parsed.fault is not None:
        reject(session, parsed.fault, is_go=parsed.name == "go")
    elif command is not None and command.at_once is not None:
        command.at_once(session, parsed.arguments)
    elif command is not None and command.handler is not None:
        session.add(command.handler, parsed.arguments, needs_game=command.needs_game)


def reject(session: Session, fault: Refused, *, is_go: bool) -> None:
    """Print an error after the answers to the commands before it; for a `go`, with its `bestmove`."""

    def handler(call: Call) -> Iterable[str]:
        raise fault

    session.add(handler, needs_game=False, due=NO_BESTMOVE if is_go else "")


def _uci(session: Session, arguments: bytes) -> None:
    options = (option.declaration() for option in session.dispatcher.options.declared.values())
    identity = (f"id name junqi-engine {__version__}", "id author the junqi-engine authors")
    session.write("\n".join((*identity, *options, f"info string protocol-version {PROTOCOL_VERSION}", "uciok")))


def _go(session: Session, arguments: bytes) -> None:
    """Queue a `go`, valid or not; one `bestmove` follows in any case.

    The queue holds the text: a parsed request takes ten times the memory.
    """
    request = None
    with suppress(Refused):
        request = parse_go(arguments)
    infinite, ponder = (False, False) if request is None else (request.infinite, request.ponder)
    control = Control(session.write, infinite or ponder, waits_for_ponderhit=ponder and not infinite)
    session.add(_search, arguments, control, needs_game=request is not None, due=NO_BESTMOVE)


def _search(call: Call) -> Iterable[str]:
    request = parse_go(call.arguments)
    game, control = call.game, call.control
    with call.session.searching(call):
        for text in request.clamped:
            control.say(text)
        if request.perft is not None:
            game.perft(request.perft, control)
        elif request.setup:
            call.due = f"{BESTMOVE}@{game.setup(request.setup_seat, control)}"
        elif request.generate:
            game.generate(request, control)
        elif call.session.dispatcher.is_ending:  # many searches may be queued, and none has time to run
            call.due = BESTMOVE + next(iter(game.legal()), NO_MOVE_TEXT)
        else:
            call.due = BESTMOVE + (game.hint if request.hint else game.go)(request, control)
        control.wait_for_release()
    return ()


def _set_option(call: Call) -> Iterable[str]:
    call.session.dispatcher.set_option(setoption_words(call.text), call.control)
    return ()


def _new_game(call: Call) -> Iterable[str]:
    call.game.new_game()
    return ()


def _position(call: Call) -> Iterable[str]:
    call.game.set_position(call.text.split())
    call.game.prepare(call.control)
    return ()


def _evaluate(call: Call) -> Iterable[str]:
    with call.session.searching(call) if call.game.searches_to_evaluate else nullcontext():
        return call.game.evaluate(call.control)


def _bench(call: Call) -> Iterable[str]:
    with call.session.searching(call):
        return call.game.bench(call.control)


def _belief(call: Call) -> Iterable[str]:
    if len(call.text.split()) > 1:
        raise Refused("bad-argument", f"belief: {quoted(' '.join(call.text.split()))} is not one point")
    for line in call.game.belief(call.text or None):
        call.control.info(line)
    return ()


def _help(call: Call) -> Iterable[str]:
    is_puzzle = call.session.dispatcher.options["UCI_Variant"] not in JUNQI_VARIANTS
    return [command.help for command in COMMANDS.values() if command.in_puzzles or not is_puzzle]


def _export(call: Call) -> Iterable[str]:
    if not call.text:
        raise Refused("bad-argument", "export: expected a file name")
    call.game.export(call.text)
    return ()


_TABLE = (
    Command("uci", "", "print the engine's name and its options", at_once=_uci),
    Command("isready", "", "print readyok when everything is loaded", at_once=lambda session, _: session.ready()),
    Command("setoption", "name X [value Y]", "set an option", _set_option, needs_game=False),
    Command("ucinewgame", "", "discard everything about the last game", _new_game, stops_unlimited=True),
    Command("position", "startpos [lineup S:<25> ...] [viewer SEATS] [moves ...] | fen <FEN> [moves ...]",
            "set up a position", _position, stops_unlimited=True),
    Command("go", "depth N | nodes N | movetime MS | time MS inc MS | wtime MS btime MS winc MS binc MS | movestogo N"
            " | infinite | ponder | searchmoves M... | perft N | setup [SEAT] | hint"
            " | generate [LEVEL]",
            "search and print one bestmove", at_once=_go, stops_unlimited=True),
    Command("stop", "", "end the search and print the best move so far", at_once=lambda session, _: session.stop()),
    Command("ponderhit", "", "the opponent played the expected move", at_once=lambda session, _: session.ponderhit()),
    Command("quit", "", "stop the search and exit", at_once=lambda session, _: sys.exit(0)),
    Command("d", "", "draw the position", lambda call: call.game.describe()),
    Command("legal", "", "list the legal moves", lambda call: [" ".join(["legal", *call.game.legal()])]),
    Command("moves", "", "list the moves so far with their suffixes, and the ending of a finished game",
            lambda call: [" ".join(["moves", *call.game.record()]), *call.game.ending()],
            in_puzzles=False),
    Command("eval", "", "print the static evaluation", _evaluate),
    Command("belief", "[POINT]", "print the probabilities of the kinds of hidden pieces", _belief, in_puzzles=False),
    Command("bench", "", "measure the speed and print a signature of the behaviour", _bench, in_puzzles=False),
    Command("export", "FILE", "write the last solution of a puzzle to a file", _export),
    Command("help", "", "print the commands", _help, needs_game=False),
    Command("version", "", "print the version", lambda _: [VERSION], needs_game=False),
)  # fmt: skip

COMMANDS: dict[str, Command] = {command.name: command for command in _TABLE}
"""All commands by name, in the order of `help`."""


SEARCHED_BYTES = 1 << 16
"""Only this many bytes of a line are searched for a command."""

IGNORED = ("debug", "gameover", "register")
"""Commands of UCI that clients send and that have no effect here."""
_NAMES = b"|".join(sorted((name.encode() for name in (*COMMANDS, *IGNORED)), reverse=True))
_COMMAND = re.compile(rb"(?<!\S)(" + _NAMES + rb")(?!\S)")


class CommandLine(NamedTuple):
    """A command and its arguments as one text, which can be long; or the reason why the line is rejected."""

    name: str
    arguments: bytes = b""
    fault: Refused | None = None


def parse(line: bytes) -> CommandLine | None:
    """The command of a line; None for a blank line, a comment or an ignored command. Unknown words before it are
    skipped.
    """
    head = line[:SEARCHED_BYTES]
    found = _COMMAND.search(head)
    name = found[1].decode() if found else ""
    if len(line) > MAX_LINE_BYTES:
        start = quoted(head.lstrip()[:20].decode("utf-8", "replace"))
        text = f"the line is longer than {MAX_LINE_BYTES >> 20} MiB and was dropped; it begins with {start}"
        return CommandLine(name, fault=Refused("line-too-long", text))
    if name in IGNORED or head.lstrip().startswith(b"#") or not (head.strip() or line.strip()):
        return None
    if found is None:
        text = quoted(" ".join(head[:200].decode("utf-8", "replace").split()), longest=60)
        return CommandLine(name, fault=Refused("unknown-command", text))
    return CommandLine(name, line[found.end() :])


MAX_GO_BYTES = 1 << 16
MAX_DEPTH = 100_000
MAX_PERFT_DEPTH = 64
MAX_TIME_MS = 10**12
MAX_NODES = 10**18 - 1

_MAX_NUMBERS = {
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
"""The arguments that take a number, and the largest one; the smallest is 0."""
_CLOCKS = {"time", "wtime", "btime"}
"""Clocks may be negative, because a GUI subtracts its own delay. The engine then moves immediately."""
_MAX_VALUES = dict.fromkeys((*_MAX_NUMBERS, "mate", "setup", "generate"), 1)
_MAX_VALUES |= {"infinite": 0, "ponder": 0, "hint": 0, "searchmoves": MAX_GO_BYTES}
"""The arguments of `go`, and how many values may follow each. `mate`, a word of UCI, and its number are ignored."""
_ONLY_ARGUMENT = ("perft", "setup")
_PURPOSES = {"hint", "generate", "searchmoves"}
"""At most one of these may be given."""


def parse_go(arguments: bytes) -> GoRequest:
    """The request of a `go`; `Refused` for an unknown, missing or repeated argument.

    A number out of range is clamped, and `clamped` says so. For `perft` it is refused.
    """
    if len(arguments) > MAX_GO_BYTES:
        raise Refused("too-large", f"go: {len(arguments)} bytes; the limit is {MAX_GO_BYTES}")
    given = _split_go(arguments.decode("utf-8", "replace").split())
    numbers, clamped = _read_numbers(given)
    _check_combination(given)
    number = numbers.get
    return GoRequest(
        depth=number("depth"), nodes=number("nodes"), movetime_ms=number("movetime"), time_ms=number("time"),
        inc_ms=number("inc"), clocks_ms=(number("wtime"), number("btime")),
        increments_ms=(number("winc"), number("binc")), movestogo=number("movestogo"), perft=number("perft"),
        infinite="infinite" in given, ponder="ponder" in given, searchmoves=tuple(given.get("searchmoves", ())),
        setup="setup" in given, setup_seat=next(iter(given.get("setup", ())), None), hint="hint" in given,
        generate="generate" in given, level=next(iter(given.get("generate", ())), None), clamped=clamped,
    )  # fmt: skip


def _split_go(words: Iterable[str]) -> dict[str, list[str]]:
    """The values of each argument, by argument, in the order of the line."""
    given: dict[str, list[str]] = {}
    values, room = list[str](), 0
    for word in words:
        if word in given:
            raise Refused("bad-argument", f"go: {word} is given twice")
        if word in _MAX_VALUES:
            values, room = given.setdefault(word, []), _MAX_VALUES[word]
        elif len(values) < room:
            values.append(word)
        else:
            raise Refused("bad-argument", f"go: unknown word {quoted(word)}")
    return given


def _read_numbers(given: Mapping[str, Sequence[str]]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The numbers by argument, and a message for each that was clamped."""
    numbers, clamped = {}, []
    for word in filter(_MAX_NUMBERS.__contains__, given):
        if not given[word]:
            raise Refused("bad-number", f"go: {word} needs a number")
        number = whole_number(given[word][0], f"go {word}")
        numbers[word] = min(max(0, number), _MAX_NUMBERS[word])
        if numbers[word] != number and not (word in _CLOCKS and number < 0):
            if word == "perft":
                raise Refused("bad-number", f"go perft: {number} is not between 0 and {MAX_PERFT_DEPTH}")
            clamped.append(f"go {word}: {number} is taken as {numbers[word]}")
    return numbers, tuple(clamped)


def _check_combination(given: Mapping[str, Sequence[str]]) -> None:
    if given.get("searchmoves") == []:
        raise Refused("bad-argument", "go: searchmoves needs at least one move")
    for word in _ONLY_ARGUMENT:
        if word in given and len(given) > 1:
            raise Refused("bad-argument", f"go: {word} cannot be combined with other arguments")
    if len(both := sorted(_PURPOSES & given.keys())) > 1:
        raise Refused("bad-argument", f"go: {both[0]} cannot be combined with {both[1]}")
