"""How well values predict the winner: the measures, the samples of games, and the command."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from junqi_engine.rules.board import SIGUO
from tests.training_help import write_record
from tools.training.belief import calibration
from tools.training.games import play_games
from tools.training.measuring import elo
from tools.training.value import quality, wdl
from tools.training.value.quality import (
    COUNT,
    Values,
    auc,
    evaluators,
    largest_gap,
    losses,
    main,
    measure,
    predicted,
    report,
)

pytestmark = pytest.mark.long


def test_auc_counts_the_pairs_in_the_right_order() -> None:
    """Won: 3 and 1; lost: 2 and 1. Of four pairs, 3 > 2, 3 > 1 and half of 1 = 1 are right; a draw counts nothing."""
    scores, result = np.array([3.0, 1, 2, 1, 9]), np.array([1.0, 1, 0, 0, 0.5])
    assert auc(scores, result) == pytest.approx(2.5 / 4)
    assert np.isnan(auc(scores[:2], result[:2]))


def test_a_prediction_comes_from_the_other_games() -> None:
    """In game 0 the higher score loses, in the others it wins: game 0 is predicted wrongly."""
    game = np.repeat(np.arange(5), 40)
    scores = np.tile([1.0, -1.0], 100)
    result = np.where(game == 0, scores < 0, scores > 0).astype(float)
    chances = predicted(scores, result, game)
    assert (losses(chances, result)[game == 0] > 1).all() and (losses(chances, result)[game > 1] < 0.5).all()


def test_the_gap_is_that_of_the_worst_tenth() -> None:
    chances, result = np.repeat([0.25, 0.75], 200), np.concatenate((np.zeros(200), np.ones(150), np.zeros(50)))
    assert largest_gap(chances, result) == pytest.approx(0.25)
    assert largest_gap(chances[:50], result[:50]) == 0.0


def test_positions_are_scored_for_the_team_to_move() -> None:
    """Whoever has more pieces wins more often, by each predictor that knows pieces."""
    values = measure(list(play_games(6, "1.2", "1.1", 1)), every=6)
    assert set(values.scores) == {COUNT, *evaluators()}
    assert set(values.result.tolist()) <= {0.0, 0.5, 1.0} and {0.0, 1.0} <= set(values.result.tolist())
    assert 0.1 < values.on_board.min() < values.on_board.max() <= 1.0
    assert all(auc(scores, values.result) > 0.6 for scores in values.scores.values())


def test_a_search_joins_the_predictors() -> None:
    values = measure(list(play_games(1, "1.2", "1.1", 1)), every=40, nodes=100)
    name = next(name for name in values.scores if name.startswith("search of "))
    assert name.endswith(", 100 nodes") and len(values.scores[name]) == len(values.result)


def test_the_report_has_a_line_for_each_predictor(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    score, game = rng.normal(0, 1000, 3000), np.arange(3000) % 10
    result = (rng.random(3000) < 1 / (1 + np.exp(-score / 500))).astype(float)
    report(SIGUO.variant, Values({"good": score, "none": rng.normal(0, 1000, 3000)}, result, game, np.full(3000, 0.9)))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0][:3] == ["siguo:", "10", "games,"]
    good, none = lines[2:]
    assert float(good[1]) < 0.5 and float(good[2]) > 0.85
    assert float(none[1]) == pytest.approx(np.log(2), abs=0.01)
    assert "none" in " ".join(good[3:])


def test_the_command_reads_records_of_the_referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = list(play_games(5, "1.2", "1.1", 1))
    assert main([str(write_record(tmp_path / "five.jsonl", games)), "--every", "10"]) == 0
    assert capsys.readouterr().out.startswith("siguo: 5 games, ")
    assert main([str(write_record(tmp_path / "four.jsonl", games[:4])), "--every", "10"]) == 2
    assert capsys.readouterr().err == "quality: siguo: too few decided games, at least 5 are needed\n"


@pytest.mark.parametrize("command", [quality, calibration, wdl], ids=lambda command: command.__name__)
def test_a_record_that_is_not_there_is_named(
    command: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "nothing.jsonl"
    assert command.main([str(record)]) == 2
    name = command.__name__.rpartition(".")[2]
    assert capsys.readouterr().err == f"{name}: record {record}: No such file or directory\n"


@pytest.mark.parametrize("command", [quality, calibration], ids=lambda command: command.__name__)
def test_a_record_with_a_wrong_move_is_named(
    command: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write_record(tmp_path / "games.jsonl", list(play_games(1, "1.2", "1.1", 1)))
    record.write_text(re.sub(r'"moves":\["[^"]*"', '"moves":["zz"', record.read_text()))
    assert command.main([str(record)]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and f": {record}: game 1: " in line and "zz" in line


def test_a_record_without_games_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "empty.jsonl"
    record.write_text("")
    assert calibration.main([str(record)]) == 2
    assert capsys.readouterr().err == "calibration: no samples: there are no games, or they are shorter than --every\n"


@pytest.mark.parametrize(
    "words",
    [
        [quality, "--nodes", "-1"],
        [calibration, "--pull", "nan"],
        [calibration, "--players", "2.0,1.1"],
        [elo, "--levels", "4,0"],
        [elo, "--variants", "chess"],
    ],
    ids=lambda words: " ".join(words[1:]),
)
def test_a_wrong_number_is_named(words: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    command, option, number = words
    with pytest.raises(SystemExit, match="2"):
        command.main(["games.jsonl", f"{option}={number}"])
    assert f"error: argument {option}: {number!r} is not " in capsys.readouterr().err
