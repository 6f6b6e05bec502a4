"""A short run of the soak; what it must notice."""

import pytest

from tests.referee_help import scripted
from tools.proof import soak


def test_a_short_soak(capsys: pytest.CaptureFixture[str]) -> None:
    """Every variant and visibility, and every player, in games of which the kernels check their bounds."""
    assert soak.main(["--games", "48", "--orders", "1200", "--seed", "2"]) == 0
    lines = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert lines["games"].startswith("48, ")
    assert int(lines["orders"].partition(",")[0]) >= 1200


def test_memory_that_grows_is_found_out() -> None:
    flat = soak.Found(memory_mb=[90.0, 100.0, *[101.0, 100.0] * 4])
    assert flat.growth < soak.GROWTH
    leaking = soak.Found(memory_mb=[100.0 + number for number in range(20)])
    assert leaking.growth > soak.GROWTH


def test_an_engine_at_fault_is_found_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(soak, "ENGINE", scripted("illegal_move"))
    assert soak.main(["--games", "8", "--orders", "0"]) == 1
    assert "seed 1, after 1 games and 0 orders: game ended by illegal-move" in capsys.readouterr().err


def test_an_engine_that_dies_of_an_order_is_found_out_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak, "ENGINE", scripted("dies_on_go"))
    assert soak.main(["--games", "0", "--orders", "100"]) == 1
    assert capsys.readouterr().err.startswith("seed 1, after 0 games and 0 orders: ")
