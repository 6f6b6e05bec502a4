"""Puzzles on the page: solved, watched and played by hand; the engine's descriptions of positions are not trusted."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from junqi_board.views.puzzles import daily_positions, known_positions
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control
from junqi_puzzles.base import Limits
from junqi_puzzles.daily import VARIANTS as VARIANTS_OF_KINDS
from junqi_puzzles.daily import all_of, daily
from junqi_puzzles.difficulty import Level, difficulty
from junqi_puzzles.drawing import VARIANTS, draw
from junqi_puzzles.klotski import Klotski
from junqi_puzzles.knights_tour import KnightsTour
from junqi_puzzles.match3 import Match3
from junqi_puzzles.playing import Puzzle
from junqi_puzzles.submarine import Submarine
from junqi_puzzles.submarine.tiles import ATTACHMENTS
from tests.helpers.board_pages import centre, centres, click, until
from tests.helpers.marking import long_after

SHORT = {
    "klotski": ".BB./DBBF/DEEF/GHIJ/G..J goal ..../..../.BB./.BB./....",
    "submarine": "m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne",
    "match3": "3343/3233/2434/1343/3311/3433/1443/1232",
    "knights-tour": "3x4 start a1",
}
STATE = "document.getElementById('puzzle-status').textContent"


def legal_and_fen(variant: str, position: str) -> tuple[str, list[str]]:
    dispatcher = Dispatcher()
    control = Control(lambda line: None)
    dispatcher.set_option(["name", "UCI_Variant", "value", variant], control)
    dispatcher.load(control)
    dispatcher.game.set_position(["fen", *position.split()])
    fen = next(line[4:] for line in dispatcher.game.describe() if line.startswith("fen "))
    return fen, dispatcher.game.legal()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_known_position_can_be_drawn(variant: str) -> None:
    for known in known_positions()[variant]:
        fen, legal = legal_and_fen(variant, known["position"])
        drawing = draw(variant, fen, legal)
        ids = [shape["id"] for shape in drawing["shapes"]]
        assert len(ids) == len(set(ids)), known
        assert {choice["move"] for choice in drawing["choices"]} == set(legal)
        assert {choice["id"] for choice in drawing["choices"]} <= set(ids)


def test_tiles_are_drawn_with_their_attachments() -> None:
    for tile, rectangles in ATTACHMENTS.items():
        other = "T" if tile != "T" else "m:n"
        drawing = draw("submarine", f"{tile},{other},./.,.,./.,.,.", [])
        [shape] = [shape for shape in drawing["shapes"] if shape["id"].startswith(f"{tile}@")]
        parts = [[x + 2.5, y + 2.5, *size] for x, y, *size, kind in shape["rects"] if kind == "part"]
        assert sorted(parts) == sorted([x, y, width, height] for y, x, height, width in rectangles)


def test_pieces_keep_their_ids_when_they_fall() -> None:
    before = draw("match3", "12/31/21", [])
    after = draw("match3", ".2/11/21", [], before)
    ids = {(shape["x"], shape["y"]): shape["id"] for shape in before["shapes"]}
    kept = {(shape["x"], shape["y"]): shape["id"] for shape in after["shapes"]}
    assert kept[0.5, 1.5] == ids[0.5, 0.5]
    assert len(set(kept.values())) == len(kept)


@pytest.fixture
def puzzles(open_page: Callable[..., Any]) -> Callable[[str, str], Any]:
    """Opens the page at a position of a puzzle."""

    def open_at(variant: str, position: str) -> Any:
        page = open_page()
        page.click("#tab-puzzles")
        until(page, "document.querySelectorAll('#puzzle-board .shape').length > 0", 60)
        if variant != "klotski":
            page.select_option("#puzzle-variant", variant)
            until(page, f"document.getElementById('puzzle-board').dataset.variant === '{variant}'", 60)
        page.evaluate("document.getElementById('puzzle-edit').open = true")
        page.fill("#puzzle-position", position)
        page.click("#puzzle-open")
        page.wait_for_timeout(60)
        until(page, "!document.getElementById('puzzle-hint').disabled")
        return page

    return open_at


@pytest.mark.parametrize("variant", long_after(1, VARIANTS))
def test_each_puzzle_is_played_by_hand_and_solved(puzzles: Any, variant: str) -> None:
    page = puzzles(variant, SHORT[variant])
    if not centres(page, ".shapes .taken", "puzzle-board"):
        click(page, centres(page, ".shapes .movable", "puzzle-board")[0])
    click(page, centres(page, ".target", "puzzle-board")[0])
    until(page, f"{STATE}.startsWith('1 move')")
    page.click("#puzzle-back")
    until(page, f"{STATE}.startsWith('0 moves')")
    page.click("#puzzle-hint")
    until(page, "document.getElementById('puzzle-answer').textContent.startsWith('Follow')", 60)
    assert page.locator("#puzzle-board .hint-way").count() == 2
    page.click("#puzzle-solve")
    until(page, "/^(?!Follow).*moves/.test(document.getElementById('puzzle-answer').textContent)", 60)
    count = int("".join(filter(str.isdigit, page.inner_text("#puzzle-answer"))))
    page.click("#puzzle-watch")
    until(page, f"{STATE}.startsWith('{count} moves')", 60)
    if variant == "match3":
        assert "15 points" in page.inner_text("#puzzle-status")
    else:
        until(page, f"{STATE}.includes('Solved')")
    page.click("#puzzle-restart")
    until(page, f"{STATE}.startsWith('0 moves')")


def test_the_goal_is_told_a_hint_is_one_step_and_a_solved_puzzle_is_remembered(puzzles: Any) -> None:
    page = puzzles("klotski", SHORT["klotski"])
    page.select_option("#puzzle-known", index=5)
    page.wait_for_selector("#puzzle-board .exit", state="attached")
    assert "Drive the outlined car to the right" in page.inner_text("#puzzle-goal")
    assert page.inner_text("#puzzle-best") == "Difficulty: easy. The best known: 8 moves."
    assert page.locator("#puzzle-board .exit").count() == 1
    page.click("#puzzle-edit summary")
    assert page.is_hidden("#puzzle-position")
    # Each hint is one move; it tells no other.
    played = []
    for moves in range(1, 9):
        hint, words = hinted(page)
        left = 9 - moves
        assert words.endswith(f"{left} move{'s' * (left > 1)} to the goal.")
        play_in_blocks(page, hint, moves)
        played.append(hint)
    page.wait_for_selector("#puzzle-done:not([hidden])")
    assert page.inner_text("#puzzle-done-text") == "Solved with help: 8 moves. Now without!"
    assert page.inner_text("#puzzle-stars") == ""
    page.click("#puzzle-restart")
    until(page, f"{STATE}.startsWith('0 moves')")
    for moves, move in enumerate(played, 1):
        play_in_blocks(page, move, moves)
    page.wait_for_selector("#puzzle-done:not([hidden])")
    assert page.inner_text("#puzzle-done").startswith("Solved: 8 moves. Nobody can do better!\n★★★")
    # The car has left the board, and the list remembers it, also after a reload.
    until(page, "document.querySelector('#puzzle-board .departing') !== null")
    page.reload()
    until(page, "document.querySelector('#puzzle-known option:checked')?.textContent === 'Rush Hour 1 ★★★'")
    assert "yours: 8 moves." in page.inner_text("#puzzle-best")


def hinted(page: Any) -> tuple[str, str]:
    """The move of a hint, and all its text."""
    page.click("#puzzle-hint:not([disabled])")
    until(page, "document.getElementById('puzzle-answer').textContent.startsWith('Follow')", 60)
    text = page.inner_text("#puzzle-answer")
    return text.removeprefix("Follow the mark on the board. ").split()[0], text


def play_in_blocks(page: Any, move: str, count: int) -> None:
    """Play a move of a block, which is the one with this number."""
    click(page, centre(page, move[0], "puzzle-board"))
    click(page, next(one for one in centres(page, ".target", "puzzle-board") if one["name"] == move))
    until(page, f"{STATE}.startsWith('{count} move')")


def test_the_puzzles_of_a_day_are_the_same_for_everybody_and_can_be_drawn() -> None:
    lengths = {kind: len(all_of(kind)) for kind in VARIANTS_OF_KINDS}
    assert min(lengths.values()) >= 50
    first = date(2026, 1, 1)
    for kind, length in lengths.items():
        days = [next(one for one in daily(first + timedelta(day)) if one.kind == kind) for day in range(length + 1)]
        assert len(set(days)) == length and days[0] == days[-1], "each once, then from the beginning"
        for one in days:
            assert draw(one.variant, one.position)["shapes"]
    assert {one.level for one in all_of("tour")} == {level.value for level in Level}
    for entry in daily_positions(first):
        assert entry["position"] in {one.position for one in daily(first)} and entry["best"]


def rating(puzzle: Puzzle[Any], position: str, limits: Limits | None = None) -> str:
    return difficulty(puzzle, puzzle.parse(position), limits=limits).level.value


@pytest.mark.parametrize("kind", ["klotski", "cars", "submarine", "match3", "tour"])
@pytest.mark.parametrize(
    "part", [slice(0, 3), pytest.param(slice(3, None), marks=[pytest.mark.long, pytest.mark.release])]
)
def test_every_puzzle_of_the_day_is_proven(kind: str, part: slice) -> None:
    puzzles: dict[str, Puzzle[Any]] = {
        "submarine": Submarine(), "match3": Match3(), "tour": KnightsTour()
    }  # fmt: skip
    puzzle = puzzles.get(kind, Klotski())
    for one in all_of(kind)[part]:
        board, limits = puzzle.parse(one.position), Limits(depth=one.swaps or None)
        outcome = puzzle.solve(board, limits=limits)
        assert outcome.is_optimal
        reached = puzzle.play_all(board, outcome.solutions[0].moves)
        assert (reached.points if one.swaps else outcome.steps) == one.best
        assert one.level == rating(puzzle, one.position, limits)
