"""The revision of the program that plays."""

from functools import cache

from tools.revisions.repository import ROOT, RevisionError, snapshot

UNKNOWN = "unknown"


@cache
def own_revision() -> str:
    """The full hash of the commit, with `+` and a hash if files differ from it; `unknown` outside a repository."""
    try:
        return str(snapshot(ROOT)[0])
    except RevisionError:
        return UNKNOWN
