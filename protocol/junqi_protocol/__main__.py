"""The process: `junqi-engine`, or `python -m junqi_protocol`.

junqi-engine                      serve stdin
junqi-engine LINE ...             serve the arguments, each as one line of input, and exit
junqi-engine --contest LINE ...   speak the contest's dialect; the arguments are `setoption` lines
junqi-engine --compile            compile the kernels of every variant and exit
junqi-engine --version
junqi-engine --help
"""

import os
import signal


def end_at_signals() -> None:
    """A signal ends the process at once, with the exit code of the protocol."""
    # SIGINT first: until then it raises KeyboardInterrupt, also between these two lines.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


end_at_signals()  # also during the imports below

import importlib
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from junqi_engine.errors import Refused
from junqi_engine.version import __version__
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.commands import COMMANDS, MalformedCommand, parse
from junqi_protocol.options import quoted
from junqi_protocol.session import ERROR, NOT_READ, Session, Signal, describe_exception
from junqi_protocol.streams import WAKE_AFTER_S, EndOfInput, InputLine, InputReader, Writer

MAX_SHOWN = 200
"""Characters of the arguments that an error repeats."""
EXIT_WITHIN_S = 0.9
FLUSH_AT_LEAST_S = 0.25
CONTEST = "--contest"
COMPILE = "--compile"
HELP, VERSION = ("--help", "-h"), ("--version",)
HELP_TEXT = """\
usage: junqi-engine [LINE ...] | --contest [LINE ...] | --compile | --version | --help

An engine for Junqi and for puzzles. It reads commands from stdin; `help` lists them.

  LINE ...            carry out each argument as one line of input, then exit; a line of
                      several words needs quotes: junqi-engine "go depth 1"
  --contest LINE ...  speak the protocol of the Chinese computer-games contest;
                      each argument is a `setoption` line
  --compile           compile the kernels of every variant, then exit
  --version           print the version
  --help              print this text
"""
USAGE = 2
"""The exit code for arguments that are rejected."""
TERMINATED = 143
"""The exit code of `--compile` after SIGTERM."""
COMPILED, FAILED, NOT_WRITABLE = 0, 1, 3
"""Exit codes: all kernels are in the cache; a kernel does not compile; the cache folder cannot be written."""


def main() -> NoReturn:
    writer = Writer()
    arguments = sys.argv[1:]
    if len(arguments) == 1 and arguments[0] in HELP + VERSION:
        writer.write(HELP_TEXT.rstrip() if arguments[0] in HELP else f"junqi-engine {__version__}")
        _exit(0, writer, math.inf)
    if arguments[:1] == [COMPILE]:
        _exit(_compile(writer, arguments[1:]), writer, FLUSH_AT_LEAST_S)
    if arguments[:1] == [CONTEST]:
        _exit(_serve_contest(writer, arguments[1:]), writer, FLUSH_AT_LEAST_S)
    if error := _usage_error(arguments):
        complain(error)
        _exit(USAGE, writer, FLUSH_AT_LEAST_S)
    watch = _ErrorWatch(writer.write)
    session = Session(watch.write, open_log=writer.open_log, is_read=writer.is_read)
    _take_signals(session.inbox)
    if arguments:
        exit_code = _serve_arguments(session, arguments, watch)
    else:
        InputReader(session.inbox, writer, lambda: session.is_behind)
        exit_code = session.run()
    if exit_code == NOT_READ:
        complain("stdout is closed")
    # At the end of input nobody waits for the process, but somebody may still be reading.
    is_patient = exit_code == 0 and session.is_input_over
    seconds_left = EXIT_WITHIN_S - (time.monotonic() - session.ended_at)
    _exit(exit_code, writer, math.inf if is_patient else max(FLUSH_AT_LEAST_S, seconds_left))


class _ErrorWatch:
    def __init__(self, write: Callable[[str], None]) -> None:
        self.has_seen_one = False
        self._write = write

    def write(self, line: str) -> None:
        self.has_seen_one |= line.startswith(ERROR)
        self._write(line)


def _usage_error(arguments: Sequence[str]) -> str:
    """What is wrong with arguments of which one cannot be a line of input; empty if each can."""
    for number, argument in enumerate(arguments, 1):
        parsed = parse(InputLine(argument.encode("utf-8", "surrogateescape")))
        if argument.startswith("-"):
            return f"argument {number}: there is no option {quoted(argument)} here; {HELP_TEXT.splitlines()[0]}"
        if isinstance(parsed, MalformedCommand):
            form = f"junqi-engine {_in_quotes(arguments)}"
            return f"argument {number}: {quoted(argument)} is not a command; each command is one argument: {form}"
    return ""


