"""The belief by styles: what a seat shows of its line-up says how the rest of it, and its partner, set up."""

import random

import numpy as np
import pytest

from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.styles import (
    NO_PLACE,
    SeatPosterior,
    combine_partners,
    load_styles,
    posterior_of_styles,
)
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.moves import parse_move
from junqi_engine.players.lineup_choice import draw_style
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LINEUP_INDICES, SIGUO
from junqi_engine.rules.layout import slot_of
from junqi_engine.rules.pieces import BOMB, COUNTS, FLAG, KINDS, LETTERS, MINE, PIECES_PER_SEAT

LEFT_FLAG, RIGHT_FLAG = LINEUP_INDICES.index(26), LINEUP_INDICES.index(28)
LEFT_CORNER, RIGHT_CORNER = LINEUP_INDICES.index(25), LINEUP_INDICES.index(29)
STYLE = "engine 3.3"


def known(*places: tuple[int, int]) -> np.ndarray:
    """The kinds that the rules allow, (25, 12), with the kinds of some places known."""
    allowed = (np.array(lineup.MASK_AT)[:, None] >> np.arange(KINDS) & 1).astype(float)
    for place, kind in places:
        allowed[place] = np.arange(KINDS) == kind
    return allowed


def of_lineup(letters: str, count: int = PIECES_PER_SEAT) -> np.ndarray:
    """The masks if the first pieces of a line-up are known."""
    return known(*((place, LETTERS.index(letter)) for place, letter in enumerate(letters[:count])))


def share_of(belief: SeatPosterior, origin: str) -> float:
    number = load_styles("siguo").names.index(origin)
    return float(load_styles("siguo").of_origins(belief.weights)[number])


# The tables


@pytest.mark.parametrize("variant", BOARDS)
def test_styles_are_probabilities_and_exclude_no_lineup(variant: str) -> None:
    found = load_styles(variant)
    assert len(found.names) == len(found.tables) == len(found.prior) == len(found.origins)
    assert found.tables[:, :PIECES_PER_SEAT].sum(axis=1) == pytest.approx(
        np.tile(COUNTS, (len(found.names), 1)), abs=0.01
    )
    assert found.tables.sum(axis=2) == pytest.approx(np.ones((len(found.names), NO_PLACE + 1)), abs=0.01)
    chances = posterior_of_styles(found, known()).marginals
    assert (chances[known() == 1] > 1e-4).all()


# What follows from what


def test_corner_landmine_locates_flag() -> None:
    """
    . . . . .    row 4
    j ? . ? .    row 5: the landmine is next to the left headquarters
    """
    belief = posterior_of_styles(load_styles("siguo"), known((LEFT_CORNER, MINE)))
    assert belief.marginals[LEFT_FLAG, FLAG] > 0.6
    mirrored = posterior_of_styles(load_styles("siguo"), known((RIGHT_CORNER, MINE)))
    assert mirrored.marginals[RIGHT_FLAG, FLAG] == pytest.approx(belief.marginals[LEFT_FLAG, FLAG])


def test_known_flag_locates_landmines() -> None:
    chances = posterior_of_styles(load_styles("siguo"), known((LEFT_FLAG, FLAG))).marginals
    assert chances[LEFT_CORNER, MINE] > chances[RIGHT_CORNER, MINE] + 0.2


def test_partners_share_style_but_not_flag_side() -> None:
    letters = draw_style(random.Random(1), STYLE, "siguo")
    shows, hides = (posterior_of_styles(load_styles("siguo"), allowed) for allowed in (of_lineup(letters), known()))
    shown, hidden = combine_partners(load_styles("siguo"), (shows, hides))
    assert share_of(hidden, STYLE) == pytest.approx(share_of(shown, STYLE))
    assert share_of(hidden, STYLE) > share_of(hides, STYLE) + 0.2
    assert hidden.marginals[LEFT_FLAG, FLAG] == pytest.approx(0.5)
    assert max(shown.marginals[LEFT_FLAG, FLAG], shown.marginals[RIGHT_FLAG, FLAG]) == pytest.approx(1.0)


BOMB_COMES = "17/17/17/17/10E?6/17/17/17/12E?3E?/17/16E?/17/17/17/17/8Sa8/7Sl9 E SE S 0 300 -"


def test_moved_bomb_may_be_in_front_row() -> None:
    """East's piece on m9 steps to l9, its front row, where no bomb starts, and back again."""
    view = parse_fen(SIGUO, BOMB_COMES)
    chances = []
    for move in ("", "m9l9", "i2j2", "l9m9"):
        if move:
            view.observe(parse_move(SIGUO, move))
        piece = view.piece_at(SIGUO.point_named["l9" if move in ("m9l9", "i2j2") else "m9"]) or 0
        chances.append(belief(view)[1][slot_of(piece), BOMB])
    assert min(chances) > 0.05 and max(chances) < 0.2
