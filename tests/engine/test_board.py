"""The boards as data: those of the slow twin. test_rules_pages.py builds them from the tables of the rules."""

import pytest

from junqi_engine.rules.board import BOARDS, Board
from tests.references.slow_junqi import SlowBoard


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_same_board_as_the_slow_twin(board: Board) -> None:
    slow = SlowBoard(board.variant)

    def named(edges: frozenset[frozenset[int]]) -> set[frozenset[str]]:
        return {frozenset(board.names[point] for point in edge) for edge in edges}

    assert list(board.names) == slow.points
    assert named(board.roads) == slow.roads
    assert named(board.rails) == slow.rails
    assert {board.names[point] for point in board.campsites} == set(slow.campsites)
    lines = {min(line, line[::-1]) for line in (tuple(board.names[p] for p in line) for line in board.lines)}
    assert lines == {min(tuple(line), tuple(line)[::-1]) for line in slow.lines}
