"""The search that is played equals its slow twin: values, nodes, table, history and killers."""

import random
from collections.abc import Iterator

import pytest

from junqi_engine.notation.moves import parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import newest_search
from junqi_engine.rules.board import BOARDS, LUZHANQI
from junqi_engine.rules.game_state import GameState
from tests.helpers.marking import long_after, seeds, times
from tests.helpers.search_pair import FEW_SLOTS, MORE_SLOTS, FastSearch, Pair
from tests.helpers.search_positions import (
    Case,
    after_resignations,
    endings,
    games_of_a_player,
    near_limits,
    random_games,
)

INFINITE = 32_000


def cases_of(kind: str, variant: str, seed: int) -> Iterator[Case]:
    """Positions of one kind, without end."""
    board, rng = BOARDS[variant], random.Random(f"{kind} {variant} {seed}")
    if kind == "random":
        return random_games(board, rng)
    if kind == "player":
        return games_of_a_player(board, rng)
    if kind == "endings":
        return endings(board, rng)
    if kind == "resigned":
        return after_resignations(rng)
    return near_limits(games_of_a_player(board, rng), rng)


KINDS = [
    (kind, variant)
    for kind in ("random", "player", "endings", "resigned", "limits")
    for variant in BOARDS
    if (kind, variant) != ("resigned", "luzhanqi")
]
PARTS = long_after(1, seeds(1))


def depth_of(case: Case) -> int:
    """As deep as the twin can follow."""
    pieces = sum(int(present).bit_count() for present in case.position["present"])
    return 4 if pieces <= 16 else 3


@pytest.mark.bounds
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(("kind", "variant"), long_after(4, KINDS))
def test_full_and_null_windows_agree(kind: str, variant: str, part: int) -> None:
    """In 3 positions a part: the full window, null windows around its value, and any other window."""
    rng = random.Random(part)
    cases = cases_of(kind, variant, part)
    for _ in range(times(3)):
        case = next(cases)
        pair = Pair(case)
        for depth in range(1, depth_of(case) + 1):
            value = pair.search(depth, -INFINITE, INFINITE)
            for alpha in (value - 1, value, value + rng.randint(-400, 400)):
                pair.search(depth, alpha, alpha + 1)
            low = value + rng.randint(-300, 100)
            pair.search(depth, low, low + rng.randint(2, 200))
        value = pair.quiesce(-INFINITE, INFINITE, 3)
        for alpha in (value - 1, value, value + rng.randint(-400, 400)):
            pair.quiesce(alpha, alpha + 1, rng.randint(1, 4))


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_searches_with_the_network_agree(variant: str) -> None:
    """The twin's keys are those of the whole position, with all that the network reads."""
    cases, evaluator = cases_of("player", variant, 7), newest_search().evaluator
    for _ in range(times(2)):
        pair = Pair(next(cases), evaluator=evaluator)
        for depth in range(1, 5):
            value = pair.search(depth, -INFINITE, INFINITE)
            pair.search(depth, value - 1, value)


@pytest.mark.parametrize("is_plain", [False, True])
def test_another_order_of_moves_by_which_other_pieces_moved_has_a_value_of_its_own(is_plain: bool) -> None:
    """Two pieces of each side go and come back. The table has the results of one pair when the other is searched."""
    game = GameState.start(LUZHANQI, dict.fromkeys(LUZHANQI.seats, lineup_choice.sensible(random.Random(3))))
    case, evaluator = Case(LUZHANQI, game.position), newest_search().evaluator
    orders = ("a6b5 a7b8 b5a6 b8a7", "e6d5 e7d8 d5e6 d8e7")
    shared, found = FastSearch(case, is_plain, evaluator=evaluator), []
    for order in orders:
        moves = [parse_move(LUZHANQI, text).move for text in order.split()]
        alone = FastSearch(case, is_plain, evaluator=evaluator)
        for search in (shared, alone):
            search.make(moves)
        found.append([alone.search(depth, -INFINITE, INFINITE) for depth in range(1, 4)])
        assert [shared.search(depth, -INFINITE, INFINITE) for depth in range(1, 4)] == found[-1]
        shared.unmake(len(moves))
    assert found[0] != found[1]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(("kind", "variant"), long_after(1, [*KINDS[3:], *KINDS[:3]]))
def test_root_moves_agree(kind: str, variant: str, part: int) -> None:
    """In 5 positions a part, iteration by iteration: all moves exactly, or only the best ones."""
    cases = cases_of(kind, variant, -part)
    for number in range(5):
        case = next(cases)
        pair = Pair(case)
        moves = pair.slow.world.legal()
        values = [INFINITE] * len(moves)
        leaders, width = (0, 1, 0, 3, 0)[number], (60, 60, 5, 60, 900)[number]
        for depth in range(1, depth_of(case) + 1):
            order = sorted(range(len(moves)), key=lambda i: -values[i])
            if depth > 2:
                order = order[:12]
            moves, values = [moves[i] for i in order], [values[i] for i in order]
            pair.search_moves(moves, values, depth, leaders, width)


@pytest.mark.parametrize("variant", long_after(1, reversed(BOARDS)))
def test_plain_searches_agree(variant: str) -> None:
    cases = cases_of("endings", variant, 100)
    for _ in range(times(4)):
        pair = Pair(next(cases), is_plain=True)
        for depth in range(1, 4):
            value = pair.search(depth, -INFINITE, INFINITE)
            pair.search(depth, value - 1, value)


@pytest.mark.long
def test_entries_of_earlier_searches_agree() -> None:
    """The moves of the last search are used, its scores are not; older ones than the oldest count as empty."""
    cases = cases_of("player", "luzhanqi", 100)
    for number in range(10):
        pair = Pair(next(cases))
        for generation in (1, 2, 3):
            pair.fast.record["generation"] = pair.slow.table.generation = generation
            oldest = max(1, generation - number % 2)
            pair.fast.record["oldest_generation"] = pair.slow.table.oldest_generation = oldest
            for depth in (1, 2, 3):
                pair.search(depth, -INFINITE, INFINITE)


@pytest.mark.bounds
def test_tables_that_grow_agree() -> None:
    """Growing keeps every entry, those of earlier searches too, and puts it where the search looks for it."""
    cases = cases_of("player", "siguo", 200)
    for _ in range(times(2)):
        pair = Pair(next(cases))
        for generation, slots in ((1, FEW_SLOTS), (2, 2 * FEW_SLOTS), (3, MORE_SLOTS)):
            before = len(pair.fast.entries())
            pair.grow(slots)
            assert len(pair.fast.entries()) == before
            pair.fast.record["generation"] = pair.slow.table.generation = generation
            for depth in (1, 2, 3):
                pair.search(depth, -INFINITE, INFINITE)
            # What the search has just stored is found: the root's value needs no move.
            nodes = pair.fast.nodes
            pair.search(3, -INFINITE, INFINITE)
            assert pair.fast.nodes == nodes
