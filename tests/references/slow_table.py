"""A transposition table as a dictionary from slots to entries, with the rule of replacement of the fast one."""

from dataclasses import dataclass

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
WON = 29_000
NO_MOVE = 0


@dataclass(frozen=True)
class Entry:
    """A result. A won or lost game counts the plies from this position."""

    key: int
    score: int
    move: int
    depth: int
    bound: int
    generation: int

    def score_at(self, ply: int) -> int:
        """The score with a win or loss counted from the root."""
        if abs(self.score) <= WON:
            return self.score
        return self.score - ply if self.score > 0 else self.score + ply


class SlowTable:
    """`slots` of the table are in use; entries older than `oldest_generation` count as empty."""

    def __init__(self, slots: int, generation: int = 1, oldest_generation: int = 1) -> None:
        self.slots, self.generation, self.oldest_generation = slots, generation, oldest_generation
        self.entries: dict[int, Entry] = {}

    def find(self, key: int) -> Entry | None:
        entry = self.entries.get(key % self.slots)
        if entry is None or entry.key != key or entry.generation < self.oldest_generation:
            return None
        return entry

    def grow(self, slots: int) -> None:
        """Use more slots, and keep all entries."""
        self.slots = slots
        self.entries = {entry.key % slots: entry for entry in self.entries.values()}

    def store(self, key: int, depth: int, score: int, bound: int, ply: int, move: int) -> None:
        """Keep a deeper result of the same search for another position; write over everything else.

        A result without a move keeps the move that was known.
        """
        old = self.entries.get(key % self.slots)
        if old is not None and old.key != key and old.generation == self.generation and old.depth > depth:
            return
        known = self.find(key)
        if move == NO_MOVE and known is not None:
            move = known.move
        if abs(score) > WON:
            score += ply if score > 0 else -ply
        self.entries[key % self.slots] = Entry(key, score, move, depth, bound, self.generation)
