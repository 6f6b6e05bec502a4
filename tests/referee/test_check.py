"""`check`: a conforming engine passes, and the fault of each broken engine is named."""

import json
import re
import shlex
import shutil
import subprocess

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.check.runner import Subject, games, run_steps
from junqi_referee.check.steps import LEVELS
from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.time_control import TimeControl
from tests.helpers.marking import long_after, release_after
from tests.helpers.referee import PROTOCOL, ROOT, processes_with, refused, scripted

# Each kind of fault once; test_endings.py has all broken engines.
FAULTS = {
    "dies_at_start": ("uciok in time", "ended with exit code 1; its stderr ends with 'no such book: moves.bin'"),
    "hangs_at_isready": ("readyok", "no readyok within 1 s; does it flush stdout after each line?"),
    "dies_on_go": ("a game in partner visibility", "ended with exit code 3"),
    "illegal_move": ("a game in partner visibility", "'h1h2' is not legal"),
    "answers_late": ("movetime", "the answer to 'go movetime 200' beyond 0.2 s took"),
    "bad_lineup": ("line-ups", "'go setup S' was answered by"),
    "talks_of_secrets": ("a game in partner visibility", "a line that is not of the protocol: 'I think"),
}
# The steps that the script passes. The others need rules, which it does not know.
RELEVANT = ("uciok in time", "readyok", "a game in partner visibility", "movetime", "line-ups")


@pytest.mark.parametrize("name", FAULTS)
def test_fault_of_scripted_engine_is_named(name):
    """Siguo and Luzhanqi alternate, because no fault depends on the variant."""
    variant = list(BOARDS)[list(FAULTS).index(name) % 2]
    step, message = FAULTS[name]
    table = {"cmd": " ".join(scripted(name))}
    subject = Subject(table, variant, False, TimeControl.parse({"patience": "3" if name == "answers_late" else "1"}))
    titles = RELEVANT if step == "line-ups" else ("uciok in time", step)
    chosen = {title: LEVELS["analyses"][title] for title in titles}
    faults = {outcome.name: outcome.fault for outcome in run_steps(subject, chosen)}
    assert message in str(faults[step])
    assert processes_with(" ".join(scripted(name)[2:])) == []


@pytest.mark.parametrize("variant", long_after(1, ["luzhanqi", "siguo"]))
def test_sound_script_passes(variant):
    subject = Subject({"cmd": " ".join(scripted("script"))}, variant, False, TimeControl.parse({}))
    chosen = {title: LEVELS["analyses"][title] for title in RELEVANT}
    assert [outcome.fault for outcome in run_steps(subject, chosen)] == [None] * len(RELEVANT)


def test_missing_uciok_fails_first_step(capsys):
    words = ["check", f"cmd={' '.join(scripted('never_says_uciok'))}", "patience=1", "--json"]
    assert run(words) == ExitCode.FAILED
    found = json.loads(capsys.readouterr().out)
    assert "does it flush stdout after each line?" in found["failed"]["uciok in time"]
    assert found["not_tried"] == len(LEVELS["analyses"]) - 1 and found["level"] == "none"


@pytest.mark.long
@pytest.mark.parametrize("variant", release_after(1, BOARDS))
def test_own_engine_passes(capsys, variant):
    words = ["check", f"cmd={' '.join(PROTOCOL)}", f"dir={ROOT}", "--json", "--variant", variant]
    code = run(words)
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["failed"] == {} and found["level"] == "analyses", captured.err
    assert code == ExitCode.DONE
    assert captured.err.count("ok   ") == len(LEVELS["analyses"])


def test_plays_level_needs_only_matches():
    """An engine that knows neither comments nor a `go` without words, and has one line-up, can play matches."""
    assert "go without a limit" not in LEVELS["plays"]


