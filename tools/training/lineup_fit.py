"""Games from line-ups of all qualities, and the fit of the worth of each piece in each place to their results."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import LUZHANQI, SIGUO
from junqi_engine.rules.game import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_engine.search.root import TeamSearch
from tools.training.games import play_out, searcher

CANDIDATES = (1, 1, 3, 10)
"""A line-up is the best of 1, 3 or 10 candidates, drawn from this list: good line-ups alone would have too much in
common to tell the worth of what they share.
"""
MAX_PLIES = 600
WEIGHT = {LUZHANQI.variant: 1.0, SIGUO.variant: 0.45}
"""The influence of one line-up on the result. In siguo a team has two."""
PENALTY = 100.0
"""L2 penalty: half of it times the sum of squared worths, in logits, is subtracted from the log-likelihood."""
FOLDS = 5
NEWTON_STEPS = 15


@dataclass(frozen=True)
class DecidedGame:
    """The line-ups of a game that was not drawn, by seat, and whether South's team won."""

    variant: str
    lineups: tuple[str, ...]
    is_won: bool


def play(seed: int, number: int, nodes: int, searches: tuple[TeamSearch, TeamSearch]) -> DecidedGame | None:
    """Play a game; None for a draw."""
    board = SIGUO if number % 4 == 3 else LUZHANQI
    rng = random.Random(f"{seed} {number}")
    lineups = {seat: lineup_choice.sensible(rng, rng.choice(CANDIDATES)) for seat in board.seats}
    truth = GameState.start(board, lineups, replace(Rules.of(board), max_plies=MAX_PLIES))
    play_out(truth, [searcher(team_search, seed, nodes) for team_search in searches])
    if truth.result == Result.DRAW:
        return None
    return DecidedGame(board.variant, tuple(lineups.values()), truth.result == Result.TEAM_0)


def features(letters: str) -> np.ndarray:
    """How many times each number of the three tables applies to a line-up, in the order of `worths_in_use`."""
    kinds = list(lineup_choice.ROW_WORTH)
    rows, beside, mines = np.zeros((len(kinds), 6)), np.zeros(len(kinds)), np.zeros((2, 5))
    in_rows, beside_flag, mined = lineup_choice.places(letters)
    for letter, row in in_rows:
        rows[kinds.index(letter), row] += 1
    for letter in beside_flag:
        beside[kinds.index(letter)] += 1
    for place in mined:
        mines[place] += 1
    return np.concatenate((rows.ravel(), beside, mines.ravel()))


def worths_in_use() -> np.ndarray:
    """The numbers of the tables of `lineup_choice`, row by row."""
    tables = lineup_choice.ROW_WORTH.values(), [lineup_choice.BESIDE_FLAG_WORTH.values()], lineup_choice.MINE_WORTH
    return np.array([worth for table in tables for row in table for worth in row], float)


def matrix(games: Sequence[DecidedGame]) -> tuple[np.ndarray, np.ndarray]:
    """For each game the features of South's team minus those of the other (n, f), and 1 if South won, else 0 (n,)."""
    design = [
        WEIGHT[game.variant] * sum((-1) ** seat * features(letters) for seat, letters in enumerate(game.lineups))
        for game in games
    ]
    return np.array(design), np.array([game.is_won for game in games], float)


def fitted(design: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The worths in logits, (f,), by Newton's method."""
    worths = np.zeros(design.shape[1])
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-design @ worths))
        gradient = design.T @ (won - chances) - PENALTY * worths
        curvature = (design.T * (chances * (1 - chances))) @ design + PENALTY * np.eye(len(worths))
        worths += np.linalg.solve(curvature, gradient)
    return worths


def loss(design: np.ndarray, won: np.ndarray, worths: np.ndarray) -> float:
    """The log-loss of the results: the mean of -ln(predicted probability), in nats."""
    return float(np.mean(np.logaddexp(0, np.where(won, -1, 1) * (design @ worths))))


def held_out_loss(design: np.ndarray, won: np.ndarray) -> float:
    """The log-loss of cross-validation: each fold is predicted by a fit to the other folds."""
    parts = []
    for fold in range(FOLDS):
        inside = np.arange(len(won)) % FOLDS == fold
        parts.append(inside.sum() * loss(design[inside], won[inside], fitted(design[~inside], won[~inside])))
    return sum(parts) / len(won)


def show(worths: np.ndarray) -> None:
    kinds = list(lineup_choice.ROW_WORTH)
    rows, beside, mines = np.split(np.rint(worths).astype(int), (6 * len(kinds), 7 * len(kinds)))
    for letter, row in zip(kinds, rows.reshape(-1, 6).tolist(), strict=True):
        print(f"row worth of {letter}: {row}")
    print(f"beside the flag, {''.join(kinds)}: {beside.tolist()}")
    print(f"mines: {mines.reshape(2, 5).tolist()}")
