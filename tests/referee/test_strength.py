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
from tests.helpers.referee import ROOT, refused, scripted

# The sequential test as a bound


def regress_file(path: Path, bound: str, test: str = "sprt = { elo0 = 0, elo1 = 200 }") -> str:
    """A match that the first engine wins, because the other dies on its first `go`."""
    engines = "".join(
        f"[[engine]]\nname = {name!r}\ncmd = {json.dumps(scripted(script))}\n"
        for name, script in (("sound", "script"), ("broken", "dies_on_go"))
    )
    path.write_text(f"[match]\nrounds = 50\n{test}\n[each]\nst = 5\n{engines}[[bound]]\n{bound}")
    return str(path)


def test_a_regression_ends_when_its_test_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = regress_file(tmp_path / "a.toml", "engine = 'sound'\nagainst = 'broken'\nsprt = 'H1'")
    assert run(["regress", path, "--json"]) == ExitCode.DONE
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


@pytest.mark.parametrize(
    ("engines", "bound", "test", "text"),
    [
        (("sound", "broken"), "H1", "", "sprt needs a sequential test; set sprt or difference in [match]"),
        (
            ("sound", "broken"),
            "yes",
            "sprt = { elo0 = 0, elo1 = 5 }",
            "sprt='yes' is not one of H0, H1, undecided, nor a list of these",
        ),
        (
            ("broken", "sound"),
            "H0",
            "sprt = { elo0 = 0, elo1 = 5 }",
            "the test is of 'sound' against 'broken', not of 'broken'",
        ),
    ],
)
def test_bad_bounds_on_the_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], engines: tuple[str, str], bound: str, test: str, text: str
) -> None:
    one, other = engines
    path = regress_file(tmp_path / "a.toml", f"engine = '{one}'\nagainst = '{other}'\nsprt = '{bound}'", test)
    assert refused(capsys, "regress", path) == f"junqi-referee: {path}, bound 1: {text}"


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
