"""`junqi-referee benchmark`: what it measures, on games of known strength, and how it plays, continues and refuses."""

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from junqi_referee.benchmark.measures import Row, calibration, exploitability, rating
from junqi_referee.cli import run
from junqi_referee.sprt import score_of_elo

pytestmark = pytest.mark.long

BOT = """
def lowest(view):
    return view.legal_moves[0]

class Sure:
    def move(self, view):
        return view.legal_moves[-1]
    def belief(self, view):
        return {point: {view.possible(point)[0]: 1.0} for point in view.piece_map() if len(view.possible(point)) > 1}

def cheats(view):
    return "a1a2" if view.ply() > 5 else view.legal_moves[0]
"""


def pairs_of(points: list[float], luck: list[tuple[float, float]] | None = None) -> list[tuple[Row, Row]]:
    games = [
        {"points": each, "fault": False, "attack_luck": luck[at] if luck else (0.0, 0.0)}
        for at, each in enumerate(points)
    ]
    return list(zip(games[::2], games[1::2], strict=True))


def test_the_rating_is_that_of_the_games() -> None:
    rng = random.Random(1)
    scores = {
        anchor: [float(rng.random() < score_of_elo(1100 - anchor)) for _ in range(4000)] for anchor in (900.0, 1200.0)
    }
    found = rating(scores)
    assert found["elo"] == pytest.approx(1100, abs=2 * found["error"]) and 5 < found["error"] < 12
    assert rating({1000.0: [1.0, 1.0]}) == rating({}) == {"elo": None, "error": None}


def test_three_pairs_prove_little() -> None:
    found = exploitability({"strong": pairs_of([0.0] * 12)})
    assert found is not None and (found["gain"], found["at_least"]) == (0.5, 0.0)
    assert rating({1000.0: [0.5] * 3}) == {"elo": 1000.0, "error": None}
    few, many = (rating({1000.0: [0.25, 0.5, 0.75] * count})["error"] for count in (1, 100))
    assert few > 2.5 * 10 * many


def test_calibration_counts_what_came_true() -> None:
    row: Row = {"belief": [(0.25, True), (0.75, False), (1.0, True)]}
    found = calibration([row])
    assert found is not None and found["pieces"] == 2
    assert found["log_loss"] == pytest.approx(math.log(4) / 2, abs=1e-4)
    assert [(tenth["told"], tenth["came_true"]) for tenth in found["tenths"]] == [(0.25, 1), (0.75, 0), (1, 1)]
    assert calibration([{"belief": []}]) is None


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of players."""
    (tmp_path / "bots.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "bots", raising=False)
    return tmp_path


def benchmark(*words: str) -> int:
    """The quickest benchmark, against 1.0 alone."""
    return run(["benchmark", "report", "--against", "1.0", "--nodes", "100", *words])


def report() -> dict[str, Any]:
    return json.loads(Path("report/report.json").read_text())


def test_a_function_of_python_from_games_to_report(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--python", "bots:Sure", "--pairs")
    assert benchmark(*words, "1") == 0
    assert report()["against"]["1.0"]["games"] == 2 and report()["subject"] == "bots:Sure"
    assert report()["belief"]["tenths"][-1]["told"] == 1
    # The same command plays nothing; more pairs continue; a line that was not finished is played again.
    games = Path("report/games.jsonl")
    before = games.read_text()
    assert benchmark(*words, "1") == 0 and games.read_text() == before
    games.write_text(before[:-9])
    assert benchmark(*words, "2") == 0 and len(games.read_text().splitlines()) == 4
    assert report()["against"]["1.0"]["games"] == 4
    assert "against 1.0  4 games" in capsys.readouterr().out
    assert benchmark("--python", "bots:lowest", "--pairs", "2") == 2
    assert "differ from these settings" in capsys.readouterr().err


def test_a_player_that_fails_loses_the_game_by_it(bots: Path) -> None:
    assert benchmark("--python", "bots:cheats", "--pairs", "1") == 0
    assert (report()["against"]["1.0"]["score"], report()["against"]["1.0"]["faults"]) == (0, 2)


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--player", "9.9"), 2, "'9.9' is not one of"),
        (("--python", "no_such:bot"), 2, "No module named 'no_such'"),
        (("--python", "bots:nobody"), 2, "nobody"),
        (("--player", "1.0", "--pairs", "0"), 2, "'0' is not a whole number"),
        (("--player", "1.0", "--python", "bots:lowest"), 2, "not allowed with"),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], code: int, text: str, bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmark(*words) == code
    assert text in capsys.readouterr().err
