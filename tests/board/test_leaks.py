"""Messages to a page do not depend on what is hidden from its person, whatever the page sends.

A game of persons is played by a record, in this process. One page, of a guest or of the host, sends every message that
it can between the moves, guesses of the hidden line-ups among them. Then the hidden line-ups are shuffled in ways that
the record allows, and all is repeated: what the page is sent must stay the same to the byte, but for tokens, the name
of this start, and times.
"""

import asyncio
import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from junqi_board.answers import welcome
from junqi_board.connection import MESSAGES
from junqi_board.engines import Program
from junqi_board.game.record import record_of
from junqi_board.host import Host
from junqi_board.scenes.junqi import lineup_points
from junqi_engine.rules.board import BOARDS, Board
from junqi_referee.records.replay import bare
from tests.helpers import asynchronous
from tests.helpers.board import fields_of, new_game
from tests.helpers.board_game import AGAINST_ENGINE, FIRST_MOVE, START, follow
from tests.helpers.board_game import new_game as new_game_of
from tests.helpers.board_person import Person
from tests.helpers.leaks import SHUFFLES, allowed, scripted_game
from tests.helpers.marking import long_after
from tests.helpers.referee import scripted

PLIES = 6
CHANGES_GAME = {"resign", "draw", "draw_answer", "new_game", "level", "restart_engine", "play_from", "resume"}
"""Messages that would end the game, or put another in its place."""
UNLIKE = {"lineup_random", "chat", "ping", "setting", "fact", "qr", "review_start", "teaser_solve", "teaser_show"}
"""Messages whose answers are drawn, take time, or ask an engine that knows nothing of the game."""
MASKED = re.compile(r'"(token|run|game)":"[^"]+"|\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?')
PLACES = [
    ("siguo", "partner", {"S": "me", "E": "guest", "N": "speaker", "W": "guest"}, ("S", "E")),
    ("siguo", "partner", {"S": "me", "E": "guest", "N": "me", "W": "guest"}, ("SN", "EW")),
    ("siguo", "dark", {"S": "me", "E": "guest", "N": "speaker", "W": "guest"}, ("S", "E")),
    ("siguo", "dark", {"S": "me", "E": "guest", "N": "guest", "W": "guest"}, ("S", "E")),
    ("luzhanqi", "partner", {"S": "me", "N": "guest"}, ("S", "N")),
]
"""The variant, what partners see, who plays the seats, and the seats of the host and of a guest."""


async def transcript(
    folder: Path, seats: Mapping[str, str], setup: Mapping[str, Any], lineups: Mapping[str, str], moves: list[str],
    under_test: str, guesses: list[Mapping[str, str]],
) -> str:  # fmt: skip
    """All that the person of the seats `under_test` is sent from the first move on."""
    flag = BOARDS[setup["variant"]].names[lineup_points(BOARDS[setup["variant"]], "N")[lineups["N"].index("l")]]
    speaker = Program("speaker", tuple(scripted("speaker", lineups["N"], flag, *map(bare, moves))))
    host = Host((Program("script", tuple(scripted("script"))), speaker), folder)
    await host.start()
    mine = Person(host, host.access)
    await mine.say("new_game", **new_game(dict(seats), **setup))
    people = {mine.state()["mine"]: mine}
    opened = next(frame for frame in mine.frames if frame.startswith('{"type":"opened"'))
    for invitation in json.loads(opened)["invitations"]:
        access = host.tokens.find(invitation["token"])
        assert access is not None
        people[access.seats] = Person(host, access)
    try:
        for own, person in people.items():
            await person.say("ready", lineups={seat: lineups[seat] for seat in own})
        assert host.table is not None
        game = host.table.game
        while game.full is None:
            await asyncio.sleep(0)
        person = people[under_test]
        person.frames.clear()
        person.close()
        person.begin(welcome(host, person.access))
        for ply, move in enumerate(moves):
            if game.player_of(game.full.turn).party.is_engine:
                while len(game.full.moves) == ply:
                    await asyncio.sleep(0)
                continue
            await attack(person, ply, replace(record_of(game), seed=1), guesses)
            for own, enemy in people.items():
                if not any({*own, *under_test} <= {*team} for team in game.board.teams):
                    await enemy.say("chat", words=lineups[own[0]], to_all=False)
            mover = next(one for seats, one in people.items() if game.full.turn in seats)
            await mover.say("move", ply=ply, move=bare(move))
        assert game.full.moves == moves
        return MASKED.sub("*", "\n".join(person.frames)).replace(str(folder), "folder")
    finally:
        for person in people.values():
            person.close()
        await host.close()


