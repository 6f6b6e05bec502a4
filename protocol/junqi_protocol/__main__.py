"""The process: `junqi-engine`, or `python -m junqi_protocol`. `HELP_TEXT` has its arguments."""

import os
import signal


def end_at_signals() -> None:
    """Let a signal end the process immediately, with the exit code of the protocol."""
    # SIGINT first: until then it raises KeyboardInterrupt, also between these two lines.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


end_at_signals()  # also during the imports below

import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from junqi_engine.version import __version__
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.commands import take
from junqi_protocol.session import Session, describe_exception
from junqi_protocol.streams import Output, complain, lines, prepare

EXIT_WITHIN_S = 0.9
CONTEST = "--contest"
COMPILE = "--compile"
HELP, VERSION = ("--help", "-h"), ("--version",)
HELP_TEXT = """\
usage: junqi-engine [LINE ...] | --contest [LINE ...] | --compile | --version | --help

An engine for Junqi and for puzzles. It reads commands from stdin; `help` lists them.

  LINE ...            run each argument as an input line, then exit (quote lines that
                      contain spaces: junqi-engine "go depth 1"); the exit code is 2
                      if a line was rejected
  --contest LINE ...  speak the protocol of the Chinese computer-games contest;
                      each LINE is a `setoption` command
  --compile           compile the kernels of every variant, then exit
  --version           print the version
  --help              print this text
"""
USAGE = 2
"""Exit code at the end of input after a line that was rejected."""
COMPILED, FAILED, NOT_WRITABLE = 0, 1, 3
"""Exit codes: all kernels are in the cache; a kernel does not compile; the cache folder cannot be written."""


def main() -> NoReturn:
    arguments = sys.argv[1:]
    output = Output()
    if len(arguments) == 1 and arguments[0] in HELP + VERSION:
        output.write(HELP_TEXT.rstrip() if arguments[0] in HELP else f"junqi-engine {__version__}")
        os._exit(0)
    if arguments == [COMPILE]:
        # An installer must not take an interrupted run for a complete one.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os._exit(compile_everything(output.write))
    if arguments[:1] == [CONTEST]:
        from junqi_protocol.contest.translator import Translator

        translator = Translator(output.write)
        _serve(translator.session, lambda: translator.serve(arguments[1:]))
    session = Session(output.write)
    _serve(session, lambda: _converse(session, arguments))


def _serve(session: Session, converse: Callable[[], int]) -> NoReturn:
    """Run a conversation and exit with its code, or with the code of the `SystemExit` that ends it."""
    try:
        for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
            signal.signal(number, lambda *_, code=code: sys.exit(code))
        prepare()
        code = converse()
    except SystemExit as end:
        end_at_signals()
        code = end.code if isinstance(end.code, int) else 1
        # The worker may be busy, and writing may block because nobody reads the output.
        timer = threading.Timer(EXIT_WITHIN_S, os._exit, (code,))
        timer.daemon = True
        timer.start()
        session.end()
    # An orderly shutdown of the interpreter would take tenths of a second, and the worker may be busy.
    os._exit(code)


def _converse(session: Session, arguments: Sequence[str]) -> int:
    """Take the lines of stdin, or each argument as a line until one is rejected. Return the exit code."""
    if not arguments and os.isatty(0):
        complain(f"version {__version__}; type help for the commands, quit to end")
    for line in lines() if not arguments else ():
        take(session, line)
    for argument in arguments:
        take(session, argument.encode("utf-8", "surrogateescape"))
        session.drain()
        if session.has_refused:
            sys.exit(USAGE)
    session.finish()
    return USAGE if session.has_refused else 0


def compile_everything(write: Callable[[str], None]) -> int:
    """Compile all kernels that are not cached, and return the exit code. `write` gets the progress, stderr an error."""
    for package in dict.fromkeys(entry.package for entry in CATALOGUE):
        started = time.monotonic()
        try:
            from junqi_engine import compiling, kernels
            from junqi_engine import kernel_cache as cache

            compiling.import_all(package)
            needed = kernels.kernels_of(package)
            if all(each.is_stored() for each in needed):
                write(f"{package}: already compiled")
                continue
            if reason := cache.cache_fault(package):
                complain(f"the kernels of {package} cannot be cached: {reason}")
                return NOT_WRITABLE
            compiling.compile_kernels(package, needed, partial(_write_for, write, package))
        except Exception as error:  # noqa: BLE001  reported, and the exit code says so
            complain(f"{package}: {describe_exception(error)}")
            return FAILED
        if not all(each.is_stored() for each in needed):
            complain(f"the kernels of {package} cannot be cached: no space in {cache.folder_of(package)}")
            return NOT_WRITABLE
        write(f"{package}: compiled in {time.monotonic() - started:.1f} s")
    return COMPILED


def _write_for(write: Callable[[str], None], package: str, text: str) -> None:
    write(f"{package}: {text}")


if __name__ == "__main__":
    main()
