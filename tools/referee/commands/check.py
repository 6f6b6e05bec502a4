"""`check`: tests an engine's conformance to the protocol."""

import argparse
from typing import Any

from tools.referee.commands.words import read_engine_words
from tools.referee.exits import ExitCode


def add_commands(commands: Any) -> None:
    parser = commands.add_parser("check", help="test an engine's conformance to the protocol")
    parser.add_argument(
        "engine", nargs="+", metavar="KEY=VALUE", help="cmd=COMMAND or rev=REVISION, option.NAME=VALUE dir=FOLDER"
    )
    parser.add_argument("--variant", default="siguo")
    parser.add_argument(
        "--level",
        choices=("plays", "analyses", "complete"),
        default="complete",
        help="test only what an engine of this level does (default: %(default)s)",
    )
    parser.add_argument("--strict", action="store_true", help="allow the times of the protocol, not ten times as long")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end of stdout")
    parser.set_defaults(work=_check)


def _check(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.check.runner import check

    return check(read_engine_words(parsed.engine, "check"), parsed.variant, parsed.strict, parsed.json, parsed.level)
