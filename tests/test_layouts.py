"""All layouts of classic Klotski: the enumeration, components and distances, the command and its folder."""

import json
from collections import Counter, defaultdict
from itertools import islice

import numpy as np
import pytest

from puzzles import klotski
from puzzles.klotski import Metric
from tests.marking import long_after
from tests.references.slow_layouts import SlowLayouts
from tools.proof.layouts import __main__ as command
from tools.proof.layouts import progress
from tools.proof.layouts.enumeration import CLASSIC_LAYOUTS, Layouts, Pieces, all_pieces
from tools.proof.layouts.folder import Folder
from tools.proof.layouts.survey import UNREACHABLE, survey

FEW = [Pieces(0, 0, 0), Pieces(4, 1, 0), Pieces(0, 0, 1), Pieces(5, 1, 2)]


def test_number_of_layouts():
    assert sum(len(Layouts(pieces)) for pieces in all_pieces()) == CLASSIC_LAYOUTS == 29_334_498


@pytest.mark.parametrize("pieces", [Pieces(4, 1, 4), Pieces(0, 0, 14), Pieces(1, 0, 1), Pieces(0, 7, 0)], ids=str)
def test_every_layout_is_made_once(pieces):
    layouts = Layouts(pieces)
    keys = layouts.keys()
    assert len(keys) == len(np.unique(keys)) == len(layouts)
    for key in islice(keys, 0, None, 997):
        shapes = Counter(len(cells) for cells in layouts.tables.pieces(key).values())
        assert shapes == +Counter({4: 1, 2: pieces.vertical + pieces.horizontal}) + +Counter({1: pieces.single})
        cells = [cell for cells in layouts.tables.pieces(key).values() for cell in cells]
        assert len(cells) == len(set(cells)) <= 18


@pytest.mark.parametrize(("width", "height"), long_after(3, [(2, 4), (3, 3), (4, 3), (3, 4)]))
def test_small_boards_agree_with_the_slow_twin(width, height):
    slow = SlowLayouts(width, height)
    by_pieces = defaultdict(set)
    for layout in slow.all():
        kinds = Counter(kind for kind, _, _ in layout)
        by_pieces[Pieces(kinds["V"], kinds["H"], kinds["S"])].add(layout)
    for pieces in all_pieces(width, height):
        check_against(slow, pieces, by_pieces.pop(pieces, set()))
    assert not by_pieces


def check_against(slow, pieces, layouts):
    found = survey(pieces, slow.width, slow.height)
    components = slow.components(layouts)
    solvable = [component for component in components if any(slow.goal in layout for layout in component)]
    summary = found.summary
    assert summary.layouts == len(layouts)
    assert (summary.components, summary.solvable_components) == (len(components), len(solvable))
    assert summary.solvable == sum(map(len, solvable))
    assert sorted(Counter(found.component.tolist()).values()) == sorted(map(len, components))
    assert all(number < len(solvable) for number in found.component[found.distance["move"] != UNREACHABLE])
    for metric in Metric:
        expected = slow.distances(layouts, metric.value)
        known = found.distance[metric.value]
        assert Counter(known[known != UNREACHABLE].tolist()) == Counter(expected.values())
        if expected:
            assert summary.hardest[metric.value].steps == max(expected.values())
            assert summary.hardest[metric.value].layouts == Counter(expected.values())[max(expected.values())]
        else:
            assert not summary.hardest


def test_the_hardest_layouts_take_as_many_steps_as_said():
    summary = survey(Pieces(4, 1, 4)).summary
    assert (summary.layouts, summary.components, summary.solvable) == (65_880, 898, 53_954)
    for metric in Metric:
        hardest = summary.hardest[metric.value]
        assert klotski.solve(klotski.from_code(hardest.code), metric).steps == hardest.steps
    assert {name: hardest.steps for name, hardest in summary.hardest.items()} == {"move": 93, "line": 101, "unit": 126}


