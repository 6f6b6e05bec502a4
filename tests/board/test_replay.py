"""Records of the referee on the page: stepping, playing and jumping, with all pieces or as one seat saw them."""

import io
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from junqi_board.errors import RequestError
from junqi_board.views.replay import Steps, read_game
from junqi_engine.players import lineup_choice
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.records.game_record import GameRecord
from junqi_referee.truth import Truth
from tests.helpers.board import Page, broken, serving
from tests.helpers.board_pages import centres, until
from tests.helpers.record import random_game
from tests.helpers.referee import scripted, settings

ENGINES = (broken("script"),)


def test_a_file_on_the_command_line_is_opened_for_the_host(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{random_game().as_line()}\n")
    with serving(tmp_path, broken("script"), opens=file) as server, Page(server) as page:
        assert page.until("welcome")["has_games"]
        [line] = page.ask("replay_given")["lines"]
        assert page.ask("replay_open", line=line)["moves"] == random_game().moves
        file.write_text("{}")
        assert page.ask("replay_given")["code"] == "bad-record"


def test_stepping_through_a_record(open_page: Callable[..., Any], tmp_path: Path) -> None:
    script = {"cmd": " ".join(scripted("script"))}
    chosen = settings(
        {**script, "name": "left"}, {**script, "name": "right"}, rounds=1, record=str(tmp_path / "games.jsonl")
    )
    Tournament(chosen).run(Progress(io.StringIO()), False)
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write(random_game().as_line().replace('"game":1,', '"game":9,') + "\n")
    page = open_page()
    page.click("#tab-library")
    page.set_input_files("#replay-file", tmp_path / "games.jsonl")

    def at(text: str) -> None:
        until(page, f"document.getElementById('replay-status').textContent.startsWith('{text}')")

    at("Before the first move.")
    assert page.locator("#replay-game option").count() == 3
    page.select_option("#replay-game", index=2)
    until(page, "document.getElementById('replay-at').max === '60'")
    assert page.locator("#replay-board .hidden").count() == 0
    page.click("#replay-next")
    at("Move 1 of 60.")
    page.click("#replay-back")
    at("Before the first move.")
    page.select_option("#replay-eyes", "W")
    until(page, "document.querySelectorAll('#replay-board .hidden').length === 75")
    seats = {one["name"]: one["y"] for one in centres(page, ".shapes .shape", "replay-board")}
    assert seats["96"] > seats["32"], "the board turns to the eyes"
    page.click("#replay-last")
    at("Move 60 of 60.")
    assert "draw" in page.inner_text("#replay-status")
    page.click("#replay-moves li:nth-child(30)")
    at("Move 30 of 60.")
    page.focus("#replay-play")
    page.keyboard.press("ArrowRight")
    at("Move 31 of 60.")
    page.click("#replay-play")
    at("Move 33 of 60.")
    page.click("#replay-play")
    page.set_input_files("#replay-file", {"name": "x.jsonl", "mimeType": "text/plain", "buffer": b'{"game":1}\n'})
    until(page, "document.getElementById('banner').textContent.includes('not a recorded game')")


def test_a_record_without_a_version_is_replayed_under_version_1() -> None:
    rng = random.Random(0)
    lineups = {seat: lineup_choice.sensible(rng) for seat in "SENW"}
    truth = Truth("siguo", lineups, "S", Rules(no_contact=70, version=1))
    while truth.result is None:
        truth.play(rng.choice(truth.legal()))
    count = len(truth.moves)
    rules = {"no_contact": 70, "no_contact_loses": False, "max_plies": 0}
    record = GameRecord(1, "siguo", "partner", {}, 0, rules, lineups, "S", truth.moves,
                        [1] * count, [None] * count, truth.result, truth.ending)  # fmt: skip
    read = read_game(record.as_line())
    assert (read.rules["version"], read.ending) == (1, Ending.NO_CONTACT)
    assert len(Steps(read, "SN").entries()) == count
    with pytest.raises(RequestError, match="#S was played"):
        read_game(replace(record, rules=rules | {"version": 2}).as_line())


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:100],
        lambda line: line.replace('"siguo"', '"chess"'),
        lambda line: line.replace('"moves":["', '"moves":["g6g9","'),
        lambda line: line.replace('"moves":["', '"moves":[7,"'),
        lambda line: re.sub('"moves":\\["[^"]*"', '"moves":["pass:N"', line),
        lambda line: line.replace('"engines":{"SN":{"name":"one"}', '"engines":{"SN":1'),
        lambda line: line.replace('"first":"E"', '"first":"X"'),
        lambda line: line.replace('"lineups":{"S":', '"lineups":{"X":'),
        lambda line: line.replace('"rules":{', '"rules":{"none":1,'),
        lambda line: line.replace('"result":"draw"', '"result":"SN"'),
        lambda line: "[" * 100_000,
    ],
)
def test_a_damaged_or_false_record_is_refused(damage: Callable[[str], str]) -> None:
    line = random_game().as_line()
    assert read_game(line).ending == Ending.MAX_PLIES
    with pytest.raises(RequestError):
        read_game(damage(line))
