"""`python -m junqi_speed [SECTION ...] [--against REVISION]`."""

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version

from junqi_referee.exit_codes import run_command
from junqi_referee.machine import processor
from junqi_speed import SECTIONS, Report

DESCRIPTION = """\
Measure the figures that the project states. With --against, measure every section in this checkout and in
another git revision in turns, and print the ratios (exit code 4 if the revision cannot be built or measured).
"""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m junqi_speed",
        description=DESCRIPTION,
        epilog="sections:\n" + "\n".join(f"  {name:<14}{text}" for name, (_, text) in SECTIONS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sections", nargs="*", metavar="SECTION", help="what to measure; default: all")
    add("--json", action="store_true", help="print the figures as one line of JSON")
    add("--against", metavar="REVISION", help="compare with this git revision (commit, branch or tag)")
    add("--rounds", type=int, default=5, help="with --against: runs per revision, default %(default)s")
    given = parser.parse_args(words)
    sections = given.sections or list(SECTIONS)
    if unknown := [name for name in sections if name not in SECTIONS]:
        parser.error(f"no section {unknown[0]!r}; expected one of {', '.join(SECTIONS)}")
    if given.against is None:
        return run_command("junqi_speed", partial(_measure, sections, given.json))
    compare = import_module("junqi_speed.against").compare
    return run_command("junqi_speed", partial(compare, given.against, sections, given.rounds))


def _measure(sections: Sequence[str], as_json: bool) -> int:
    report = Report(is_silent=as_json)
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite"))
    report.note(f"{processor()}; {platform.system()}; Python {platform.python_version()}, {versions}")
    for name in sections:
        report.note(f"\n{name}")
        getattr(import_module(f"junqi_speed.{SECTIONS[name][0]}"), f"measure_{name}")(report)
    if as_json:
        print(json.dumps({"figures": report.figures}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
