"""How well a value predicts the winner: `python -m tools.training.value quality RECORD ...`.

Compares the number of pieces with the evaluators of all players that search, on sampled positions of records in which
the next move is quiet. Evaluators see the true pieces. With `--nodes` the scores of the newest player's search join
them, which sees what the team to move sees. For each it prints

- log-loss: the mean of -ln(probability of the result), in nats, a draw as half a win. The probability is a logistic
  function of the score, fitted to the games of the other folds
- AUC: the probability that of two positions, one won and one lost by the team to move, the won one has the higher score
- by phase: the log-loss, and the largest gap between a tenth of the predictions and what came true
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from junqi_engine.evaluation.interface import Evaluator, bounded
from junqi_engine.information.belief.worlds import position_in_world
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.players.registry import RECIPES, SearchRecipe, newest_search
from junqi_engine.players.search_player import FULL_SKILL, think
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import NO_PIECE, contains, team_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import Result, points_of
from junqi_engine.search.root import Limits
from tools.training.belief.calibration import PHASES
from tools.training.command import count, run_command
from tools.training.games import Game, team_view
from tools.training.value.model import logistic


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("quality", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from junqi_engine.rules.board import BOARDS
    from tools.training.games import read_games

    games = list(read_games(arguments.records))
    for variant, board in BOARDS.items():
        own = [game for game in games if game.board is board]
        if not own:
            continue
        values = measure(own, arguments.every, arguments.nodes)
        if len(set(values.game.tolist())) < FOLDS:
            raise ValueError(f"{variant}: too few decided games, at least {FOLDS} are needed")
        report(variant, values)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.value quality",
        description="Measure how well evaluators predict the winner: log-loss, AUC, and calibration by phase.",
    )
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=4, metavar="PLIES", help="plies between two samples, default %(default)s")
    add("--nodes", type=count, default=0, help="also search each sample with so many nodes, default: no search")
    return parser


FOLDS = 5
LARGEST_SCORE_CP = 4000.0
"""Scores are compressed by a hyperbolic tangent of this size: beyond it, more says little."""
ENOUGH = 100
"""Positions of a tenth from which its gap counts."""
NEWTON_STEPS = 25
HASH_MB = 8
COUNT = "pieces on the board"


@dataclass(frozen=True)
class Values:
    """n positions: the `scores` of each predictor for the team to move, (n,); `result` (n,): 1 if that team won, 0.5
    for a draw, else 0; `game` (n,): the number of the game; `on_board` (n,): the share of all pieces still there.
    """

    scores: Mapping[str, np.ndarray]
    result: np.ndarray
    game: np.ndarray
    on_board: np.ndarray


def evaluators() -> dict[str, Evaluator]:
    """The different evaluators of the players that search, by the first version that has it."""
    found: dict[str, Evaluator] = {}
    for recipe in RECIPES.values():
        if isinstance(recipe, SearchRecipe) and recipe.evaluator not in found.values():
            found[f"evaluator of {recipe.version}"] = recipe.evaluator
    return found


def measure(games: Sequence[Game], every: int, nodes: int = 0) -> Values:
    """The values of positions of decided or drawn games, `every` so many plies; with a search if `nodes` is not 0."""
    searched = _Searched(nodes) if nodes else None
    rows: list[dict[str, float]] = []
    for number, game in enumerate(games):
        start = GameState.start(game.board, game.lineups, game.rules)
        views = [team_view(start, team, game.first) for team in range(2)]
        own = list(_rows_of(game, start.position["kind"], views, every, searched))
        ended = views[0].result
        if ended == Result.ONGOING:
            continue
        for team, row in own:
            won = points_of(ended, team)
            rows.append(row | {"result": won, "game": number})
    columns = {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else ("result", "game"))}
    result, game_number = columns.pop("result"), columns.pop("game")
    return Values(columns, result, game_number, columns.pop("share", np.empty(0)))


class _Searched:
    """The score of the newest player's search."""

    def __init__(self, nodes: int) -> None:
        self.name = f"search of {newest_search().version}, {nodes} nodes"
        self._search, self._limits = newest_search().new_search(HASH_MB), Limits(nodes=nodes)
        self._running = np.zeros(1, np.uint8)

    def score(self, view: SeatView) -> int:
        moves = view.legal_moves()
        return think(self._search, view, 1, FULL_SKILL, moves, self._limits, self._running)[0].score


