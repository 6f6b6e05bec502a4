"""Take screenshots of all views: `python -m tests.helpers.screenshots FOLDER`.

With a name that ends in `.png` it takes only the picture of the README, in that file.

Each view is taken at four sizes, light and dark, in both languages. Look at them after a change of the page. The games
that they show are saved ones, which the board resumes.
This needs Playwright and Debian's Chromium, as the tests of the page do.
"""

import argparse
import random
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.full_game import FullGame

CHROMIUM = next(filter(Path.exists, map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"))), None)
"""Debian's Chromium; the build of it that has no windows takes half the processor time."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZES = [{"width": x, "height": y} for x, y in ((390, 844), (844, 390), (1024, 768), (1600, 900))]
NARROW, *_, WIDE = SIZES
PICTURE = {"width": 1280, "height": 760}
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
GAMES = {"siguo": "2026-01-31-130000", "luzhanqi": "2026-01-31-120000"}
"""The names of the saved games, the first one the newest."""
MOVES = 80
SEED = 4
PERSON = {"name": "person", "who": "me", "program": "", "limits": {"base_ms": 1_800_000}, "remaining_ms": 1_800_000}
ENGINE = PERSON | {"name": "junqi-engine", "who": "engine", "program": "junqi-engine"}
SETTLED_MS = 250


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m tests.helpers.screenshots", description="Take screenshots of all views."
    )
    parser.add_argument("out", type=Path, help="where the PNG files are written, or one PNG file")
    out = parser.parse_args().out
    if out.suffix == ".png":
        with board_page(locale="en", viewport=PICTURE) as page:
            for step in VIEWS["playing"] + VIEWS["help"]:
                _take(page, step)
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=out)
        return
    for language in LANGUAGES:
        with board_page(locale=language, viewport=WIDE) as page:
            for name, steps in VIEWS.items():
                page.set_viewport_size(WIDE)
                for step in steps:
                    _take(page, step)
                for scheme, size in product(SCHEMES, SIZES):
                    page.emulate_media(color_scheme=scheme)
                    page.set_viewport_size(size)
                    page.wait_for_timeout(SETTLED_MS)
                    is_long = size == NARROW and not page.query_selector("dialog[open]")
                    page.screenshot(path=out / f"{name}-{size['width']}-{scheme}-{language}.png", full_page=is_long)


@contextmanager
def board_page(**settings: Any) -> Iterator[Any]:
    """A page of a board with two saved games, at the line-up of a new one."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for variant, name in GAMES.items():
            Path(folder, f"{name}.jsonl").write_text(saved_game(variant))
        command = own_command("junqi_board", "--no-browser", "--folder", folder)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(reduced_motion="reduce", **settings)
            page.set_default_timeout(600_000)
            page.goto(address)
            page.click("#tab-play")
            page.wait_for_selector("#arrange-start:not([disabled])")
            yield page
        finally:
            server.terminate()
            server.wait()


def saved_game(variant: str) -> str:
    """The file of a game with random moves of a person and the board's engine."""
    board, rng = BOARDS[variant], random.Random(SEED)
    lineups = {seat: lineup_choice.sensible(rng) for seat in board.seats}
    full = FullGame(variant, lineups, "S", Rules.of(board))
    while len(full.moves) < MOVES:
        full.play(rng.choice(full.legal()))
    players = {"S": PERSON, "N": ENGINE} | ({"EW": ENGINE} if "E" in board.seats else {})
    record = GameRecord(
        1, variant, "partner", players, SEED, asdict(full.rules), lineups, "S", full.moves,
        [0] * MOVES, [None] * MOVES,
    )  # fmt: skip
    return record.as_line() + "\n"


VIEWS: dict[str, tuple[str, ...]] = {
    "arranging": (),
    "playing": (
        "click #tab-library", "click [data-do=resume]", "click #tip button",
        "click #play-board .movable",
    ),
    "help": (
        "click #side [data-side=help]", "click #belief", "see #play-board .guess", "click #advice",
        "see #play-board .arrow-line",
    ),
    "past": ("click #side [data-side=log]", "click #log li:nth-child(2) button", "see #past-note"),
    "luzhanqi": (
        "click #tab-library", "click [data-do=resume]", "click #confirm button.main",
        "see #play-board .movable",
    ),
    "end": ("click #resign", "click #confirm button.main", "see #end-card"),
    "replay": (f"open game/{GAMES['luzhanqi']}#20", "see #play-board .went"),
    "review": ("click #review-start", "see #review-found", "see #review-start"),
    "study": ("click #study-engine", "see #study-lines li"),
    "setup": ("click #tab-play", "click #new"),
    "learn": ("open learn/2", "see #learn-board .piece"),
    "table": ("click #learn-table",),
    "library": ("click #pieces-close", "click #tab-library", "see #library-list li"),
    "problems": ("click #tab-problem", "see #problem-board .piece"),
    "teasers": ("click #tab-teaser", "see #teaser-board .shape"),
    "home": ("click #tab-home",),
}  # fmt: skip
"""The views in the order in which they are visited, each from where the one before ended; a step is `click` or `see`
with a selector, or `open` with the address of a view that has one.
"""


def _take(page: Any, step: str) -> None:
    what, _, selector = step.partition(" ")
    if what == "click":
        page.click(selector)
    elif what == "open":
        page.goto(urljoin(page.url, f"/{selector}"))
    else:
        page.wait_for_selector(selector, state="attached")


if __name__ == "__main__":
    main()
