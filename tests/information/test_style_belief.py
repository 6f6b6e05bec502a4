"""The belief by styles: what a seat shows of its line-up says how the rest of it, and its partner, set up."""

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.information.belief.chances import chances_by_seat, scale_to_counts
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.styles import (
    ALL_PLACES,
    NO_PLACE,
    STYLES_FILE,
    SeatBelief,
    Styles,
    believe,
    load,
    share_origins,
    with_mirrors,
)
from junqi_engine.information.belief.worlds import draw
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.moves import parse_move
from junqi_engine.players.lineup_population import BY_WORTHS
from junqi_engine.players.lineup_population import draw_by_worths as draw_lineup
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LINEUP_INDICES, SIGUO
from junqi_engine.rules.layout import slice_of, slot_of
from junqi_engine.rules.pieces import BOMB, COUNTS, FLAG, KINDS, LETTERS, MARSHAL, MINE, PIECES_PER_SEAT
from junqi_training.belief import styles
from junqi_training.belief.calibration import log_loss

LEFT_FLAG, RIGHT_FLAG = LINEUP_INDICES.index(26), LINEUP_INDICES.index(28)
LEFT_CORNER, RIGHT_CORNER = LINEUP_INDICES.index(25), LINEUP_INDICES.index(29)
NOTHING_DONE = np.zeros((PIECES_PER_SEAT, KINDS))


def start(*hidden: int) -> SeatView:
    """The start of a game of siguo, with some hidden seats."""
    return SeatView.start(SIGUO, sum(1 << seat for seat in range(4) if seat not in hidden))


def known(*places: tuple[int, int]) -> np.ndarray:
    """The kinds that the rules allow, (25, 12), with the kinds of some places known."""
    allowed = (np.array(lineup.MASK_AT)[:, None] >> np.arange(KINDS) & 1).astype(float)
    for place, kind in places:
        allowed[place] = np.arange(KINDS) == kind
    return allowed


def of_lineup(letters: str, count: int = PIECES_PER_SEAT) -> np.ndarray:
    """What is allowed if the first pieces of a line-up are known."""
    return known(*((place, LETTERS.index(letter)) for place, letter in enumerate(letters[:count])))


def share_of(belief: SeatBelief, origin: str) -> float:
    number = load("siguo").names.index(origin)
    return float(load("siguo").of_origins(belief.shares)[number])


def two_styles() -> Styles:
    """Officers in front, or in the second row; everything else alike."""
    front, second = lineup.allowed_with_flag_left(), lineup.allowed_with_flag_left()
    front[:5, :4] *= 8.0
    second[5:9, :4] *= 8.0
    tables = np.stack([scale_to_counts(front), scale_to_counts(second)])
    return with_mirrors(("front", "second"), tables, np.ones(2), np.zeros((8, KINDS)))


# The tables


@pytest.mark.parametrize("variant", BOARDS)
def test_every_style_is_a_table_of_chances_and_no_legal_line_up_is_ruled_out(variant: str) -> None:
    found = load(variant)
    assert len(found.names) == len(found.tables) == len(found.shares) == len(found.origins)
    assert found.tables[:, :PIECES_PER_SEAT].sum(axis=1) == pytest.approx(
        np.tile(COUNTS, (len(found.names), 1)), abs=0.01
    )
    assert found.tables.sum(axis=2) == pytest.approx(np.ones((len(found.names), NO_PLACE + 1)), abs=0.01)
    assert found.behaviour.shape == (8, KINDS)
    chances = believe(found, known(), NOTHING_DONE).chances
    assert (chances[known() == 1] > 1e-4).all()


def test_a_style_and_its_mirror_image_are_equally_likely_at_first() -> None:
    chances = belief(start(1))[1]
    assert chances == pytest.approx(chances[list(lineup.MIRRORED_PLACES)], abs=1e-6)
    assert chances[LEFT_FLAG, FLAG] == pytest.approx(0.5)


# What follows from what


def test_a_landmine_in_a_corner_says_where_the_flag_is() -> None:
    """
    . . . . .    row 4
    j ? . ? .    row 5: the landmine is next to the left headquarters
    """
    belief = believe(load("siguo"), known((LEFT_CORNER, MINE)), NOTHING_DONE)
    assert belief.chances[LEFT_FLAG, FLAG] > 0.6
    mirrored = believe(load("siguo"), known((RIGHT_CORNER, MINE)), NOTHING_DONE)
    assert mirrored.chances[RIGHT_FLAG, FLAG] == pytest.approx(belief.chances[LEFT_FLAG, FLAG])


def test_a_known_flag_says_where_landmines_are() -> None:
    chances = believe(load("siguo"), known((LEFT_FLAG, FLAG)), NOTHING_DONE).chances
    assert chances[LEFT_CORNER, MINE] > chances[RIGHT_CORNER, MINE] + 0.2


def test_line_ups_of_this_engine_are_mostly_recognised() -> None:
    rng = random.Random(1)
    found = [believe(load("siguo"), of_lineup(draw_lineup(rng, "siguo"), 20), NOTHING_DONE) for _ in range(20)]
    shares = [share_of(belief, BY_WORTHS) for belief in found]
    assert float(np.mean(shares)) > 0.6 > 0.5 > share_of(believe(load("siguo"), known(), NOTHING_DONE), BY_WORTHS)


