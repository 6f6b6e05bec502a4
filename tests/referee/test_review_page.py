"""The file of a review in a browser without a network: sizes, themes, languages, keys and paper."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from junqi_referee.cli import run
from tests.helpers.marking import long_after
from tests.helpers.review import NODES, record_of, short_game

GAMES = [("luzhanqi", 1), ("siguo", 2)]
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
    record.write_text(record_of(*games))
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
        page.wait_for_selector("#review-found:visible")
        return page

    def is_own(url: str) -> bool:
        return url == report.as_uri() or url.startswith("data:")

    yield open_one
    for context in contexts:
        context.close()
    assert troubles == []


def at(page: Any) -> str:
    return page.input_value("#replay-at")


def goes_to(page: Any, step: int) -> None:
    expect(page.locator("#replay-at")).to_have_value(str(step))


def choose(page: Any, number: int) -> None:
    page.select_option("#replay-game", index=number)
    goes_to(page, 0)


@pytest.mark.parametrize("locale", long_after(1, ["en-GB", "zh-CN"]))
def test_it_fits(opened: Callable[..., Any], locale: str) -> None:
    page = opened(locale=locale)
    assert page.evaluate("document.documentElement.lang")[:2] == locale[:2]
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for width, height in PLACES.values():
        page.set_viewport_size({"width": width, "height": height})
        for number in range(len(GAMES)):
            choose(page, number)
            assert page.evaluate(OVERFLOW) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keys_the_buttons_and_the_graph_choose_a_step(opened: Callable[..., Any]) -> None:
    page = opened(locale="en-GB")
    assert at(page) == "0"
    page.keyboard.press("ArrowRight")
    goes_to(page, 1)
    page.keyboard.press("End")
    goes_to(page, PLIES)
    page.click("#replay-back")
    goes_to(page, PLIES - 1)
    page.keyboard.press("Home")
    goes_to(page, 0)
    width = page.locator("#review-graph").bounding_box()["width"]
    page.locator("#review-graph").click(position={"x": width / 2, "y": 40})
    goes_to(page, PLIES // 2)
