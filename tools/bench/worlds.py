"""Worlds drawn per second, time of belief, and of deduction per ply, in mid-game positions of player 1.2 against
itself; and whether worlds are drawn as belief says, in the positions of section `depth`.
"""

import random
import statistics
import time

import numpy as np

from junqi_engine.information.belief.marginals import marginals
from junqi_engine.information.belief.opponents import log_weights
from junqi_engine.information.belief.worlds import draw
from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, seats_of_team, slice_of, team_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from tools.bench.depth import PHASES, positions, view_of
from tools.bench.report import Report, best_of

GAMES = 5
PLIES = 100
ONE_TEAM, ONE_SEAT = seats_of_team(0), 1
"""The viewers, as sets of seats."""
WORLDS, FEW_WORLDS, FEWEST_WORLDS = 2_000, 16, 4
"""In all, and of one move."""
REPEATS = 5


def measure(report: Report) -> None:
    observed: dict[int, list[float]] = {ONE_TEAM: [], ONE_SEAT: []}
    views = [_mid_game(seed, viewer, observed[viewer]) for seed in range(GAMES) for viewer in observed]
    for viewer, name in ((ONE_TEAM, "two seats hidden"), (ONE_SEAT, "three seats hidden")):
        own = [view for view in views if view.viewer == viewer]
        speeds = []
        for view in own:
            weights = log_weights(view)
            seconds, _ = best_of(REPEATS, lambda view=view, weights=weights: draw(view, WORLDS, 1, weights))  # type: ignore[misc]
            speeds.append(WORLDS / seconds)
        view, weights = own[0], log_weights(own[0])
        seconds, _ = best_of(REPEATS, lambda view=view, weights=weights: draw(view, FEW_WORLDS, 1, weights))  # type: ignore[misc]
        report.figure(f"{FEW_WORLDS} worlds, {name}", 1e3 * seconds, "ms", "below 2")
        report.figure(f"worlds at ply {PLIES}, {name}", statistics.median(speeds), "worlds/s")
        report.figure(f"observe a ply, {name}", 1e3 * statistics.fmean(observed[viewer]), "ms", "below 1")
    view = views[0]
    log_weights(view)  # The record is read once, in the first call.
    report.figure("weights of the newest belief", 1e3 * best_of(REPEATS, lambda: log_weights(view))[0], "ms")
    report.figure("marginals of a seat", 1e3 * best_of(REPEATS, lambda: marginals(view, 1))[0], "ms")
    for variant in BOARDS:
        _measure_chances(report, variant)


def _measure_chances(report: Report, variant: str) -> None:
    """Compare the chances of the newest belief with the shares of drawn worlds, over the pieces that may be of several
    kinds. `FEWEST_WORLDS` that did not depend on each other would have a mean square error of 1, in units of the
    sampling error.
    """
    believed, drawn, errors = [], [], []
    for position in (position for phase in PHASES for position in positions(variant, phase)):
        view = view_of(variant, position)
        weights = log_weights(view)
        worlds = np.concatenate([draw(view, FEWEST_WORLDS, seed, weights) for seed in range(WORLDS // FEWEST_WORLDS)])
        for seat in (seat for seat in range(len(view.board.seats)) if not view.sees(seat)):
            chances = marginals(view, seat, weights)
            open_pieces = (chances > 0).sum(axis=1) > 1
            kinds = worlds[:, slice_of(seat, PIECES_PER_SEAT)][:, open_pieces]
            shares = (kinds[..., None] == np.arange(KINDS)).mean(axis=0)
            believed.append(chances[open_pieces])
            drawn.append(shares)
            few = kinds.reshape(-1, FEWEST_WORLDS, *kinds.shape[1:])
            misses = (few[..., None] == np.arange(KINDS)).mean(axis=1) - chances[open_pieces]
            errors.append((misses**2).mean(axis=0))
    chances, shares = np.concatenate(believed), np.concatenate(drawn)
    for low, high in ((0.02, 0.1), (0.1, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.98)):
        inside = (chances >= low) & (chances < high)
        report.figure(f"{variant}, {low:g} to {high:g}: mean believed", float(chances[inside].mean()), "chance")
        report.figure(f"{variant}, {low:g} to {high:g}: mean drawn", float(shares[inside].mean()), "share")
    frequent = (chances > 10 / WORLDS) & (chances < 1 - 10 / WORLDS)
    ratios = np.concatenate(errors)[frequent] / (chances * (1 - chances) / FEWEST_WORLDS)[frequent]
    report.figure(f"{variant}: mean square error of {FEWEST_WORLDS} worlds", float(ratios.mean()), "of sampling")
    for name, values in (("believed", chances), ("drawn", shares)):
        entropy = -(values * np.log(np.maximum(values, 1e-300))).sum(axis=1).mean()
        report.figure(f"{variant}: entropy of a piece, {name}", float(entropy), "nats")


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
