"""`python -m tools.ladder`: every player against every older one, in pairs with swapped teams, in this process.

A pair is two games from the same four line-ups with the teams exchanged. The score counts a draw as half; the
interval is the normal one at 95% over the pairs' means.
"""

import argparse
import itertools
import math
import random
import sys

from junqi_engine import lineup
from junqi_engine.board import SIGUO
from junqi_engine.players import PLAYERS, Choose
from junqi_engine.position import Result
from junqi_engine.state import GameState
from junqi_engine.view import SeatView

TEAMS = (0b0101, 0b1010)


def play(players: tuple[Choose, Choose], lineups: dict[str, str], seed: int) -> float:
    """A game between team 0 and team 1, each of which sees its own pieces; the score of team 0."""
    game = GameState.start(SIGUO, lineups)
    by_seat = {seat: lineups[letter] for seat, letter in enumerate(SIGUO.seats)}
    views = [
        SeatView.start(SIGUO, team, {seat: text for seat, text in by_seat.items() if team >> seat & 1})
        for team in TEAMS
    ]
    while game.result == Result.ONGOING:
        team = game.turn & 1
        seen = game.play(players[team](views[team], seed, views[team].legal_moves()).move)
        for view in views:
            view.observe(seen)
    return {Result.TEAM_0: 1.0, Result.TEAM_1: 0.0}.get(game.result, 0.5)


def match(new: str, old: str, pairs: int, seed: int) -> str:
    """A line with wins, losses and draws of `new`, its score, and the 95% interval of the score."""
    rng = random.Random(seed)
    games: list[float] = []
    for pair in range(pairs):
        lineups = {letter: lineup.sensible(rng) for letter in SIGUO.seats}
        games.append(play((PLAYERS[new], PLAYERS[old]), lineups, seed + pair))
        games.append(1.0 - play((PLAYERS[old], PLAYERS[new]), lineups, seed + pair))
    means = [(one + other) / 2 for one, other in zip(games[0::2], games[1::2], strict=True)]
    mean = sum(means) / pairs
    deviation = math.sqrt(sum((value - mean) ** 2 for value in means) / max(pairs - 1, 1) / pairs)
    wins, losses, draws = games.count(1.0), games.count(0.0), games.count(0.5)
    interval = f"[{mean - 1.96 * deviation:.3f}, {mean + 1.96 * deviation:.3f}]"
    return f"{new} - {old}: +{wins} -{losses} ={draws}   score {mean:.3f}   95% {interval}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.ladder", description="Play the players against each other.")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games a match (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for old, new in itertools.combinations(PLAYERS, 2):
        print(match(new, old, arguments.pairs, arguments.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
