"""What the board does when something cannot be done, when it is small, when one points at a sentence, after help."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.board_pages import centres, click, click_a_quiet_move, go_to, my_turn, until

OpenPage = Callable[..., Any]
SAID = "document.querySelector('#banner span').textContent"
CELL = """(board) => {
  const svg = document.getElementById(board);
  return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
}"""
FORGET = "import('/main.js').then(({modules}) => modules['storage.js'].keep('coached', []))"
"""All hints for a first game are new again."""
SHAKEN = """(() => {
  const animate = Element.prototype.animate;
  window.shaken = 0;
  Element.prototype.animate = function (frames, timing) {
    const animation = animate.call(this, frames, timing);
    window.shaken += animation.effect.getTiming().duration === 120 && animation.playState === "running";
    return animation;
  };
})()"""
"""Counts the pieces that shake, which takes 120 ms: on a busy machine that is over before the test asks."""
HELPED = """import('/main.js').then(({modules}) => {
  const {endCard} = modules['end_card.js'], {kept} = modules['storage.js'];
  const seats = {S: {who: 'me'}, N: {who: 'engine', name: 'junqi-engine', elo: null}};
  const state = {game: 77, phase: 'over', mine: 'S', seats, result: 'S'};
  const wins = () => kept('wins', {}).master ?? 0;
  const counts = [wins()];
  endCard.ended(state);
  counts.push(wins());
  const {game} = endCard;
  endCard.game = {...game, state, draw: () => {}};
  endCard.noteHelp();
  endCard.ended(state);
  counts.push(wins());
  endCard.game = game;
  return counts;
})"""


@pytest.fixture(scope="module")
def page(open_shared_page: OpenPage) -> Any:
    page = open_shared_page(at_home=True)
    until(page, "document.querySelector('#seats li')")
    return page


@pytest.fixture
def played(page: Any) -> Any:
    """The page of this file at the first own turn of a new game of Luzhanqi."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1200, "height": 800})
    page.click("#tab-play")
    if page.is_visible("#resign"):
        page.click("#resign")
        page.click("#confirm button.main")
        page.wait_for_selector("#end-card:not([hidden])")
    page.click("#tab-home")
    page.click("#home-play")
    until(page, "document.getElementById('end-card').hidden && !document.querySelector('#moves li')")
    assert my_turn(page)
    return page


def named(page: Any, word: str) -> dict[str, Any]:
    """The place of an own piece with a name."""
    shapes = centres(page, ".shapes .seat-S")
    return next(one for one in shapes if word in page.text_content(f"#play-board [data-id='{one['name']}']"))


def test_what_cannot_move_shakes_and_the_rule_is_told(played: Any) -> None:
    played.emulate_media(reduced_motion="no-preference")
    played.evaluate(SHAKEN)
    for word, rule in (("Landmine", "Landmines never move."), ("Flag", "The Flag never moves.")):
        click(played, named(played, word))
        until(played, f"{SAID} === '{rule}'")
    assert played.evaluate("window.shaken") == 2
    click(played, centres(played, ".shapes .seat-N")[0])
    until(played, f"{SAID}.startsWith('That is the enemy')")
    # A piece that is chosen, and a point that it does not reach.
    click(played, centres(played, ".shapes .movable")[0])
    click(played, named(played, "Flag"))
    until(played, f"{SAID} === 'Your own piece stands there.'")
    assert not centres(played, ".target")


def test_an_enlarged_board_says_so_once_and_has_a_way_back(played: Any) -> None:
    """On a phone the first touch enlarged a board of four seats without a word, and nothing showed the way out."""
    played.evaluate(FORGET)
    played.set_viewport_size({"width": 640, "height": 400})
    whole = "document.getElementById('play-board').viewBox.baseVal.width"
    until(played, f"{whole} > 12")
    assert my_turn(played)
    for is_first in (True, False):
        click(played, centres(played, ".shapes .movable")[0])
        box = played.locator("#play .whole-board").bounding_box()
        assert box["height"] >= 44 and played.inner_text("#play .whole-board") == "Whole board"
        assert played.is_visible("#coach") is is_first
        assert not is_first or played.inner_text("#coach").startswith("Enlarged: drag beside the pieces")
        played.click("#play .whole-board")
        assert played.evaluate(whole) > 12 and played.is_hidden("#play .whole-board") and played.is_hidden("#coach")
        played.keyboard.press("Escape")


def test_a_hint_covers_no_control_and_goes_with_what_it_speaks_of(played: Any) -> None:
    played.evaluate(FORGET)
    played.set_viewport_size({"width": 390, "height": 844})
    played.reload()
    assert my_turn(played)
    until(played, "document.getElementById('coach').textContent.includes('tap a piece')")
    hint, controls, board = (
        played.locator(part).bounding_box() for part in ("#coach", "#controls", "#seats [data-side='0']")
    )
    assert board["y"] + board["height"] <= hint["y"] and hint["y"] + hint["height"] <= controls["y"]
    click_a_quiet_move(played)
    until(played, "!document.getElementById('coach').textContent.includes('tap a piece')")


