"""Lines to commands. Total: any line is a command, a malformed command or nothing, and never raises an exception."""

import re
from typing import NamedTuple

from protocol.commands import COMMANDS, CommandLine
from protocol.lines import MAX_LINE_BYTES, InputLine
from protocol.options import quoted

SEARCHED_BYTES = 1 << 16
"""How much of a line is searched for a command."""

_NAMES = b"|".join(sorted((name.encode() for name in COMMANDS), reverse=True))
_COMMAND = re.compile(rb"(?<!\S)(" + _NAMES + rb")(?!\S)")


class MalformedCommand(NamedTuple):
    """A line without a command that can be carried out: an error code and its text.

    If it `awaits_bestmove`, the command was `go`, and a client waits for the answer.
    """

    code: str
    text: str
    awaits_bestmove: bool = False


def parse(line: InputLine) -> CommandLine | MalformedCommand | None:
    """The command of a line; None for a blank line or a comment. Unknown words before a command are skipped."""
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
    return CommandLine(found[1].decode(), line.content[found.end() :])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
