"""Take screenshots of all views: `python -m tools.board.screenshots FOLDER`.

Each view is taken at three widths, light and dark, in both languages. Look at them after a change of the page.
This needs Playwright and Debian's Chromium, as the tests of the page do.
"""

import argparse
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from junqi_engine.engines.own_program import own_command

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
SIZES = ((390, 844), (844, 390), (1024, 768), (1600, 900))
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
OWN_MOVES = 10
QUICK_PLAYER = "junqi-engine 1.2"
"""It moves at once, also with a long clock."""
SETTLED_MS = 250


def main() -> None:
    """Visit every view and take screenshots of it."""
    parser = argparse.ArgumentParser("python -m tools.board.screenshots", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="where the PNG files are written")
    parser.add_argument("--only", default="", help="only the views whose names contain this text")
    parser.add_argument("--seed", type=int, default=4, help="seed of the moves that are played (default: %(default)s)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with board_page() as page:
        for name, show in VIEWS.items():
            page.set_viewport_size({"width": SIZES[-1][0], "height": SIZES[-1][1]})
            _speak(page, LANGUAGES[0])
            show(page, random.Random(options.seed))
            if options.only in name:
                _shoot(page, name, options.folder)


@contextmanager
def board_page(**settings: Any) -> Iterator[Any]:
    """A page of a new board with its own engine."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        command = own_command("tools.board", "--no-browser", "--folder", folder)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
                page = browser.new_page(**{"locale": "en-GB", "reduced_motion": "reduce"} | settings)
                page.set_default_timeout(600_000)
                page.goto(address)
                page.check("#advanced")
                page.click("#tab-play")
                page.wait_for_selector("#arrange-start:not([disabled])")
                yield page
                browser.close()
        finally:
            server.terminate()
            server.wait()


def _shoot(page: Any, name: str, folder: Path) -> None:
    for language in LANGUAGES:
        _speak(page, language)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(SETTLED_MS)
                is_narrow = width == SIZES[0][0] and not page.query_selector("dialog[open]")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}-{language}.png", full_page=is_narrow)


def _speak(page: Any, language: str) -> None:
    """Switch the page to a language, also while a dialog is open."""
    if page.evaluate("document.documentElement.lang")[:2] != language:
        page.evaluate("document.getElementById('language').click()")


def begin_game(page: Any, variant: str, **choices: str) -> None:
    """Start a game with the form and the suggested line-ups; `choices` are values by the ends of the fields' ids."""
    page.evaluate("document.getElementById('pace').value = 0")
    page.click("#new")
    page.select_option("#setup-variant", variant)
    for field, value in choices.items():
        page.select_option(f"#setup-{field}", value)
    for opponent in page.query_selector_all("#setup-seats select"):
        if opponent.input_value() != "me":
            opponent.select_option(label=QUICK_PLAYER)
    page.click("#setup-go")
    if page.is_visible("#confirm"):
        page.click("#confirm button.main")
    page.wait_for_selector("#setup", state="hidden")
    page.click("#arrange-start:not([disabled])")
    page.wait_for_selector("#play-board .movable")


def play_moves(page: Any, rng: random.Random, count: int) -> None:
    """Play random moves of one's own, with an attack where possible."""
    for _ in range(count):
        page.wait_for_selector("#play-board .movable, #end-card:not([hidden])")
        if page.is_visible("#end-card"):
            return
        moves = page.locator("#moves li").count()
        click(page, page.locator("#play-board .movable"), rng)
        hits = page.locator("#play-board .target.hit")
        click(page, hits if hits.count() else page.locator("#play-board .target"), rng)
        page.wait_for_selector(f"#moves li:nth-child({moves + 1})", state="attached")
    page.wait_for_selector("#play-board .movable")


def click(page: Any, found: Any, rng: random.Random) -> None:
    """Click the centre of a random element, even if another covers it."""
    box = found.nth(rng.randrange(found.count())).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _arranging(page: Any, rng: random.Random) -> None:
    """The first view of all."""


def _playing(page: Any, rng: random.Random) -> None:
    begin_game(page, "siguo", clock="1800+10")
    play_moves(page, rng, OWN_MOVES)
    click(page, page.locator("#play-board .movable"), rng)


def _help(page: Any, rng: random.Random) -> None:
    page.keyboard.press("Escape")
    page.click("#side [data-side=help]")
    page.check("#belief")
    page.wait_for_selector("#play-board .guess", state="attached")
    page.click("#advice")
    page.wait_for_selector("#play-board .hint-way", state="attached")


def _past(page: Any, rng: random.Random) -> None:
    page.click("#side [data-side=log]")
    page.click("#moves li:nth-child(12)")
    page.wait_for_selector("#past-note:not([hidden])")


def _end(page: Any, rng: random.Random) -> None:
    page.click("#past-end")
    page.click("#resign")
    page.click("#confirm button.main")
    # The partner goes on without the person; another game, of two seats, ends with it.
    begin_game(page, "luzhanqi")
    play_moves(page, rng, OWN_MOVES)
    page.click("#resign")
    page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")


def _replay(page: Any, rng: random.Random) -> None:
    page.click("#review")
    page.wait_for_selector("#replay-board .piece")
    page.locator("#replay-moves li.battle").first.click()
    page.wait_for_selector("#replay-board .went")


def _review(page: Any, rng: random.Random) -> None:
    page.click("#review-start")
    page.wait_for_selector("#review-found:not([hidden])")
    page.wait_for_selector("#review-start:not([hidden])")


def _luzhanqi(page: Any, rng: random.Random) -> None:
    page.click("#tab-play")
    begin_game(page, "luzhanqi", clock="1800+10")
    play_moves(page, rng, 6)


def _look(page: Any, rng: random.Random) -> None:
    page.click("#look")


def _slate_icons(page: Any, rng: random.Random) -> None:
    page.select_option("#looks-pieces", "icons")
    page.select_option("#looks-board", "slate")
    page.click("#looks-close")


def _contrast(page: Any, rng: random.Random) -> None:
    page.click("#look")
    page.select_option("#looks-pieces", "letters")
    page.check("#looks-contrast")
    page.click("#looks-close")


def _setup(page: Any, rng: random.Random) -> None:
    page.click("#look")
    page.uncheck("#looks-contrast")
    page.select_option("#looks-board", "wood")
    page.select_option("#looks-pieces", "names")
    page.click("#looks-close")
    page.click("#new")


def _table(page: Any, rng: random.Random) -> None:
    page.click("#setup-cancel")
    page.click("#tab-learn")
    page.click("#learn-table")


def _learn(page: Any, rng: random.Random) -> None:
    page.keyboard.press("Escape")
    page.click("#learn-next")
    page.wait_for_selector("#learn-board .piece")


def _library(page: Any, rng: random.Random) -> None:
    page.click("#tab-library")
    page.wait_for_selector("#library-list li")


def _puzzles(page: Any, rng: random.Random) -> None:
    page.click("#tab-puzzles")
    page.wait_for_selector("#puzzle-board .shape")


def _analysis(page: Any, rng: random.Random) -> None:
    page.click("#tab-analysis")
    page.wait_for_selector("#analysis-board .piece")
    page.click("#analysis-search")
    page.wait_for_selector("#analysis-lines li")


def _home(page: Any, rng: random.Random) -> None:
    page.click("#tab-home")


VIEWS: dict[str, Callable[[Any, random.Random], None]] = {
    "arranging": _arranging,
    "playing": _playing,
    "help": _help,
    "past": _past,
    "end": _end,
    "replay": _replay,
    "review": _review,
    "luzhanqi": _luzhanqi,
    "look": _look,
    "icons": _slate_icons,
    "contrast": _contrast,
    "setup": _setup,
    "table": _table,
    "learn": _learn,
    "library": _library,
    "puzzles": _puzzles,
    "analysis": _analysis,
    "home": _home,
}
"""The views in the order in which they are visited; each continues where the one before ended."""


if __name__ == "__main__":
    main()
