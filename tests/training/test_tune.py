"""Tuning by play: the command, and what its result depends on."""

from pathlib import Path

import pytest

from junqi_engine.evaluation.linear import read_linear
from junqi_engine.rules.board import LUZHANQI
from junqi_training.__main__ import main

pytestmark = pytest.mark.long

SMALL = ("--variant", "luzhanqi", "--nodes", "20", "--max-plies", "40", "--batch", "2", "--pairs", "8")


def test_the_command_tunes_alike_with_any_number_of_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    linear = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.npz"
        assert main(["tune", "--out", str(out), "--workers", workers, *SMALL]) == 0
        assert "worth a" in capsys.readouterr().out
        linear.append(read_linear(LUZHANQI, out)["weights"])
    assert linear[0].any() and (linear[0] == linear[1]).all()


def test_a_beginning_and_a_fit_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "--out", str(tmp_path / "out.npz"), "--begin", "a", "--fitted", "b"]) == 2
    assert "--fitted and --begin exclude each other" in capsys.readouterr().err
