"""The order of the moves of a search: the table's move, good battles, quiet moves, other battles; made when needed.

A list of moves is a list of (priority, move) pairs. The next move of a list is swapped to its front, not sorted to it,
so moves of equal priority change places.
"""

from collections import defaultdict
from collections.abc import Iterator

from tests.references.slow_world import SlowWorld

NO_MOVE = 0
INFINITE = 32_000
HISTORY_LIMIT = 1 << 14
SORTED_QUIETS = 24

Moves = list[tuple[int, int]]


class SlowMemory:
    """What the order of moves remembers: killer moves by ply, and history by piece and to-point."""

    def __init__(self) -> None:
        self.killers: dict[int, list[int]] = defaultdict(lambda: [NO_MOVE, NO_MOVE])
        self.history: dict[tuple[int, int], int] = defaultdict(int)

    def reward(self, world: SlowWorld, move: int, others: list[int], depth: int, ply: int) -> None:
        """A quiet move caused a cutoff; `others` are the quiet moves that came before it in their stage."""
        first, _ = self.killers[ply]
        if first != move:
            self.killers[ply] = [move, first]
        bonus = min(16 * depth * depth, HISTORY_LIMIT // 8)
        for other in others:
            if other != move:
                self._add(world, other, -bonus)
        self._add(world, move, bonus)

    def _add(self, world: SlowWorld, move: int, bonus: int) -> None:
        where = world.piece(move), move & 0xFF
        self.history[where] += bonus - self.history[where] * abs(bonus) // HISTORY_LIMIT


class SlowChoice:
    """The moves of one position. Those whose value is at most `dropped_below` are dropped."""

    def __init__(self, world: SlowWorld, memory: SlowMemory, ply: int, table_move: int, dropped_below: int) -> None:
        self._world, self._memory, self._ply = world, memory, ply
        self._table_move, self._dropped_below = table_move, dropped_below
        self.dropped_value = -INFINITE
        """The best value of a dropped move."""
        self.quiets: list[int] = []
        """The quiet moves given so far, without the table's."""

    def __iter__(self) -> Iterator[int]:
        if self._table_move != NO_MOVE:
            yield self._table_move
        battles = self._battles()
        done = 0
        while done < len(battles) and take_best(battles, done)[0] >= 0:
            yield battles[done][1]
            done += 1
        quiets = self._quiet_moves()
        for i in range(len(quiets)):
            if i < SORTED_QUIETS:
                take_best(quiets, i)
            self.quiets.append(quiets[i][1])
            yield quiets[i][1]
        for i in range(done, len(battles)):
            yield take_best(battles, i)[1]

    def _battles(self) -> Moves:
        return [
            (64 * self._world.battle_gain(move) + self._world.kind(move), move)
            for move in self._world.battles()
            if move != self._table_move and not self._drops(move)
        ]

    def _quiet_moves(self) -> Moves:
        return [
            (self._priority(move), move)
            for move in self._world.legal()
            if self._world.is_quiet(move) and move != self._table_move and not self._drops(move)
        ]

    def _priority(self, move: int) -> int:
        killers = self._memory.killers[self._ply]
        if move in killers:
            return (1 << 27) + 1 - killers.index(move)
        where = self._world.piece(move), move & 0xFF
        return self._memory.history[where] + 16 * self._world.value_after(move)

    def _drops(self, move: int) -> bool:
        if self._dropped_below == -INFINITE:
            return False
        promise = self._world.value_after(move)
        if promise > self._dropped_below:
            return False
        self.dropped_value = max(self.dropped_value, promise)
        return True


def take_best(moves: Moves, start: int) -> tuple[int, int]:
    """Swap the first pair of the highest priority, of those from `start` on, to `start`; returns it."""
    best = max(range(start, len(moves)), key=lambda i: moves[i][0])
    moves[start], moves[best] = moves[best], moves[start]
    return moves[start]