SOUND_IN_C = (ROOT / "docs/examples/engine.c").read_text(encoding="utf-8")
IMMOBILE = "if (is_headquarters(from) || kind == MINE || kind == FLAG) return 0;"
ENTERED = "((seat_of(p->at[to]) ^ seat) & 1 && !is_campsite(to))"
ANSWER = 'if (n) print_move("bestmove", choose(p, moves, n)), puts("");'
BROKEN_IN_C = {
    "leaves headquarters": (IMMOBILE, "if (kind == MINE || kind == FLAG) return 0;", BOARDS),
    "moves landmines": (IMMOBILE, "if (is_headquarters(from) || kind == FLAG) return 0;", BOARDS),
    "moves flags": (IMMOBILE, "if ((is_headquarters(from) && kind != FLAG) || kind == MINE) return 0;", BOARDS),
    "attacks in campsites": (ENTERED, "(seat_of(p->at[to]) ^ seat) & 1", BOARDS),
    "attacks its own pieces": (ENTERED, "(seat >= 0 && !is_campsite(to))", BOARDS),
    "attacks its partner": (ENTERED, "(seat_of(p->at[to]) != seat && !is_campsite(to))", ["siguo"]),
    "jumps over pieces": ("if (p->at[*step] != EMPTY) break;", ";", BOARDS),
    "engineers jump": ("if (p->at[step] == EMPTY) queue[", "queue[", BOARDS),
    "all pieces turn": ("if (kind != ENGINEER || !rays[from])", "if (!rays[from])", BOARDS),
    "bombs turn": ("if (kind != ENGINEER || !", "if ((kind != ENGINEER && kind != BOMB) || !", BOARDS),
    "a curve ends elsewhere": ("(seat + 1) % 4, 0, 1)); // a curve", "(seat + 1) % 4, 4, 1));", ["siguo"]),
    "after o the attacker stays": ("enemy == EMPTY ? 'x' : suffix", "suffix != '=' ? 'x' : suffix", BOARDS),
    "after = the attacker stays": ("outcome == 'x' ? piece : EMPTY", "piece", BOARDS),
    "rejects !": ("int flag = (text++, read_point(&text));", "int flag = -1;", BOARDS),
    "ignores #": ("if (read_seat(text[1]) >= 0) eliminate(p, read_seat(text[1]));", ";", ["siguo"]),
    "ignores a second #": ("text = strchr(text + 1, '#'))", "text = NULL)", ["siguo"]),
    "ignores resignations": ("if (gone >= 0) eliminate(p, gone);", "if (gone >= 0) return 1;", ["siguo"]),
    "keeps the pieces of who has left": ("== seat) p->at[point] = EMPTY;", "== seat) ;", ["siguo"]),
    "gives turns to who has left": ("while (!has(p->alive, p->turn));", "while (0);", ["siguo"]),
    "ignores a turn that passes": ("else if (!is_pass) {", "else if (is_pass) return 1;\n  else {", BOARDS),
    "rejects dark": ("return viewer;", "return viewer & (viewer - 1) ? viewer : 0;", ["siguo"]),
}  # fmt: skip
"""By fault: a part of the sound engine, its replacement, and the variants in which that breaks a rule."""
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler: apt-get install gcc")


def faults_in_c(folder, sound, broken, variant, steps=LEVELS["plays"]):
    """The faults that `check` finds in the C engine with one change."""
    assert SOUND_IN_C.count(sound) == 1
    (folder / "engine.c").write_text(SOUND_IN_C.replace(sound, broken), encoding="utf-8")
    subprocess.run(["cc", "-o", folder / "engine", folder / "engine.c"], check=True)
    subject = Subject({"cmd": str(folder / "engine")}, variant, False, TimeControl.parse({}))
    found = ((result.name, result.fault) for result in run_steps(subject, steps) if result.fault)
    return ((name, fault) for name, fault in found if name != "uciok in time")  # that is the machine's affair


@needs_compiler
@pytest.mark.long
@pytest.mark.parametrize("fault", BROKEN_IN_C)
def test_broken_c_engine_fails(tmp_path, fault):
    """In test_examples.py the engine passes without the fault."""
    sound, broken, variants = BROKEN_IN_C[fault]
    for variant in variants:
        _, text = next(faults_in_c(tmp_path, sound, broken, variant), ("", "none"))
        assert re.search(r" is not legal: |the answer is \(none\)", text)


@needs_compiler
@pytest.mark.parametrize("variant", long_after(1, ["luzhanqi", "siguo"]))
def test_engine_may_always_resign(tmp_path, variant):
    resigns = r'if (n) printf("bestmove resign:%c\n", seat_names[p->turn]);'
    assert list(faults_in_c(tmp_path, ANSWER, resigns, variant)) == []


@pytest.mark.parametrize("variant", BOARDS)
def test_eventful_games_have_every_suffix(variant):
    """Each kind of suffix after which a game can continue, with and without a battle."""
    found = []
    for _, opening in games(variant)["eventful-games"]:
        full = opening.begin(variant, Rules.of(BOARDS[variant]))
        found += full.moves
        assert full.result is None
    kinds = {re.sub(r"[a-q]\d+", "", move) for move in found}
    assert kinds >= ({"", "=!!", "x#E", "#S", "resign:W"} if variant == "siguo" else {"", "=!!", "x", "o"})


@pytest.mark.long
def test_rejected_option_ends_the_check(capsys):
    assert run(["check", f"cmd={shlex.join(PROTOCOL)}", "option.Skill=3", "--level", "plays"]) == ExitCode.USAGE
    [line] = capsys.readouterr().err.splitlines()
    assert line == "junqi-referee: check: the engine rejected an option: no-such-option 'Skill'"


def test_missing_program_is_reported(capsys):
    advice = (
        "could not be started: No such file or directory; it is not on the PATH; name its folder too, such as cmd=./"
    )
    assert run(["check", "cmd=no-such-engine"]) == ExitCode.FAILED
    assert f"'no-such-engine' {advice}no-such-engine" in capsys.readouterr().out
    match = ["match", "--engine", "cmd=no-such-engine", "--engine", f"cmd={shlex.join(scripted('script'))}"]
    assert advice in refused(capsys, *match, "--each", "nodes=1", code=ExitCode.NO_START)
