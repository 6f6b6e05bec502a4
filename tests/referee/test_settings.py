"""Settings: wrong ones are refused with one line and the right exit code; files of arguments."""

import json
import shlex
from pathlib import Path

import pytest

from junqi_engine.client.line_process import own_command
from junqi_referee.cli import parse, run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.playing.match import settings_of
from tests.helpers.referee import ROOT, refused, scripted, settings

LADDER = ROOT / "docs/examples/ladder.txt"
SCRIPT = shlex.join(scripted("script"))
TWO = "match --engine name=a --engine name=b --each cmd=x st=1"
LUZHANQI = f"{TWO} --variant luzhanqi"


FEN = "1Nl3/Sc1Nh2/5/5/5/5/Na4/Sa4/5/5/5/3Sl1 S SN * 0 0"
WANTED = "expected startpos lineup with one of each seat S, N, or a FEN"
REFUSED = [
    ("", "", "required: COMMAND"),
    ("dance", "", "invalid choice"),
    ("match", "", "two engines, there are 0"),
    ("match --engine cmd=x st=1", "", "two engines, there are 1"),
    ("match --engine cmd=x --engine cmd=x --engine cmd=x", "", "a match has two engines, there are 3; use tournament"),
    ("match --ronds 3", "", "unrecognized arguments: --ronds 3"),
    ("match --rounds 1_0", "", "argument --rounds: '1_0' is not a whole number from 1 to 10000000"),
    ("match --rounds ١٠", "", "argument --rounds: '١٠' is not a whole number"),
    ("match --rounds 0", "", "argument --rounds: '0' is not a whole number from 1"),
    ("match --seed true", "", "'true' is not a whole number from 0 to 9223372036854775807, nor the 32 hexadecimal"),
    ("match --variant chess", "", "argument --variant: 'chess' is not one of siguo, luzhanqi"),
    ("match --visibility bright", "", "argument --visibility: 'bright' is not one of partner, dark, open"),
    ("match --sprt elo0=1_0 elo1=٢", "", "argument --sprt: elo0: '1_0' is not a number"),
    ("match --sprt elo0=3 elo1=1", "", "argument --sprt: elo0 (3) must be below elo1 (1)"),
    ("match --sprt elo0=3", "", "argument --sprt: elo1 is missing"),
    ("match --resign moves=3", "", "argument --resign: unknown key 'moves'; known keys: movecount, score"),
    ("match --engine cmd", "", "--engine 1: 'cmd' must have the form KEY=VALUE"),
    ("match --engine cmd=a cmd=b", "", "--engine 1: cmd is given twice"),
    ("match --engine speed=3", "", "--engine 1: unknown key 'speed'"),
    ("match --engine name=x st=1", "", "--engine 1: cmd is missing"),
    ("match --engine cmd=x name=", "", "--engine 1: name= must be one line that is not empty"),
    ("match --engine cmd=x", "", "--engine 1: no limit; set tc=, st=, nodes= or depth="),
    ("match --engine cmd=x st=1 tc=1+1", "", "--engine 1: tc and st exclude each other"),
    ("match --engine cmd='\"x' st=1", "", "No closing quotation"),
    ("match --engine cmd=x --engine cmd=x --each st=1", "", "two engines are called 'x'"),
    ("match --each name=x", "", "--each: a name belongs to one engine"),
    (f"{TWO} --resume", "", "--resume needs --record"),
    (f"{TWO} --fail-on H0,dance", "", "'dance' is not one of faults, H0, H1, undecided"),
    (f"{TWO} --fail-on H0", "", "only --sprt decides; add it, or name faults alone"),
    (f"{TWO} --lineups random --book x", "", "--book and --lineups random exclude each other"),
    ("tournament --format swiss", "", "argument --format: 'swiss' is not one of round-robin, gauntlet"),
    (f"tournament{TWO[5:]} --engine name=c --sprt elo0=0 elo1=5", "", "--sprt needs two engines, there are 3"),
    ("ci", "", "required: --against"),
    ("check st=1", "", "cmd is missing"),
    ("replay /no/such/record", "", "No such file"),
    # Files of arguments
    ("match @/no/such/file", "", "No such file or directory: '/no/such/file'"),
    ("match @{file}", "--engine 'cmd=x", "in a file of arguments, \"--engine 'cmd=x\": No closing quotation"),
    ("match @{file}", "--rounds 3 @{file}", "in a file of arguments, '@{file}': such a file cannot include another"),
    ("match @{file}", "[match]\nrounds = 3", "unrecognized arguments: [match] rounds = 3"),
    # Line-ups
    (f"{TWO} --book {{file}}", "cbfahdehgegidcfkjkijgjhli\nlbfahdehgegidcfkjkijgjhci ; bad", "line 2"),
    (f"{TWO} --book {{file}}", "# nothing\n\n", "there is no line-up"),
    (f"{TWO} --book {{file}}", "abc", "line 1: a line-up has 25 letters"),
    (f"{TWO} --book /no/such/book", "", "No such file"),
    # Openings
    (f"{LUZHANQI} --openings {{file}}", "startpos moves g6g7", f"line 1: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "# bad\nfen", f"line 2: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "position startpos", "line 1: leave out 'position'"),
    (f"{LUZHANQI} --openings {{file}}", "startpos lineup S:x S:y", f"line 1: {WANTED}"),
    (f"{LUZHANQI} --openings {{file}}", "# none\n\n", "there is no position in it"),
    (f"{LUZHANQI} --openings {{file}}", f"{FEN} moves a5a9", "line 1: 'a5a9' is not legal"),
    (f"{LUZHANQI} --openings {{file}}", "5/5 S SN * 0 0", "line 1: field board: 2 ranks, expected 12"),
    (
        f"{LUZHANQI} --openings {{file}}", "1Nl3/1Sc3/5/5/5/5/5/5/5/5/5/3Sl1 S SN * 0 0 moves b11b12",
        "line 1: the game is over",
    ),
    (f"{LUZHANQI} --openings {{file}}", "1N?3/5/5/5/5/5/5/5/5/5/2Sa2/1Sl3 S SN S 0 80", "line 1: "),
    (f"{LUZHANQI} --openings x --book x", "", "--openings and --book exclude each other"),
]  # fmt: skip
"""Arguments, the contents of `{file}`, and a part of the message."""


@pytest.mark.parametrize(("words", "text", "named"), REFUSED)
def test_wrong_settings_are_named(tmp_path, capsys, words, text, named):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    line = refused(capsys, *shlex.split(words.format(file=path)))
    assert named in line
    assert (" {file}" in words) == (str(path) in line)


def test_option_rejected_by_engine_is_named(capsys):
    words = ["match", "--engine", "name=a", "option.Playr=1.2", "--engine", "name=b", "--rounds", "1"]
    assert run([*words, "--each", "nodes=1", f"cmd={shlex.join(own_command())}"]) == ExitCode.USAGE
    assert "engine a rejected an option: no-such-option 'playr' (variant siguo)" in capsys.readouterr().err.lower()


def test_path_of_program_may_have_blanks(tmp_path):
    """Also if the first word of the path is a program."""
    for name in ("a", "a program"):
        (tmp_path / name).touch()
    program = str(tmp_path / "a program")
    chosen = settings({"name": "one", "cmd": program}, {"name": "other", "cmd": f"'{program}' x"})
    assert [engine.program.command for engine in chosen.engines] == [(program,), (program, "x")]


# Files of arguments


def test_argument_file_has_comments_and_later_words_win(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.txt"
    path.write_text(f"""# two of the same
--rounds 1 --max-plies 8   # short

--each nodes=1 cmd='{SCRIPT}'
--engine name=one
--engine "name=other one"
""")
    assert run(["match", f"@{path}", "--rounds", "2", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["engines"]) == (4, ["one", "other one"])


def test_example_ladder_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    """The ladder of docs/players.md."""
    chosen = settings_of(parse(["tournament", f"@{LADDER}"]))
    assert [engine.options for engine in chosen.engines] == [(("Player", name),) for name in ("1.2", "1.1", "1.0")]
    assert (chosen.rounds, chosen.seed, chosen.engines[0].time_control.nodes) == (100, 1, 1000)
    short = f"--rounds 1 --max-plies 4 --concurrency 1 --each nodes=1 cmd='{SCRIPT}'"
    assert run(["tournament", f"@{LADDER}", *shlex.split(short), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["engines"] == ["1.2", "1.1", "1.0"]
