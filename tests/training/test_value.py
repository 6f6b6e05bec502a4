"""Fitting worths: positions of stored games, gradients, the fit, and the command."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.evaluation.evaluator import HAND_WRITTEN
from junqi_engine.evaluation.worths import feature_count, read_worths
from junqi_engine.information.view import Public, public_of
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.layout import NO_PIECE, to_point_of
from junqi_training.selfplay.folder import Position, StoredGame
from junqi_training.selfplay.folder import positions as replayed
from junqi_training.value.fit import Model, add_gradients, features_of, fit, main, positions_of
from junqi_training.value.samples import ABSENT, Schedule, cross_entropy, logistic, split
from tests.helpers.selfplay import played_folder, quick_games
from tests.references.slow_worths import score

pytestmark = pytest.mark.long

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def some_model(board: Board, seed: int) -> Model:
    worth = np.random.default_rng(seed).normal(0, 0.05, feature_count(board))
    return Model(worth.astype(np.float32), hand_share=1 / 4000)


def quiet_positions(games: Sequence[StoredGame]) -> Iterator[tuple[int, Position]]:
    """The number of the game and the position, where a quiet move was played after a search."""
    for number, game in enumerate(games):
        for position in replayed(game):
            target = position.truth.position["board"][to_point_of(position.move)]
            if position.score is not None and abs(position.score) < 20_000 and target == NO_PIECE:
                yield number, position


@VARIANTS
def test_positions_are_those_of_the_replayed_games(board: Board) -> None:
    """Quiet moves of the search: the hand-written score, the score of the search and the result, for its team."""
    games = quick_games(board, 3)
    found = positions_of(games)
    features, row = features_of(found), -1
    for row, (number, position) in enumerate(quiet_positions(games)):
        truth, record = position.truth, HAND_WRITTEN.new(1)[0]
        HAND_WRITTEN.refresh(board, truth.position, Public(0, public_of(position.views[0]).classes), record)
        sign = 1 if truth.turn % 2 == 0 else -1
        assert found.hand[row] == sign * record["scores"][0]
        assert found.search[row] == position.score
        assert found.result[row] == (position.result + 1) / 2
        assert found.game[row] == number
        on_board = sum(len(truth.points_of(seat)) for seat in range(len(board.seats)))
        assert (features[row] != ABSENT).sum() == on_board * len(board.seats)
    assert row + 1 == len(found) > 50


@VARIANTS
def test_a_model_says_the_same_as_the_worths_made_of_it(board: Board, tmp_path: Path) -> None:
    games, model, path = quick_games(board, 2), some_model(board, 1), tmp_path / "worths.npz"
    np.savez(path, worth=model.as_integers(1.0))
    worths, found = read_worths(board, path), positions_of(games)
    rows = np.arange(len(found))
    odds = model.log_odds(found, features_of(found), rows)
    for row, (_, position) in enumerate(quiet_positions(games)):
        if row % 20 == 0:
            sign = 1 if position.truth.turn % 2 == 0 else -1
            said = sign * score(board, worths, position.truth.position, public_of(position.views[0]).classes)
            assert said == pytest.approx(4000 * odds[row] - found.hand[row], abs=120)


def test_gradients_are_those_of_small_changes() -> None:
    found = positions_of(quick_games(LUZHANQI, 6))
    features, rows, model = features_of(found), np.arange(0, len(found), 7), some_model(LUZHANQI, 2)
    target = found.result[rows]

    def loss() -> float:
        return cross_entropy(logistic(model.log_odds(found, features, rows)), target)

    slopes = ((logistic(model.log_odds(found, features, rows)) - target) / len(rows)).astype(np.float32)
    gradient = np.zeros_like(model.worth)
    add_gradients(features, rows, found.team, slopes, gradient)
    for feature in np.argsort(-np.abs(gradient))[:6]:
        before = model.worth[feature]
        model.worth[feature] = before + 0.004
        above = loss()
        model.worth[feature] = before - 0.004
        below = loss()
        model.worth[feature] = before
        assert (above - below) / 0.008 == pytest.approx(gradient[feature], rel=0.1, abs=1e-3)


def test_a_fit_predicts_better_and_is_reproducible() -> None:
    found = positions_of(quick_games(LUZHANQI, 60))
    features, rows = features_of(found), np.arange(len(found))
    schedule = Schedule(epochs=4, batch=128, rate=2e-3, seed=1)
    losses: list[float] = []

    def report(epoch: int, model: Model) -> None:
        losses.append(cross_entropy(logistic(model.log_odds(found, features, rows)), found.result))

    first, second = (fit(found, features, rows, schedule, report) for _ in range(2))
    by_hand = min(cross_entropy(logistic(found.hand / spread), found.result) for spread in range(500, 9000, 500))
    assert losses[3] < by_hand - 0.02
    assert losses[:4] == losses[4:]
    assert (first.worth == second.worth).all()


def test_held_out_games_share_no_game_with_the_others() -> None:
    found = positions_of(quick_games(LUZHANQI, 12, max_plies=60))
    others, held_out = (set(found.game[rows]) for rows in split(found.game, batch=10, every=2))
    assert held_out == {0, 10} & set(found.game)
    assert not held_out & others


def test_the_command_fits_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = played_folder(tmp_path / "games", "luzhanqi", 20), tmp_path / "worths.npz"
    capsys.readouterr()
    assert main([str(folder), "--out", str(out), "--batch", "64", "--epochs", "2"]) == 0
    printed = capsys.readouterr().out
    assert "held-out loss: hand-written 0." in printed
    assert "epoch 2: 0." in printed
    assert read_worths(LUZHANQI, out)["worth"].any()
    for given, message in (([folder, "--batch", "100000"], "are too few for a batch of 100000"), (["none"], "none")):
        assert main([*map(str, given), "--out", str(out)]) == 2
        assert message in capsys.readouterr().err


def test_games_without_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="no quiet position with a score"):
        positions_of(quick_games(SIGUO, 1, max_plies=6))
