"""The tutorial: its answers follow from the move that was made, and nothing jumps while it is read."""

from collections.abc import Callable
from typing import Any

import pytest

from junqi_board.lessons import lessons
from tests.helpers.board import broken
from tests.helpers.board_pages import centres, click, go_to, until

OpenPage = Callable[..., Any]
Lesson = dict[str, Any]
BOARD = "learn-board"
SAID = {
    "en": {
        "no-battle": "has moved, without a battle",
        "attacker-won": "attacked and removed the other piece",
        "defender-won": "attacked and was removed; the other piece stays",
        "both-removed": "attacked; both pieces were removed",
    },
    "zh": {
        "no-battle": "走了一步，没有交战",
        "attacker-won": "进攻，吃掉了对方棋子",
        "defender-won": "进攻后被吃掉，对方棋子仍在",
        "both-removed": "进攻，双方同归于尽",
    },
}
GONE = {"en": "gone|dead|lost|was removed|were removed", "zh": "没了|被吃掉|同归于尽"}
ANSWERS = """() => {
  const button = (id) => document.getElementById(id).click();
  const read = () => document.getElementById('learn-answer').textContent;
  const answers = {en: read()};
  button('language');
  answers.zh = read();
  button('language');
  button('learn-again');
  return answers;
}"""
ENGINES = (broken("hangs_at_isready"),)


def open_lesson(page: Any, number: int) -> None:
    page.click(f"#learn-list li:nth-child({number + 1}) button")
    page.wait_for_selector("#learn-board .movable", state="attached")


def play(page: Any, lesson: Lesson, move: str) -> None:
    """Play a move by two clicks, and wait for the answer."""
    start = next(start for start, moves in lesson["targets"].items() if move in moves.values())
    mover = next(str(piece) for point, piece, *_ in lesson["pieces"] if point == int(start))
    click(page, next(one for one in centres(page, ".shapes .movable", BOARD) if one["name"] == mover))
    click(page, next(one for one in centres(page, ".target", BOARD) if one["name"] == move))
    page.wait_for_selector("#learn-answer:not(:empty)")


@pytest.mark.long
def test_every_wrong_move_is_answered_by_what_it_did(open_page: OpenPage) -> None:
    page = open_page()
    go_to(page, "learn")
    for number, lesson in enumerate(lessons()):
        open_lesson(page, number)
        for move in sorted(set(lesson["after"]) - set(lesson["good"])):
            play(page, lesson, move)
            answers = page.evaluate(ANSWERS)
            after = lesson["after"][move]
            # Nothing is called removed that still stands.
            stands = after["last"]["attacker"]["piece"] in {piece for _, piece, *_ in after["pieces"]}
            for language, said in answers.items():
                assert SAID[language][after["last"]["outcome"]] in said, (move, said)
                assert stands != any(word in said for word in GONE[language].split("|")), (move, said)


@pytest.mark.long
def test_the_points_of_a_task_are_marked_on_the_board_and_in_words(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    go_to(page, "learn")
    number, lesson = next(pair for pair in enumerate(lessons()) if pair[1]["name"] == "curves")
    open_lesson(page, number)
    assert page.locator("#learn-board .marked").count() == len(lesson["marked"]) == 2
    play(page, lesson, lesson["good"][0])
    assert page.locator("#learn-board .marked").count() == 0
    # The cursor of the keyboard says it.
    number = next(number for number, lesson in enumerate(lessons()) if lesson["name"] == "battles")
    open_lesson(page, number)
    click(page, centres(page, ".shapes .movable", BOARD)[0])
    page.keyboard.press("ArrowUp")
    until(page, "document.getElementById('live').textContent.endsWith(', marked')")
