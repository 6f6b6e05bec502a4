"""A short run of the soak; the faults that it must notice."""

import pytest

from tests.referee_help import scripted
from tools.proof.soak import __main__ as command
from tools.proof.soak.findings import Findings
from tools.proof.soak.orders import MOST_GROWTH


@pytest.mark.long
def test_a_short_soak(capsys: pytest.CaptureFixture[str]) -> None:
    """Every variant and visibility, and every player, in games whose kernels check their bounds."""
    assert command.main(["--games", "24", "--orders", "600", "--seed", "2"]) == 0
    lines = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert lines["games"].startswith("24, ")
    assert int(lines["orders"].partition(",")[0]) >= 600


def test_growing_memory_is_noticed() -> None:
    flat = Findings(memory_mb=[90.0, 100.0, *[101.0, 100.0] * 4])
    assert flat.growth < MOST_GROWTH
    leaking = Findings(memory_mb=[100.0 + number for number in range(20)])
    assert leaking.growth > MOST_GROWTH


def test_an_engine_at_fault_is_noticed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "ENGINE", scripted("illegal_move"))
    assert command.main(["--games", "8", "--orders", "0"]) == 1
    assert "seed 1, after 1 games and 0 orders: game ended by illegal-move" in capsys.readouterr().err


def test_an_engine_that_dies_of_an_order_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ENGINE", scripted("dies_on_go"))
    assert command.main(["--games", "0", "--orders", "100"]) == 1
    assert capsys.readouterr().err.startswith("seed 1, after 0 games and 0 orders: ")
