"""What it is worth to know hidden pieces: `python -m tools.training.measuring informed`.

Plays pairs of games between the newest player with an aid and without one, from the same line-ups with the teams
exchanged. The aid is knowledge that no player may have: each hidden enemy piece is told with the probability `--told`,
once for the whole game. With 1, the default, the aided side knows all, and its score says how much a better belief
could bring.

The told kinds enter through a second view of the same game, in which they are certain. Only the masks of that view are
used, to draw worlds. The search itself gets the view that the rules allow, and the other side is the plain player.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from junqi_engine.information.belief import worlds
from junqi_engine.information.view import SeatView
from junqi_engine.players.randomness import random_of
from junqi_engine.players.registry import newest_search
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seat_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import points_of
from junqi_engine.search.root import Limits, TeamSearch
from protocol.catalogue import JUNQI_VARIANTS
from tools.jobs import workers
from tools.training.command import count, probability, run_command
from tools.training.games import Choose, play_out, searcher, sensible_lineups, team_view
from tools.training.lineups.matches import Pairs

HASH_MB = 4
MAX_PLIES = 600


def main(words: Sequence[str] | None = None) -> int:
    return run_command("informed", partial(_run, _parser().parse_args(words)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.measuring informed",
        description="Measure what knowledge of hidden pieces is worth: the newest player with it against itself.",
    )
    add = parser.add_argument
    add("--variant", choices=JUNQI_VARIANTS, default=JUNQI_VARIANTS[0], help="default %(default)s")
    add("--told", type=probability, default=1.0, help="probability that a piece is told, default %(default)g")
    add("--pairs", type=count, default=100, help="pairs of games, default %(default)s")
    add("--nodes", type=count, default=20_000, help="positions per move, default %(default)s")
    add("--seed", type=int, default=1, help="of line-ups, told pieces and players, default %(default)s")
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    job = partial(play_pair, arguments.variant, arguments.told, arguments.seed, arguments.nodes)
    with workers(arguments.workers) as hired:
        points = np.array(hired.map(job, range(arguments.pairs)))
    pairs = Pairs(points.mean(axis=1))
    low, high = pairs.interval
    wins, losses, draws = (int((points == value).sum()) for value in (1, 0, 0.5))
    print(
        f"{arguments.variant}, told {arguments.told:g}, {arguments.nodes} nodes, {arguments.pairs} pairs: "
        f"{pairs.score:.1%} ({low:.1%} to {high:.1%}), {wins}-{losses}-{draws}"
    )
    return 0


def play_pair(variant: str, told: float, seed: int, nodes: int, pair: int) -> tuple[float, float]:
    """The points of the aided side in the two games of a pair: 1, 0.5 or 0."""
    board = BOARDS[variant]
    lineups = sensible_lineups(board, random.Random(f"{seed} {pair}"))
    points = []
    for team in range(2):
        truth = GameState.start(board, lineups, replace(Rules.of(board), max_plies=MAX_PLIES))
        players = [searcher(search, seed, nodes) for search in _searches()]
        view = informed_view(truth, team, told, random.Random(f"{seed} {pair} {team}"))
        players[team] = informed_player(view, _searches()[team], seed, nodes)
        play_out(truth, players)
        points.append(points_of(truth.result, team))
    return points[0], points[1]


@cache
def _searches() -> tuple[TeamSearch, TeamSearch]:
    """The searches of this process, by team."""
    return newest_search().new_search(HASH_MB), newest_search().new_search(HASH_MB)


def informed_player(informed: SeatView, team_search: TeamSearch, seed: int, nodes: int) -> Choose:
    """The newest player with worlds from another view of its game, which is at the start of the game."""
    limits, running = Limits(nodes=nodes), np.zeros(1, np.uint8)
    count = team_search.parameters.world_count(nodes)

    def choose(view: SeatView, moves: Sequence[int]) -> int:
        for seen in view.record[len(informed.record) :]:
            informed.observe(seen)
        # As `search_player.think`, with other masks.
        drawn = worlds.draw(informed, count, random_of(view, seed).getrandbits(63), team_search.belief(view))
        return team_search.run(view, drawn, moves, limits, running)[0].move

    return choose


def informed_view(start: GameState, team: int, told: float, rng: random.Random) -> SeatView:
    """The view of a team at the start that knows each enemy piece with probability `told`, and what follows from it.

    The same `rng` tells all that it tells at a lower probability, and more.
    """
    view = team_view(start, team)
    for piece in np.flatnonzero(view.masks).tolist():
        if not view.sees(seat_of(piece)) and rng.random() < told:
            view.known.narrow(piece, 1 << int(start.position["kind"][piece]))
    if not view.known.deduce():
        raise AssertionError("the true kinds contradict each other")
    view.refresh()
    return view
