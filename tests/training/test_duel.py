"""Duels: the words of a side, what a duel prints, and what its result depends on."""

import json
from pathlib import Path

import pytest

from junqi_engine.evaluation.parameters import numbers_of, packaged_parameters
from junqi_engine.rules.board import BOARDS, LUZHANQI
from junqi_referee.playing.standings import SprtState
from junqi_referee.sprt import Sprt, SprtVerdict
from junqi_training.__main__ import main
from junqi_training.value.duel import Duel
from junqi_training.value.sides import evaluator_of

SMALL = ("--variant", "luzhanqi", "--nodes", "20", "--max-plies", "60")


def changed(side: str) -> dict[str, int]:
    """The numbers of a side that differ from the package."""
    packaged = numbers_of(packaged_parameters("luzhanqi"))
    numbers = numbers_of(evaluator_of(LUZHANQI, side).weights(LUZHANQI)["parameters"])
    return {name: number for name, number in numbers.items() if number != packaged[name]}


def test_words_change_single_numbers_arrays_and_multiples() -> None:
    packaged = numbers_of(packaged_parameters("luzhanqi"))
    assert changed("packaged") == {}
    assert changed("threat=123,seat_value*=2") == {"threat": 123, "seat_value": 2 * packaged["seat_value"]}
    assert changed("guard.k=1234") == {"guard.k": 1234}
    assert changed("approach=7") == {f"approach.{kind}": 7 for kind in "abcdefghijkl"}
    assert changed("threat=100,threat*=0.5") == {"threat": 50}


def test_file_of_parameters_is_read(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(numbers_of(packaged_parameters("luzhanqi")) | {"threat": 77}))
    assert changed(f"parameters={file}") == {"threat": 77}


@pytest.mark.parametrize("variant", BOARDS)
def test_side_without_a_network_has_none(variant: str) -> None:
    weights = evaluator_of(BOARDS[variant], "network=none").weights(BOARDS[variant])
    assert weights["network"]["rows"] == 0
    assert evaluator_of(BOARDS[variant], "packaged").weights(BOARDS[variant])["network"]["rows"] != 0


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("strong", "'strong': expected packaged, or words like threat=600"),
        ("", "'': expected packaged"),
        ("threats=1", "'threats=1': unknown parameter 'threats'; known: min_rank_value"),
        ("threat=", "'threat=': expected a number, not ''"),
        ("threat=nan", "expected a number, not 'nan'"),
        ("threat=99999", "parameter threat: expected a whole number from -8000 to 8000"),
        ("half_distance=0", "parameter half_distance: expected a whole number from 1 to 8000"),
        ("threat.a=1", "unknown parameter 'threat.a'"),
        ("network=no-such-file", "network=no-such-file: No such file or directory"),
        ("parameters=no-such-file", "parameters=no-such-file: No such file or directory"),
    ],
)
def test_wrong_side_is_refused_in_one_line(side: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", side, "packaged", *SMALL]) == 2
    refusal = capsys.readouterr().err
    assert message in refusal and refusal.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected a JSON object of parameters"),
        ("{", "Expecting property name"),
        ('{"threat": 1}', "parameter approach.a: missing"),
    ],
)
def test_damaged_file_of_parameters_is_refused(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.json"
    file.write_text(text)
    assert main(["duel", f"parameters={file}", "packaged", *SMALL]) == 2
    assert message in capsys.readouterr().err


def test_duel_counts_games_pairs_and_the_decision() -> None:
    duel = Duel(SprtState(Sprt(0, 100)))
    for results in [(1, 1), (1, -1), (0, 1), (-1, -1), (1, 0)]:
        duel.add(results)
    assert list(duel.lines())[:2] == [
        "5 pairs: 5 wins, 3 losses, 2 draws",
        "pairs with 0, 0.5, 1, 1.5 and 2 points: 1, 0, 1, 2, 1",
    ]
    assert not duel.is_decided
    for _ in range(100):
        duel.add((1, 1))
    assert duel.test is not None and duel.test.verdict == SprtVerdict.H1


@pytest.mark.long
def test_duel_of_equal_sides_is_even_with_any_number_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for workers in ("1", "2"):
        assert main(["duel", "threat=300", "packaged", *SMALL, "--pairs", "10", "--workers", workers]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].startswith("luzhanqi, 20 nodes, seed 1: threat=300 against packaged\n10 pairs: ")
    assert main(["duel", "packaged", "threat*=1", *SMALL, "--pairs", "10"]) == 0
    assert "points: 0, 0, 10, 0, 0\n" in capsys.readouterr().out


@pytest.mark.long
def test_duel_finds_a_side_that_loses(capsys: pytest.CaptureFixture[str]) -> None:
    test = ("--sprt", "elo0=0", "elo1=20", "--pairs", "400")
    foolish = "min_rank_value=0,max_rank_value=0,threat=0"
    assert main(["duel", "packaged", foolish, *SMALL[:2], "--nodes", "100", *test]) == 0
    assert "H1 accepted" in capsys.readouterr().out