@pytest.fixture
def few(monkeypatch):
    """The command, with a few sets of pieces in place of all."""
    monkeypatch.setattr(progress, "all_pieces", lambda: iter(FEW))
    return command.main


def contents(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_a_run_continues_where_another_ended(few, tmp_path, capsys):
    folder = tmp_path / "made" / "here"
    assert few([str(folder), "--workers", "1", "--table"]) == 0
    first = capsys.readouterr()
    assert "4 sets of pieces" in first.out and "4 of 4" in first.err
    assert "| 4 | 1 | 0 |" in first.out
    before = contents(folder)
    assert set(before) == {"manifest.json", *(f"{pieces}.npz" for pieces in FEW)}
    (folder / f"{FEW[1]}.npz").unlink()
    assert few([str(folder), "--workers", "1", "--table"]) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert "1 of 1" in second.err
    after = contents(folder)
    assert after.keys() == before.keys()
    assert all(after[name] == before[name] for name in before if name != f"{FEW[1]}.npz")


def test_files_hold_every_distance(few, tmp_path):
    assert few([str(tmp_path / "new"), "--workers", "1"]) == 0
    for pieces in FEW:
        expected = survey(pieces)
        with np.load(tmp_path / "new" / f"{pieces}.npz") as arrays:
            assert (arrays["component"] == expected.component).all()
            for name, distance in expected.distance.items():
                assert (arrays[f"distance_{name}"] == distance).all()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.txt", "mine", "is not empty and has no manifest.json"),
        ("manifest.json", "{}", "is not of this command"),
        ("manifest.json", "\xff", "is not of this command"),
    ],
)
def test_a_foreign_folder_is_refused(few, tmp_path, capsys, name, text, message):
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    before = contents(tmp_path)
    assert few([str(tmp_path)]) == 4
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert contents(tmp_path) == before


def test_a_file_in_place_of_the_folder_is_refused(few, tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("mine")
    assert few([str(file)]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert file.read_text() == "mine"


@pytest.mark.parametrize("damage", [b"", b"not a file of ours", "half", "other"])
def test_a_damaged_file_is_refused(few, tmp_path, capsys, damage):
    assert few([str(tmp_path), "--workers", "1"]) == 0
    path = tmp_path / f"{FEW[1]}.npz"
    whole = path.read_bytes()
    other = (tmp_path / f"{FEW[0]}.npz").read_bytes()
    path.write_bytes({"half": whole[: len(whole) // 2], "other": other}.get(damage, damage))
    before = contents(tmp_path)
    capsys.readouterr()
    assert few([str(tmp_path)]) == 4
    error = capsys.readouterr().err
    assert str(path) in error and error.count("\n") == 1
    assert contents(tmp_path) == before


def test_two_runs_do_not_share_a_folder(few, tmp_path, capsys):
    with Folder(tmp_path).alone():
        assert few([str(tmp_path)]) == 4
    assert "another run" in capsys.readouterr().err
    assert json.loads((tmp_path / "manifest.json").read_text())["layouts"] == CLASSIC_LAYOUTS


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "FOLDER"),
        (["x", "--workers", "0"], "'0' is not a number from 1 to 1024"),
        (["x", "--workers", "two"], "'two' is not a number from 1 to 1024"),
        (["x", "--workers", "1", "--scheduler", "tcp://127.0.0.1:9"], "not allowed with"),
    ],
)
def test_bad_arguments(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # the warnings of dask and distributed
def test_on_a_cluster_the_files_are_the_same(few, scheduler, tmp_path):
    address, _ = scheduler
    assert few([str(tmp_path / "there"), "--scheduler", address]) == 0
    assert few([str(tmp_path / "here"), "--workers", "1"]) == 0
    for pieces in FEW:
        name = f"{pieces}.npz"
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there(few, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tools.proof.layouts.running.CONNECT_S", 0.5)
    assert few([str(tmp_path), "--scheduler", "tcp://127.0.0.1:9"]) == 4
    assert "scheduler tcp://127.0.0.1:9: " in capsys.readouterr().err
