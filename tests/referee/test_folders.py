"""`regress FOLDER`: settings that live outside of the project, with engines beside them, one after the other."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import read_record
from tests.helpers.referee import ENGINES, refused, scripted

SOUND = shlex.join(scripted("script"))


def strangers(folder: Path, **scores: float) -> str:
    """A file for each name, in which its stranger must not score more; the stranger's program is in a folder below."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(ENGINES / "script.py", folder / "bin" / "stranger.py")
    for name, score in scores.items():
        (folder / f"{name}.toml").write_text(f"""
[match]
max_plies = 4
[each]
st = 5
[[engine]]
name = "{name}"
cmd = "{shlex.join(scripted("script")[:2])} stranger.py"
dir = "bin"
[[engine]]
name = "new"
cmd = "{SOUND}"
dir = "."
[[bound]]
engine = "{name}"
against = "new"
score_max = {score}
""")
    return str(folder)


def test_every_file_is_played_and_has_a_record_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative folders of engines are those beside the file, wherever the command is given."""
    monkeypatch.chdir("/")
    folder, records = strangers(tmp_path / "strangers", b=0.5, a=0.6), tmp_path / "new" / "records"
    assert run(["regress", folder, "--record", str(records)]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in ("a:", "b:")] == ["a:", "b:"]
    assert [line for line in lines if line.startswith("holds")] == [
        "holds  a against new: score 0.5000, at most 0.6",
        "holds  b against new: score 0.5000, at most 0.5",
    ]
    assert sorted(path.name for path in records.iterdir()) == ["a.jsonl", "b.jsonl"]
    (records / "b.jsonl").unlink()
    assert run(["regress", folder, "--record", str(records), "--resume"]) == ExitCode.DONE
    assert [len(read_record(str(records / name))) for name in ("a.jsonl", "b.jsonl")] == [2, 2]


def test_one_that_fails_or_does_not_start_does_not_keep_the_others_from_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = strangers(tmp_path, a=0.4, b=1, c=1)
    text = (tmp_path / "b.toml").read_text()
    (tmp_path / "b.toml").write_text(text.replace("stranger.py", "nobody.py"))
    assert run(["regress", folder, "--json"]) == ExitCode.NO_START
    captured = capsys.readouterr()
    found = [json.loads(line) for line in captured.out.splitlines()]
    assert [(each["file"], each["bounds"][0]["holds"]) for each in found] == [("a", False), ("c", True)]
    assert captured.err.splitlines()[-1].startswith("junqi-referee: b: engine b: no uciok: the process ended with")
    (tmp_path / "b.toml").unlink()
    assert run(["regress", folder]) == ExitCode.FAILED


def test_what_is_refused_before_anything_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert refused(capsys, "regress", str(tmp_path / "empty")).endswith("empty: there is no .toml file in it")
    folder = strangers(tmp_path / "strangers", a=1, b=1)
    assert refused(capsys, "regress", folder, "--table", "x.csv").endswith("--table is of one file, not of a folder")
    record = tmp_path / "file"
    record.write_text("mine")
    assert f"--record {record}: File exists" in refused(capsys, "regress", folder, "--record", str(record))
    (tmp_path / "strangers" / "b.toml").write_text("[match]\nronds = 3\n")
    assert "b.toml, match: unknown key 'ronds'" in refused(
        capsys, "regress", folder, "--record", str(tmp_path / "records")
    )
    assert not (tmp_path / "records").exists() and record.read_text() == "mine"
    for wrong in ("engine = 3", "each = 3", "[[engine]]\ndir = 3", "[each]\ndir = ''"):
        (tmp_path / "strangers" / "b.toml").write_text(wrong)
        assert "strangers/b.toml" in refused(capsys, "regress", folder)
