"""The boards as data: the totals of the rules, and the same board built another way."""

import pytest

from junqi_engine.rules.board import BOARDS, SIGUO, Board
from tests.references.slow_junqi import SlowBoard

TOTALS = {
    # points, campsites, headquarters, railway points, railway edges, lines, roads
    "siguo": (129, 20, 8, 73, 92, 18, 272),
    "luzhanqi": (60, 10, 4, 32, 35, 7, 130),
}


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Board:
    return BOARDS[request.param]


def test_totals(board: Board) -> None:
    headquarters = sum(map(board.is_headquarters, board.points))
    counts = (len(board.points), len(board.campsites), headquarters, len(board.rail_points), len(board.rails))
    assert (*counts, len(board.lines), len(board.roads)) == TOTALS[board.variant]


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


def test_named_points_of_siguo() -> None:
    first = [SIGUO.names[30 * seat] for seat in range(4)]
    assert first == ["g6", "l7", "k12", "f11"]
    assert [SIGUO.names[point] for point in SIGUO.block(0) if SIGUO.is_campsite(point)] == [
        "h5",
        "j5",
        "i4",
        "h3",
        "j3",
    ]
    assert [SIGUO.names[point] for point in SIGUO.headquarters(0)] == ["h1", "j1"]
    assert list(SIGUO.names[120:]) == ["g11", "i11", "k11", "g9", "i9", "k9", "g7", "i7", "k7"]


def test_four_long_lines_two_middle_lines_eight_rows_four_curves() -> None:
    assert sorted(map(len, SIGUO.lines)) == [5] * 10 + [10] * 4 + [13] * 4
    corners = {frozenset(SIGUO.point_named[name] for name in pair) for pair in CORNERS}
    assert corners <= SIGUO.rails
    assert not corners & SIGUO.roads


CORNERS = (("k6", "l7"), ("l11", "k12"), ("g12", "f11"), ("f7", "g6"))


def test_turning_the_board_by_a_seat_changes_nothing() -> None:
    turned = [_turned(point) for point in SIGUO.points]
    for edges in (SIGUO.roads, SIGUO.rails):
        assert {frozenset(turned[point] for point in edge) for edge in edges} == set(edges)


def _turned(point: int) -> int:
    file, rank = SIGUO.squares[point]
    return SIGUO.point_at[16 - rank, file]
