"""The decision of the sequential test as a bound of `regress`, and the settings files that use it."""

import json
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.playing.match import read_bounds
from junqi_referee.revisions import Revision
from junqi_referee.settings.readers import read_file
from junqi_referee.settings.settings import MatchSettings
from tests.helpers.referee import ROOT, scripted

# The sequential test as a bound


def test_a_regression_ends_when_its_test_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first engine wins, because the other dies on its first `go`."""
    path = tmp_path / "a.toml"
    engines = "".join(
        f"[[engine]]\nname = {name!r}\ncmd = {json.dumps(scripted(script))}\n"
        for name, script in (("sound", "script"), ("broken", "dies_on_go"))
    )
    bound = "engine = 'sound'\nagainst = 'broken'\nsprt = 'H1'"
    test = "sprt = { elo0 = 0, elo1 = 200 }"
    path.write_text(f"[match]\nrounds = 50\n{test}\n[each]\nnodes = 1\n{engines}[[bound]]\n{bound}")
    assert run(["regress", str(path), "--json"]) == ExitCode.DONE
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["pairs"] < 50
    assert {"nelo", "nelo_error"} <= found.keys()
    assert found["sprt"]["verdict"] == "H1"
    assert [bound["holds"] for bound in found["bounds"]] == [True]
    assert "holds  sound against broken: LLR " in captured.err
    assert "nElo inf" in captured.err
    assert "[0, 200] normalized: H1 accepted; it must end with H1\n" in captured.err
    assert captured.err.splitlines()[-1].startswith("FAULTS ")


# The settings files of the repository


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tools/junqi_referee/strength").glob("*.toml")), ids=lambda path: path.stem
)
def test_settings_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def find(text: str) -> Revision:
        texts.append(text)
        return Revision(f"{len(texts):040x}")

    monkeypatch.setattr("junqi_referee.settings.engine.find", find)
    tables = read_file(str(path))
    chosen = MatchSettings.read(tables, str(path))
    assert read_bounds(tables, [engine.name for engine in chosen.engines], str(path), chosen.test)
    assert f"junqi-referee regress {path.stem}" in path.read_text()
    assert texts == {"threads": ["HEAD", "HEAD"], "panel": ["HEAD"]}.get(path.stem, ["HEAD", "e598106"])
    assert chosen.rounds * (len(chosen.engines) - 1) >= 200
    assert all(
        (ROOT / engine.program.command[-1]).is_file() for engine in chosen.engines if not engine.program.revision
    )
