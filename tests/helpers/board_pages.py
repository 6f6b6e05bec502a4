"""Operating a page of the board as a person does: clicks, drags and keys at the places where things are drawn."""

import json
import random
import time
from typing import Any

from tests.helpers.board import DEADLINE_S

AT_THE_TABLE = """
if (location.hash && !history.state) history.replaceState({ view: "play" }, "");
"""
"""Before the page's script: it begins at the table."""

CENTRES = """([board, selector]) => [...document.querySelectorAll(`#${board} ${selector}`)].map((shape) => {
  const box = shape.getBoundingClientRect();
  const name = shape.dataset.id ?? shape.dataset.move;
  return {name, x: box.x + box.width / 2, y: box.y + box.height / 2, hit: shape.classList.contains("hit")};
})"""

PLAYED = "Number(document.querySelector('#log li')?.dataset.ply ?? 0)"
"""The JavaScript for the number of the last entry of the record, with which the log begins."""

OVER = "document.getElementById('end-card')"

WAIT = """async (deadlineMs) => {
  const end = performance.now() + deadlineMs;
  const holds = async () => Boolean(await (%s));
  while (!(await holds()) && performance.now() < end) await new Promise((wake) => setTimeout(wake, 10));
  return holds();
}"""


def centres(page: Any, selector: str, board: str = "play-board") -> list[dict[str, Any]]:
    """The names of drawn elements and their centres on the screen."""
    return page.evaluate(CENTRES, [board, selector])


def until(page: Any, condition: str, deadline_s: float = DEADLINE_S) -> None:
    """Wait until a JavaScript expression is true. The page's security policy forbids Playwright's own function.

    The page itself waits: asking it again and again costs more processor time than what it does.
    """
    if not page.evaluate(WAIT % condition, 1000 * deadline_s):
        told, text = page.inner_text("#banner"), page.inner_text("body")[:600]
        refusals = [frame for frame in page.frames_received if '"error"' in frame]
        raise AssertionError(
            f"{condition} did not become true; the page's notice: {told!r}; refused: {refusals}; its text: {text}"
        )


def centre(page: Any, name: str, board: str = "play-board") -> dict[str, Any]:
    return next(one for one in centres(page, ".shapes .shape", board) if one["name"] == name)


def point(page: Any, name: str) -> dict[str, Any]:
    """The place of a point of the board of a game or record on the screen, by its name."""
    return page.evaluate(
        """async (name) => {
          const {board} = await import('/game/game_board.js');
          const {x, y} = board.point(board.data.points.findIndex((point) => point.name === name));
          const place = board.svgBoard.onScreen({x, y});
          return {x: place.x, y: place.y};
        }""",
        name,
    )


def click(page: Any, place: dict[str, Any], **options: Any) -> None:
    page.mouse.click(place["x"], place["y"], **options)


def drag(page: Any, start: dict[str, Any], end: dict[str, Any]) -> None:
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move((start["x"] + end["x"]) / 2, (start["y"] + end["y"]) / 2)
    page.mouse.move(end["x"], end["y"])
    page.mouse.up()


def new_game(page: Any, seats: dict[str, str], visibility: str = "", variant: str = "siguo", clock: str = "") -> None:
    """Fill in the form of a new game: seats by the labels of their choices.

    Unless another takes it, the partner's seat is the person's too.
    """
    page.click("#new")
    page.select_option("#setup-variant", variant)
    if visibility and variant == "siguo":
        page.select_option("#setup-visibility", visibility)
    if variant == "siguo" and visibility != "dark" and "N" not in seats:
        page.select_option("#setup-seats select[data-seat='N']", "me")
    if clock:
        page.select_option("#setup-clock", clock)
    for seat, label in seats.items():
        page.select_option(f"#setup-seats select[data-seat='{seat}']", label=label)
    # In place of any game that is being played.
    page.click("#setup-go")
    if page.is_visible("#confirm"):
        page.click("#confirm button.main")
    page.wait_for_selector("#setup", state="hidden")


def go_to(page: Any, view: str) -> None:
    """Turn to another view, on a narrow screen perhaps by the menu."""
    page.wait_for_selector(f"#tab-{view}", state="attached")
    if not page.is_visible(f"#tab-{view}"):
        page.click("#menu")
    page.click(f"#tab-{view}")


def open_record(page: Any, record: Any) -> None:
    """Open a record in *Replay*, and wait for its first position."""
    go_to(page, "library")
    line = record.as_line().encode()
    page.set_input_files("#replay-file", {"name": "one.jsonl", "mimeType": "text/plain", "buffer": line})
    until(page, f"document.getElementById('replay-at')?.max === '{len(record.moves)}'")


def start(page: Any) -> None:
    """Start the game with the suggested line-ups."""
    page.click("#arrange-start:not([disabled])")


def my_turn(page: Any) -> bool:
    """Wait for the person's turn or the end of the game; True for a turn."""
    until(
        page,
        "document.querySelector('#play-board .movable') && !document.getElementById('arrange')"
        " || document.getElementById('end-card')",
    )
    return bool(page.is_hidden("#end-card"))


def give_up(page: Any) -> None:
    """Resign, and wait for the end of the game."""
    page.click("#resign")
    page.click("#confirm button.main")
    until(page, OVER)


def plies(page: Any) -> int:
    """Number of entries in the record of the game."""
    return int(page.evaluate(PLAYED))


def click_a_move(page: Any, rng: random.Random) -> None:
    """Move a random piece by two clicks, to attack if it can."""
    before = plies(page)
    click(page, rng.choice(centres(page, ".shapes .movable")))
    targets = centres(page, ".target")
    assert targets, "a piece that can move shows where to"
    click(page, rng.choice([target for target in targets if target["hit"]] or targets))
    until(page, f"{PLAYED} > {before}")


def click_a_quiet_move(page: Any) -> None:
    """Move the rearmost piece that can, to the rearmost point: so it meets nobody, and is in nobody's way."""
    before, box = plies(page), page.locator("#play-board").bounding_box()

    def depth(place: dict[str, Any]) -> tuple[float, float]:
        """Distance from the middle of the board, for both seats of a team."""
        return round(abs(place["y"] - box["y"] - box["height"] / 2)), place["x"]

    for shape in sorted(centres(page, ".shapes .movable"), key=depth, reverse=True):
        click(page, shape)
        quiet = [target for target in centres(page, ".target") if not target["hit"]]
        if quiet:
            click(page, max(quiet, key=depth))
            break
    until(page, f"{PLAYED} > {before}")


def states(page: Any) -> list[dict[str, Any]]:
    """All states of the current game that the page has received."""
    messages = [json.loads(frame) for frame in page.frames_received]
    games = [message for message in messages if message["type"] == "game"]
    return [game for game in games if game["game"] == games[-1]["game"]]


def next_state(page: Any, count: int) -> dict[str, Any]:
    """Wait until the page has received more than `count` states of its game; the last of them."""
    end_s = time.monotonic() + DEADLINE_S
    while len(states(page)) <= count:
        assert time.monotonic() < end_s, "no other state of the game has come"
        page.wait_for_timeout(10)
    return states(page)[-1]
