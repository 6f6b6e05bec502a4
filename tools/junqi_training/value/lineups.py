"""The worth of each piece in each place of a line-up: `python -m junqi_training.value lineups FOLDER ...`.

Reads folders of `junqi_training.selfplay` of one variant, with line-ups of every quality, and fits a logistic
regression to the results: the line-ups of a team that wins are worth more. Prints the log-loss on games outside of the
fit, beside that of the worths in use and of even odds. `--write` writes the worths of
`junqi_engine/players/lineup_worths.json`, by which `lineup_population` draws.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from junqi_engine.players import lineup_population
from junqi_engine.players.lineup_population import worths_of
from junqi_engine.rules import lineup
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import KINDS, LETTERS, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_training.command import json_text, run_command
from junqi_training.selfplay.folder import StoredGame
from junqi_training.value.samples import logistic, read_games


def main(words: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    return run_command("lineups", partial(_run, _parser().parse_args(given), given))


def _run(arguments: argparse.Namespace, given: Sequence[str]) -> int:
    games = read_games(arguments.folders)
    variant, results = games[0].settings.variant, results_of(games)
    if len(results.won) < FOLDS:
        raise ValueError(f"{len(results.won)} decided games are too few, at least {FOLDS} needed")
    in_use = np.array(worths_of(variant)).ravel()
    print(f"{variant}: {len(results.won)} decided games; log-loss in nats, cross-validated: ", end="")
    print(f"{held_out_loss(results):.4f}, worths in use {loss(results, in_use):.4f}, even odds {np.log(2):.4f}")
    if arguments.write:
        text = json.loads(lineup_population.WORTHS_FILE.read_text(encoding="utf-8"))
        text["made by"][variant] = shlex.join(["python", "-m", "junqi_training.value", "lineups", *given])
        text["variants"][variant] = as_table(fitted(results))
        lineup_population.WORTHS_FILE.write_text(json_text(text) + "\n", encoding="utf-8")
        worths_of.cache_clear()
    return 0


def _parser() -> argparse.ArgumentParser:
    description = "Fit the worth of each piece in each place of a line-up to the results of self-play."
    parser = argparse.ArgumentParser(prog="python -m junqi_training.value lineups", description=description)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a data folder; all of one variant")
    parser.add_argument("--write", action="store_true", help="write the worths of the population")
    return parser


PENALTY = 100.0
"""L2 penalty: half of it times the sum of squared worths, in logits, is subtracted from the log-likelihood."""
FOLDS = 5
NEWTON_STEPS = 12


@dataclass(frozen=True)
class Results:
    """n decided games: `differences` (n, 300), the places of South's team less those of the other, by place and kind
    with every flag in the left headquarters; `won` (n,), 1 if South's team won, else 0.
    """

    differences: np.ndarray
    won: np.ndarray

    def of(self, chosen: np.ndarray) -> "Results":
        return Results(self.differences[chosen], self.won[chosen])


def results_of(games: Iterable[StoredGame]) -> Results:
    """The line-ups and results of the games that were not drawn."""
    decided = [game for game in games if game.result in (Result.TEAM_0, Result.TEAM_1)]
    rows = np.array([difference_of(game.lineups) for game in decided], np.float32)
    won = np.array([game.result == Result.TEAM_0 for game in decided], float)
    return Results(rows.reshape(-1, PIECES_PER_SEAT * KINDS), won)


def difference_of(lineups: Iterable[str]) -> np.ndarray:
    """The row of a game in `Results.differences`, from its line-ups by seat."""
    counts = np.zeros((PIECES_PER_SEAT, KINDS), np.float32)
    for seat, letters in enumerate(lineups):
        left = lineup.with_flag_left(letters)
        counts[_PLACES, [_KIND_OF[letter] for letter in left]] += -1 if team_of(seat) else 1
    return counts.ravel()


_PLACES = np.arange(PIECES_PER_SEAT)
_KIND_OF = {letter: kind for kind, letter in enumerate(LETTERS)}


def fitted(results: Results) -> np.ndarray:
    """The worths in logits, (300,), by Newton's method: a logistic regression without a constant."""
    differences, won = results.differences.astype(float), results.won
    worths = np.zeros(differences.shape[1])
    for _ in range(NEWTON_STEPS):
        chances = logistic(differences @ worths)
        gradient = differences.T @ (won - chances) - PENALTY * worths
        curvature = (differences.T * (chances * (1 - chances))) @ differences + PENALTY * np.eye(len(worths))
        worths += np.linalg.solve(curvature, gradient)
    return worths


def loss(results: Results, worths: np.ndarray) -> float:
    """The log-loss of the results: the mean of -ln(predicted probability), in nats."""
    return float(np.mean(np.logaddexp(0, np.where(results.won, -1, 1) * (results.differences @ worths))))


def held_out_loss(results: Results) -> float:
    """The log-loss of cross-validation: each fold is predicted by a fit to the other folds."""
    total = 0.0
    fold = np.arange(len(results.won)) % FOLDS
    for number in range(FOLDS):
        held_out = results.of(fold == number)
        total += len(held_out.won) * loss(held_out, fitted(results.of(fold != number)))
    return total / len(results.won)


def as_table(worths: np.ndarray) -> list[list[int]]:
    """By place and kind, in hundredths of a logit; 0 where the rules allow no such piece."""
    allowed = lineup.allowed_with_flag_left()
    return np.rint(100 * worths.reshape(PIECES_PER_SEAT, KINDS) * allowed).astype(int).tolist()