def test_partners_share_what_they_show_of_a_style_but_not_the_side_of_the_flag() -> None:
    letters = draw_lineup(random.Random(1), "siguo")
    shows, hides = (believe(load("siguo"), allowed, NOTHING_DONE) for allowed in (of_lineup(letters), known()))
    shown, hidden = share_origins(load("siguo"), (shows, hides))
    assert share_of(hidden, BY_WORTHS) == pytest.approx(share_of(shown, BY_WORTHS))
    assert share_of(hidden, BY_WORTHS) > share_of(hides, BY_WORTHS) + 0.2
    assert hidden.chances[LEFT_FLAG, FLAG] == pytest.approx(0.5)
    assert max(shown.chances[LEFT_FLAG, FLAG], shown.chances[RIGHT_FLAG, FLAG]) == pytest.approx(1.0)


def test_the_shares_are_those_of_bayes() -> None:
    """By drawing line-ups: a style's posterior share is its part of the drawn line-ups that fit what is known."""
    found = two_styles()
    seen = known((0, MARSHAL), (6, LETTERS.index("b")))
    view, rng = start(1), np.random.default_rng(1)
    fitting = []
    for style in range(4):
        table = np.maximum(found.tables[style, ALL_PLACES], 1e-9)
        chances = chances_by_seat(view, lambda seat, table=table: table)
        drawn = draw(view, 20_000, int(rng.integers(1 << 62)), chances)[:, slice_of(1, PIECES_PER_SEAT)]
        fitting.append(((drawn[:, 0] == MARSHAL) & (drawn[:, 6] == LETTERS.index("b"))).mean())
    wanted = np.array(fitting) / np.sum(fitting)
    assert believe(found, seen, NOTHING_DONE).shares[:4] == pytest.approx(wanted, abs=0.06)


BOMB_COMES = "17/17/17/17/10E?6/17/17/17/12E?3E?/17/16E?/17/17/17/17/8Sa8/7Sl9 E SE S 0 300 -"


def test_a_bomb_may_have_come_to_the_front_row() -> None:
    """East's piece on m9 steps to l9, its front row, where no bomb starts, and back again."""
    view = parse_fen(SIGUO, BOMB_COMES)
    chances = []
    for move in ("", "m9l9", "i2j2", "l9m9"):
        if move:
            view.observe(parse_move(SIGUO, move))
        piece = view.piece_at(SIGUO.point_named["l9" if move in ("m9l9", "i2j2") else "m9"]) or 0
        chances.append(belief(view)[1][slot_of(piece), BOMB])
    assert min(chances) > 0.05 and max(chances) < 0.2


# Tools


@pytest.fixture
def styles_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterable[Path]:
    """A copy of the styles, which the tools change instead of the package's."""
    file = tmp_path / "styles.json"
    file.write_bytes(STYLES_FILE.read_bytes())
    for module in ("junqi_engine.information.belief.styles", "junqi_training.belief.styles"):
        monkeypatch.setattr(f"{module}.STYLES_FILE", file)
    monkeypatch.setattr("junqi_training.belief.calibration.STYLES_FILE", file)
    load.cache_clear()
    yield file
    load.cache_clear()


@pytest.mark.long
def test_the_engines_style_is_made_by_the_command(styles_file: Path, tmp_path: Path) -> None:
    before = {name: load("siguo").tables[number] for number, name in enumerate(load("siguo").names)}
    book = tmp_path / "book.txt"
    book.write_text(f"{lineup.DEFAULT} ; one\n" * 30, encoding="utf-8")
    assert styles.main(["--lineups", "300", f"one book:0.5={book}"]) == 0
    after = {name: load("siguo").tables[number] for number, name in enumerate(load("siguo").names)}
    assert np.abs(after[BY_WORTHS] - before[BY_WORTHS]).max() < 0.1
    assert (after["people"] == before["people"]).all()
    number = LINEUP_INDICES.index(0)
    assert after["one book"][number, LETTERS.index(lineup.DEFAULT[0])] > 0.5 or lineup.DEFAULT[LEFT_FLAG] != "l"
    assert believe(load("siguo"), known(), NOTHING_DONE).chances.sum(axis=0) == pytest.approx(COUNTS, abs=0.01)


# Predictions


def test_belief_by_styles_predicts_line_ups_of_this_engine_better_than_the_counts() -> None:
    rng = random.Random(4)
    allowed, truth = [], []
    for _ in range(30):
        letters = draw_lineup(rng, "siguo")
        allowed.append(of_lineup(letters, 8))
        truth.append([LETTERS.index(letter) for letter in letters])
    asked = np.ones((30, PIECES_PER_SEAT), bool)
    asked[:, :8] = False
    believed = np.stack([believe(load("siguo"), one, NOTHING_DONE).chances for one in allowed])
    counted = scale_to_counts(np.stack(allowed))
    losses = [log_loss(chances, np.array(truth), asked) for chances in (believed, counted)]
    assert losses[0] < losses[1] - 0.15
