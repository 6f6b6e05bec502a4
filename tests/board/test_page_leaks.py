"""The display of a page does not depend on what is hidden from its person: sentences, names, marks and pictures.

Two games have the same moves and line-ups that differ in what the person cannot know. In a browser, the whole page must
be the same in both after each move, whatever the person opens or points at.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_referee.records.replay import bare
from tests.helpers.board import Page, broken, serving
from tests.helpers.board_pages import OVER, PLAYED, centres, until
from tests.helpers.leaks import allowed, scripted_game
from tests.helpers.marking import long_after

OpenPage = Callable[..., Any]
PLIES = 10
SHOWN = """(() => {
  const marks = [...document.querySelectorAll('#play [aria-label], #play [title], #play [data-points]')]
    .map((one) => [one.ariaLabel, one.title, one.dataset.points, one.className.baseVal ?? one.className].join('|'));
  const ids = ['play-board', 'seats', 'log', 'belief-bars'];
  const pictures = ids.map((id) => document.getElementById(id)?.outerHTML ?? '');
  return [document.body.innerText, document.title, document.getElementById('live').textContent, ...marks, ...pictures];
})()"""
SILENCE, TOLD = "document.getElementById('live').textContent = ''", "document.getElementById('live').textContent"
CASES = [
    ("luzhanqi", "partner", {"S": "me", "N": "guest"}, "S"),
    ("siguo", "partner", {"S": "me", "E": "guest", "N": "me", "W": "guest"}, "SN"),
    ("siguo", "dark", {"S": "me", "E": "guest", "N": "guest", "W": "guest"}, "S"),
]


def seen_of(page: Any, plays: bool) -> list[str]:
    """All that the page shows or tells, also when the person points at each battle and clicks what it may not."""
    found = page.evaluate(SHOWN)
    for item in page.locator("#log button:visible").all():
        item.hover()
        found += page.evaluate(SHOWN)
    for enemy in centres(page, ".shapes .hidden")[:2] if plays else []:
        page.mouse.click(enemy["x"], enemy["y"])
        found += page.evaluate(SHOWN)
        page.evaluate("document.querySelector('#banner button').click()")
    page.evaluate(SILENCE)
    return [re.sub(r"\S+\.jsonl", "", text) for text in found]


def watch(
    open_page: OpenPage, folder: Path, case: tuple[str, str, dict[str, str], str], lineups: Mapping[str, str],
    moves: list[str],
) -> Iterator[list[str]]:  # fmt: skip
    """The browser's display of a game after each move, then at its end."""
    variant, visibility, seats, viewer = case
    with serving(folder, broken("script")) as server, Page(server) as host, ExitStack() as guests:
        host.until("game")
        opened = host.new_game(seats, variant=variant, visibility=visibility)
        people = {"".join(seat for seat, who in seats.items() if who == "me"): host}
        for invitation in opened["invitations"]:
            people[invitation["seats"]] = guests.enter_context(Page(server, invitation["token"]))
        page = open_page(server.token, server)
        until(page, "document.querySelector('#seats li')")
        for mine, person in people.items():
            person.say("ready", lineups={seat: lineups[seat] for seat in mine})
        until(page, "document.getElementById('log')")
        for ply, move in enumerate(moves):
            turn = host.state(lambda state, ply=ply: state.get("ply") == ply)["turn"]
            next(one for mine, one in people.items() if turn in mine).say("move", ply=ply, move=bare(move))
            until(page, f"{PLAYED} > {ply} && {TOLD}")
            yield seen_of(page, plays=True)
        people[next(mine for mine in people if mine != viewer)].say("resign")
        if variant == "luzhanqi":
            until(page, OVER)
            assert page.locator("#play-board .shapes .hidden").count() == 0
            yield seen_of(page, plays=False)


@pytest.mark.parametrize(("variant", "visibility", "seats", "viewer"), long_after(1, CASES))
def test_page_is_the_same_whatever_is_hidden(
    open_page: OpenPage, tmp_path: Path, variant: str, visibility: str, seats: dict[str, str], viewer: str
) -> None:
    board, case = BOARDS[variant], (variant, visibility, seats, viewer)
    game, moves = scripted_game(board, 7)
    own = {seat: game.lineups[number] for number, seat in enumerate(board.seats)}
    worlds = [own, next(allowed(game, tuple(board.seats.index(seat) for seat in viewer), 5))]
    assert worlds[0] != worlds[1]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    shows = [
        watch(open_page, tmp_path / name, case, lineups, moves[:PLIES])
        for name, lineups in zip(("one", "two"), worlds, strict=True)
    ]
    texts = [list(show) for show in shows]
    for ply, (one, two) in enumerate(zip(*(found[:PLIES] for found in texts), strict=True)):
        for left, right in zip(one, two, strict=True):
            assert left == right, ply
    # The end may tell more, and does.
    assert len(texts[0]) == PLIES or texts[0][PLIES] != texts[1][PLIES]
