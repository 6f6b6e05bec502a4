"""`python -m junqi_training.dataset`: arrays as in the library, a datasheet, nothing of people."""

import json
from pathlib import Path

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.env import Observer
from junqi_engine.rules.board import BOARDS
from junqi_training.dataset import ARRAYS, main
from tests.helpers.library import random_game

pytestmark = pytest.mark.long


def record_of(path: Path, variant: str, seeds: range, **changes: object) -> list[junqi.Game]:
    """A record of random games to their end, with scores."""
    games = [random_game(variant, seed) for seed in seeds]
    lines = []
    for number, game in enumerate(games, 1):
        table = json.loads(game.record(number=number, names={team: f"engine {team}" for team in game.teams}))
        table["engines"] = {team: entry | {"command": "junqi-engine"} for team, entry in table["engines"].items()}
        table["scores"][:2] = ["cp -31", "mate 4"]
        lines.append(json.dumps(table | changes))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return games


def test_the_arrays_are_those_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = tmp_path / "games.jsonl", tmp_path / "positions.npz"
    games = record_of(record, "luzhanqi", range(2))
    assert main([str(record), "--out", str(out), "--every", "7"]) == 0
    assert "positions of 2 games" in capsys.readouterr().out
    arrays = np.load(out)
    assert set(arrays.files) == set(ARRAYS)
    assert arrays["ply"].tolist() == [ply for game in games for ply in range(0, game.ply(), 7)]
    observer, board = Observer("luzhanqi"), BOARDS["luzhanqi"]
    for row in range(0, len(arrays["ply"]), 5):
        game = games[arrays["game"][row]].copy()
        move = None
        while game.ply() > arrays["ply"][row]:
            move = game.pop()
        view = game.view(game.turn)
        seen, frame = observer.observe(view), observer.frame(arrays["seat"][row])
        assert arrays["observation"][row].tolist() == seen["observation"].tolist()
        assert arrays["counts"][row].tolist() == seen["counts"].tolist()
        assert np.unpackbits(arrays["mask"][row], count=3600).tolist() == seen["action_mask"].tolist()
        start, target = divmod(int(arrays["action"][row]), 60)
        assert move is not None
        assert board.names[frame.absolute[start]] + board.names[frame.absolute[target]] == move.bare
        for point, chances in zip(board.names, arrays["belief"][row][frame.relative], strict=True):
            believed = view.belief(point) if view.piece_at(point) else {}
            assert {"abcdefghijkl"[kind]: chances[kind] for kind in np.flatnonzero(chances)} == pytest.approx(
                {letter: chance for letter, chance in believed.items() if np.float16(chance)}, abs=1e-3
            )
        assert arrays["outcome"][row] == games[arrays["game"][row]].returns()[game.turn]
    assert arrays["score"][0] == -31 and arrays["mate"][0] == 0 and np.isnan(arrays["score"][1:-1]).any()
