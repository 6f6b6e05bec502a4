"""Players: each event as a drawing, the flag path against plain breadth-first search, determinism."""

import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code
from junqi_engine.players import events
from junqi_engine.players.events import Event, EventMove, move_for_event
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.pieces import LETTERS, mask_of
from tests.helpers.drawing import view_of


def text(answer: EventMove | None) -> str | None:
    return None if answer is None else f"{answer.event} {format_code(SIGUO, answer.move)}"


def choose(view: SeatView, player: str = "1.2") -> str | None:
    return text(events.choose_move(player, view, 0, view.legal_moves()))


def test_player_does_not_attack_possible_mine() -> None:
    drawing = """
            h  n  o  p  q
        11  .. .. .. E? E?
        10  .. .. .. .. ..
         9  .. E? .. .. ..
         8  .. E? Sg E? ..
         7  .. .. .. .. E?
         1  Sl .. .. .. ..
    """
    view = view_of(drawing, viewer="S")
    assert text(move_for_event(Event.UNKNOWN, view, view.legal_moves())) == "unknown o8n8"
    home = view_of(drawing.replace("E? Sg", ".. Sg").replace("9  .. E?", "9  .. .."), viewer="S")
    assert move_for_event(Event.UNKNOWN, home, home.legal_moves()) is None
    moved = view_of(drawing.replace("E? Sg", ".. Sg").replace("9  .. E?", "9  .. .."), viewer="S", masks="p8:abcdefghi")
    assert text(move_for_event(Event.UNKNOWN, moved, moved.legal_moves())) == "unknown o8p8"
    bombs = view_of(drawing.replace("Sg", "Sk"), viewer="S")
    assert move_for_event(Event.UNKNOWN, bombs, bombs.legal_moves()) is None


@pytest.mark.parametrize(
    ("piece", "mask", "answer"),
    [
        *(("f", mask, "capture p9p10") for mask in ("gh", "i", "g")),
        *(("f", mask, None) for mask in ("fgh", "ghk", "f")),
        *(("k", mask, "bomb p9p10") for mask in ("abcd", "d")),
        *(("k", mask, None) for mask in ("de", "dk")),
        ("i", "jh", "engineer p9p10"),
        ("i", "gh", None),  # it has moved
    ],
)
def test_events_choose_their_targets(piece: str, mask: str, answer: str | None) -> None:
    view = view_of(f"""
            h  p  q
        10  .. E? E?
         9  .. S{piece} ..
         8  .. .. E?
         1  Sl .. ..
    """, viewer="S", masks=f"p10:{mask},q10:jl,q8:jl")  # fmt: skip
    event = {"f": Event.CAPTURE, "k": Event.BOMB, "i": Event.ENGINEER}[piece]
    assert text(move_for_event(event, view, view.legal_moves())) == answer


def test_proven_kind_has_probability_one() -> None:
    view = view_of("""
            h  q
        16  E? ..
        10  .. E?
         8  .. E?
         4  Sg ..
         1  Sl ..
    """, viewer="S", masks="q10:l")  # fmt: skip
    slot = (view.piece_at(SIGUO.point_named["q10"]) or 0) & 31
    assert belief(view)[1][slot][LETTERS.index("l")] == pytest.approx(1.0)
    assert view.mask_at(SIGUO.point_named["q8"]) & mask_of("l") == 0


def test_players_refuse_hidden_seats() -> None:
    view = SeatView.start(SIGUO, 2)
    with pytest.raises(Refused, match="hidden"):
        choose(view)
