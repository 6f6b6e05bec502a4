"""Builds the revisions that take part in a match, before its first clock starts."""

from collections.abc import Callable, Iterable

from tools.referee.exits import ExitCode, RefereeError
from tools.referee.settings.engine import Engine
from tools.revisions.cache import build
from tools.revisions.repository import RevisionError


def build_revisions(engines: Iterable[Engine], variant: str, say: Callable[[str], None]) -> None:
    """Unpack and compile each revision for a variant; `say` is told which one.

    Raises `RefereeError` with the exit code of an engine that does not start.
    """
    for revision in dict.fromkeys(engine.revision for engine in engines if engine.revision is not None):
        say(f"building revision {revision}")
        try:
            build(revision, [variant])
        except RevisionError as error:
            raise RefereeError(f"revision {error}", ExitCode.NO_START) from error