def _in_quotes(arguments: Sequence[str]) -> str:
    """Commands whose words are arguments of their own, as they should be written; an example if there is none."""
    commands: list[str] = []
    for argument in arguments:
        if argument.partition(" ")[0] in COMMANDS:
            commands.append(argument)
        elif commands:
            commands[-1] += f" {argument}"
    shown = quoted(" ".join(f'"{command}"' for command in commands), MAX_SHOWN)[1:-1]
    return shown or '"go depth 1"'


def _serve_arguments(session: Session, arguments: Sequence[str], watch: _ErrorWatch) -> int:
    """Carry out each argument as a line of input, up to one that is rejected; the exit code."""
    for number, argument in enumerate(arguments, 1):
        session.handle(InputLine(argument.encode("utf-8", "surrogateescape")))
        session.drain()
        if session.exit_code is not None:
            return session.exit_code
        if watch.has_seen_one:
            complain(f"argument {number} was rejected: {quoted(argument)}")
            session.end(USAGE)
            return USAGE
    session.inbox.put(EndOfInput())
    return session.run()


def _serve_contest(writer: Writer, settings: Sequence[str]) -> int:
    """Serve stdin in the contest's dialect; the exit code."""
    from junqi_protocol.contest.translator import ContestSession, complain_on_stderr

    try:
        session = ContestSession(
            writer.write, settings, complain=complain_on_stderr, log=writer.log, open_log=writer.open_log,
            is_read=writer.is_read,
        )  # fmt: skip
    except Refused as rejection:
        complain_on_stderr(f"{rejection.code} {rejection}")
        return USAGE
    _take_signals(session.inbox)
    InputReader(session.inbox, writer)
    exit_code = session.run()
    if exit_code == NOT_READ:
        complain("stdout is closed")
    return exit_code


def _compile(writer: Writer, words: Sequence[str]) -> int:
    """Compile all kernels in a thread of its own, so that signals end the process at once; the exit code."""
    if words:
        complain(f"{COMPILE} takes no arguments")
        return USAGE
    # An installer must not take an interrupted run for a complete one.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(TERMINATED))
    exit_codes: SimpleQueue[int] = SimpleQueue()
    threading.Thread(target=lambda: exit_codes.put(compile_everything(writer.write)), daemon=True).start()
    while True:
        with suppress(Empty):
            return exit_codes.get(timeout=WAKE_AFTER_S)


def compile_everything(write: Callable[[str], None]) -> int:
    """Compile what is not in the cache, print the progress with `write`, and return the exit code.

    An error is one line on stderr.
    """
    cache = importlib.import_module("junqi_engine.kernel_cache")
    compiling = importlib.import_module("junqi_engine.compiling")
    kernels = importlib.import_module("junqi_engine.kernels")
    for package in dict.fromkeys(entry.package for entry in CATALOGUE):
        started = time.monotonic()
        try:
            compiling.import_all(package)
            needed = kernels.kernels_of(package)
            if all(each.is_stored() for each in needed):
                write(f"{package}: already compiled")
                continue
            if reason := cache.cache_fault(package):
                complain(f"the kernels of {package} cannot be kept: {reason}")
                return NOT_WRITABLE
            compiling.compile_kernels(package, needed, lambda text, name=package: write(f"{name}: {text}"))
        except Exception as error:  # noqa: BLE001  reported, and the exit code says so
            complain(f"{package}: {describe_exception(error)}")
            return FAILED
        if not all(each.is_stored() for each in needed):
            complain(f"the kernels of {package} cannot be kept: no room in {cache.folder_of(package)}")
            return NOT_WRITABLE
        write(f"{package}: compiled in {time.monotonic() - started:.1f} s")
    return COMPILED


def complain(text: str) -> None:
    """One line on stderr, if somebody can read it."""
    with suppress(OSError):
        print(f"junqi-engine: {text}", file=sys.stderr, flush=True)


def _take_signals(inbox: SimpleQueue[Any]) -> None:
    """Pass the signals that end the process to a session from now on."""
    for number, exit_code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        signal.signal(number, lambda *_, code=exit_code: inbox.put(Signal(code)))


def _exit(exit_code: int, writer: Writer, within_s: float) -> NoReturn:
    """Print what remains and end the process, whatever the worker is doing."""
    end_at_signals()
    writer.close(within_s)
    # An orderly shutdown of the interpreter would take tenths of a second, and the worker may be busy.
    os._exit(exit_code)


if __name__ == "__main__":
    main()
