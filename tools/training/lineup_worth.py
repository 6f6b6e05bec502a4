"""What a piece in its place is worth in a line-up: `python -m tools.training.lineup_worth [--games N] [--nodes N] [--seed N]`.

Player 2.0 plays itself from line-ups of every quality, three games of luzhanqi to one of siguo; the results are fitted
by a logistic regression on where the pieces of both teams stood at the start. Prints the tables of
`junqi_engine/lineup.py`, in hundredths of a logit, and how much better than nothing they foretell games that they were
not fitted on.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import newest_search
from junqi_engine.players.search_player import FULL_SKILL, think
from junqi_engine.rules.board import LUZHANQI, SIGUO, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_engine.search.root import Limits, TeamSearch

CANDIDATES = (1, 1, 3, 10)
"""Line-ups are the best of so many, one number in turn as likely as another: fitted on good ones alone, the worth of
what all of them have would stay unknown.
"""
MAX_PLIES = 600
WEIGHT = {LUZHANQI.variant: 1.0, SIGUO.variant: 0.45}
"""How much a line-up decides: in siguo there are two to a team."""
PENALTY = 100.0
"""Pulls the worths to 0: half of it times their squares, in logits, is taken off the likelihood."""
FOLDS = 5
NEWTON_STEPS = 15


@dataclass(frozen=True)
class Sample:
    """The line-ups of a decided game by seat, and whether South's team won it."""

    variant: str
    lineups: tuple[str, ...]
    is_won: bool


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.lineup_worth", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--nodes", type=int, default=8000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    searches = newest_search().new_search(4), newest_search().new_search(4)
    played = [play(arguments.seed, number, arguments.nodes, searches) for number in range(arguments.games)]
    samples = [sample for sample in played if sample is not None]
    if len(samples) < FOLDS:
        print(f"{len(samples)} decided games are too few for a fit", file=sys.stderr)
        return 1
    design, won = matrix(samples)
    print(
        f"{len(samples)} decided games; foretold by others' fit {held_out_loss(design, won):.4f} nats a game, ", end=""
    )
    print(f"by nothing {np.log(2):.4f}; now by the tables in use {loss(design, won, worths_in_use() / 100):.4f}")
    show(100 * fitted(design, won))
    return 0


def play(seed: int, number: int, nodes: int, searches: tuple[TeamSearch, TeamSearch]) -> Sample | None:
    """A game; None for a draw."""
    board = SIGUO if number % 4 == 3 else LUZHANQI
    rng = random.Random(f"{seed} {number}")
    lineups = {seat: lineup_choice.sensible(rng, rng.choice(CANDIDATES)) for seat in board.seats}
    truth = GameState.start(board, lineups, replace(Rules.of(board), max_plies=MAX_PLIES))
    views = [_team_view(board, truth, team) for team in range(2)]
    running = np.zeros(1, np.uint8)
    while truth.result == Result.ONGOING:
        team = truth.turn & 1
        moves = views[team].legal_moves()
        (line, *_) = think(searches[team], views[team], seed, FULL_SKILL, moves, Limits(nodes=nodes), running)
        seen = truth.play(line.move)
        for view in views:
            view.observe(seen)
    if truth.result == Result.DRAW:
        return None
    return Sample(board.variant, tuple(lineups.values()), truth.result == Result.TEAM_0)


def _team_view(board: Board, truth: GameState, team: int) -> SeatView:
    own = {seat: truth.lineups[seat] for seat in range(team, len(board.seats), 2)}
    return SeatView.start(board, sum(1 << seat for seat in own), own, truth.rules, 0)


def features(letters: str) -> np.ndarray:
    """How often a line-up has what each number of the three tables is for, in the order of `worths_in_use`."""
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
    """The numbers of the tables, row by row."""
    tables = lineup_choice.ROW_WORTH.values(), [lineup_choice.BESIDE_FLAG_WORTH.values()], lineup_choice.MINE_WORTH
    return np.array([worth for table in tables for row in table for worth in row], float)


def matrix(samples: Sequence[Sample]) -> tuple[np.ndarray, np.ndarray]:
    """For each game the features of South's team less those of the other, (n, f), and who won, (n,) of 0 and 1."""
    design = [
        WEIGHT[sample.variant] * sum((-1) ** seat * features(letters) for seat, letters in enumerate(sample.lineups))
        for sample in samples
    ]
    return np.array(design), np.array([sample.is_won for sample in samples], float)


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
    """The mean of -ln of what the results were given, in nats."""
    return float(np.mean(np.logaddexp(0, np.where(won, -1, 1) * (design @ worths))))


def held_out_loss(design: np.ndarray, won: np.ndarray) -> float:
    """The loss over all games, each by a fit on the folds that it is not in."""
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


if __name__ == "__main__":
    sys.exit(main())
