"""`python -m junqi_training problems`: problems of records, how hard they are, how many are kept, what is refused."""

import json
from pathlib import Path

import pytest

from junqi_board.problems import LEVELS, THEMES, Problem
from junqi_training.__main__ import main
from tests.helpers.library import random_game


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Random games, in which much can be attacked."""
    path = tmp_path / "games.jsonl"
    games = [random_game("luzhanqi", seed) for seed in range(3)]
    lines = [
        game.record(number=number, names={team: f"engine {team}" for team in game.teams})
        for number, game in enumerate(games, 1)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_command_prints_problems_of_the_board(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", str(record), "--of-a-theme", "1"]) == 0
    printed = capsys.readouterr()
    found = [Problem(**entry) for entry in json.loads(printed.out)]
    assert found and all(one.answer and one.level in LEVELS for one in found)
    assert len({one.theme for one in found}) == len(found)
    assert [line.partition(":")[0] for line in printed.err.splitlines()] == list(THEMES)
