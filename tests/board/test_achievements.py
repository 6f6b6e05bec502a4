"""What a person has reached: a rating by Glicko-2, wins and Marshals; which games count."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.board import OWN_ENGINE, serving
from tests.helpers.board_pages import click_a_quiet_move, my_turn, until

OpenPage = Callable[..., Any]
RATING = "import('/main.js').then(({modules}) => modules['storage.js'].kept('ratings', {}).luzhanqi ?? null)"
WIN = """import('/main.js').then(({modules}) => {
  const {achievements} = modules['achievements.js'], {play} = modules['play_view.js'];
  const removed = [['a', 'N', 'S'], ['a', 'S', 'N'], ['b', 'N', 'S'], ['ab', 'N', 'S']]
    .map(([may, seat, by], piece) => ({piece, seat, may, by, letter: '?'}));
  achievements.count({...play.state, result: 'S', uncovered: {pieces: [], removed}});
})"""


def give_up(page: Any) -> None:
    page.click("#resign")
    page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")


def test_games_without_help_count(open_page: OpenPage, tmp_path: Path) -> None:
    with serving(tmp_path, OWN_ENGINE) as server:
        page = open_page(server.token, server, at_home=True)
        page.wait_for_selector("#home-play")
        assert page.is_hidden("#you-card")
        page.click("#home-play")
        assert my_turn(page)
        give_up(page)
        first = page.evaluate(RATING)
        assert f"Rating {round(first['rating'])} (−" in page.inner_text("#ladder")
        assert "a first guess" in page.inner_text("#ladder")
        page.click("#language")
        assert f"等级分 {round(first['rating'])}" in page.inner_text("#ladder")
        page.click("#language")
        # Help in a game, and it counts no more.
        page.click("#rematch")
        page.click("#arrange-start:not([disabled])")
        assert my_turn(page)
        click_a_quiet_move(page)
        assert my_turn(page)
        page.click("#take-back:not([disabled])")
        until(page, "!document.querySelector('#moves li')")
        give_up(page)
        assert page.evaluate(RATING) == first and "practice: it changes no rating" in page.inner_text("#ladder")
        page.evaluate(WIN)
        better = page.evaluate(RATING)
        assert better["rating"] > first["rating"] and better["deviation"] < first["deviation"]
        page.click("#tab-home")
        assert page.inner_text("#you-ratings b") == str(round(better["rating"]))
        assert page.inner_text("#you-facts") == "Best win: Beginner, 1 Marshal captured"
        low, high = sorted(better["history"])
        assert f"from {low} to {high}" in (page.get_attribute("#you-ratings svg", "aria-label") or "")
        page.click("#language")
        assert "等级分" in page.inner_text("#you-card")
        page.click("#language")
        until(page, "document.querySelector('#you-ratings b')")
        kept = json.loads((tmp_path / "board.json").read_text("utf-8"))["junqi-board"]
        assert json.loads(kept["ratings"])["luzhanqi"] == better
        other = open_page(server.token, server, at_home=True)
        until(other, "document.querySelector('#you-ratings b')")
