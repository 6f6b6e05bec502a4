"""Settings: what is wrong is rejected with one line and the right exit code; files, bounds, folders of files."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from junqi_engine.client.line_process import own_command
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.playing.match import read_bounds
from junqi_referee.records.game_record import read_record
from junqi_referee.revisions import Revision
from junqi_referee.settings.readers import read_file
from junqi_referee.settings.settings import MatchSettings
from tests.helpers.referee import ENGINES, ROOT, refused, scripted, settings

SCRIPT = " ".join(scripted("script"))
GOOD = f"""
[match]
rounds = 1
max_plies = 8
[each]
cmd = "{SCRIPT}"
nodes = 1
[[engine]]
name = "one"
[[engine]]
name = "other"
"""


TWO = "match --engine name=a --engine name=b --each cmd=x st=1"
LUZHANQI = f"{TWO} --variant luzhanqi"


def bound(engine: str, against: str, sprt: str, test: str = "sprt = { elo0 = 0, elo1 = 5 }") -> str:
    """`GOOD` with a sequential test and a bound on it."""
    table = f"[[bound]]\nengine = '{engine}'\nagainst = '{against}'\nsprt = '{sprt}'\n"
    return GOOD.replace("[each]", f"{test}\n[each]") + table


FEN = "1Nl3/Sc1Nh2/5/5/5/5/Na4/Sa4/5/5/5/3Sl1 S SN * 0 0"
WANTED = "expected startpos lineup with one of each seat S, N, or a FEN"
REFUSED = [
    ("match {file}", "[match", "invalid TOML"),
    ("match {file}", "[match]\nronds = 3", "match: unknown key 'ronds'"),
    ("match {file}", "[mach]\nrounds = 3", "unknown key 'mach'"),
    ("match {file}", "match = 3", "match must be a table"),
    ("match {file}", "[match]\nrounds = 1.5", "match: rounds=1.5"),
    ("match {file}", "[match]\nseed = true", "match: seed=True"),
    ("match {file}", "[match]\nvariant = 'chess'", "variant=chess is not one of"),
    ("match {file}", "[match]\nvisibility = 'bright'", "visibility=bright is not one of partner, dark, open"),
    ("match {file}", "[match]\nlineups = 'random'\nbook = 'x'", "exclude each other"),
    ("match {file}", "[match]\nsprt = {elo0 = 3, elo1 = 1}", "elo0"),
    ("match {file}", "[match]\nsprt = {elo0 = 3}", "match, sprt: elo1 is missing"),
    ("match {file}", "engine = 3", "[[engine]]"),
    ("match {file}", "[[engine]]\ncmd = 'x'\nst = 1", "two engines, there are 1"),
    ("match {file}", "[[engine]]\nname = 'x'\nst = 1", "engine 1: cmd is missing"),
    ("match {file}", "[[engine]]\ncmd = 'x'", "engine 1: no limit"),
    ("match {file}", "[[engine]]\ncmd = 'x'\nspeed = 1", "engine 1: unknown key 'speed'"),
    ("match {file}", "[[engine]]\ncmd = 'x'\nst = 1\ntc = '1+1'", "engine 1: tc and st exclude each other"),
    ("match {file}", "[[engine]]\ncmd = '\"x'\nst = 1", "No closing quotation"),
    ("match {file}", "[each]\nst = 1\n[[engine]]\ncmd = 'x'\n[[engine]]\ncmd = 'x'", "two engines are called 'x'"),
    # The command line
    ("", "", "required: COMMAND"),
    ("dance", "", "invalid choice"),
    ("match", "", "two engines"),
    ("match --rounds 1_0", "", "rounds=1_0 must be a whole number"),
    ("match --rounds ١٠", "", "rounds=١٠ must be a whole number"),
    ("match --sprt elo0=1_0 elo1=٢", "", "elo0=1_0 is not a number"),
    ("replay x.jsonl 1_0", "", "'1_0' is not a whole number"),
    ("match --engine cmd", "", "'cmd' must have the form key=value"),
    ("match --engine cmd=a cmd=b", "", "--engine 1: cmd is given twice"),
    ("match --engine speed=3", "", "--engine 1: unknown key 'speed'"),
    ("match --resume", "", "--resume needs --record"),
    ("tournament --format swiss", "", "match: format=swiss is not one of round-robin, gauntlet"),
    ("check st=1", "", "cmd is missing"),
    ("replay /no/such/record", "", "No such file"),
    # Line-ups
    (f"{TWO} --book {{file}}", "cbfahdehgegidcfkjkijgjhli\nlbfahdehgegidcfkjkijgjhci ; bad", "line 2"),
    (f"{TWO} --book {{file}}", "# nothing\n\n", "there is no line-up"),
    (f"{TWO} --book {{file}}", "abc", "line 1: a line-up has 25 letters"),
    (f"{TWO} --book /no/such/book", "", "No such file"),
    # Openings
    (f"{LUZHANQI} --openings {{file}}", "startpos moves g6g7", f"line 1: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "# bad\nfen", f"line 2: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "startpos lineup S:x S:y", f"line 1: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "# none\n\n", "there is no position in it"),
    (f"{LUZHANQI} --openings {{file}}", f"{FEN} moves a5a9", "line 1: 'a5a9' is not legal"),
    (f"{LUZHANQI} --openings {{file}}", "5/5 S SN * 0 0", "line 1: field board: 2 ranks, expected 12"),
    (
        f"{LUZHANQI} --openings {{file}}", "1Nl3/1Sc3/5/5/5/5/5/5/5/5/5/3Sl1 S SN * 0 0 moves b11b12",
        "line 1: the game is over",
    ),
    (f"{LUZHANQI} --openings {{file}}", "1N?3/5/5/5/5/5/5/5/5/5/2Sa2/1Sl3 S SN S 0 80", "line 1: "),
    (f"{LUZHANQI} --openings x --book x", "", "openings and book exclude each other"),
    # Bounds
    ("regress {file}", bound("one", "other", "H1", ""), "bound 1: sprt needs a sequential test"),
    ("regress {file}", bound("one", "other", "yes"), "bound 1: sprt='yes' is not one of H0, H1, undecided, nor a list"),
    ("regress {file}", bound("other", "one", "H0"), "the test is of 'one' against 'other', not of 'other'"),
    # Pondering
    (f"{TWO} ponder=true --visibility dark", "", "a cannot ponder in dark siguo"),
    (f"{TWO} ponder=maybe", "", "ponder=maybe is not one of true, false"),
]  # fmt: skip
"""What is typed, what is in `{file}`, and what is said."""


@pytest.mark.parametrize(("words", "text", "named"), REFUSED)
def test_wrong_settings_are_named(tmp_path, capsys, words, text, named):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    line = refused(capsys, *words.format(file=path).split())
    assert named in line
    assert ("{file}" in words) == (str(path) in line)


def test_option_that_an_engine_refuses(capsys):
    words = ["match", "--engine", "name=a", "option.Playr=1.2", "--engine", "name=b", "--rounds", "1"]
    assert run([*words, "--each", "nodes=1", f"cmd={shlex.join(own_command())}"]) == ExitCode.USAGE
    assert "engine a: no-such-option 'playr' (the match is --variant siguo)" in capsys.readouterr().err.lower()


def test_a_program_whose_path_has_blanks(tmp_path):
    """Although there is a program of the shorter name, too."""
    for name in ("a", "a program"):
        (tmp_path / name).touch()
    program = str(tmp_path / "a program")
    chosen = settings({"name": "one", "cmd": program}, {"name": "other", "cmd": f"'{program}' x"})
    assert [engine.program.command for engine in chosen.engines] == [(program,), (program, "x")]


def test_bounds_hold_or_fail(tmp_path, capsys):
    path = tmp_path / "regress.toml"
    path.write_text(
        GOOD + "[[bound]]\nengine = 'one'\nagainst = 'other'\nscore_min = 0.5\nno_endings = ['timeout', 'stall']\n"
    )
    assert run(["regress", str(path)]) == ExitCode.DONE
    assert capsys.readouterr().out.count("holds  one against other") == 2
    path.write_text(GOOD + "[[bound]]\nengine = 'other'\nagainst = 'one'\nelo_min = 1.5\nno_endings = ['max-plies']\n")
    assert run(["regress", str(path), "--json"]) == ExitCode.FAILED
    captured = capsys.readouterr()
    text = "FAILS  other against one: lower end of the Elo interval -inf, at least 1.5; 1 pairs, at least 10"
    assert text in captured.err
    assert [bound["holds"] for bound in json.loads(captured.out)["bounds"]] == [False, False]


def test_command_line_lies_over_the_file(tmp_path, capsys):
    path = tmp_path / "match.toml"
    path.write_text(GOOD)
    assert run(["match", str(path), "--rounds", "2", "--each", "st=2", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["games"] == 4


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


# `regress FOLDER`: settings outside of the project, with engines beside them, one after the other


def strangers(folder: Path, **scores: float) -> str:
    """A file for each name, in which its stranger must not score more; the stranger's program is in a folder below."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(ENGINES / "script.py", folder / "bin" / "stranger.py")
    for name, score in scores.items():
        (folder / f"{name}.toml").write_text(f"""
[match]
max_plies = 4
[each]
nodes = 1
[[engine]]
name = "{name}"
cmd = "{shlex.join(scripted("script")[:2])} stranger.py"
dir = "bin"
[[engine]]
name = "new"
cmd = "{SCRIPT}"
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
