"""Tuning by play: the command, and what its result depends on."""

from contextlib import suppress
from pathlib import Path

import pytest

from junqi_engine.evaluation.linear import read_linear
from junqi_engine.evaluation.parameters import numbers_of, packaged_parameters, read_parameters
from junqi_engine.rules.board import LUZHANQI
from junqi_training.__main__ import main

pytestmark = pytest.mark.long

SMALL = ("--variant", "luzhanqi", "--nodes", "20", "--max-plies", "70", "--batch", "2", "--pairs", "8")


def test_tuning_does_not_depend_on_number_of_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    linear = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.npz"
        assert main(["tune", "--out", str(out), "--workers", workers, *SMALL]) == 0
        assert "worth a" in capsys.readouterr().out
        linear.append(read_linear(LUZHANQI, out)["weights"])
    assert linear[0].any() and (linear[0] == linear[1]).all()


def test_start_and_fit_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "--out", str(tmp_path / "out.npz"), "--begin", "a", "--fitted", "b"]) == 2
    assert "--fitted and --begin exclude each other" in capsys.readouterr().err


def test_named_parameters_are_tuned_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, packaged = tmp_path / "tuned.json", numbers_of(packaged_parameters("luzhanqi"))
    chosen = ("--parameters", "max_rank_value:900", "guard")
    assert main(["tune", "--out", str(out), *SMALL[:4], "--batch", "2", "--pairs", "24", *chosen]) == 0
    printed = capsys.readouterr().out
    assert "max_rank_value" in printed and "guard.k" in printed and "approach" not in printed
    tuned = numbers_of(read_parameters(out))
    assert tuned["max_rank_value"] != packaged["max_rank_value"] and tuned["seat_value"] == packaged["seat_value"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--parameters", "threats"), "unknown parameter 'threats'"),
        (("--parameters", "threat:0"), "'0' is not a whole number from 1"),
        (("--parameters", "threat", "--fitted", "f"), "--fitted and --parameters exclude each other"),
    ],
)
def test_wrong_parameters_are_refused(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        assert main(["tune", "--out", str(tmp_path / "out.json"), *arguments]) == 2
    assert message in capsys.readouterr().err
