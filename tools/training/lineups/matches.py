"""Matches between ways to draw line-ups, both sides by the newest player."""

import random
from collections.abc import Callable
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
from tools.referee.statistics.sprt import Z, mean_and_variance
from tools.training.belief.styles import stored_styles
from tools.training.games import Choose, play_out, searcher

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
