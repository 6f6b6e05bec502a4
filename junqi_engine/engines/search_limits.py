"""The limits of a search as a client writes them after `go`."""

from dataclasses import dataclass

from junqi_engine.engines.client import Patience

FOREVER_S = 1e9
"""The patience with a search that is not limited and that the user ends."""


@dataclass(frozen=True)
class SearchLimits:
    """How far a search may go. None: this does not limit it."""

    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    time_ms: int | None = None
    inc_ms: int | None = None
    searchmoves: tuple[str, ...] = ()

    def go(self, otherwise: str = "") -> str:
        """The command `go`; `otherwise` follows it if there is no limit."""
        words = ["go"]
        values = (self.movetime_ms, self.nodes, self.depth, self.time_ms, self.inc_ms)
        for name, value in zip(("movetime", "nodes", "depth", "time", "inc"), values, strict=True):
            words += [] if value is None else [name, str(value)]
        if len(words) == 1 and otherwise:
            words.append(otherwise)
        return " ".join([*words, "searchmoves", *self.searchmoves] if self.searchmoves else words)

    @property
    def is_limited(self) -> bool:
        return any(value is not None for value in (self.movetime_ms, self.nodes, self.depth, self.time_ms))

    def patience_s(self, patience: Patience) -> float:
        """How long to wait for the answer: the time that the search may take and some more."""
        times = [time for time in (self.movetime_ms, self.time_ms) if time is not None]
        return min(times) / 1000 + patience.grace_s if times else patience.unclocked_s
