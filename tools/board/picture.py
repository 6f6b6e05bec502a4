"""Take a screenshot of the board during a game: `python -m tools.board.picture docs/junqi-board.png`.

This needs Playwright and Debian's Chromium, as the tests of the page do.
"""

import argparse
import random
from pathlib import Path
from typing import Any

from tools.board import screenshots

WIDTH, HEIGHT = 1280, 760
OWN_MOVES = 14


def main() -> None:
    """Play a few moves against the engine, then take a screenshot of the board."""
    parser = argparse.ArgumentParser("python -m tools.board.picture", description=main.__doc__)
    parser.add_argument("file", type=Path, help="the PNG file to write")
    parser.add_argument("--seed", type=int, default=4, help="seed of the moves that are played (default: %(default)s)")
    options = parser.parse_args()
    size = {"width": WIDTH, "height": HEIGHT}
    with screenshots.board_page(viewport=size, color_scheme="light") as page:
        _take_screenshot(page, options.file, random.Random(options.seed))


def _take_screenshot(page: Any, file: Path, rng: random.Random) -> None:
    screenshots.begin_game(page, "siguo", clock="1800+10")
    screenshots.play_moves(page, rng, OWN_MOVES)
    page.click("#side [data-side=help]")
    page.check("#belief")
    page.wait_for_selector("#play-board .guess", state="attached")
    page.click("#advice")
    page.wait_for_selector("#play-board .hint-way", state="attached")
    page.screenshot(path=file)


if __name__ == "__main__":
    main()
