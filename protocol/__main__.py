"""The process: `junqi-engine`, or `python -m protocol`.

junqi-engine                      serve stdin
junqi-engine LINE ...             serve the arguments, each as one line of input, and exit
junqi-engine --contest LINE ...   speak the contest's dialect; the arguments are `setoption` lines
junqi-engine --compile            compile the kernels of every variant and exit
junqi-engine --version
junqi-engine --help
"""

import os
import signal

# A signal that arrives during the imports below ends the process with the exit code of the protocol.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import importlib
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from junqi_engine.version import __version__
from protocol.catalogue import CATALOGUE
from protocol.game_interface import Rejection
from protocol.session import Session
from protocol.streams import InputLine, Reader, Writer
from protocol.worker import EndOfInput, Signal, describe_exception

EXIT_WITHIN_S = 0.9
FLUSH_AT_LEAST_S = 0.35
CONTEST = "--contest"
COMPILE = "--compile"
HELP, VERSION = "--help", "--version"
HELP_TEXT = """\
usage: junqi-engine [LINE ...] | --contest [LINE ...] | --compile | --version | --help

An engine for Junqi and for puzzles. It reads commands from stdin; `help` lists them.

  LINE ...            carry out each argument as one line of input, then exit
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
WAKE_AFTER_S = 1.0
"""The longest wait: Windows notices Ctrl-C only between two waits."""


def main() -> NoReturn:
    """Do what the arguments say, and exit."""
    writer = Writer()
    arguments = sys.argv[1:]
    if arguments in ([HELP], [VERSION]):
        writer.write(HELP_TEXT.rstrip() if arguments == [HELP] else f"junqi-engine {__version__}")
        _exit(0, writer, FLUSH_AT_LEAST_S)
    if arguments[:1] == [COMPILE]:
        _exit(_compile(writer, arguments[1:]), writer, FLUSH_AT_LEAST_S)
    if arguments[:1] == [CONTEST]:
        _exit(_serve_contest(writer, arguments[1:]), writer, FLUSH_AT_LEAST_S)
    session = Session(writer.write, open_log=writer.open_log)
    _take_signals(session.inbox)
    if arguments:
        for argument in arguments:
            session.handle(InputLine(argument.encode("utf-8", "surrogateescape")))
            session.drain()
        session.inbox.put(EndOfInput())
    else:
        Reader(session.inbox, writer, lambda: session.is_behind)
    exit_code = session.run()
    _exit(exit_code, writer, max(FLUSH_AT_LEAST_S, EXIT_WITHIN_S - (time.monotonic() - session.ended_at)))


def _serve_contest(writer: Writer, settings: Sequence[str]) -> int:
    """Serve stdin in the contest's dialect; the exit code."""
    from protocol.contest.session import ContestSession, complain_on_stderr

    try:
        session = ContestSession(
            writer.write, settings, complain=complain_on_stderr, log=writer.log, open_log=writer.open_log
        )
    except Rejection as rejection:
        complain_on_stderr(f"{rejection.code} {rejection}")
        return USAGE
    _take_signals(session.inbox)
    Reader(session.inbox, writer)
    return session.run()


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
        if not cache.is_shared(package):
            complain(f"the cache folder cannot be written: {cache.permanent_folder(package)}")
            return NOT_WRITABLE
        started = time.monotonic()
        try:
            compiling.import_all(package)
            needed = kernels.kernels_of(package)
            if compiling.are_stored(package, needed):
                write(f"{package}: already compiled")
                continue
            compiling.compile_kernels(
                package, needed, lambda share, name=package: write(f"{name}: {compiling.progress_line(share)}")
            )
        except Exception as error:  # noqa: BLE001  reported, and the exit code says so
            complain(f"{package}: {describe_exception(error)}")
            return FAILED
        if not cache.is_shared(package) or not cache.cache_is_warm(package):
            complain(f"the cache folder cannot be written: {cache.permanent_folder(package)}")
            return NOT_WRITABLE
        write(f"{package}: compiled in {time.monotonic() - started:.1f} s")
    return COMPILED


def complain(text: str) -> None:
    """One line on stderr."""
    print(f"junqi-engine: {text}", file=sys.stderr, flush=True)


def _take_signals(inbox: SimpleQueue[Any]) -> None:
    """Pass the signals that end the process to a session from now on."""
    for number, exit_code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        signal.signal(number, lambda *_, code=exit_code: inbox.put(Signal(code)))


def _exit(exit_code: int, writer: Writer, within_s: float) -> NoReturn:
    """Print what remains and end the process, whatever the worker is doing."""
    writer.close(within_s)
    # The worker may not have imported the kernels, or may be importing them now.
    remove_temporary_folders = getattr(sys.modules.get("junqi_engine.kernel_cache"), "remove_temporary_folders", None)
    if remove_temporary_folders is not None:
        remove_temporary_folders()
    # An orderly shutdown of the interpreter would take tenths of a second, and the worker may be busy.
    os._exit(exit_code)


if __name__ == "__main__":
    main()
