"""Fitting linear: positions of stored games, gradients, the fit, and the command."""

from pathlib import Path

import pytest

from junqi_engine.evaluation.linear import read_linear
from junqi_engine.evaluation.network import read_network
from junqi_engine.rules.board import LUZHANQI
from junqi_training.__main__ import main
from tests.helpers.selfplay import played_folder

pytestmark = pytest.mark.long


def test_command_fits_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = played_folder(tmp_path / "games", "luzhanqi", 20), tmp_path / "linear.npz"
    capsys.readouterr()
    assert main(["fit", str(folder), "--out", str(out), "--batch", "64", "--epochs", "2"]) == 0
    printed = capsys.readouterr().out
    assert "held-out loss: hand-written 0." in printed
    assert "epoch 2: 0." in printed
    assert read_linear(LUZHANQI, out)["weights"].any()
    for given, message in (([folder, "--batch", "100000"], "are too few for a batch of 100000"), (["none"], "none")):
        assert main(["fit", *map(str, given), "--out", str(out)]) == 2
        assert message in capsys.readouterr().err


def test_command_fits_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = played_folder(tmp_path / "games", "luzhanqi", 20), tmp_path / "network.npz"
    assert main(["network", str(folder), "--out", str(out), "--batch", "64", "--epochs", "2"]) == 0
    assert "epoch 2: 0." in capsys.readouterr().out
    assert read_network(LUZHANQI, out).record["rows"].any()
