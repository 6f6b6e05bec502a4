"""Tests that every variant passes, through the interface that the session uses."""

import random

import pytest

from junqi_engine.errors import Refused
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_protocol.catalogue import CATALOGUE, OPTIONS, Entry
from junqi_protocol.dispatch import load_game
from junqi_protocol.options import Options
from junqi_protocol.variant_game import Control, GoRequest, VariantGame

NODES = 2_000


def new_game(entry: Entry, seed: int = 0) -> tuple[VariantGame, Options]:
    options = Options(OPTIONS)
    options |= {"UCI_Variant": entry.variant, "Seed": seed}
    return load_game(entry, options, lambda text: None), options


def go(game: VariantGame, **limits: int) -> tuple[str, list[str]]:
    """The answer to a `go`, and its output without times."""
    lines: list[str] = []
    control = Control(lines.append)
    try:
        move = game.go(GoRequest(**limits), control)
    except Refused as rejection:
        return NO_MOVE_TEXT, [rejection.code]
    return move, [_without_times(line) for line in lines]


def _without_times(line: str) -> str:
    words = line.split()
    timed = {"time", "nps", "hashfull"}
    return " ".join(word for i, word in enumerate(words) if word not in timed and (i == 0 or words[i - 1] not in timed))


@pytest.fixture(params=CATALOGUE, ids=lambda entry: entry.variant)
def entry(request: pytest.FixtureRequest) -> Entry:
    return request.param


def test_start_position_round_trips(entry: Entry) -> None:
    game, _ = new_game(entry)
    before = game.describe()
    game.set_position(["startpos"])
    assert game.describe() == before
    game.new_game()
    assert game.describe() == before


def test_random_play_replays_to_same_position(entry: Entry) -> None:
    game, _ = new_game(entry)
    rng = random.Random(1)
    start = ["startpos", "viewer", "*"] if entry.package == "junqi_engine" else ["startpos"]
    game.set_position(start)
    moves: list[str] = []
    for _ in range(30):
        legal = game.legal()
        if not legal:
            break
        assert len(set(legal)) == len(legal)
        moves.append(rng.choice(legal))
        game.set_position([*start, "moves", *moves])
    again, _ = new_game(entry)
    again.set_position([*start, "moves", *moves])
    assert again.describe() == game.describe()


def test_same_seed_gives_same_answer(entry: Entry) -> None:
    answers = [go(new_game(entry, seed=5)[0], nodes=NODES) for _ in range(2)]
    assert answers[0] == answers[1]


def test_stopped_go_is_answered_immediately(entry: Entry) -> None:
    game, _ = new_game(entry)
    control = Control(lambda line: None)
    control.stop()
    assert game.go(GoRequest(infinite=True), control)
