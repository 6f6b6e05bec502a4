"""Scores outside the window are bounds that hold, and no win is claimed that is not proven.

A bound holds in the quiescence search and with exact pruning, where the enemy can stop after a dropped move, so that
its value after the move is all that it can reach. It also holds where moves are dropped with a margin, because alpha is
the bound then. The rest is only likely, and its bounds may be wrong:

- threats: a quiet move that seems not to parry the enemy's battle may do so by what it attacks;
- null moves: a position may be worse for the seat that must move;
- reductions: what was missed may have been deeper;
- a move that leaves the next seat pieces that can move, but no legal move, eliminates it: the value after it is not
  expected to jump. Such moves are rare.
"""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from junqi_engine.evaluation.evaluator import INFINITE, MATE, WON
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import move_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import POSITION, Result
from junqi_engine.search.transposition import key_after, position_key, world_key
from tests.helpers.drawing import view_of
from tests.helpers.marking import times
from tests.helpers.search_pair import FastSearch
from tests.helpers.search_positions import Case, after_resignations, endings, games_of_a_player, random_games


def case_of(drawing: str, board: Board = SIGUO, turn: str = "S", quiet: int = 0) -> Case:
    return Case(board, view_of(drawing, turn=turn, quiet=quiet, board=board).position)


def cases_of_games(board: Board, seed: int) -> Iterator[Case]:
    rng = random.Random(f"{board.variant} {seed}")
    sources = [games_of_a_player(board, rng), random_games(board, rng), endings(board, rng, most=12)]
    if board is SIGUO:
        sources.append(after_resignations(rng))
    while True:
        for source in sources:
            yield next(source)


# Bounds


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_fail_low_of_the_quiescence_search_is_an_upper_bound(variant: str) -> None:
    cases, rng = cases_of_games(BOARDS[variant], 1), random.Random(1)
    fail_lows = 0
    while fail_lows < times(120):
        case = next(cases)
        plies = rng.randint(1, 4)
        value = FastSearch(case).quiesce(-INFINITE, INFINITE, 0, plies)
        for alpha in (value, value + 1, value + rng.randint(2, 100), value + rng.randint(100, 1500)):
            found = FastSearch(case).quiesce(alpha, alpha + 1, 0, plies)
            assert value <= found <= alpha
            fail_lows += 1
        for beta in (value, value - 1, value - rng.randint(2, 300)):
            assert beta <= FastSearch(case).quiesce(beta - 1, beta, 0, plies) <= value


TAKES_THE_FLAG = """
        h  k  p  q
    11  .. Eh .. ..
    10  .. .. Sf El
     1  Sl .. .. ..
"""


@pytest.mark.parametrize("alpha", [2_000, 28_000, WON, MATE - 3])
def test_quiescence_captures_flag_in_any_window(alpha: int) -> None:
    """Above every value too, where a shorter win is looked for."""
    assert FastSearch(case_of(TAKES_THE_FLAG)).quiesce(alpha, alpha + 1, 0, 3) == MATE - 1


@pytest.mark.parametrize("depth", [0, 1])
def test_capture_of_last_movable_piece_wins(depth: int) -> None:
    """North has no other piece that can move, so it loses; a window far above the values must not hide that."""
    case = case_of(
        """
            a  b  c
        12  .. Nl ..
        11  .. Nj Nj
         8  Nh .. ..
         7  Sf .. ..
         1  .. Sl ..
        """,
        LUZHANQI,
    )
    assert FastSearch(case).search(depth, 10_000, 10_001) == MATE - 1


def test_last_ply_draws_even_by_battle() -> None:
    """South is behind, and the enemy cannot go on after the battle: it is worth more than the value after it."""
    case = case_of("""
            h  i  j  q
        12  .. Eb Ec ..
        10  .. .. .. El
         7  .. Eh .. ..
         6  .. Sf .. ..
         1  Sl .. .. ..
    """)
    static = FastSearch(case).quiesce(-INFINITE, INFINITE, 0, 0)
    case.position["max_plies"] = 1
    assert static < -100
    assert FastSearch(case).quiesce(-100, -99, 0, 3) == 0


def test_move_that_ends_game_is_no_threat() -> None:
    """The last piece of South may enter a headquarters, which loses. Then a battle of another line is no threat."""
    case = case_of("""
            h  j  k  q
        10  .. .. .. El
         8  .. .. .. Eh
         2  .. Sf .. ..
         1  Sl .. .. ..
    """)
    board = case.board
    seen = [parse_move(board, text) for text in ("j2j1", "k4k3")]
    entering, elsewhere = (move_of(move.from_point, move.to_point) for move in seen)
    search = FastSearch(case)
    value = search.search(1, -INFINITE, INFINITE)
    search = FastSearch(case)
    search.record["stack"]["killers"][0, 0], search.record["stack"]["refutation"][1] = entering, elsewhere
    assert search.search(1, value - 2000, value - 1999) > value - 2000


def test_null_move_does_not_prove_win() -> None:
    """Passing would keep the capture of the flag, but no move has been made that shows it."""
    case = case_of(TAKES_THE_FLAG)
    static = FastSearch(case).quiesce(-INFINITE, INFINITE, 0, 0)
    assert FastSearch(case).search(7, static - 1, static) == WON
    assert FastSearch(case, settings={"null_move_depth": 255}).search(7, static - 1, static) == MATE - 1


# Keys


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_incremental_key_equals_fresh_key(variant: str) -> None:
    """Every move of many positions, until many of them have eliminated a seat."""
    board, rng = BOARDS[variant], random.Random(2)
    sources = [endings(board, rng, most=12), random_games(board, rng)]
    undo, eliminations, others = np.zeros(1, UNDO)[0], 0, 0
    while eliminations < times(60):
        case = next(sources[rng.random() < 0.1])
        game = GameState(board, Rules.of(board), np.array([case.position], POSITION))
        position, of_world = game.position, np.uint64(world_key(case.position))
        for _ in range(30):
            before = position_key(position, of_world)
            moves = game.legal_moves()
            for move in moves:
                make(board.tables, position, np.uint16(move), undo)
                assert key_after(position, undo, before, of_world) == position_key(position, of_world)
                eliminations += int(position["alive"] != undo["alive"])
                others += int(position["alive"] == undo["alive"])
                unmake(position, undo)
                assert position_key(position, of_world) == before
            make(board.tables, position, np.uint16(rng.choice(moves)), undo)
            if position["result"] != Result.ONGOING:
                break
    assert others > 200


@pytest.mark.parametrize(("counter", "limit"), [("quiet", "no_contact"), ("ply", "max_plies")])
@pytest.mark.parametrize("board", [SIGUO, LUZHANQI], ids=lambda board: board.variant)
def test_stored_result_near_limit_keeps_distance(board: Board, counter: str, limit: str) -> None:
    """At another distance the position is searched anew, without what is true only at the first one."""
    cases = endings(board, random.Random(3), most=4)
    for _ in range(10):
        case = next(cases)
        search = FastSearch(case, is_plain=True)
        search.position["no_contact"] = search.position["max_plies"] = 0
        search.position[limit] = 60
        for distance in (3, 2, 4, 1):
            search.position[counter] = 60 - distance
            nodes = search.nodes
            value = search.search(4, -INFINITE, INFINITE)
            assert search.nodes > nodes
            nodes = search.nodes
            assert search.search(4, -INFINITE, INFINITE) == value
            assert search.nodes == nodes
            fresh = FastSearch(Case(board, search.position, case.revealed), is_plain=True)
            assert fresh.search(4, -INFINITE, INFINITE) == value
