"""Engines broken on purpose: each gets the right ending, affects no other game, and leaves no process behind."""

import re

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.playing.arbiter import adjudicate
from junqi_referee.records.replay import verify
from junqi_referee.settings.settings import DrawRule, Visibility
from tests.helpers.referee import ENGINES, NO_START, SCRIPTS, SHORT, play, processes_with, scripted, settings

FAULTS = {
    "dies_on_go": (Ending.DISCONNECT, "ended with exit code 3"),
    "exits_in_mid_game": (Ending.DISCONNECT, "ended with exit code 0"),
    "closes_stdout": (Ending.DISCONNECT, "closed its output"),
    "hangs": (Ending.STALL, "no bestmove"),
    "garbage": (Ending.STALL, "no bestmove"),
    "leaves_a_child": (Ending.STALL, "no bestmove"),
    "floods": (Ending.PROTOCOL, "more than 10000 lines"),
    "long_line": (Ending.PROTOCOL, "over 1 MiB"),
    "answers_twice": (Ending.PROTOCOL, "second answer"),
    "answers_late": (Ending.TIMEOUT, "350 were allowed"),
    "illegal_move": (Ending.ILLEGAL_MOVE, "h1h2"),
    "no_move": (Ending.ILLEGAL_MOVE, "banana"),
    "resigns_for_others": (Ending.ILLEGAL_MOVE, "a seat of another player"),
}


def against(*script: str) -> list[dict]:
    """A broken engine and a sound one."""
    return [{"name": "broken", "cmd": scripted(*script)}, {"name": "sound", "cmd": scripted("script")}]


@pytest.fixture(autouse=True)
def no_process_remains():
    yield
    assert processes_with(str(ENGINES)) == []


@pytest.mark.parametrize("variant", BOARDS)
def test_faults_lose_their_games_and_no_others(variant):
    """One engine against all others, broken ones and a sound one. The variants share the faults."""
    broken = list(FAULTS)[list(BOARDS).index(variant) :: len(BOARDS)]
    engines = [{"name": name, "cmd": scripted(name)} for name in ("script", *broken)]
    engines.append({"name": "sound", "cmd": scripted("script")})
    match = {"variant": variant, "format": "gauntlet", "rounds": 1, "concurrency": 4}
    tournament, said = play(settings(*engines, **match))
    sound = tournament.standings.between("script", "sound")
    assert (sound.wins - sound.losses, dict(sound.endings)) == (0, {Ending.NO_CONTACT: 2})
    for name in broken:
        ending, message = FAULTS[name]
        standing = tournament.standings.between(name, "script")
        assert (standing.losses, standing.games, dict(standing.endings)) == (2, 2, {ending: 2})
        details = [game.detail for game in tournament.finished.values() if game.detail.startswith(f"{name} (")]
        assert len(details) == 2
        for detail in details:
            assert message in detail and "; position startpos lineup " in detail
            assert detail.endswith("; go movetime 300")
        lines = [line for line in said.splitlines() if f": {name} (" in line]
        assert len(lines) == 2
        for line in lines:
            assert message in line and " lineup " not in line and line.endswith("; go movetime 300")
            assert "; at the first move; " in line or re.search(r"; after \d+ moves, the last ones( \S+){1,6}; ", line)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dies_at_start", "exit code 1; its stderr ends with 'no such book: moves.bin'"),
        ("never_says_uciok", "no uciok"),
    ],
)
def test_engine_that_does_not_start_ends_the_match(name, message):
    with pytest.raises(RefereeError, match=message) as caught:
        play(settings(*against(name), rounds=2), NO_START)
    assert caught.value.code == ExitCode.NO_START
    assert "engine broken" in str(caught.value)


def test_engine_that_does_not_start_again_loses_that_game(tmp_path):
    tournament, _ = play(settings(*against("starts_once", str(tmp_path / "seen")), rounds=2))
    found = [tournament.finished[game].ending for game in (1, 2, 3, 4)]
    assert found == [Ending.DISCONNECT, Ending.NO_START, Ending.NO_START, Ending.NO_START]
    assert tournament.standings.between("broken", "sound").losses == 4


