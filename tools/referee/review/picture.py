"""Take a picture of a report: `python -m tools.referee.review.picture docs/review.jsonl docs/review.png`.

This needs Playwright and Debian's Chromium, as the tests of pages do.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WIDTH, HEIGHT = 1080, 1010
NODES = 50_000


def main() -> None:
    """Review the first game of a record, and take a picture of the report at its worst move."""
    parser = argparse.ArgumentParser("python -m tools.referee.review.picture", description=main.__doc__)
    parser.add_argument("record", type=Path, help="the record of the game")
    parser.add_argument("file", type=Path, help="the PNG file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "review.html")
        words = ["review", str(options.record), "1", "--nodes", str(NODES), "--out", str(report)]
        code = subprocess.run([sys.executable, "-m", "tools.referee", *words]).returncode
        if code == 0:
            _take_picture(report, options.file)
    raise SystemExit(code)


def _take_picture(report: Path, file: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", color_scheme="light", offline=True
        )
        page.goto(report.as_uri())
        worst = page.locator("#moments .blunder, #moments .mistake")
        if worst.count():
            worst.first.click()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    main()
