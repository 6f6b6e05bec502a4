"""Speed of the rules (perft without bulk counting, random play-outs), of the simple players, of belief and worlds.

Worlds, belief, and deduction per ply are measured in mid-game positions of player 1.2 against itself; the speed of
`Batch` beside the play-out kernel.
"""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numba.core import types

from junqi_engine.env import Batch
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.worlds import draw
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import PRIORITIES, choose
from junqi_engine.rules.board import BOARDS, SIGUO, TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, seats_of_team, team_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.perft import perft
from junqi_engine.rules.position import POSITION_TYPE, Result, copied
from junqi_engine.splitmix import GOLDEN, mix
from junqi_speed import Report, best_of

PERFT_DEPTH = 5
PLAY_OUTS = 2_000
REPEATS = 9


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
    for board in BOARDS.values():
        _rules(report, board)
    _players(report)


def _rules(report: Report, board: Board) -> None:
    game, variant = GameState.start(board), board.variant
    moves, undos, stop = np.empty(MAX_MOVES * 7, np.uint16), np.zeros(7, UNDO), np.zeros(1, np.uint8)
    seconds, leaves = best_of(REPEATS, lambda: perft(board.tables, game.position, PERFT_DEPTH, moves, 0, undos, stop))
    name = f"{variant}, perft {PERFT_DEPTH} from the start, every leaf made"
    report.figure(name, int(leaves) / seconds / 1e6, "million nodes/s")
    plies = max(_play_outs(game, moves, undos) for _ in range(REPEATS))
    report.figure(f"{variant}, random play-outs, {PLAY_OUTS} games", plies / 1e6, "million plies/s")


def _play_outs(game: GameState, moves: np.ndarray, undos: np.ndarray) -> float:
    """Plies per second of random games; copying the start position is included."""
    started, plies = time.perf_counter(), 0
    for number in range(PLAY_OUTS):
        plies += play_out(game.board.tables, copied(game.positions)[0], np.uint64(number), moves, undos[0])
    return plies / (time.perf_counter() - started)


def _players(report: Report) -> None:
    game = GameState.start(SIGUO)
    view = SeatView.start(SIGUO, seats_of_team(0), {0: game.lineups[0], 2: game.lineups[2]})
    moves = view.legal_moves()
    for version in PRIORITIES:
        seconds, _ = best_of(REPEATS, partial(_choose_often, version, view, moves))
        report.figure(f"player {version}, a choice at the start", seconds / 20 * 1e3, "ms")


def _choose_often(version: str, view: SeatView, moves: list[int]) -> None:
    for _ in range(20):
        choose(version, view, 0, moves)


GAMES = 5
PLIES = 100
ONE_TEAM, ONE_SEAT = seats_of_team(0), 1
"""The viewers, as sets of seats."""
WORLDS, FEW_WORLDS = 2_000, 16
"""In all, and of one move."""
WORLD_REPEATS = 5


def measure_worlds(report: Report) -> None:
    observed: dict[int, list[float]] = {ONE_TEAM: [], ONE_SEAT: []}
    views = [_mid_game(seed, viewer, observed[viewer]) for seed in range(GAMES) for viewer in observed]
    for viewer, name in ((ONE_TEAM, "two seats hidden"), (ONE_SEAT, "three seats hidden")):
        own = [view for view in views if view.viewer == viewer]
        speeds = []
        for view in own:
            chances = belief(view)
            seconds, _ = best_of(WORLD_REPEATS, lambda view=view, chances=chances: draw(view, WORLDS, 1, chances))  # type: ignore[misc]
            speeds.append(WORLDS / seconds)
        view, chances = own[0], belief(own[0])
        seconds, _ = best_of(WORLD_REPEATS, lambda view=view, chances=chances: draw(view, FEW_WORLDS, 1, chances))  # type: ignore[misc]
        report.figure(f"{FEW_WORLDS} worlds, {name}", 1e3 * seconds, "ms", "below 2")
        report.figure(f"worlds at ply {PLIES}, {name}", statistics.median(speeds), "worlds/s")
        report.figure(f"observe a ply, {name}", 1e3 * statistics.fmean(observed[viewer]), "ms", "below 1")
    view = views[0]
    belief(view)  # The record is read once, in the first call.
    report.figure("the newest belief", 1e3 * best_of(WORLD_REPEATS, lambda: belief(view))[0], "ms")


