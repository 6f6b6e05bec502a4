"""Engines broken on purpose: each gets the right ending, affects no other game, and leaves no process behind."""

import re

import pytest

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.playing.arbiter import adjudicate
from junqi_referee.records.replay import verify
from junqi_referee.settings.settings import DrawRule, ResignRule
from tests.helpers.marking import long_after
from tests.helpers.referee import ENGINES, NO_START, SCRIPTS, play, processes_with, scripted, settings

CLOCK, PATIENCE = {"st": 0.3}, {"patience": 1}
FAULTS = {
    "dies_on_go": (Ending.DISCONNECT, "ended with exit code 3", {}),
    "exits_in_mid_game": (Ending.DISCONNECT, "ended with exit code 0", {}),
    "closes_stdout": (Ending.DISCONNECT, "closed its output", {}),
    "hangs": (Ending.STALL, "no bestmove within 1000 ms", PATIENCE),
    "garbage": (Ending.STALL, "no bestmove", PATIENCE),
    "leaves_a_child": (Ending.STALL, "no bestmove", PATIENCE),
    "floods": (Ending.STALL, "no bestmove within 1000 ms", PATIENCE),
    "long_line": (Ending.PROTOCOL, "over 1 MiB", {}),
    "answers_twice": (Ending.PROTOCOL, "second answer", {}),
    "answers_late": (Ending.TIMEOUT, "350 were allowed", CLOCK),
    "illegal_move": (Ending.ILLEGAL_MOVE, "h1h2", {}),
    "no_move": (Ending.ILLEGAL_MOVE, "banana", {}),
    "resigns_for_others": (Ending.ILLEGAL_MOVE, "a seat of another player", {}),
}
"""By broken engine: the ending, a part of the message, and its limits, by default one node and any time."""


def against(*script: str, **limits: float) -> list[dict]:
    """A broken engine and a sound one."""
    return [{"name": "broken", "cmd": scripted(*script), **limits}, {"name": "sound", "cmd": scripted("script")}]


@pytest.fixture(autouse=True)
def grace(monkeypatch):
    """Extend the grace, so that late answers come before it ends."""
    monkeypatch.setattr(EngineClient, "GRACE_S", 20.0)


@pytest.fixture(autouse=True)
def no_process_remains():
    yield
    assert processes_with(str(ENGINES)) == []


@pytest.mark.parametrize("variant", long_after(1, BOARDS))
def test_faults_lose_their_games_and_no_others(variant):
    """One engine against all others, broken ones and a sound one."""
    engines = [{"name": name, "cmd": scripted(name), **limits} for name, (_, _, limits) in FAULTS.items()]
    engines = [SCRIPTS[0], *engines, SCRIPTS[1]]
    match = {"variant": variant, "format": "gauntlet", "rounds": 1, "concurrency": 4}
    tournament, said = play(settings(*engines, **match))
    sound = tournament.standings.between("one", "other")
    assert (sound.wins - sound.losses, dict(sound.endings)) == (0, {Ending.NO_CONTACT: 2})
    for name, (ending, message, limits) in FAULTS.items():
        standing = tournament.standings.between(name, "one")
        assert (standing.losses, standing.games, dict(standing.endings)) == (2, 2, {ending: 2})
        asked = "; go movetime 300 nodes 1" if limits is CLOCK else "; go nodes 1"
        details = [game.detail for game in tournament.finished.values() if game.detail.startswith(f"{name} (")]
        assert len(details) == 2
        for detail in details:
            assert message in detail and "; position startpos lineup " in detail and detail.endswith(asked)
        lines = [line for line in said.splitlines() if f": {name} (" in line]
        assert len(lines) == 2
        for line in lines:
            assert message in line and " lineup " not in line and line.endswith(asked)
            assert "; at the first move; " in line or re.search(r"; after \d+ moves, the last ones( \S+){1,6}; ", line)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dies_at_start", "exit code 1; its stderr ends with 'no such book: moves.bin'"),
        ("never_says_uciok", "no uciok"),
    ],
)
def test_engine_that_does_not_start_ends_the_match(name, message):
    engines = ({"name": f"broken {number}", "cmd": scripted(name)} for number in (1, 2))
    with pytest.raises(RefereeError, match=message) as caught:
        play(settings(*engines, rounds=2), NO_START)
    assert caught.value.code == ExitCode.NO_START
    assert "engine broken" in str(caught.value)


