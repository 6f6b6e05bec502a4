"""Engines with the contest's dialect in matches of the referee."""

import pytest

from junqi_referee.endings import Ending
from junqi_referee.exit_codes import RefereeError
from junqi_referee.records.replay import verify
from tests.helpers.referee import ENGINES, play, processes_with, scripted, settings

SOUND = {"name": "sound", "cmd": scripted("script"), "nodes": 1}
LUZHANQI_MATCH = {"variant": "luzhanqi", "rounds": 1}


def contest_engine(fault: str = "", name: str = "contest") -> dict:
    return {"name": name, "cmd": scripted("contest_script", fault), "dialect": "contest", "tc": "600"}


@pytest.fixture(autouse=True)
def no_process_remains():
    yield
    assert processes_with(str(ENGINES)) == []


# Engines of the dialect


def test_contest_engine_plays_against_protocol_engine():
    tournament, _ = play(settings(contest_engine(), SOUND, **LUZHANQI_MATCH | {"rounds": 2}))
    games = list(tournament.finished.values())
    assert [game.ending for game in games] == [Ending.NO_CONTACT] * 4
    assert {game.first for game in games} == {"S", "N"}
    assert all(verify(game) is None for game in games)
    assert games[0].engines["S"]["dialect"] == "contest"


FAULTS = {
    "illegal": (Ending.ILLEGAL_MOVE, "'b1a1' is not legal"),
    "twice": (Ending.PROTOCOL, "second answer"),
    "lineup": (Ending.BAD_LINEUP, "0 pieces 'a'; expected 1"),
}


def test_broken_contest_engine_loses():
    engines = [contest_engine(fault, fault) for fault in FAULTS]
    match = LUZHANQI_MATCH | {"format": "gauntlet", "concurrency": 4}
    tournament, _ = play(settings(SOUND, *engines, **match))
    for fault, (ending, message) in FAULTS.items():
        standing = tournament.standings.between(fault, "sound")
        assert (standing.losses, dict(standing.endings)) == (2, {ending: 2})
        assert any(fault in game.detail and message in game.detail for game in tournament.finished.values())


@pytest.mark.parametrize(
    ("engine", "match", "named"),
    [
        ({}, {"variant": "siguo"}, "requires --variant luzhanqi, not siguo"),
        ({}, {"visibility": "open"}, "--visibility open"),
        ({}, {"no_contact_result": "draw"}, "--no-contact-result draw"),
        ({}, {"lineups": "random"}, "chooses its own line-ups"),
        ({"option": {"Seed": 1}}, {}, "put option.Seed in cmd"),
        ({"tc": "2+1"}, {}, "whole seconds without an increment"),
        ({"nodes": 3}, {}, "has no nodes= and depth="),
        ({"dialect": "chess"}, {}, "'chess' is not one of protocol, contest"),
    ],
)
def test_settings_outside_the_dialect_are_refused(engine, match, named):
    with pytest.raises(RefereeError, match=named):
        settings(contest_engine() | engine, SOUND, **LUZHANQI_MATCH | match)
