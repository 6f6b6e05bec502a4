"""`python -m junqi_speed [SECTION ...] [--against REVISION]`."""

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from importlib import import_module

from junqi_speed import SECTIONS, Report

DESCRIPTION = """\
Measure the figures that the project states. With --against, measure every section in this checkout and in
another git revision in turns, and print the ratios (exit code 4 if the revision cannot be built or measured).
"""
EXIT_IMPOSSIBLE = 4
EXIT_INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    sections = arguments.sections or list(SECTIONS)
    try:
        if arguments.against is not None:
            return _compare(arguments.against, sections, arguments.rounds)
        _measure(sections, arguments.json)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m junqi_speed",
        description=DESCRIPTION,
        epilog="sections:\n" + "\n".join(f"  {name:<14}{text}" for name, (_, text) in SECTIONS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sections", nargs="*", metavar="SECTION", type=_section, help="what to measure; default: all")
    add("--json", action="store_true", help="print the figures and signatures as one line of JSON")
    add("--against", metavar="REVISION", help="compare with this git revision (commit, branch or tag)")
    add("--rounds", type=_rounds, default=5, help="with --against: runs per revision, default %(default)s")
    return parser


def _section(text: str) -> str:
    if text not in SECTIONS:
        raise argparse.ArgumentTypeError(f"no section {text!r}; expected one of {', '.join(SECTIONS)}")
    return text


def _rounds(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _measure(sections: Sequence[str], as_json: bool) -> None:
    report = Report(is_silent=as_json)
    if not as_json:
        print(machine())
    for name in sections:
        if not as_json:
            print(f"\n{name}")
        getattr(import_module(f"junqi_speed.{SECTIONS[name][0]}"), f"measure_{name}")(report)
    if as_json:
        print(json.dumps(report.as_table()))


def _compare(revision: str, sections: Sequence[str], rounds: int) -> int:
    from junqi_referee.revisions import ROOT, RevisionError, build, find_commit, this_checkout
    from junqi_speed.against import compare

    try:
        here, there = this_checkout(), build(find_commit(revision, ROOT), root=ROOT)
        print(machine())
        compare(here, there, sections, rounds)
    except RevisionError as error:
        print(f"junqi_speed: {error}", file=sys.stderr)
        return EXIT_IMPOSSIBLE
    return 0


def machine() -> str:
    """The processor and the versions of Python and its packages, in one line."""
    import llvmlite
    import numba
    import numpy

    from junqi_referee.machine import processor

    versions = f"numpy {numpy.__version__}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    return f"{processor()}; {platform.system()}; Python {platform.python_version()}, {versions}"


if __name__ == "__main__":
    sys.exit(main())
