"""Builds the revisions that take part in a match, before its first clock starts."""

from collections.abc import Callable, Iterable

from tools.referee.exits import ExitCode, RefereeError
from tools.referee.settings.program import Program
from tools.revisions.cache import build
from tools.revisions.repository import RevisionError


def build_revisions(programs: Iterable[Program], variant: str, say: Callable[[str], None]) -> None:
    """Unpack each revision among the programs and compile it for a variant; `say` is told which one.

    Raises `RefereeError` with the exit code of an engine that does not start.
    """
    for revision in dict.fromkeys(program.revision for program in programs):
        if revision is None:
            continue
        say(f"preparing revision {revision}")
        try:
            build(revision, [variant])
        except RevisionError as error:
            reason = str(error).removeprefix(f"{revision.short}: ")
            raise RefereeError(f"revision {revision.short} cannot be built: {reason}", ExitCode.NO_START) from error
