"""Lessons: positions and boards as data, and their texts."""

import json

from junqi_board.lessons import PAGE, files, lessons


def test_page_has_the_lessons_and_boards_of_the_rules() -> None:
    for name, text in files().items():
        assert (PAGE / name).read_text("utf-8") == text, f"{name}: run python -m junqi_board.lessons"


def test_lessons_have_texts_and_explain_wrong_moves() -> None:
    texts = json.loads((PAGE / "texts.json").read_text("utf-8"))
    for lesson in lessons():
        assert lesson["good"] and set(lesson["good"]) <= set(lesson["after"])
        has_wrong = set(lesson["good"]) != set(lesson["after"])
        for language in range(2):
            words = {
                part: texts[f"lesson.{lesson['name']}.{part}"][language]
                for part in ("title", "text", "task", "done", "wrong")
            }
            assert all(words[part] for part in ("title", "text", "task", "done")) and bool(words["wrong"]) == has_wrong
