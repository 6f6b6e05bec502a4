"""Looks for what beats a way to draw line-ups: `python -m tools.training.lineups response --variant V`.

Each *response* is a way to draw line-ups. It plays pairs of games against the line-ups of `go setup`, or of another
way that `--against` names, both sides by the newest player, and the command prints its score with its 95% interval. The
ways are

- `go setup`, a mixture of styles
- each style of line-ups that belief knows, people among them; *engine 3.3* is the population by worths
- this population at half and a quarter of its temperature, so nearer to the best line-up by the worths, and at twice
- `--worths FILE`: other worths, as `python -m tools.training.lineups worth` writes them, at half the temperature

The best score is a lower bound on what a best response scores. An interval is that of one response; the best of many
is a little too good by chance.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from junqi_engine.foreign_json import read_json
from junqi_engine.players import lineup_mixture
from junqi_engine.players.lineup_population import TEMPERATURES, draw, draw_by
from junqi_engine.players.registry import newest_search
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import points_of
from junqi_engine.search.root import TeamSearch
from tools.referee.sprt import Z, mean_and_variance
from tools.training.belief.styles import stored_styles
from tools.training.command import count, run_command
from tools.training.games import Choose, play_out, searcher


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("response", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:

    found = ways_to_set_up(arguments.variant, arguments.worths)
    against = arguments.against or OWN_LINEUPS
    for option, names in (("--against", [against]), ("--only", arguments.only)):
        for name in names:
            if name not in found:
                raise ValueError(f"{option} {name!r}: expected one of {', '.join(map(repr, found))}")
    chosen = arguments.only or [name for name in found if name != against]
    print(f"{'response':<32}{'pairs':>6}{'score':>8}{'95% interval':>18}", flush=True)
    for name in chosen:
        pairs = measure(
            arguments.variant, (found[name], found[against]), arguments.pairs, arguments.nodes, arguments.seed
        )
        least, most = pairs.interval
        print(f"{name:<32}{arguments.pairs:>6}{pairs.score:>8.1%}{f'{least:.1%} to {most:.1%}':>18}", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.lineups response",
        description="Look for ways to draw line-ups that beat those of go setup.",
    )
    add = parser.add_argument
    add("--variant", default="siguo", choices=("siguo", "luzhanqi"), help="default %(default)s")
    add("--pairs", type=count, default=200, help="of games for each response, default %(default)s")
    add("--nodes", type=count, default=4000, help="nodes a move, default %(default)s")
    add("--worths", metavar="FILE", help="worths of another population, which respond too")
    add("--against", metavar="NAME", help="what the responses answer, default go setup")
    add("--only", action="append", default=[], metavar="NAME", help="measure this response; may be repeated")
    add("--seed", type=int, default=1, help="of line-ups and players, default %(default)s")
    return parser


Draw = Callable[[random.Random], str]
HASH_MB = 8
OWN_LINEUPS = "go setup"


@dataclass(frozen=True)
class Pairs:
    """The points of one side in each pair, 0 to 1 in quarters, (n,)."""

    points: np.ndarray

    @property
    def score(self) -> float:
        return float(self.points.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95%, from the spread between pairs."""
        _, variance = mean_and_variance(self.points.tolist(), [1.0] * len(self.points))
        error = Z * (variance / len(self.points)) ** 0.5
        return max(0.0, self.score - error), min(1.0, self.score + error)


def ways_to_set_up(variant: str, worths_file: str | None = None) -> dict[str, Draw]:
    """Ways to draw line-ups, by name; the first is that of `go setup`. OSError or ValueError for a wrong file."""
    found: dict[str, Draw] = {OWN_LINEUPS: partial(lineup_mixture.draw, variant=variant)}
    for style in stored_styles():
        if style.variant in (None, variant):
            found[f"style {style.name}"] = partial(lineup_mixture.draw_style, variant=variant, style=style.name)
    for factor in (0.5, 0.25, 2):
        found[f"{factor} of the temperature"] = partial(draw, variant=variant, factor=factor)
    if worths_file is not None:
        try:
            table = np.array(read_json(Path(worths_file).read_bytes())["variants"][variant], float) / 100
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{worths_file} is not a file of worths that has {variant}") from None
        if table.shape != (PIECES_PER_SEAT, KINDS):
            raise ValueError(f"{worths_file}: the worths of {variant} have the shape {table.shape}")
        found["other worths"] = partial(draw_by, worths=table.tolist(), temperature=TEMPERATURES[variant] / 2)
    return found


def measure(variant: str, ways: tuple[Draw, Draw], count: int, nodes: int, seed: int) -> Pairs:
    """Play `count` pairs of games between two ways to set up; in a pair both teams play with both. The points are those
    of the first.
    """
    searches = newest_search().new_search(HASH_MB), newest_search().new_search(HASH_MB)
    return Pairs(np.array([_pair(variant, ways, number, nodes, seed, searches) for number in range(count)]))


def _pair(
    variant: str, ways: tuple[Draw, Draw], number: int, nodes: int, seed: int, searches: tuple[TeamSearch, TeamSearch]
) -> float:
    board = BOARDS[variant]
    lineups = draw_both(board, ways, random.Random(f"{seed} {number}"))
    points = 0.0
    for team in range(2):
        first, second = (searcher(search, 2 * number + team, nodes) for search in searches)
        points += points_of_game(board, lineups, (first, second), team) / 2
    return points


def draw_both(board: Board, ways: tuple[Draw, Draw], rng: random.Random) -> tuple[list[str], list[str]]:
    """The line-ups of both sides of a game, one for each of their seats."""
    first, second = ([way(rng) for _ in range(len(board.seats) // 2)] for way in ways)
    return first, second


def points_of_game(
    board: Board, lineups: tuple[list[str], list[str]], players: tuple[Choose, Choose], team: int
) -> float:
    """What the first side scores in a game that it plays as a team: 1, 0.5 or 0. `lineups` and `players` by side."""
    by_seat = {letter: lineups[team_of(seat) ^ team][seat // 2] for seat, letter in enumerate(board.seats)}
    truth = GameState.start(board, by_seat)
    play_out(truth, [players[side ^ team] for side in range(2)])
    return points_of(truth.result, team)
