"""Settings: bad input is rejected with one line and the right exit code; good input is read correctly."""

import json
import shlex

import pytest

from junqi_engine.client.own_program import own_command
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from tests.helpers.referee import refused, scripted, settings

SCRIPT = " ".join(scripted("script"))
GOOD = f"""
[match]
rounds = 1
max_plies = 8
[each]
cmd = "{SCRIPT}"
st = 1
[[engine]]
name = "one"
[[engine]]
name = "other"
"""


TWO = "match --engine name=a --engine name=b --each cmd=x st=1"
LUZHANQI = f"{TWO} --variant luzhanqi"
BOUND = """
[match]
{test}
[each]
st = 5
cmd = 'x'
[[engine]]
name = 'one'
[[engine]]
name = 'other'
[[bound]]
engine = '{engine}'
against = '{against}'
sprt = '{sprt}'
"""
SPRT = "sprt = { elo0 = 0, elo1 = 5 }"
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
    ("book --count 0", "", "--count 0"),
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
    (
        "regress {file}", BOUND.format(test="", engine="one", against="other", sprt="H1"),
        "bound 1: sprt needs a sequential test; set sprt or difference in [match]",
    ),
    (
        "regress {file}", BOUND.format(test=SPRT, engine="one", against="other", sprt="yes"),
        "bound 1: sprt='yes' is not one of H0, H1, undecided, nor a list of these",
    ),
    (
        "regress {file}", BOUND.format(test=SPRT, engine="other", against="one", sprt="H0"),
        "bound 1: the test is of 'one' against 'other', not of 'other'",
    ),
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
