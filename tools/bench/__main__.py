"""`python -m tools.bench [SECTION ...] [--against PROGRAM]`."""

import argparse
import importlib
import pkgutil
import sys

import tools.bench
from tools.bench.report import Report, machine

NOT_SECTIONS = {"__main__", "report"}


def main() -> int:
    sections = sorted({module.name for module in pkgutil.iter_modules(tools.bench.__path__)} - NOT_SECTIONS)
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure every stated figure.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"one of {', '.join(sections)}; default: all")
    parser.add_argument("--against", metavar="PROGRAM", help="measure this program on the same work, print the ratio")
    arguments = parser.parse_args()
    for name in arguments.sections:
        if name not in sections:
            parser.error(f"no section {name!r}; there are {', '.join(sections)}")
    report = Report(arguments.against)
    print(machine())
    for name in arguments.sections or sections:
        report.section(name)
        importlib.import_module(f"tools.bench.{name}").measure(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