def _mid_game(seed: int, viewer: int, seconds: list[float]) -> SeatView:
    """The view of a game after `PLIES` plies; the time to observe each ply is appended to `seconds`."""
    rng = random.Random(seed)
    game = GameState.start(SIGUO, {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats})
    views = [SeatView.start(SIGUO, seats_of_team(team), _lineups(game, seats_of_team(team))) for team in range(2)]
    watched = SeatView.start(SIGUO, viewer, _lineups(game, viewer))
    while game.result == Result.ONGOING and game.ply < PLIES:
        view = views[team_of(game.turn)]
        seen = game.play(choose("1.2", view, seed, view.legal_moves()).move)
        for view in views:
            view.observe(seen)
        started = time.perf_counter()
        watched.observe(seen)
        seconds.append(time.perf_counter() - started)
    return watched


def _lineups(game: GameState, seats: int) -> dict[int, str]:
    return {seat: letters for seat, letters in game.lineups.items() if contains(seats, seat)}


BATCH_GAMES = 1024
OBSERVED_STEPS = 20
ENV_PLAY_OUTS = 500
DARK_TARGET = 0.05
"""Million steps/s of dark Siguo."""


def measure_env(report: Report) -> None:
    for board in BOARDS.values():
        _measure_batches(report, board)


def _measure_batches(report: Report, board: Board) -> None:
    variant, different = board.variant, ("partner", "dark", "open") if len(board.seats) > 2 else ("dark", "open")
    watching = {visibility: Batch(BATCH_GAMES, variant, visibility, seed=1) for visibility in different}
    watching["dark, 16 last moves"] = Batch(BATCH_GAMES, variant, "dark", seed=1, history=16)
    lineups = watching["dark"].lineups
    starts = [GameState.start(board, lineups(number)).positions for number in range(BATCH_GAMES)]
    plies = []
    observed: dict[str, list[float]] = {what: [] for what in watching}
    # In turns, so that other load on the machine slows all.
    for _ in range(REPEATS):
        plies.append(_processor_speed(lambda: _positions_played_out(board, starts)))
        for what, batch in watching.items():
            observed[what].append(_processor_speed(lambda batch=batch: _observed_steps(batch)))  # type: ignore[misc]
    report.figure(f"{variant}, random play-outs", max(plies) / 1e6, "million plies/s")
    name = f"{variant}, {BATCH_GAMES} games at once, random moves"
    for what, speeds in observed.items():
        target = f"at least {DARK_TARGET}" if what == "dark" else ""
        report.figure(f"{name}: with observations, {what}", max(speeds) / 1e6, "million steps/s", target)
        report.figure(f"{name}: with observations, {what}, beside the play-outs", _ratio(speeds, plies), "x")


def _ratio(one: list[float], other: list[float]) -> float:
    return statistics.median(mine / its for mine, its in zip(one, other, strict=True))


def _processor_speed(work: Callable[[], int]) -> float:
    """How much `work` says that it has done in a second of the processor."""
    started = time.thread_time()
    done = work()
    return done / (time.thread_time() - started)


def _positions_played_out(board: Board, starts: list[np.ndarray]) -> int:
    """The plies of random games; copying the starting position is included."""
    moves, undo = np.empty(MAX_MOVES, np.uint16), np.zeros(1, UNDO)[0]
    return sum(
        play_out(board.tables, copied(starts[number])[0], np.uint64(number), moves, undo)
        for number in range(ENV_PLAY_OUTS)
    )


def _observed_steps(batch: Batch) -> int:
    arrays = batch.observe()
    for _ in range(OBSERVED_STEPS):
        batch.step(batch.random_actions())
        batch.observe(out=arrays)
    return BATCH_GAMES * OBSERVED_STEPS
