"""Take screenshots of all views: `python -m junqi_board.screenshots FOLDER`.

With a name that ends in `.png` it takes only the picture of the README, in that file.

Each view is taken at four sizes, light and dark, in both languages. Look at them after a change of the page.
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

from junqi_engine.client.line_process import own_command

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
SIZES = ((390, 844), (844, 390), (1024, 768), (1600, 900))
PICTURE = {"width": 1280, "height": 760}
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
OWN_MOVES = 10
QUICK_PLAYER = "Beginner"
"""It moves at once, also with a long clock."""
SETTLED_MS = 250


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m junqi_board.screenshots", description="Visit every view and take screenshots of it."
    )
    parser.add_argument("folder", type=Path, help="where the PNG files are written, or one PNG file")
    parser.add_argument("--only", default="", help="only the views whose names contain this text")
    parser.add_argument("--seed", type=int, default=4, help="seed of the moves that are played (default: %(default)s)")
    options = parser.parse_args()
    if options.folder.suffix == ".png":
        with board_page(viewport=PICTURE) as page:
            for step in VIEWS["playing"] + VIEWS["help"]:
                _take(page, step, random.Random(options.seed))
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=options.folder)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    with board_page() as page:
        for name, steps in VIEWS.items():
            page.set_viewport_size({"width": SIZES[-1][0], "height": SIZES[-1][1]})
            _speak(page, LANGUAGES[0])
            rng = random.Random(options.seed)
            for step in steps:
                _take(page, step, rng)
            if options.only in name:
                _shoot(page, name, options.folder)


@contextmanager
def board_page(**settings: Any) -> Iterator[Any]:
    """A page of a new board with its own engine."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        command = own_command("junqi_board", "--no-browser", "--folder", folder)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
                page = browser.new_page(**{"locale": "en-GB", "reduced_motion": "reduce"} | settings)
                page.set_default_timeout(600_000)
                page.goto(address)
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
        before = page.locator("#log li").first.get_attribute("data-ply")
        click(page, page.locator("#play-board .movable"), rng)
        hits = page.locator("#play-board .target.hit")
        click(page, hits if hits.count() else page.locator("#play-board .target"), rng)
        page.wait_for_selector(f"#log li[data-ply]:first-child:not([data-ply='{before}'])", state="attached")
    page.wait_for_selector("#play-board .movable")


def click(page: Any, found: Any, rng: random.Random) -> None:
    """Click the centre of a random element, even if another covers it."""
    box = found.nth(rng.randrange(found.count())).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _one_move(page: Any, rng: random.Random) -> None:
    begin_game(page, "siguo", clock="1800+10")
    play_moves(page, rng, OWN_MOVES)
    click(page, page.locator("#play-board .movable"), rng)


def _end(page: Any, rng: random.Random) -> None:
    # The partner would go on without the person; a game of two seats ends with it.
    page.click("#past-end")
    begin_game(page, "luzhanqi")
    play_moves(page, rng, OWN_MOVES)
    page.click("#resign")
    page.click("#confirm button.main")
    page.wait_for_selector("#end-card:not([hidden])")


def _luzhanqi(page: Any, rng: random.Random) -> None:
    page.click("#tab-play")
    begin_game(page, "luzhanqi", clock="1800+10")
    play_moves(page, rng, 6)


Step = Callable[[Any, random.Random], None] | str
VIEWS: dict[str, tuple[Step, ...]] = {
    "arranging": (),
    "playing": (_one_move,),
    "help": (
        "click #side [data-side=help]", "check #belief", "see #play-board .guess", "click #advice",
        "see #play-board .hint-way",
    ),
    "past": ("click #side [data-side=log]", "click #log li:nth-child(2) button", "see #past-note:not([hidden])"),
    "end": (_end,),
    "replay": (
        "click #review", "see #replay-board .piece", "click #replay-last", "click #replay-log li:nth-child(2) button",
        "see #replay-board .went",
    ),
    "review": ("click #review-start", "see #review-found:not([hidden])", "see #review-start:not([hidden])"),
    "luzhanqi": (_luzhanqi,),
    "setup": ("click #new",),
    "table": ("click #setup-cancel", "click #tab-learn", "click #learn-table"),
    "learn": ("click #pieces-close", "click #learn-next", "see #learn-board .piece"),
    "library": ("click #tab-library", "see #library-list li"),
    "quiz": ("click #tab-quiz", "see #quiz-board .piece"),
    "puzzles": ("click #tab-puzzles", "see #puzzle-board .shape"),
    "analysis": (
        "click #tab-analysis", "see #analysis-board .piece", "click #analysis-search", "see #analysis-lines li",
    ),
    "home": ("click #tab-home",),
}  # fmt: skip
"""The views in the order in which they are visited, each from where the one before ended; a step is a function, or
`click`, `check`, `choose` or `see` with a selector.
"""


def _take(page: Any, step: Step, rng: random.Random) -> None:
    if callable(step):
        step(page, rng)
        return
    what, _, selector = step.partition(" ")
    if what == "click":
        page.locator(selector).first.click()
    elif what == "check":
        page.check(selector)
    elif what == "choose":
        page.select_option(*selector.rsplit(" ", 1))
    else:
        page.wait_for_selector(selector, state="attached")


if __name__ == "__main__":
    main()
