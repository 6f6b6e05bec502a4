"""The quick words of a computer partner: which line of a search is worth one, and how often it speaks.

That they tell nothing hidden, and reach no enemy, is tested in `test_leaks`.
"""

import json
from pathlib import Path

import pytest

from junqi_board.partner import EVERY_PLIES, quick_word
from junqi_engine.api.game import View
from tests.helpers.board import Page, broken, serving
from tests.helpers.broken_engines.script import LINEUP, STEPS
from tests.helpers.referee import scripted

FEN = "1N?3/5/5/5/5/5/5/5/5/5/2N?2/Sa2Sl1 S SN S 0 0"
"""South has a Field Marshal on a1 and its Flag on d1, beside an enemy on c2; the enemy's Flag is on b12."""
LINES = {
    "a1b12": "attack",
    "a1a2 c2c3 a2b12": "attack",
    "a1a2 c2a2o a2b12": "attack",
    "a1a2 c2a2x a2b12": "",
    "a1a2 c2d1x": "help",
    "a1c2": "hold",
    "a1c2 b12d1": "help",
    "a1a2 c2c3": "",
    "a1a2 c2c3 a2a3 c3c4 a3a4 c4d1": "",
    "e2e4 0000 ?": "",
    "": "",
}


@pytest.mark.parametrize("line", LINES)
def test_word_follows_from_expected_line(line: str) -> None:
    view = View.from_fen(FEN, variant="luzhanqi").state
    assert quick_word(view, line.split()) == LINES[line]


def test_partner_speaks_once_in_ten_plies(tmp_path: Path) -> None:
    moves = [STEPS["siguo"]["SENW"[ply % 4]][ply // 4 % 2] for ply in range(20)]
    speaker = "speaker", scripted("speaker", LINEUP, "h17", *moves)
    seats = {"S": "me", "E": "script", "N": "speaker", "W": "script"}
    with serving(tmp_path, broken("script"), speaker) as server, Page(server) as page:
        page.new_game(seats)
        page.ready()
        for ply in range(0, 20, 4):
            page.move(page.state(lambda state, ply=ply: bool(state.get("targets")) and state["ply"] == ply), moves[ply])
        page.state(lambda state: state["ply"] == 20)
    messages = [json.loads(frame) for frame in page.frames]
    spoken = [number for number, one in enumerate(messages) if one["type"] == "chat_lines" and one["lines"]]
    plies = [max(one["ply"] for one in messages[:number] if one["type"] == "game") for number in spoken]
    assert plies == [3, 3 + EVERY_PLIES + 2]
    assert {line["seats"] for line in messages[spoken[-1]]["lines"]} == {"N"}
