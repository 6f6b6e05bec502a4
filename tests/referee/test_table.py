"""`--table`: the crosstable of a tournament as CSV and as HTML."""

import csv
import os
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.playing.standings import Standings, as_csv, as_html, cross_rows
from tests.helpers.referee import scripted

NAMES = ("plain", 'Tom, "the <b>fast</b>"', "三号")


def tournament(*words: str) -> list[str]:
    command = f"cmd={' '.join(scripted('script'))}"
    engines = [word for name in ("one", "two", "three") for word in ("--engine", f"name={name}", command)]
    return ["tournament", *engines, "--each", "st=1", "--rounds", "1", "--max-plies", "4", "--seed", "1", *words]


def test_names_stay_in_their_cells() -> None:
    standings = Standings(NAMES, [(0, 1), (0, 2), (1, 2)])
    rows = cross_rows(standings)
    assert list(csv.reader(as_csv(standings).splitlines())) == rows
    page = as_html(standings)
    assert "<b>" not in page and "Tom, &quot;the &lt;b&gt;fast&lt;/b&gt;&quot;" in page and "三号" in page
    assert page.count("<tr>") == len(rows) and page.count("<td>") == 3 * len(rows[0])


@pytest.mark.parametrize("ending", [".csv", ".html"])
def test_a_tournament_writes_its_table(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, record = tmp_path / f"table{ending}", tmp_path / "games.jsonl"
    assert run(tournament("--table", str(table), "--record", str(record))) == 0
    text = table.read_text(encoding="utf-8")
    printed = capsys.readouterr().out.splitlines()
    assert all(name in text and name in printed[0] for name in ("engine", "points", "one", "two", "three"))
    assert run(tournament("--table", str(table), "--record", str(record))) != 0
    assert f"--table {table} exists; only --resume replaces it" in capsys.readouterr().err
    table.write_text("old", encoding="utf-8")
    assert run(tournament("--table", str(table), "--record", str(record), "--resume")) == 0
    assert table.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("kind", ["no folder", "link", "folder", "pipe"])
def test_a_table_that_cannot_be_written_is_refused_before_the_games(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, record = tmp_path / "table.html", tmp_path / "games.jsonl"
    match kind:
        case "no folder":
            table = tmp_path / "none" / "table.html"
        case "link":
            table.symlink_to(tmp_path / "elsewhere")
        case "folder":
            table.mkdir()
        case "pipe":
            os.mkfifo(table)
    assert run(tournament("--table", str(table), "--record", str(record), "--resume")) == ExitCode.USAGE
    assert f"--table {table}" in capsys.readouterr().err
    assert not record.exists() and not (tmp_path / "elsewhere").exists()
