"""The first seconds, whatever the engine does: the board, what a wrong address says, and the tutorial, whose answers
follow from the move that was made.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from junqi_board.lessons import files, lessons
from tests.helpers.board import Page, Server, broken
from tests.helpers.board_pages import centres, click, go_to
from tests.helpers.marking import release_after
from tests.helpers.referee import ROOT

OpenPage = Callable[..., Any]
PAGE = ROOT / "tools" / "junqi_board" / "page"
ENGINES = (broken("hangs_at_isready"),)
"""It tells its options and then gets ready for ever, as one that compiles does."""


def test_the_page_has_the_lessons_and_boards_of_the_rules() -> None:
    for name, text in files().items():
        assert (PAGE / name).read_text("utf-8") == text, f"{name}: run python -m junqi_board.lessons"


def test_each_lesson_has_words_a_good_move_and_says_what_a_wrong_one_does() -> None:
    texts = json.loads((PAGE / "texts_learn.json").read_text("utf-8"))
    for lesson in lessons():
        assert lesson["good"] and set(lesson["good"]) <= set(lesson["after"])
        has_wrong = set(lesson["good"]) != set(lesson["after"])
        for language in texts.values():
            words = {
                part: language[f"lesson.{lesson['name']}.{part}"] for part in ("title", "text", "task", "done", "wrong")
            }
            assert all(words[part] for part in ("title", "text", "task", "done")) and bool(words["wrong"]) == has_wrong


def test_the_lessons_tell_the_truth() -> None:
    """What the words say of battles, flags and eliminated seats is what the rules did."""
    by_name = {lesson["name"]: lesson for lesson in lessons()}

    def last(name: str, move: str) -> dict[str, Any]:
        return dict(by_name[name]["after"][move]["last"])

    assert last("battles", "c5c6")["outcome"] == "attacker-won"
    assert last("ranks", "b6c6")["outcome"] == "defender-won" and last("ranks", "c5c6")["outcome"] == "attacker-won"
    assert last("bombs", "d5d6")["outcome"] == "both-removed" and last("bombs", "d5d6")["flags"]
    assert last("mines", "e11d11")["outcome"] == "defender-won" and last("mines", "d10d11")["outcome"] == "attacker-won"
    assert last("headquarters", "c12d12")["out"] == "N" and last("elimination", "p8q8")["out"] == "E"
    left = by_name["elimination"]["after"]["p8q8"]["pieces"]
    assert not [piece for piece in left if piece[2] == "E"]


def test_the_pieces_are_set_up_while_the_engine_gets_ready(board: Server) -> None:
    with Page(board) as page:
        assert page.until("starting") == {"type": "starting", "is_ready": False, "share": None}
        state = page.state(lambda state: state["phase"] == "arranging")
        assert set(state["drafts"]) == {"S"} and not state["seats"]["N"]["is_here"]
        assert page.ask("lineup_random")["type"] == "lineup"


Lesson = dict[str, Any]
BOARD = "learn-board"
GONE = {"en": "and was removed|removed each other", "zh": "反被吃掉|同归于尽"}
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
@pytest.mark.parametrize("moves", release_after(1, [1, None]), ids=["one of a lesson", "all"])
def test_a_wrong_move_is_answered_by_what_it_did(open_page: OpenPage, moves: int | None) -> None:
    page = open_page()
    go_to(page, "learn")
    for number, lesson in enumerate(lessons()):
        open_lesson(page, number)
        for move in sorted(set(lesson["after"]) - set(lesson["good"]))[:moves]:
            play(page, lesson, move)
            answers = page.evaluate(ANSWERS)
            after = lesson["after"][move]
            # Nothing is called removed that still stands.
            stands = after["last"]["attacker"]["piece"] in {piece for _, piece, *_ in after["pieces"]}
            for language, said in answers.items():
                assert stands != any(word in said for word in GONE[language].split("|")), (move, said)
