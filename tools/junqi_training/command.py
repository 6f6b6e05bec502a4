"""What the training tools have in common: menus of commands, numbers, how a command ends, and JSON for the package."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from junqi_referee import exits

MOST_DIGITS = 9
MOST = 10**6


def run_command(name: str, run: Callable[[], int], interrupted: str = "interrupted") -> int:
    """The exit code of a command; a ValueError or an ImportError is what it refuses."""
    return exits.run_command(name, run, interrupted, (ValueError, ImportError))


def menu(package: str, words: Sequence[str] | None = None) -> int:
    """Run the command of a package that the first word names; without one, list them.

    The package's `COMMANDS` are by name: what each does. A command is a package with `COMMANDS` of its own, or has a
    function `main` that takes the other words, in the module of its name or in `run` in the folder of its name.
    """
    given = list(sys.argv[1:] if words is None else words)
    found = import_module(package)
    if given and given[0] in found.COMMANDS:
        name = f"{package}.{given[0]}"
        module = import_module(name)
        if hasattr(module, "COMMANDS"):
            return menu(name, given[1:])
        if not hasattr(module, "main"):
            module = import_module(f"{name}.run")
        code: int = module.main(given[1:])
        return code
    print(f"usage: python -m {package} COMMAND ...\n\n{(found.__doc__ or '').splitlines()[0]}")
    for command, text in found.COMMANDS.items():
        print(f"  {command:<12}{text}")
    if not given or given[0] in ("-h", "--help"):
        return 0
    print(f"{package}: {given[0][:40]!r} is not one of {', '.join(found.COMMANDS)}", file=sys.stderr)
    return exits.ExitCode.USAGE


def json_text(value: Any) -> str:
    """JSON in which a list or a table of plain values has one line, and each entry of another a line of its own."""
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(entry, dict | list) for entry in entries):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{json.dumps(name)}: {json_text(entry)}" for name, entry in value.items()) + "\n}"
    return "[\n" + ",\n".join(map(json_text, value)) + "\n]"


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 to {10**MOST_DIGITS - 1}")
    return int(text)


def rate(text: str) -> float:
    """A number from 0 to a million; with 0, nothing is learned."""
    return _number(text, MOST)


def part(text: str) -> float:
    """A number from 0 to 1."""
    return _number(text, 1)


def _number(text: str, most: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 0 to {most}")
    return value