async def attack(person: Person, ply: int, record: Any, guesses: list[Mapping[str, str]]) -> None:
    """Everything that a page may send, and more."""
    rng = random.Random(ply)
    for lineups in guesses:
        for moves in (record.moves, record.moves[:1], []):
            count = len(moves)
            guess = replace(record, lineups=lineups, moves=moves, times_ms=[1] * count, scores=[None] * count)
            await person.say("replay_open", line=replace(guess, engines={}).as_line())
            for viewer in ("*", "SN", "E"):
                await person.say("scene", ply=0, viewer=viewer)
            await person.say("story", viewer="*")
    state = person.state()
    names = BOARDS[state["variant"]].names
    for start, *_ in state["pieces"]:
        for target in (*rng.sample(sorted(BOARDS[state["variant"]].points), 3), start):
            if str(target) not in state["targets"].get(str(start), {}):
                await person.say("move", ply=len(state["moves"]), move=f"{names[start]}{names[target]}")
        for suffix in ("x", "o", "=", "#S"):
            for target, move in state["targets"].get(str(start), {}).items():
                if int(target) in [point for point, *_ in state["pieces"]]:
                    await person.say("move", ply=len(state["moves"]), move=move + suffix)
    for kind, fields in SENT:
        await person.say(kind, **fields)


LINEUP = "cbfahdehgegidcfkjkijgjhli"
SENT = [
    ("ready", {"lineups": {"S": LINEUP}}),
    *(("move", {"ply": ply, "move": text}) for ply in (0, 1, 5) for text in ("", "x", "resign:S", "pass:E", "a1q17")),
    *(("advice", {"ms": 1}) for _ in range(2)),
    *(("belief", {"on": on}) for on in (True, False)),
    *(("past_targets", {"ply": ply}) for ply in range(PLIES + 2)),
    *(("scene", {"ply": ply, "viewer": ""}) for ply in range(PLIES + 2)),
    *(("scene", {"ply": ply, "viewer": viewer}) for ply in (0, 3, 99) for viewer in ("*", "SN", "EW", "S", "?")),
    *(("story", {"viewer": viewer}) for viewer in ("", "*", "E")),
    ("replay_convert", {"data": "AAAA"}),
    ("name", {"name": "one"}),
    ("name", {"name": ""}),
    *((kind, fields_of(kind)) for kind, message in MESSAGES.items() if message.host_only and kind not in CHANGES_GAME),
    *((kind, {}) for kind, message in MESSAGES.items() if message.__struct_fields__ == ("id",)),
]
SENT = [(kind, fields) for kind, fields in SENT if kind not in CHANGES_GAME | UNLIKE]


def quiet_game(board: Board, seed: int) -> tuple[Any, list[str]]:
    """A game in which there is much to see, cut off before a seat has lost."""
    game, moves = scripted_game(board, seed)
    return game, moves[:PLIES]


def test_every_message_is_sent() -> None:
    sent = {kind for kind, _ in SENT} | {"replay_open"} | UNLIKE | CHANGES_GAME
    assert sent >= set(MESSAGES)


def test_engine_fault_hides_why_a_move_is_illegal() -> None:
    """The reason could be that the piece is a Landmine."""
    game = new_game_of(AGAINST_ENGINE)
    follow(game, START + FIRST_MOVE)
    game.engine_answered(1, "l7l7", 10.0, None, None, 4.0)
    assert game.fault is not None and game.fault.text.endswith(": 'l7l7' is not legal")


@pytest.mark.parametrize("number", [1, 0], ids=["a guest", "the host"])
@pytest.mark.parametrize(("variant", "visibility", "seats", "places"), long_after(1, PLACES))
def test_answers_do_not_depend_on_hidden_pieces(
    tmp_path: Path, variant: str, visibility: str, seats: dict[str, str], places: tuple[str, str], number: int
) -> None:
    board = BOARDS[variant]
    game, moves = quiet_game(board, 7)
    under_test = places[number]
    seen = under_test if visibility == "dark" else board.teams[number]
    own = {letter: game.lineups[seat] for seat, letter in enumerate(board.seats)}
    viewers = tuple(board.seats.index(seat) for seat in seen)
    worlds = [own, *list(allowed(game, viewers, 5))[:SHUFFLES]]
    assert len({tuple(lineups.values()) for lineups in worlds}) == 1 + SHUFFLES
    guesses = [*worlds, dict.fromkeys(board.seats, LINEUP), {}]
    found = []
    for world, lineups in enumerate(worlds):
        folder = tmp_path / str(world)
        setup = {"variant": variant, "visibility": visibility}
        found.append(asynchronous.run(transcript(folder, seats, setup, lineups, moves, under_test, guesses)))
    lines = [text.splitlines() for text in found]
    for other in lines[1:]:
        for one, two in zip(lines[0], other, strict=False):
            assert one == two
        assert len(lines[0]) == len(other)
    assert len(lines[0]) > 100 * (PLIES - 1)
    # A computer partner speaks to its person alone, and in the dark to nobody.
    has_word = any('"words":"!' in line for line in lines[0])
    assert has_word == (seats.get("N") == "speaker" and number == 0 and visibility == "partner")
