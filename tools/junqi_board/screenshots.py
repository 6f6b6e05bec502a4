"""Take screenshots of all views: `python -m junqi_board.screenshots FOLDER`.

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
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from junqi_board.engines import Program
from junqi_board.game.game import BoardGame
from junqi_board.game.record import record_of
from junqi_board.game.seating import opening
from junqi_engine.client.line_process import own_command
from junqi_engine.players import lineup_choice
from junqi_referee.records.game_record import GameRecord
from junqi_referee.time_control import TimeControl

CHROMIUM = next(filter(Path.exists, map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"))), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
SIZES = ((390, 844), (844, 390), (1024, 768), (1600, 900))
PICTURE = {"width": 1280, "height": 760}
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
GAMES = {"siguo": "2026-01-31-130000", "luzhanqi": "2026-01-31-120000"}
"""The names of the saved games, the first one the newest."""
MOVES = 80
SEED = 4
CLOCK = TimeControl(base_ms=1_800_000, increment_ms=0, move_ms=1000)
SETTLED_MS = 250


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m junqi_board.screenshots", description="Visit every view and take screenshots of it."
    )
    parser.add_argument("folder", type=Path, help="where the PNG files are written, or one PNG file")
    parser.add_argument("--only", default="", help="only the views whose names contain this text")
    options = parser.parse_args()
    if options.folder.suffix == ".png":
        with board_page(viewport=PICTURE) as page:
            for step in VIEWS["playing"] + VIEWS["help"]:
                _take(page, step)
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=options.folder)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    with board_page() as page:
        for name, steps in VIEWS.items():
            page.set_viewport_size({"width": SIZES[-1][0], "height": SIZES[-1][1]})
            _speak(page, LANGUAGES[0])
            for step in steps:
                _take(page, step)
            if options.only in name:
                _shoot(page, name, options.folder)


@contextmanager
def board_page(**settings: Any) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        for variant, name in GAMES.items():
            (Path(folder) / f"{name}.jsonl").write_text(saved_game(variant, SEED).as_line() + "\n")
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
    if page.evaluate("document.documentElement.lang")[:2] != language:
        page.evaluate("document.getElementById('language').click()")


def saved_game(variant: str, seed: int) -> GameRecord:
    rng = random.Random(seed)
    seating = opening((variant,), (Program("junqi-engine", ()),), None)
    assert seating is not None
    game = BoardGame(replace(seating, time_control=CLOCK), seed, {})
    lineups = {seat: lineup_choice.sensible(rng) for seat in seating.board.seats}
    game.set_lineups("S", {"S": lineups.pop("S")}, 0.0)
    for party in seating.parties[1:]:
        game.engine_ready(party.seats, {seat: lineups[seat] for seat in party.seats}, 0.0)
    while len(game.history) < MOVES:
        assert game.truth is not None
        move = rng.choice(game.truth.legal())
        if game.search is None:
            game.move("S", len(game.history), move, 0.0)
        else:
            game.engine_answered(game.search.question, move, 0.0, None, 0.0)
    return record_of(game)


VIEWS: dict[str, tuple[str, ...]] = {
    "arranging": (),
    "playing": (
        "click #tab-library", "click [data-do=resume]", "click #coach button",
        "click #play-board .movable",
    ),
    "help": (
        "click #side [data-side=help]", "click #belief", "see #play-board .guess", "click #advice",
        "see #play-board .hint-way",
    ),
    "past": ("click #side [data-side=log]", "click #log li:nth-child(2) button", "see #past-note"),
    "luzhanqi": (
        "click #tab-library", "click [data-do=resume]", "click #confirm button.main",
        "see #play-board .movable",
    ),
    "end": ("click #resign", "click #confirm button.main", "see #end-card"),
    "replay": (f"open game/{GAMES['luzhanqi']}#20", "see #play-board .went"),
    "review": ("click #review-start", "see #review-found", "see #review-start"),
    "setup": ("click #tab-play", "click #new"),
    "learn": ("open learn/2", "see #learn-board .piece"),
    "table": ("click #learn-table",),
    "library": ("click #pieces-close", "click #tab-library", "see #library-list li"),
    "puzzles": ("click #tab-puzzle", "see #puzzle-board .piece"),
    "teasers": ("click #tab-teaser", "see #teaser-board .shape"),
    "analysis": (
        "click #tab-analysis", "see #analysis-board .piece", "click #analysis-search", "see #analysis-lines li",
    ),
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
