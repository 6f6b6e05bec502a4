"""Analysis: positions set up by hand or as a FEN, what hidden pieces may be, branches, the engine's lines."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from junqi_board.errors import RequestError
from junqi_board.views.analysis import answer_of, fen_of
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import BOARDS
from tests.helpers.board import OWN_ENGINE, Server, serving
from tests.helpers.board_pages import until

LUZHANQI = BOARDS["luzhanqi"]
PIECES = {"b1": "Sl", "a1": "Sj", "c5": "Sd", "e3": "Sf", "c6": "N?", "d12": "N?", "e8": "N?"}
HIDDEN = fen_of(LUZHANQI, PIECES, {"c6": "cdf"}, "S", "S")
OPEN = fen_of(LUZHANQI, PIECES | {"c6": "Nd", "d12": "Nl", "e8": "Nf"}, {}, "S", "*")


def test_a_position_set_up_by_hand_is_that_of_its_fen() -> None:
    assert HIDDEN == "3N?1/5/5/5/4N?/5/2N?2/2Sd2/5/4Sf/5/SjSl3 S SN S 0 0 c6:cdf"
    answer = answer_of(LUZHANQI, HIDDEN, [])
    assert parse_fen(LUZHANQI, answer["fen"]) is not None and answer["turn"] == "S"
    assert {piece[3] for piece in answer["pieces"] if piece[2] == "N"} == {"?"}


def test_a_battle_with_a_hidden_piece_asks_how_it_ends() -> None:
    assert answer_of(LUZHANQI, HIDDEN, ["c5c6"]) == {
        "type": "analysis_outcomes",
        "moves": ["c5c6x", "c5c6o", "c5c6="],
    }
    won = answer_of(LUZHANQI, HIDDEN, ["c5c6x"])
    assert won["turn"] == "N" and len(won["pieces"]) == len(PIECES) - 1
    # With all pieces known the outcome follows.
    assert answer_of(LUZHANQI, OPEN, ["c5c6"])["moves"] == ["c5c6="]


@pytest.mark.parametrize(
    ("fen", "moves", "said"),
    [
        ("rubbish", [], "a FEN has 6 or 7 fields"),
        (HIDDEN.replace(" S SN", " X SN"), [], "field turn"),
        (HIDDEN, ["a1a2"], "a1a2"),
        (HIDDEN, ["zzz"], "'zzz' is not a move"),
    ],
)
def test_what_is_not_a_position_is_refused_in_one_line(fen: str, moves: list[str], said: str) -> None:
    with pytest.raises(RequestError, match=said) as refusal:
        answer_of(LUZHANQI, fen, moves)
    assert "\n" not in str(refusal.value)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("own"), OWN_ENGINE) as server:
        yield server


@pytest.mark.long
def test_only_the_last_click_and_the_last_search_count(open_page: Callable[..., Any], own: Server) -> None:
    """The answers of the server come in another order than the questions."""
    page = open_page(own.token, own)
    page.click("#tab-analysis")
    page.wait_for_selector("#analysis-board .shape", state="attached")
    page.select_option("#analysis-variant", "luzhanqi")
    until(page, "document.querySelectorAll('#analysis-board .shape').length === 50")
    page.evaluate("""import('/main.js').then(({modules}) => {
      const { socket } = modules['socket.js'], ask = socket.request;
      window.held = [];
      window.release = (index) => window.held[index]();
      socket.request = async function (type, fields) {
        const answer = await ask.call(socket, type, fields);
        await new Promise((done) => window.held.push(done));
        return answer;
      };
    })""")
    for fen in (HIDDEN, OPEN):
        page.fill("#analysis-fen", fen)
        page.click("#analysis-fen-open")
    until(page, "window.held.length === 2")
    page.evaluate("window.release(1)")
    until(page, f"document.getElementById('analysis-fen').value === {OPEN!r}")
    page.evaluate("window.release(0)")
    for _ in range(2):
        page.click("#analysis-search")
    until(page, "window.held.length >= 3")  # the first search has ended, because the second one began
    page.evaluate("window.release(2)")
    assert (
        page.evaluate("new Promise((done) => setTimeout(() => done(document.getElementById('analysis-stop').hidden)))")
        is False
    )
    assert page.input_value("#analysis-fen") == OPEN
    page.click("#analysis-stop")
    until(page, "window.held.length === 4")
    page.evaluate("window.release(3)")
    until(page, "document.getElementById('analysis-stop').hidden")
