"""A small tournament: each engine plays each other one, and a table shows the points.

    python tournament.py
    python tournament.py --pairs 1 "junqi-engine Player=1.0 Seed=1" "junqi-engine Seed=1" "python own_engine.py"

An engine is a command; words NAME=VALUE in it are options. The two games of a pair have the same line-ups, with the
engines exchanged. A win is worth 1 point, a draw 1/2. `junqi-referee tournament` does the same with clocks, records and
statistics, and goes on when an engine fails; here a failure ends the program.
"""

import argparse
import shlex
from contextlib import ExitStack
from itertools import combinations

import junqi_engine as junqi

ENGINES = [f"junqi-engine Player={version}" for version in ("1.0", "1.1", "1.2")]


def start(text: str) -> junqi.Engine:
    """An engine from its command and its options."""
    words = shlex.split(text)
    options = dict(word.split("=", 1) for word in words if "=" in word)
    return junqi.Engine([word for word in words if "=" not in word], options=options)


def play(game: junqi.Game, players: dict[str, junqi.Engine], nodes: int) -> str:
    """Play a game to its end; `players` are by team. Returns the team that won, or `draw`."""
    for engine in players.values():
        engine.new_game()
    while game.result is None:
        [team] = [team for team in players if game.turn in team]
        answer = players[team].play(game.view(team), nodes=nodes)
        if answer.move is None:
            raise SystemExit(f"{team} has no move: {answer.info.string}")
        game.push(answer.move)
    return game.result


def play_pair(game: junqi.Game, engines: tuple[junqi.Engine, junqi.Engine], nodes: int) -> float:
    """The points of the first engine in two games from the same start."""
    points = 0.0
    for first_team, second_team in (game.teams, game.teams[::-1]):
        result = play(game.copy(), {first_team: engines[0], second_team: engines[1]}, nodes)
        points += 0.5 if result == "draw" else result == first_team
    return points


def print_table(names: list[str], points: dict[tuple[int, int], float], games: int) -> None:
    """A row for each engine, the best one first, with its points against each other one."""
    numbers = range(len(names))
    total = {one: sum(points[one, two] for two in numbers if two != one) for one in numbers}
    width = max(map(len, names)) + 3
    print(f"{'':{width}}", *(f"{two + 1:>5}" for two in numbers), " points")
    for one in sorted(numbers, key=lambda one: -total[one]):
        row = ("    -" if one == two else f"{points[one, two]:5.1f}" for two in numbers)
        print(f"{f'{one + 1}. {names[one]}':{width}}", *row, f"{total[one]:5.1f} of {games * (len(names) - 1)}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Play a tournament of engines.")
    parser.add_argument("engines", nargs="*", default=ENGINES, metavar="COMMAND")
    parser.add_argument("--variant", default="luzhanqi", choices=("luzhanqi", "siguo"))
    parser.add_argument("--pairs", type=int, default=2, help="pairs of games per pairing, default %(default)s")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes per move, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the line-ups")
    arguments = parser.parse_args()
    if len(arguments.engines) < 2:
        parser.error("a tournament needs two engines")
    points: dict[tuple[int, int], float] = {}
    with ExitStack() as stack:
        engines = [stack.enter_context(start(text)) for text in arguments.engines]
        for one, two in combinations(range(len(engines)), 2):
            games = [junqi.Game(arguments.variant, seed=arguments.seed + pair) for pair in range(arguments.pairs)]
            points[one, two] = sum(play_pair(game, (engines[one], engines[two]), arguments.nodes) for game in games)
            points[two, one] = 2 * len(games) - points[one, two]
    print_table(arguments.engines, points, 2 * arguments.pairs)


if __name__ == "__main__":
    try:
        main()
    except junqi.Refused as error:
        raise SystemExit(str(error)) from None