SIGN = """(taken) => import('/main.js').then(({modules}) => {
  const {battleSign} = modules['battle_sign.js'], piece = {piece: 1, seat: 'S', letter: 'f', may: 'f'};
  const last = {outcome: 'attacker-won', attacker: piece, defender: piece};
  const frame = {left: -1, right: 9, top: -1, bottom: 12};
  const sign = battleSign(last, 'won', {x: 4, y: 5}, frame, taken, {scale: 1, wide: 1}, '');
  document.getElementById('play-board').append(sign);
  const picture = sign.querySelector('.sign');
  const place = picture.getAttribute('transform').match(/-?[\\d.]+/g).slice(0, 2).map(Number);
  return [...place, getComputedStyle(picture).animationName];
})"""


@pytest.mark.parametrize(("taken", "right", "down"), [([], 0, -1), ([(4, 4)], 0, 1), ([(4, 4), (4, 6)], 1, -1)])
def test_the_sign_of_a_battle_stands_where_it_covers_no_piece(
    played: Any, taken: list[tuple[int, int]], right: int, down: int
) -> None:
    x, y, animation = played.evaluate(SIGN, [{"x": one, "y": other} for one, other in taken])
    assert (x > 4) - (x < 4) == right and (y > 5) - (y < 5) == down
    assert animation == "vanish", "at one's own turn it is soon out of the way"


def test_a_page_at_200_percent_is_playable_after_the_first_click(played: Any) -> None:
    played.set_viewport_size({"width": 640, "height": 400})
    until(played, "document.getElementById('play-board').viewBox.baseVal.width > 12")
    assert my_turn(played)
    click(played, centres(played, ".shapes .movable")[0])
    assert played.evaluate(CELL, "play-board") >= 43.9
    boxes = [played.locator(part).bounding_box() for part in ("#play .table", "#play-board")]
    assert boxes[0]["width"] >= boxes[1]["width"] - 1, "the enlarged board stays within its place"
    assert played.evaluate("getComputedStyle(document.getElementById('play-board')).overflow") != "visible"
    go_to(played, "learn")
    until(played, "document.querySelector('#learn-board .movable')")
    click(played, centres(played, ".shapes .movable", "learn-board")[0])
    assert played.evaluate(CELL, "learn-board") >= 43.9
    # At 400 percent, and on a small phone on its side, nothing is beside the window either.
    for width, height in ((640, 400), (568, 320), (320, 256)):
        played.set_viewport_size({"width": width, "height": height})
        for view in ("home", "play", "learn"):
            go_to(played, view)
            assert played.evaluate("document.documentElement.scrollWidth") <= width, (width, view)


def test_a_second_finger_does_nothing_during_a_drag(open_page: OpenPage) -> None:
    """It left the piece in mid-air."""
    page = open_page(has_touch=True)
    until(page, "document.querySelector('#play-board .movable')")
    first, second = centres(page, ".shapes .movable")[:2]
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, Any]) -> int:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return page.locator("#play-board .dragged").count()

    start, other = ({"id": number, "x": one["x"], "y": one["y"]} for number, one in enumerate((first, second)))
    # Beside the board, where no piece can go.
    end = start | {"x": 2, "y": 2}
    touch("touchStart", start)
    assert touch("touchMove", end) == 1
    assert touch("touchStart", end, other) == touch("touchEnd", other) == 1
    assert touch("touchEnd") == 0
    assert next(one for one in centres(page, ".shapes .shape") if one["name"] == first["name"]) == first


def test_pointing_at_a_sentence_shows_its_points(played: Any) -> None:
    click_a_quiet_move(played)
    until(played, "document.querySelector('#log [data-points]')")
    assert my_turn(played)
    played.hover("#log [data-points]")
    until(played, "document.querySelectorAll('#play-board .pointed').length === 2")
    played.hover("#tab-home")
    until(played, "document.querySelectorAll('#play-board .pointed').length === 0")


def test_a_win_with_help_is_practice(played: Any) -> None:
    before, first, helped = played.evaluate(HELPED)
    assert first == before + 1 and helped == first


LUCK = """(result) => import('/main.js').then(({modules}) => {
  const {endCard} = modules['end_card.js'], {boardOf} = modules['junqi_board.js'], {textOf} = modules['voice.js'];
  const before = endCard.review;
  const player = (seat, luck) => ({player: seat, team: seat, accuracy: 70, luck});
  endCard.review = {players: [player('S', 0.3), player('N', 0)]};
  const said = endCard.summary({mine: 'S', result}, boardOf('luzhanqi')).map(textOf);
  endCard.review = before;
  return said[1];
})"""


def test_luck_is_no_mockery_after_a_loss(played: Any) -> None:
    assert played.evaluate(LUCK, "S") == "Luck was clearly with you."
    assert played.evaluate(LUCK, "N") == "Bad luck was not the reason."


def test_a_running_game_is_continued_from_the_first_view(played: Any) -> None:
    played.click("#tab-home")
    assert played.inner_text("#home-play") == "Continue your game"
    assert played.locator("#home button.main").count() == 1
    played.click("#home-play")
    until(played, "!document.getElementById('play').hidden && document.querySelector('#play-board .movable')")
