"""The chances behind a score: `python -m junqi_training.value wdl RECORD ...`.

Reads records of the referee and fits the numbers of `junqi_engine/evaluation/win_chances.json`, by variant, to the
scores that the engines reported and the results of their games. The games are divided into `FOLDS` parts; each part is
predicted by a fit to the others. Over these predictions it prints

- the log-loss of the three outcomes in nats, beside that of a fit without the phase, and of the shares alone
- the reliability: by tenths of the expected score, the number of positions, the mean prediction, and what came true

The bound of scores with the lowest loss is chosen. Scores of a mate are not fitted: `wdl` prints them as certain.
"""

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from junqi_engine.evaluation.win_chances import CHANCES_FILE
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS, LINEUP_INDICES
from junqi_engine.rules.pieces import Outcome
from junqi_referee.records.game_record import DRAW, GameRecord, read_record
from junqi_training.command import json_text, run_command


def main(words: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    return run_command("wdl", partial(_run, _parser().parse_args(given), given))


def _run(arguments: argparse.Namespace, given: Sequence[str]) -> int:
    played = [game for record in arguments.records for game in read_record(record)]
    variants = {}
    for variant in BOARDS:
        samples = samples_of(played, variant)
        games = len(np.unique(samples.game))
        if games < FOLDS:
            raise ValueError(f"{variant}: {games} games with scores are too few, at least {FOLDS} are needed")
        variants[variant] = report(variant, samples, games)
    if arguments.write:
        table = {"made by": shlex.join(["python", "-m", "junqi_training.value", "wdl", *given]), "variants": variants}
        CHANCES_FILE.write_text(json_text(table) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    description = "Fit the chances of a win, a draw and a loss to the scores and results of games."
    parser = argparse.ArgumentParser(prog="python -m junqi_training.value wdl", description=description)
    parser.add_argument("records", nargs="+", metavar="RECORD", help="records of the referee")
    parser.add_argument("--write", action="store_true", help=f"write {CHANCES_FILE.name}")
    return parser


FOLDS = 5
BOUNDS_CP = (1500, 2000, 3000, 4500, 7000, 10_000, 15_000, 30_000)
"""The bounds of scores to choose from."""
LATE_SHARE = 5.0
"""The phase no longer changes in the last positions, this many percent of all: too few games last that long."""
DEGREE = 2
"""Of the polynomials in the phase."""
SMALL = 0.01
"""The share of the positions below which a tenth is printed, but does not count as the worst."""
TINY = 1e-9


@dataclass(frozen=True)
class Samples:
    """Positions of games: the game by number, the plies played, the score for the team to move, and the result for it,
    1, 0 or -1; each (n,).
    """

    game: np.ndarray
    ply: np.ndarray
    score: np.ndarray
    result: np.ndarray

    def of_games(self, chosen: np.ndarray) -> "Samples":
        return Samples(self.game[chosen], self.ply[chosen], self.score[chosen], self.result[chosen])


@dataclass(frozen=True)
class Fit:
    """Fitted numbers: the polynomials of `win_chances`. Without any draw in the fit, `width` is None."""

    most_cp: float
    plies: int
    width: np.ndarray | None
    spread: np.ndarray

    def predict(self, samples: Samples) -> tuple[np.ndarray, np.ndarray]:
        """The chances of a win and of a loss, (n,) each."""
        scaled = self.most_cp * np.tanh(samples.score / self.most_cp)
        powers = _powers(samples.ply, self.plies, len(self.spread))
        width = 0.0 if self.width is None else np.exp(powers @ self.width)
        spread = np.exp(powers @ self.spread)
        return _logistic((scaled - width) / spread), _logistic((-scaled - width) / spread)


def samples_of(games: Sequence[GameRecord], variant: str) -> Samples:
    """The positions of the games of a variant in which the engine reported a score that is not a mate."""
    rows = [row for number, game in enumerate(games) if game.variant == variant for row in _rows(number, game)]
    table = np.array(rows, float).reshape(-1, 4)
    return Samples(*np.ascontiguousarray(table.T))


def _rows(number: int, game: GameRecord) -> Iterator[tuple[int, int, int, int]]:
    """The samples of a game. Only whose piece stands where is followed, which tells the seat that moves."""
    board = BOARDS[game.variant]
    seat_at = {board.block(seat)[index]: seat for seat in range(len(board.seats)) for index in LINEUP_INDICES}
    for ply, (text, score) in enumerate(zip(game.moves, game.scores, strict=True)):
        seen = parse_move(board, text)
        if not seen.is_ply:
            continue
        mover = seat_at.pop(seen.from_point)
        if score is not None and score.startswith("cp "):
            won = 0 if game.result == DRAW else 1 if board.seats[mover] in game.result else -1
            yield number, ply, int(score[3:]), won
        if seen.outcome == Outcome.BOTH_REMOVED:
            del seat_at[seen.to_point]
        elif seen.outcome != Outcome.DEFENDER_WON:
            seat_at[seen.to_point] = mover


def _powers(ply: np.ndarray, plies: int, count: int) -> np.ndarray:
    """(n, count): the powers of the phase."""
    phase = np.minimum(ply, plies) / plies
    return np.stack([phase**power for power in range(count)], axis=1)


def _logistic(values: np.ndarray) -> np.ndarray:
    return (1 + np.tanh(values / 2)) / 2


def losses(fit: Fit, samples: Samples) -> np.ndarray:
    """-ln(predicted probability of what came), (n,)."""
    win, loss = fit.predict(samples)
    chance = np.where(samples.result > 0, win, np.where(samples.result < 0, loss, 1 - win - loss))
    return -np.log(np.maximum(chance, TINY))


def fitted(samples: Samples, most_cp: float, plies: int, degree: int = DEGREE) -> Fit:
    """The maximum of the likelihood. ImportError without scipy."""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise ImportError("the fit needs scipy: pip install '.[training]' in a checkout") from None

    count, has_draws = degree + 1, bool((samples.result == 0).any())
    powers = _powers(samples.ply, plies, count)
    scaled = most_cp * np.tanh(samples.score / most_cp)
    by_outcome = samples.result > 0, samples.result < 0

    def fit_of(numbers: np.ndarray) -> Fit:
        return Fit(most_cp, plies, numbers[:-count] if has_draws else None, numbers[-count:])

    def loss_and_slope(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        """The mean loss, and its derivatives."""
        fit = fit_of(numbers)
        win, loss = fit.predict(samples)
        draw = np.maximum(1 - win - loss, TINY)
        width = np.zeros(len(win)) if fit.width is None else np.exp(powers @ fit.width)
        spread = np.exp(powers @ fit.spread)
        to_win, to_loss, ratio = (scaled - width) / spread, (-scaled - width) / spread, width / spread
        slope_win, slope_loss = win * (1 - win), loss * (1 - loss)
        by_width = np.select(
            by_outcome, (-(1 - win) * ratio, -(1 - loss) * ratio), (slope_win + slope_loss) * ratio / draw
        )
        by_spread = np.select(
            by_outcome,
            (-(1 - win) * to_win, -(1 - loss) * to_loss),
            (slope_win * to_win + slope_loss * to_loss) / draw,
        )
        slopes = [by_width, by_spread] if has_draws else [by_spread]
        gradient = np.concatenate([(powers * slope[:, None]).mean(axis=0) for slope in slopes])
        return float(losses(fit, samples).mean()), -gradient

    first = np.zeros((1 + has_draws) * count)
    first[0], first[-count] = np.log(scaled.std() / 20), np.log(scaled.std())
    with np.errstate(over="ignore"):
        return fit_of(minimize(loss_and_slope, first, jac=True, method="BFGS").x)


def predicted(samples: Samples, most_cp: float, plies: int, degree: int = DEGREE) -> tuple[np.ndarray, np.ndarray]:
    """For each sample the loss and the expected score, by a fit to the games of the other folds; (n,) each."""
    fold = np.unique(samples.game, return_inverse=True)[1] % FOLDS
    loss, expected = np.zeros(len(fold)), np.zeros(len(fold))
    for number in range(FOLDS):
        inside = fold == number
        fit, held_out = fitted(samples.of_games(~inside), most_cp, plies, degree), samples.of_games(inside)
        loss[inside] = losses(fit, held_out)
        win, lost = fit.predict(held_out)
        expected[inside] = (1 + win - lost) / 2
    return loss, expected


def reliability(expected: np.ndarray, result: np.ndarray) -> list[tuple[int, float, float]]:
    """By tenths of the expected score: the samples, the mean prediction and the mean score that came true."""
    tenth = np.minimum((10 * expected).astype(int), 9)
    found = []
    for number in range(10):
        inside = tenth == number
        if inside.any():
            found.append((int(inside.sum()), float(expected[inside].mean()), float((1 + result[inside]).mean() / 2)))
    return found


def report(variant: str, samples: Samples, games: int) -> dict[str, Any]:
    """Choose the bound, print the measures and return the numbers of the fit to all games."""
    plies = int(np.percentile(samples.ply, 100 - LATE_SHARE))
    trials = {bound: predicted(samples, bound, plies) for bound in BOUNDS_CP}
    bound = min(trials, key=lambda bound: float(trials[bound][0].mean()))
    loss, expected = trials[bound]
    without_phase = predicted(samples, bound, plies, degree=0)[0].mean()
    shares = np.array([(samples.result == result).mean() for result in (1, 0, -1)])
    alone = -float(np.sum(shares * np.log(np.maximum(shares, TINY))))
    print(f"{variant}: {games} games, {len(loss)} positions; log-loss in nats on games outside of the fit: ", end="")
    print(f"{loss.mean():.4f}, without the phase {without_phase:.4f}, shares alone {alone:.4f}")
    print("bounds of scores: " + ", ".join(f"{cp} {float(trials[cp][0].mean()):.4f}" for cp in BOUNDS_CP))
    rows = reliability(expected, samples.result)
    for count, mean, came in rows:
        print(f"{count:8d} positions, expected {mean:.3f}, came {came:.3f}, difference {came - mean:+.3f}")
    fit = fitted(samples, bound, plies)
    return {
        "most_cp": bound,
        "plies": plies,
        "draw_width": None if fit.width is None else [round(float(number), 4) for number in fit.width],
        "spread": [round(float(number), 4) for number in fit.spread],
        "games": games,
        "positions": len(loss),
        "loss": round(float(loss.mean()), 4),
        "worst_tenth": round(max(abs(came - mean) for count, mean, came in rows if count >= SMALL * len(loss)), 3),
    }
