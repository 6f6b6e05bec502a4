"""The report of a review in a browser without a network: sizes, themes, languages, keys and paper."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from junqi_referee.cli import run
from tests.helpers.marking import long_after
from tests.helpers.review import NODES, record_of, short_game

GAMES = [("luzhanqi", 1), ("siguo", 2)]
HOSTILE_NAME = "</script><script>document.title = 'broken'</script><img src=x onerror=alert(1)>"
PLIES = 6
PLACES = {"desktop": (1280, 900), "tablet": (800, 1100), "phone": (360, 780)}
OVERFLOW = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !one.closest(".scroll, svg");
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("review")
    record, out = folder / "games.jsonl", folder / "review.html"
    games = [short_game(variant, seed, PLIES) for variant, seed in GAMES]
    named = games[0].record(names={"S": HOSTILE_NAME, "N": "North"})
    record.write_text(f"{named}\n{record_of(*games).partition(chr(10))[2]}")
    assert run(["review", str(record), "--out", str(out), "--nodes", str(NODES)]) == 0
    return out


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Callable[..., Any]]:
    """Opens the report without a network; fails on an error of the page and on any request."""
    contexts, troubles = [], []

    def open_one(place: str = "desktop", **settings: Any) -> Any:
        width, height = PLACES[place]
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(f"an error of the page: {error}"))
        page.on("console", lambda line: troubles.append(line.text) if line.type in ("error", "warning") else None)
        page.on("request", lambda request: troubles.append(request.url) if not is_own(request.url) else None)
        page.goto(report.as_uri())
        return page

    def is_own(url: str) -> bool:
        return url == report.as_uri() or url.startswith("data:")

    yield open_one
    for context in contexts:
        context.close()
    assert troubles == []


def at(page: Any) -> str:
    return page.inner_text("#at")


@pytest.mark.parametrize(("locale", "scheme"), long_after(1, [("en-GB", "light"), ("zh-CN", "dark")]))
def test_it_fits(opened: Callable[..., Any], locale: str, scheme: str) -> None:
    page = opened(locale=locale, color_scheme=scheme)
    assert page.evaluate("document.documentElement.lang")[:2] == locale[:2]
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for width, height in PLACES.values():
        page.set_viewport_size({"width": width, "height": height})
        for number in range(len(GAMES)):
            page.select_option("#game", index=number)
            assert page.evaluate(OVERFLOW) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keys_the_buttons_and_the_graph_choose_a_step(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB")
    assert at(page) == f"0 of {PLIES}"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(page) == f"2 of {PLIES}"
    page.keyboard.press("End")
    assert at(page) == f"{PLIES} of {PLIES}"
    page.click("#back")
    assert at(page) == f"{PLIES - 1} of {PLIES}"
    page.keyboard.press("Home")
    width = page.locator("#graph").bounding_box()["width"]
    page.locator("#graph").click(position={"x": width / 2, "y": 40})
    assert at(page) == f"{PLIES // 2} of {PLIES}"
    assert page.get_attribute("#graph", "aria-valuenow") == str(PLIES // 2)


@pytest.mark.long
def test_the_board_shows_the_position_of_the_step(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB")
    data = json.loads(page.text_content("#data"))
    for number, (variant, seed) in enumerate(GAMES):
        page.select_option("#game", index=number)
        game = short_game(variant, seed, PLIES)
        page.keyboard.press("End")
        assert page.locator("#board .piece").count() == len(game.piece_map())
        assert data["games"][number]["result"] == game.result
        assert page.locator("#board .arrow").count() == 0
        page.keyboard.press("ArrowLeft")
        assert page.locator("#board .arrow.played").count() == 1


@pytest.mark.long
def test_language_and_theme_can_be_changed(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB", color_scheme="light")
    assert page.inner_text("h1 b") == "Game review"
    page.click("#language")
    assert page.inner_text("h1 b") == "复盘"
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.long
def test_everything_can_be_reached_by_keyboard(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"game", "theme", "language", "graph", "first", "back", "next", "last", "SUMMARY"} <= reached


@pytest.mark.long
def test_it_prints(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB", color_scheme="dark")
    page.emulate_media(media="print")
    assert not page.is_visible("#theme") and not page.is_visible("#next")
    data = page.pdf(format="A4")
    assert data.startswith(b"%PDF") and len(data) > 20_000


def test_names_cannot_break_out(opened: Callable[..., Any]) -> None:
    """A name in a record is text, whatever it contains."""
    page = opened()
    assert page.title() != "broken" and HOSTILE_NAME in page.inner_text("#players")
    assert page.locator("img").count() == 0
