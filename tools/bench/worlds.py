"""Worlds drawn per second and time of deduction per ply, in mid-game positions of player 1.2 against itself."""

import random
import statistics
import time

from junqi_engine.information.chances import marginals
from junqi_engine.information.style_belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.information.worlds import draw
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import contains, seats_of_team, team_of
from junqi_engine.rules.position import Result
from tools.bench.report import Report, best_of

GAMES = 5
PLIES = 100
ONE_TEAM, ONE_SEAT = seats_of_team(0), 1
"""The viewers, as sets of seats."""
WORLDS = 20_000
REPEATS = 5


def measure(report: Report) -> None:
    observed: dict[int, list[float]] = {ONE_TEAM: [], ONE_SEAT: []}
    views = [_mid_game(seed, viewer, observed[viewer]) for seed in range(GAMES) for viewer in observed]
    for viewer, name, target in (
        (ONE_TEAM, "two seats hidden", "at least 50,000"),
        (ONE_SEAT, "three seats hidden", ""),
    ):
        own = [view for view in views if view.viewer == viewer]
        speeds = []
        for view in own:
            weights = log_weights(view)
            seconds, _ = best_of(REPEATS, lambda view=view, weights=weights: draw(view, WORLDS, 1, weights))  # type: ignore[misc]
            speeds.append(WORLDS / seconds)
        report.figure(f"worlds at ply {PLIES}, {name}", statistics.median(speeds), "worlds/s", target)
        report.figure(f"observe a ply, {name}", 1e3 * statistics.fmean(observed[viewer]), "ms", "below 1")
    view = views[0]
    report.figure("weights of belief from a record", 1e3 * best_of(REPEATS, lambda: log_weights(view))[0], "ms")
    report.figure("marginals of a seat", 1e3 * best_of(REPEATS, lambda: marginals(view, 1))[0], "ms")


def _mid_game(seed: int, viewer: int, seconds: list[float]) -> SeatView:
    """The view of a game after `PLIES` plies; the time to observe each ply is appended to `seconds`."""
    rng = random.Random(seed)
    game = GameState.start(SIGUO, {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats})
    views = [SeatView.start(SIGUO, seats_of_team(team), _lineups(game, seats_of_team(team))) for team in range(2)]
    watched = SeatView.start(SIGUO, viewer, _lineups(game, viewer))
    while game.result == Result.ONGOING and game.ply < PLIES:
        view = views[team_of(game.turn)]
        seen = game.play(event_recipe("1.2").choose(view, seed, view.legal_moves()).move)
        for view in views:
            view.observe(seen)
        started = time.perf_counter()
        watched.observe(seen)
        seconds.append(time.perf_counter() - started)
    return watched


def _lineups(game: GameState, seats: int) -> dict[int, str]:
    return {seat: letters for seat, letters in game.lineups.items() if contains(seats, seat)}
