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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[match", "invalid TOML"),
        ("[match]\nronds = 3", "match: unknown key 'ronds'"),
        ("[mach]\nrounds = 3", "unknown key 'mach'"),
        ("match = 3", "match must be a table"),
        ("[match]\nrounds = 0", "match: rounds=0"),
        ("[match]\nrounds = 1.5", "match: rounds=1.5"),
        ("[match]\nseed = true", "match: seed=True"),
        ("[match]\nvariant = 'chess'", "variant=chess is not one of"),
        ("[match]\nvisibility = 'bright'", "visibility=bright is not one of partner, dark, open"),
        ("[match]\nlineups = 'random'\nbook = 'x'", "exclude each other"),
        ("[match]\nsprt = {elo0 = 3, elo1 = 1}", "elo0"),
        ("[match]\nsprt = {elo0 = 3}", "match, sprt: elo1 is missing"),
        ("engine = 3", "[[engine]]"),
        ("[[engine]]\ncmd = 'x'\nst = 1", "two engines, there are 1"),
        ("[[engine]]\nname = 'x'\nst = 1", "engine 1: cmd is missing"),
        ("[[engine]]\ncmd = 'x'", "engine 1: no limit"),
        ("[[engine]]\ncmd = 'x'\nspeed = 1", "engine 1: unknown key 'speed'"),
        ("[[engine]]\ncmd = 'x'\nst = 1\ntc = '1+1'", "engine 1: tc and st exclude each other"),
        ("[[engine]]\ncmd = 'x'\ntc = 'soon'", "tc=soon"),
        ("[[engine]]\ncmd = 'x'\nst = 0", "st=0"),
        ("[[engine]]\ncmd = 'x'\nnodes = -3", "nodes=-3"),
        ("[[engine]]\ncmd = '\"x'\nst = 1", "No closing quotation"),
        ("[each]\nst = 1\n[[engine]]\ncmd = 'x'\n[[engine]]\ncmd = 'x'", "two engines are called 'x'"),
    ],
)  # fmt: skip
def test_bad_file(tmp_path, capsys, text, named):
    path = tmp_path / "match.toml"
    path.write_text(text)
    line = refused(capsys, "match", str(path))
    assert named in line
    assert str(path) in line


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "required: COMMAND"),
        (["dance"], "invalid choice"),
        (["match"], "two engines"),
        (["match", "--rounds", "many"], "rounds=many"),
        (["match", "--rounds", "1_0"], "rounds=1_0 must be a whole number"),
        (["match", "--rounds", "١٠"], "rounds=١٠ must be a whole number"),
        (["match", "--sprt", "elo0=1_0", "elo1=٢"], "elo0=1_0 is not a number"),
        (["replay", "x.jsonl", "1_0"], "'1_0' is not a whole number"),
        (["match", "--engine", "cmd"], "'cmd' must have the form key=value"),
        (["match", "--engine", "cmd=a", "cmd=b"], "--engine 1: cmd is given twice"),
        (["match", "--engine", "speed=3"], "--engine 1: unknown key 'speed'"),
        (["match", "--resume"], "--resume needs --record"),
        (["tournament", "--format", "swiss"], "match: format=swiss is not one of round-robin, gauntlet"),
        (["book", "--count", "0"], "--count 0"),
        (["check", "st=1"], "cmd is missing"),
        (["replay", "/no/such/record"], "No such file"),
    ],
)
def test_bad_command_line(capsys, words, named):
    assert named in refused(capsys, *words)


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


def test_the_help_of_ci_has_its_own_defaults(capsys):
    with pytest.raises(SystemExit):
        run(["ci", "--help"])
    assert "two engines (default: 300)" in " ".join(capsys.readouterr().out.split())


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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("cbfahdehgegidcfkjkijgjhli\nlbfahdehgegidcfkjkijgjhci ; bad", "line 2"),
        ("# nothing\n\n", "there is no line-up"),
        ("abc", "line 1: a line-up has 25 letters"),
    ],
)
def test_bad_book(tmp_path, capsys, text, named):
    path = tmp_path / "book.txt"
    path.write_text(text)
    words = ["match", "--engine", "name=a", "--engine", "name=b", "--each", "cmd=x", "st=1", "--book", str(path)]
    line = refused(capsys, *words)
    assert named in line
    assert str(path) in line
    assert "No such file" in refused(capsys, *words[:-1], str(tmp_path / "none.txt"))
