"""`python -m junqi_training.quiz`: questions of records, how hard they are, how many are kept, what is refused."""

import json
from collections import Counter
from pathlib import Path

import pytest

from junqi_board.quiz import LEVELS, THEMES, Question
from junqi_training.games import read_games
from junqi_training.quiz import chosen, level, main, of_game
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


def test_a_game_gives_at_most_one_question_of_a_theme(record: Path) -> None:
    themes: Counter[str] = Counter()
    for game in read_games([str(record)]):
        found = of_game(game, 1)
        assert len({one.theme for one in found}) == len(found)
        assert all(one.answer in one.choices and one.level in LEVELS for one in found)
        assert found == of_game(game, 1)
        themes.update(one.theme for one in found)
    assert themes["win"]


def test_the_command_prints_what_the_board_reads(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(record), "--of-a-theme", "1"]) == 0
    printed = capsys.readouterr()
    found = [Question(**entry) for entry in json.loads(printed.out)]
    assert found and all(one.answer and one.level in LEVELS for one in found)
    assert len({one.theme for one in found}) == len(found)
    assert [line.partition(":")[0] for line in printed.err.splitlines()] == list(THEMES)


def test_variants_and_levels_are_kept_by_turns() -> None:
    given = [Question("win", "siguo", f"{number}", "easy") for number in range(5)]
    given += [Question("win", "luzhanqi", "a", "hard"), Question("save", "siguo", "b", "easy")]
    kept = Counter((one.theme, one.variant, one.level) for one in chosen(given, 3))
    assert kept == {("win", "siguo", "easy"): 2, ("win", "luzhanqi", "hard"): 1, ("save", "siguo", "easy"): 1}


@pytest.mark.parametrize(
    ("solved", "expected"), [(7, "easy"), (5, "easy"), (4, "medium"), (2, "medium"), (1, "hard"), (0, "hard")]
)
def test_how_hard_it_is_by_the_levels_that_solve_it(solved: int, expected: str) -> None:
    assert level(Question("win", "siguo", ""), solved) == expected


@pytest.mark.parametrize(
    ("masks", "expected"),
    [("b12:l,d12:abc", "medium"), ("a12:abc", "hard")],
)
def test_how_hard_a_flag_is_to_find(masks: str, expected: str) -> None:
    fen = f"N?N?N?N?N?/5/5/5/5/5/5/5/5/5/2Sd2/1Sl3 S SN S 0 60 {masks}"
    assert level(Question("flag", "luzhanqi", fen, chances={"b12": 0.95, "d12": 0.05}), 0) == expected


def test_a_flag_is_easy_to_find_beside_an_empty_headquarters() -> None:
    empty = "/".join(["17"] * 6)
    fen = f"7NlNd8/{empty}/W?15E?/1W?13E?1/16E?/{empty}/7SlSd8 S SENW SN 0 60 a10:l"
    assert level(Question("flag", "siguo", fen, chances={"a10": 1.0, "q10": 0.5, "q8": 0.5}), 0) == "easy"


def test_a_file_that_is_no_record_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text("nothing\n", encoding="utf-8")
    assert main([str(path)]) != 0
    printed = capsys.readouterr()
    assert printed.out == "" and len(printed.err.splitlines()) == 1 and "no.jsonl" in printed.err
