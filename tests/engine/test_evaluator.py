"""The hand-written evaluator keeps its contract; `eval` adds up what the search does."""

import random

import numpy as np
import pytest

from junqi_engine.evaluation import evaluator as kernels
from junqi_engine.evaluation.evaluator import MAX_VALUE, WON
from junqi_engine.information.belief.marginals import uniform_marginals
from junqi_engine.information.snapshot import view_of_snapshot
from junqi_engine.information.view import PublicInfo, SeatView, public_info
from junqi_engine.information.world import positions_of_world
from junqi_engine.players import lineup_choice
from junqi_engine.players.search_player import mean_evaluation
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.pieces import FLAG, MINE
from junqi_engine.rules.position import Placement, Result, Snapshot, copied
from junqi_engine.search.root import SearchLimits, WorldsSearch
from tests.helpers.marking import times
from tests.helpers.search_pair import HAND_WRITTEN

RUNNING = np.zeros(1, np.uint8)
NOTHING_SHOWN = PublicInfo(0, np.zeros(PIECES, np.uint8))


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_incremental_evaluation_equals_refresh(variant: str) -> None:
    """`push_ply` equals the sum over the board; `pop_ply` returns to what was before."""
    board, rng = BOARDS[variant], random.Random(3)
    for _ in range(times(2)):
        game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
        evaluation = HAND_WRITTEN.new(1)[0]
        while game.result == Result.ONGOING and game.ply < 300:
            position = game.position
            HAND_WRITTEN.refresh(board, position, NOTHING_SHOWN, evaluation)
            before = kernels.evaluate(position, evaluation)
            undo = np.zeros(1, UNDO)[0]
            for move in rng.sample(game.legal_moves(), min(4, len(game.legal_moves()))):
                make(board.tables, position, np.uint16(move), undo)
                kernels.push_ply(position, undo, evaluation)
                if position["result"] == Result.ONGOING:
                    assert kernels.evaluate(position, evaluation) == _value_with(position, evaluation)
                unmake(position, undo)
                kernels.pop_ply(evaluation)
                assert kernels.evaluate(position, evaluation) == before
            game.play(rng.choice(game.legal_moves()))


def _value_with(position: np.void, evaluation: np.void) -> int:
    """The value summed up from scratch, with the values of the root."""
    score = 0
    for seat in range(4):
        if not int(position["alive"]) >> seat & 1:
            continue
        sign = 1 if (seat ^ int(position["turn"])) & 1 == 0 else -1
        score += sign * int(evaluation["seat_value"][seat])
        for slot in range(25):
            if int(position["present"][seat]) >> slot & 1:
                piece = 32 * seat + slot
                score += sign * int(evaluation["piece_square"][piece, position["where"][piece]])
    return score


@pytest.mark.parametrize("variant", BOARDS)
def test_eval_command_equals_search_evaluation(variant: str) -> None:
    board, rng = BOARDS[variant], random.Random(4)
    for _ in range(10):
        lineups = {seat: lineup_choice.sensible(rng) for seat in range(len(board.seats))}
        view = SeatView.start(board, board.all_alive, lineups)
        for _ in range(rng.randrange(60)):
            if view.result != Result.ONGOING:
                break
            moves = view.legal_moves()
            move = rng.choice(moves)
            view.observe(GameState(board, view.rules, copied(view.positions)).play(move))
        position = positions_of_world(view, view.position["kind"])[0]
        evaluation = HAND_WRITTEN.new(1)[0]
        HAND_WRITTEN.refresh(board, position, public_info(view), evaluation)
        assert mean_evaluation(view, HAND_WRITTEN, uniform_marginals) == kernels.evaluate(position, evaluation)


def lopsided(rng: random.Random, enemies: int) -> SeatView:
    """South and North complete, West eliminated, East with its flag and a few other pieces that can move."""
    game = GameState.start(SIGUO, {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats})
    kinds = {point: int(game.position["kind"][game.piece_at(point) or 0]) for point in SIGUO.points}
    placements = [Placement(seat, point, kinds[point]) for seat in (0, 2) for point in game.points_of(seat)]
    east = [Placement(1, point, kinds[point]) for point in game.points_of(1)]
    placements += [placement for placement in east if placement.kind == FLAG]
    placements += rng.sample([placement for placement in east if placement.kind not in (FLAG, MINE)], enemies)
    return view_of_snapshot(SIGUO, SIGUO.all_alive, Snapshot(placements, turn=0, alive=0b0111))


@pytest.mark.parametrize("enemies", [1, 2, 5])
def test_values_stay_below_the_mate_scores_in_extreme_worlds(enemies: int) -> None:
    rng = random.Random(enemies)
    for _ in range(20):
        view = lopsided(rng, enemies)
        position, evaluation = positions_of_world(view, view.position["kind"])[0], HAND_WRITTEN.new(1)[0]
        HAND_WRITTEN.refresh(SIGUO, position, NOTHING_SHOWN, evaluation)
        for turn in (0, 1):
            position["turn"] = turn
            assert 0 < (1 - 2 * turn) * kernels.evaluate(position, evaluation) <= MAX_VALUE < WON
    search = WorldsSearch(HAND_WRITTEN, hash_mb=1)
    kinds = view.position["kind"].reshape(1, -1)
    *_, last = search.iterate(view, kinds, view.legal_moves(), SearchLimits(depth=4), RUNNING)
    assert last.depth == 4 or last.best[0].score > WON
