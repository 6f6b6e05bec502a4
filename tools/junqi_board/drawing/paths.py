"""The way that a piece went: along a road, along a straight run of the railway, or, as engineers, around corners."""

from collections import deque
from collections.abc import Set
from functools import cache

from junqi_engine.rules.board import BOARDS, Board


def path_of(board: Board, occupied: Set[int], start: int, target: int) -> list[int]:
    """The points of a legal move from `start` to `target`, both included.

    `occupied` are the points with a piece before the move. A straight way is preferred to one with turns, so the path
    tells nothing that the public record does not: only an engineer makes a move that has no straight way.
    """
    if frozenset((start, target)) in board.roads | board.rails:
        return [start, target]
    straight = [way for line in board.lines if (way := _along(line, start, target)) and not occupied & {*way[1:-1]}]
    return min(straight, key=len) if straight else _around(board, occupied, start, target)


def _along(line: tuple[int, ...], start: int, target: int) -> list[int]:
    """The part of a line from one point to another; empty unless both are on it."""
    if start not in line or target not in line:
        return []
    one, other = line.index(start), line.index(target)
    return list(line[one : other + 1]) if one < other else list(line[other : one + 1][::-1])


def _around(board: Board, occupied: Set[int], start: int, target: int) -> list[int]:
    """The shortest way over empty points of the railway; only the two ends if there is none."""
    came_from: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting and target not in came_from:
        point = waiting.popleft()
        for step in _railway_steps(board.variant)[point]:
            if step not in came_from and (step == target or step not in occupied):
                came_from[step] = point
                waiting.append(step)
    if target not in came_from:
        return [start, target]
    way = [target]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


@cache
def _railway_steps(variant: str) -> tuple[tuple[int, ...], ...]:
    """By point, the points one railway step away."""
    board = BOARDS[variant]
    steps: list[list[int]] = [[] for _ in board.points]
    for one, other in sorted(map(sorted, board.rails)):
        steps[one].append(other)
        steps[other].append(one)
    return tuple(map(tuple, steps))
