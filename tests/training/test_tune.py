"""Tuning by play: the steps, what the numbers mean, pairs of games, and a run that is interrupted."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.evaluation.worths import WEIGHTS_FOLDER, feature_count, read_worths
from junqi_engine.rules.board import BOARDS, LUZHANQI, Board
from junqi_engine.rules.pieces import KINDS
from junqi_referee.exits import RefereeError
from junqi_training.selfplay.settings import own_revision
from junqi_training.value.tune import FITTED, Match, Trial, Tuning, Worths, main, play_pair, steps_of

pytestmark = pytest.mark.long

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
SMALL = ("--variant", "luzhanqi", "--nodes", "20", "--max-plies", "40", "--batch", "2")


def against(best: dict[str, float]):  # type: ignore[no-untyped-def]
    """Pairs that the side nearer to `best` wins more often."""

    def play(trials: list[Trial]) -> list[int]:
        found = []
        for trial in trials:
            far = [sum((side[name] - best[name]) ** 2 for name in best) for side in (trial.plus, trial.minus)]
            chance = 1 / (1 + np.exp((far[0] - far[1]) / 5000))
            rng = random.Random(trial.pair)
            found.append(sum(1 if rng.random() < chance else -1 for _ in range(2)))
        return found

    return play


def test_the_numbers_approach_the_best_ones() -> None:
    best = {"one": 120.0, "two": -60.0, "three": 0.0}
    tuning = Tuning(dict.fromkeys(best, 40.0), pairs=4000, batch=4, rate=0.02, seed=1)
    while not tuning.is_finished:
        tuning.advance(against(best))
    assert tuning.result() == pytest.approx(best, abs=25)


def test_a_run_that_was_interrupted_ends_like_one_that_was_not() -> None:
    best = {"one": 120.0, "two": -60.0}
    whole, broken = (Tuning(dict.fromkeys(best, 40.0), 60, 4, 0.02, 1) for _ in range(2))
    while not whole.is_finished:
        whole.advance(against(best))
        broken.advance(against(best))
        broken = Tuning.of_table(json.loads(json.dumps(broken.as_table())))
    assert broken == whole


@VARIANTS
def test_a_number_changes_what_its_name_says(board: Board) -> None:
    """The bomb's worth on every point; nothing else of its own seat, and nothing of the others."""
    numbers = dict.fromkeys(steps_of(board, has_fitted=False), 0.0) | {"worth k": 77.0}
    direct = Worths(board).direct(numbers).reshape(len(board.seats), KINDS, 3, len(board.points))
    assert (direct[0, 10] == 77).all()
    assert not direct[0, :10].any() and not direct[0, 11].any() and not direct[1:].any()


def test_fitted_worths_are_scaled() -> None:
    fitted = np.arange(feature_count(LUZHANQI), dtype=np.float32)
    numbers = dict.fromkeys(steps_of(LUZHANQI, has_fitted=True), 0.0) | {FITTED: 0.5}
    assert (Worths(LUZHANQI, fitted).direct(numbers) == np.rint(fitted / 2)).all()


def test_the_command_begins_with_given_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At a rate of nothing, what comes out is what went in."""
    given, out = WEIGHTS_FOLDER / "luzhanqi.npz", tmp_path / "weights.npz"
    words = [str(tmp_path / "state.json"), "--out", str(out), "--pairs", "2", "--rate", "0", *SMALL]
    assert main([*words, "--begin", str(given)]) == 0
    assert f"{FITTED:<20}    1.00" in capsys.readouterr().out
    before, after = (read_worths(LUZHANQI, path)["worth"] for path in (given, out))
    assert (before[: len(after)] == after).all() and not before[len(after) :].any()
    assert main([*words, "--fitted", str(given)]) == 2
    assert "is of a tuning with other options" in capsys.readouterr().err


def test_another_revision_is_refused() -> None:
    match = Match("luzhanqi", 20, 1, 60, b"", "another")
    with pytest.raises(RefereeError, match=r"a worker has revision .*, not another"):
        play_pair(match, Trial(0, {}, {}))


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


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ('{"tuning": {}}', "is not the state of a tuning"),
        ("other", "is of a tuning with other options"),
    ],
)
def test_a_foreign_state_is_refused_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], contents: str, message: str
) -> None:
    state, out = tmp_path / "state.json", tmp_path / "weights.npz"
    words = [str(state), "--out", str(out), "--pairs", "2", *SMALL]
    if contents == "other":
        assert main(words) == 0
        contents = state.read_text()
        words += ["--seed", "2"]
    state.write_text(contents)
    capsys.readouterr()
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert state.read_text() == contents