def _rows_of(
    game: Game, kinds: np.ndarray, views: Sequence[SeatView], every: int, searched: _Searched | None
) -> Iterator[tuple[int, dict[str, float]]]:
    """The team to move and the scores, of each sampled position that a quiet move follows. `kinds` (128,) are the true
    ones by piece; the `views` of the teams follow the game to its end.
    """
    board, seats = game.board, range(len(game.board.seats))
    predictors = evaluators()
    for ply, seen in enumerate(game.moves):
        view = views[team_of(views[0].turn)]
        if seen.is_ply and ply % every == 0 and view.position["board"][seen.to_point] == NO_PIECE:
            team = team_of(view.turn)
            counts = [
                sum(int(view.position["present"][seat]).bit_count() for seat in seats
                    if team_of(seat) == side and contains(view.alive, seat))
                for side in range(2)
            ]  # fmt: skip
            truth = position_in_world(view, kinds)
            row = {
                "share": sum(counts) / (len(board.seats) * PIECES_PER_SEAT),
                COUNT: float(counts[team] - counts[1 - team]),
            }
            for name, evaluator in predictors.items():
                row[name] = float(_value(board, evaluator, truth, view, team))
            if searched is not None:
                row[searched.name] = float(searched.score(view))
            yield team, row
        for each in views:
            each.observe(seen)


def _value(board: Board, evaluator: Evaluator, truth: np.void, view: SeatView, team: int) -> int:
    terms = evaluator.explain(board, truth, public_of(view))
    total = sum(term.by_team[0] - term.by_team[1] for term in terms)
    return bounded(-total if team else total)


def report(variant: str, values: Values) -> None:
    """Print the measures of every predictor."""
    games = len(np.unique(values.game))
    print(f"{variant}: {games} games, {len(values.result)} positions with a quiet move")
    head = "".join(f"{name:>24}" for name, _, _ in PHASES)
    print(f"{'predictor':<28}{'log-loss':>9}{'AUC':>7}{head}   (log-loss, largest gap)")
    for name, scores in values.scores.items():
        chances = predicted(_compressed(name, scores), values.result, values.game)
        loss = losses(chances, values.result)
        parts = []
        for _, least, most in PHASES:
            inside = (values.on_board > least) & (values.on_board <= most)
            gap = largest_gap(chances[inside], values.result[inside])
            parts.append(f"{f'{loss[inside].mean():.3f}, {gap:.3f}':>24}" if inside.any() else f"{'none':>24}")
        print(f"{name:<28}{loss.mean():>9.4f}{auc(scores, values.result):>7.3f}{''.join(parts)}")


def _compressed(name: str, scores: np.ndarray) -> np.ndarray:
    return scores if name == COUNT else np.tanh(scores / LARGEST_SCORE_CP)


def predicted(scores: np.ndarray, result: np.ndarray, game: np.ndarray) -> np.ndarray:
    """The probabilities of a win, (n,), each by a logistic function that was fitted to the games of the other folds."""
    fold = np.unique(game, return_inverse=True)[1] % FOLDS
    scale = max(float(scores.std()), 1e-9)
    chances = np.empty(len(scores))
    for number in range(FOLDS):
        inside = fold == number
        slope = _slope(scores[~inside] / scale, result[~inside])
        chances[inside] = logistic(slope * scores[inside] / scale)
    return chances


def _slope(scores: np.ndarray, result: np.ndarray) -> float:
    """The slope of the logistic function with the greatest likelihood, by Newton's method."""
    slope = 0.0
    for _ in range(NEWTON_STEPS):
        chances = logistic(slope * scores)
        curvature = float(np.sum(chances * (1 - chances) * scores * scores)) + 1e-9
        slope += float(np.sum((result - chances) * scores)) / curvature
    return slope


def losses(chances: np.ndarray, result: np.ndarray) -> np.ndarray:
    """-ln(probability of what came), (n,), in nats."""
    safe = np.clip(chances, 1e-9, 1 - 1e-9)
    return -result * np.log(safe) - (1 - result) * np.log1p(-safe)


def auc(scores: np.ndarray, result: np.ndarray) -> float:
    """The area under the receiver's curve: how often a won position has a higher score than a lost one; ties count
    half, draws do not.
    """
    won, lost = np.sort(scores[result == 1]), scores[result == 0]
    if not len(won) or not len(lost):
        return float("nan")
    below = np.searchsorted(won, lost, side="right"), np.searchsorted(won, lost, side="left")
    return float(1 - (below[0].mean() + below[1].mean()) / 2 / len(won))


def largest_gap(chances: np.ndarray, result: np.ndarray) -> float:
    """The largest difference between the mean of a tenth of the predictions and what came true."""
    tenth = np.minimum((10 * chances).astype(int), 9)
    gaps: Iterable[float] = (
        abs(float((chances - result)[tenth == number].mean()))
        for number in range(10)
        if (tenth == number).sum() >= ENOUGH
    )
    return max(gaps, default=0.0)
