"""`check`: a conforming engine passes, and the fault of each broken engine is named."""

import json
import re

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_referee.check.steps import LEVELS, STEPS, run_steps
from junqi_referee.check.subject import Subject
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.time_control import TimeControl
from tests.helpers.pages import read
from tests.helpers.referee import PROTOCOL, ROOT, processes_with, scripted

# Each kind of fault once; that every broken engine is recognised is the subject of test_referee_endings.py.
FAULTS = {
    "dies_at_start": ("uciok in time", "ended with exit code 1; its stderr ends with 'no such book: moves.bin'"),
    "hangs_at_isready": ("readyok", "no readyok within 1 s"),
    "dies_on_go": ("a game in partner visibility", "ended with exit code 3"),
    "illegal_move": ("a game in partner visibility", "'h1h2' is not legal"),
    "answers_late": ("movetime", "the time beyond movetime took"),
    "bad_lineup": ("line-ups", "'go setup S' was answered by"),
    "same_seed": ("a new seed for each game", "3 games brought 1 line-ups"),
    "silent_seed": ("a new seed for each game", "must print the drawn seed"),
    "long_numbers": ("limited strength", "UCI_Elo must be a spin option with min and max"),
    "talks_of_secrets": ("a game in partner visibility", "a line that is not of the protocol: 'I think"),
}
# The steps that the script passes. It knows no rules and fails the others, which are skipped.
RELEVANT = ("uciok in time", "readyok", "a game in partner visibility", "movetime", "line-ups")


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named(name):
    """In Siguo and in Luzhanqi by turns: no fault has to do with the variant."""
    variant = list(BOARDS)[list(FAULTS).index(name) % 2]
    step, message = FAULTS[name]
    table = {"cmd": " ".join(scripted(name))}
    subject = Subject(table, variant, False, TimeControl.parse({"patience": 3 if name == "answers_late" else 1}))
    titles = RELEVANT if step == "line-ups" else ("uciok in time", step)
    chosen = {title: STEPS[title] for title in titles}
    faults = {outcome.name: outcome.fault for outcome in run_steps(subject, chosen)}
    assert message in str(faults[step])
    assert processes_with(" ".join(scripted(name)[2:])) == []


@pytest.mark.parametrize("variant", BOARDS)
def test_whole_script_has_none_of_these_faults(variant):
    subject = Subject({"cmd": " ".join(scripted("script"))}, variant, False, TimeControl.parse({}))
    chosen = {title: STEPS[title] for title in RELEVANT}
    assert [outcome.fault for outcome in run_steps(subject, chosen)] == [None] * len(RELEVANT)


def test_engine_that_never_says_uciok(capsys):
    words = ["check", f"cmd={' '.join(scripted('never_says_uciok'))}", "patience=1", "--json"]
    assert run(words) == ExitCode.FAILED
    found = json.loads(capsys.readouterr().out)
    assert "no uciok" in found["failed"]["uciok in time"]
    assert found["not_tried"] == len(STEPS) - 1 and found["level"] == "none"


@pytest.mark.long
@pytest.mark.parametrize("variant", BOARDS)
def test_our_engine_passes(capsys, variant):
    words = ["check", f"cmd={' '.join(PROTOCOL)}", f"dir={ROOT}", "--json", "--variant", variant]
    code = run(words)
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["failed"] == {} and found["level"] == "complete", captured.err
    assert code == ExitCode.DONE
    assert captured.err.count("ok   ") == len(STEPS)


def test_every_step_names_its_section_of_the_page():
    headings = re.findall(r"^##+ (.+)$", read("docs/protocol.md"), re.MULTILINE)
    sections = {heading.lower().replace(",", "").replace(" ", "-") for heading in headings}
    assert len(STEPS) >= 60
    named = [re.fullmatch(r"#([a-z-]+): .+", step.__doc__ or "") for step in STEPS.values()]
    assert all(match and match[1] in sections for match in named)


def test_failed_step_shows_its_sentence(capsys):
    assert run(["check", f"cmd={' '.join(scripted('dies_at_start'))}", "patience=1"]) == ExitCode.FAILED
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL")]
    assert ", docs/protocol.md#times-and-guarantees: no uciok: the process ended" in line
    assert line.endswith("(`uci`: [...] `uciok`: less than 0.1 s after process start, before any heavy import)")


def test_verbose_shows_both_directions(capsys):
    assert run(["check", f"cmd={' '.join(scripted('dies_at_start'))}", "patience=1", "--verbose"]) == ExitCode.FAILED
    assert "     > uci\n" in capsys.readouterr().err
    heard = []
    table, control = {"cmd": " ".join(scripted("script"))}, TimeControl.parse({})
    subject = Subject(table, "siguo", False, control, lambda *line: heard.append(line))
    chosen = {title: STEPS[title] for title in RELEVANT[:2]}
    assert [result.fault for result in run_steps(subject, chosen)] == [None, None]
    assert heard[0] == (">", b"uci") and ("<", b"uciok") in heard and (">", b"isready") in heard


def test_a_match_is_all_that_the_first_level_asks_for():
    """An engine that knows neither comments nor a `go` without words, and has one line-up, can play matches."""
    asked = set(LEVELS["plays"])
    assert asked.isdisjoint({"a line-up for the mover", "a new seed for each game", "go without a limit"})