def test_engine_that_does_not_start_again_loses_that_game(tmp_path):
    tournament, _ = play(settings(*against("starts_once", str(tmp_path / "seen")), rounds=2))
    found = [tournament.finished[game].ending for game in (1, 2, 3, 4)]
    assert found == [Ending.DISCONNECT, Ending.NO_START, Ending.NO_START, Ending.NO_START]
    assert tournament.standings.between("broken", "sound").losses == 4


def test_no_readyok_is_a_stall():
    engines = ({"name": str(number), "cmd": scripted("hangs_at_isready")} for number in (1, 2))
    tournament, _ = play(settings(*engines, rounds=1), NO_START)
    assert dict(tournament.standings.endings) == {Ending.STALL: 2}
    assert "no readyok" in tournament.finished[1].detail


def test_bad_lineup_loses():
    tournament, _ = play(settings(*against("bad_lineup"), rounds=1, lineups="engine"))
    assert tournament.standings.between("broken", "sound").losses == 2
    assert dict(tournament.standings.endings) == {Ending.BAD_LINEUP: 2}
    assert tournament.finished[1].detail.endswith("; position startpos viewer SN; go setup S")
    assert all(verify(game) is None for game in tournament.finished.values())


def test_white_space_and_signs_are_read_as_uci_says():
    """The engine writes tabs and blanks around all words, `bestmovexyz` before each answer, and a sign before numbers.

    So it declares its variants, and a seed from 3 to 5; it ends if it gets another one.
    """
    tournament, _ = play(settings(*against("odd_spaces"), rounds=1))
    assert dict(tournament.standings.endings) == {Ending.NO_CONTACT: 2}
    for game in tournament.finished.values():
        assert set(game.scores) == {"cp 0", "cp 31"} and set(game.depths) == {None, 1}


def test_lines_outside_the_protocol_are_ignored():
    tournament, _ = play(settings(*against("talks_of_secrets"), rounds=1, max_plies=8))
    assert dict(tournament.standings.endings) == {Ending.MAX_PLIES: 2}


def test_fault_in_dark_game_names_one_seat():
    tournament, _ = play(settings(*against("dies_on_go"), rounds=1, visibility=str(Visibility.DARK)))
    record = tournament.finished[1]
    assert (record.result, record.ending) == ("EW", Ending.DISCONNECT)
    assert record.detail.startswith("broken (S): ")
    assert set(record.engines) == set("SENW")


def test_scores_adjudicate_draws_and_losses():
    draw = {"movecount": 3, "score": 5, "movenumber": 10}
    tournament, _ = play(settings(*SCRIPTS, rounds=1, draw=draw))
    assert dict(tournament.standings.endings) == {Ending.ADJUDICATED: 2}
    assert len(tournament.finished[1].moves) == 10
    scores, teams = ["cp 0"] * 6, [0, 1] * 3
    rule = DrawRule(movecount=3, score=5, movenumber=10)
    assert adjudicate(None, rule, scores, teams) is None
    assert adjudicate(None, rule, [None] * 4 + scores, [None] * 4 + teams) is not None


@pytest.mark.parametrize(
    ("own", "loses"),
    [
        ([-900, -900, -900], True),
        ([-900, -901, -2000], True),
        ([-899, -900, -900], False),
        ([900, 900, 900], False),
        ([-900, -900], False),
        ([-900, None, -900], False),
    ],
)
def test_low_scores_adjudicate_a_loss(own, loses):
    """The scores of the other team do not matter."""
    scores = [text for score in own for text in ("cp 900", None if score is None else f"cp {score}")]
    decision = adjudicate(ResignRule(movecount=3, score=900), None, scores, [0, 1] * len(own))
    assert (decision is not None) == loses
    assert not loses or decision.winner == 0


def test_clock_that_runs_out_loses():
    """Each answer takes a second, so the second one on this clock is late; the sound engine has no clock."""
    chosen = settings(*against("answers_late", tc="1.5+0.1", margin=0), rounds=1)
    [late] = [engine for engine in chosen.engines if engine.name == "broken"]
    assert late.time_control.move_ms is None
    tournament, _ = play(chosen)
    assert dict(tournament.standings.endings) == {Ending.TIMEOUT: 2}
    assert len(tournament.finished[1].moves) // 2 <= 1
    assert "go time " in tournament.finished[1].detail


def test_stall_waits_for_the_grace(monkeypatch):
    monkeypatch.setattr(EngineClient, "GRACE_S", 0.2)
    tournament, _ = play(settings(*against("hangs", st=0.3), rounds=1))
    assert f"no bestmove within {350 + 200} ms" in tournament.finished[1].detail
