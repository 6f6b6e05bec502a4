"""Speed of the rules (perft without bulk counting, random play-outs), of belief and worlds.

Worlds and belief are measured in mid-game positions of player 1.2 against itself.
"""

import random
import statistics
from functools import partial

import numpy as np
from numba.core import types

from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.worlds import sample_worlds
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import choose_move
from junqi_engine.rules.board import BOARDS, SIGUO, TABLES_TYPE
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, seats_of_team, team_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.perft import perft
from junqi_engine.rules.position import POSITION_TYPE, Result, copied
from junqi_engine.splitmix import GOLDEN, mix
from junqi_speed import Report, best_of

PERFT_DEPTH, PLAY_OUTS, REPEATS = 5, 2_000, 9


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, types.uint64, MOVES_TYPE, UNDO_TYPE))
def play_out(tables, position, seed, moves, undo):
    """Play random moves, every legal move equally likely, until the game ends; returns the number of plies."""
    state = seed
    plies = 0
    while True:
        count = generate(tables, position, moves, 0)
        if count == 0:
            return plies
        state += GOLDEN
        draw = (mix(state) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)
        make(tables, position, moves[draw], undo)
        plies += 1


def measure_junqi(report: Report) -> None:
    for variant, board in BOARDS.items():
        game, moves, undos = GameState.start(board), np.empty(MAX_MOVES * 7, np.uint16), np.zeros(7, UNDO)
        arguments = board.tables, game.position, PERFT_DEPTH, moves, 0, undos, np.zeros(1, np.uint8)
        seconds, leaves = best_of(REPEATS, partial(perft, *arguments))
        name = f"{variant}, perft {PERFT_DEPTH} from the start, every leaf made"
        report.figure(name, int(leaves) / seconds / 1e6, "million nodes/s")
        seconds, plies = best_of(REPEATS, partial(_play_outs, game, moves, undos))
        report.figure(f"{variant}, random play-outs, {PLAY_OUTS} games", plies / seconds / 1e6, "million plies/s")


def _play_outs(game: GameState, moves: np.ndarray, undos: np.ndarray) -> int:
    """The plies of random games; copying the start position is included."""
    return sum(
        play_out(game.board.tables, copied(game.positions)[0], np.uint64(number), moves, undos[0])
        for number in range(PLAY_OUTS)
    )


GAMES, PLIES, WORLDS, WORLD_REPEATS = 5, 100, 2_000, 5
VIEWERS = {"two seats hidden": seats_of_team(0), "three seats hidden": 1, "the other team": seats_of_team(1)}
"""Sets of seats."""


def measure_worlds(report: Report) -> None:
    games = [_mid_game(seed) for seed in range(GAMES)]
    for name in list(VIEWERS)[:2]:
        views = [game[name] for game in games]
        seconds = [best_of(WORLD_REPEATS, partial(sample_worlds, view, WORLDS, 1, belief(view)))[0] for view in views]
        report.figure(f"worlds at ply {PLIES}, {name}", WORLDS / statistics.median(seconds), "worlds/s")
    belief_s, _ = best_of(WORLD_REPEATS, partial(belief, games[0]["two seats hidden"]))
    report.figure("the newest belief", 1e3 * belief_s, "ms")


def _mid_game(seed: int) -> dict[str, SeatView]:
    """What each viewer sees of a game after `PLIES` plies."""
    rng = random.Random(seed)
    game = GameState.start(SIGUO, {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats})
    seen_by = {
        name: SeatView.start(SIGUO, seats, {seat: line for seat, line in game.lineups.items() if contains(seats, seat)})
        for name, seats in VIEWERS.items()
    }
    while game.result == Result.ONGOING and game.ply < PLIES:
        view = next(view for view in seen_by.values() if view.viewer == seats_of_team(team_of(game.turn)))
        move = game.play(choose_move("1.2", view, seed, view.legal_moves()).move)
        for view in seen_by.values():
            view.observe(move)
    return seen_by