def test_no_readyok_is_a_stall():
    tournament, _ = play(settings(*against("hangs_at_isready"), rounds=1), NO_START)
    assert dict(tournament.standings.endings) == {Ending.STALL: 2}
    assert "no readyok" in tournament.finished[1].detail


@pytest.mark.parametrize("variant", BOARDS)
def test_bad_lineup(variant):
    tournament, _ = play(settings(*against("bad_lineup"), variant=variant, rounds=1, lineups="engine"))
    assert tournament.standings.between("broken", "sound").losses == 2
    assert dict(tournament.standings.endings) == {Ending.BAD_LINEUP: 2}
    assert tournament.finished[1].detail.endswith(f"; position startpos viewer {BOARDS[variant].teams[0]}; go setup S")
    assert all(verify(game) is None for game in tournament.finished.values())


@pytest.mark.parametrize("variant", BOARDS)
def test_white_space_and_signs_are_read_as_uci_says(variant):
    """The engine writes tabs and blanks around all words, `bestmovexyz` before each answer, and a sign before numbers.

    So it declares its variants, and a seed from 3 to 5; it ends if it gets another one.
    """
    tournament, _ = play(settings(*against("odd_spaces"), variant=variant, rounds=1))
    assert dict(tournament.standings.endings) == {Ending.NO_CONTACT: 2}
    for game in tournament.finished.values():
        assert set(game.scores) == {"cp 0", "cp 31"} and set(game.depths) == {None, 1}


def test_lines_that_are_not_of_the_protocol_are_passed_over():
    tournament, _ = play(settings(*against("talks_of_secrets"), rounds=1))
    assert dict(tournament.standings.endings) == {Ending.NO_CONTACT: 2}


@pytest.mark.parametrize("variant", BOARDS)
def test_fault_in_the_dark_is_one_seats(variant):
    tournament, _ = play(settings(*against("dies_on_go"), variant=variant, rounds=1, visibility=str(Visibility.DARK)))
    record = tournament.finished[1]
    assert (record.result, record.ending) == (BOARDS[variant].teams[1], Ending.DISCONNECT)
    assert record.detail.startswith("broken (S): ")
    assert set(record.engines) == set(BOARDS[variant].seats)


def test_max_plies_and_adjudication():
    tournament, _ = play(settings(*SCRIPTS, rounds=1, max_plies=20))
    assert dict(tournament.standings.endings) == {Ending.MAX_PLIES: 2}
    draw = {"movecount": 3, "score": 5, "movenumber": 10}
    tournament, _ = play(settings(*SCRIPTS, rounds=1, draw=draw))
    assert dict(tournament.standings.endings) == {Ending.ADJUDICATED: 2}
    assert len(tournament.finished[1].moves) == 10
    scores, teams = ["cp 0"] * 6, [0, 1] * 3
    rule = DrawRule(movecount=3, score=5, movenumber=10)
    assert adjudicate(None, rule, scores, teams) is None
    assert adjudicate(None, rule, scores, teams, opening=4) is not None


def test_clock_runs_out():
    each = {"tc": "2.5+0.1", "margin": 0}
    chosen = settings(*against("answers_late"), each=each, rounds=1)
    assert all(engine.time_control.move_ms is None for engine in chosen.engines)
    tournament, _ = play(chosen)
    assert dict(tournament.standings.endings) == {Ending.TIMEOUT: 2}
    # 2.5 s suffice for two answers of a second each, not for three.
    first = tournament.finished[1]
    assert len(first.moves) // 2 <= 2
    assert "go wtime " in first.detail


def test_stall_waits_for_the_grace():
    tournament, _ = play(settings(*against("hangs"), rounds=1))
    assert f"no bestmove within {350 + 1000 * SHORT.grace_s:.0f} ms" in tournament.finished[1].detail
