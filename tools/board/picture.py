"""Take a screenshot of the board during a game: `python -m tools.board.picture docs/junqi-board.png`.

This needs Playwright and Debian's Chromium, as the tests of the page do.
"""

import argparse
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from protocol.own_program import own_command

CHROMIUM = "/usr/bin/chromium"
WIDTH, HEIGHT = 1080, 690
OWN_MOVES = 14
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


def main() -> None:
    """Play a few moves against the engine, then take a screenshot of the board."""
    parser = argparse.ArgumentParser("python -m tools.board.picture", description=main.__doc__)
    parser.add_argument("file", type=Path, help="the PNG file to write")
    parser.add_argument("--seed", type=int, default=4, help="seed of the moves that are played (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = own_command("tools.board", "--no-browser", "--folder", folder)
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[1]
            _take_screenshot(address, options.file, random.Random(options.seed))
        finally:
            server.terminate()
            server.wait()


def _take_screenshot(address: str, file: Path, rng: random.Random) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", reduced_motion="reduce", color_scheme="light"
        )
        page.goto(address)
        page.click("#arrange-start:not([disabled])")
        page.evaluate("document.getElementById('pace').value = 0")
        page.dispatch_event("#pace", "change")
        for _ in range(OWN_MOVES):
            page.wait_for_selector("#play-board .movable")
            _click(page, page.locator("#play-board .movable"), rng)
            _click(page, page.locator("#play-board .target"), rng)
            page.wait_for_timeout(300)
        page.wait_for_selector("#play-board .movable")
        page.click("#engine-pane summary")
        page.check("#belief")
        page.wait_for_selector("#play-board .guess")
        page.click("#advice")
        page.wait_for_selector("#play-board .hint-way", state="attached")
        _click(page, page.locator("#play-board .movable"), rng)
        page.wait_for_timeout(300)
        page.screenshot(path=file)
        browser.close()


def _click(page: Any, found: Any, rng: random.Random) -> None:
    """Click the centre of a random element, even if another covers it."""
    box = found.nth(rng.randrange(found.count())).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


if __name__ == "__main__":
    main()
