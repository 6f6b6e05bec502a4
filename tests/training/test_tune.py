"""Tuning by play: the steps, what the numbers mean, pairs of games, and a run that is interrupted."""

import json
from pathlib import Path

import pytest

from junqi_engine.evaluation.worths import read_worths
from junqi_engine.rules.board import LUZHANQI
from junqi_training.selfplay.settings import own_revision
from junqi_training.value.tune import Match, Tuning, main, play_pair

pytestmark = pytest.mark.long

SMALL = ("--variant", "luzhanqi", "--nodes", "20", "--max-plies", "40", "--batch", "2")


def test_the_command_tunes_and_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, out = tmp_path / "state.json", tmp_path / "weights.npz"
    words = [str(state), "--out", str(out), "--pairs", "8", *SMALL]
    assert main(words) == 0
    assert "worth a" in capsys.readouterr().out
    worths = read_worths(LUZHANQI, out)
    # A state of five pairs, as an interruption leaves it, gives the same weights.
    table = json.loads(state.read_bytes())
    fresh = Tuning(table["tuning"]["steps"], 8, 2, 0.012, 1)
    match = Match("luzhanqi", 20, 1, 40, b"", own_revision())
    fresh.advance(lambda trials: [play_pair(match, trial) for trial in trials])
    state.write_text(json.dumps(table | {"tuning": fresh.as_table()}))
    out.unlink()
    assert main(words) == 0
    assert (read_worths(LUZHANQI, out)["worth"] == worths["worth"]).all()
