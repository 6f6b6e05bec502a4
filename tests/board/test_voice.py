"""The sentences of the board: all of them as a list that a person can read, their truth, and what none may have."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from junqi_board.lessons import COURSE, PAGE, lessons
from junqi_engine.rules.pieces import LETTERS, Outcome, battle
from tests.helpers.board_pages import until

OpenPage = Callable[..., Any]
LANGUAGES = ("en", "zh")
ADVANCED = tuple(
    """analysis arrange.letters arrange.load arrange.save error.bad-file game.saved game.pace level.named look moves.raw
    outcome pane.lines pane.advises puzzle.edit puzzle.position replay.load rule.length rule.letter setup.visibility
    setup.versions told.way""".split()
)
"""The beginnings of the names of texts that only *Advanced* shows, or that name a file of the person."""
FORBIDDEN = {
    "a coordinate": r"\b[a-q](?:1[0-7]|[1-9])\b",
    "the letter of a seat": r"\b[SENW]\b",
    "the name of an engine": r"junqi-|[Ee]lo\b|UCI|\bv?\d+\.\d+\b",
    "a word of the protocol": r"\bFEN\b|\bply\b|\bplies\b|bestmove|\.jql|\.jsonl|--\w|protocol|协议",
}
MOVES = """(lessons) => import('/main.js').then(({modules}) => {
  const {moveSaying, textOf, whyText} = modules['voice.js'], {boardOf} = modules['junqi_board.js'];
  return lessons.flatMap(({name, variant, after}) => Object.entries(after).map(([move, {last}]) =>
    [name, move, textOf(moveSaying(last, boardOf(variant), 'S')), whyText(last)]));
})"""


def texts() -> dict[str, dict[str, str]]:
    files = [json.loads(path.read_text("utf-8")) for path in sorted(PAGE.glob("texts*.json"))]
    return {language: {key: text for file in files for key, text in file[language].items()} for language in LANGUAGES}


@pytest.fixture(scope="module")
def page(open_shared_page: OpenPage) -> Any:
    page = open_shared_page(at_home=True)
    until(page, "document.querySelector('#home-board .piece')")
    return page


def in_language(page: Any, language: str) -> None:
    if page.evaluate("document.documentElement.lang")[:2] != language:
        page.click("#language")


def faults_of(said: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if re.search(pattern, said)]


def test_only_advanced_texts_have_words_of_machines() -> None:
    found = texts()
    for language, words in found.items():
        for key, text in words.items():
            if key.startswith(ADVANCED):
                continue
            assert not faults_of(re.sub(r"\{[^}]*\}", "", text)), (language, key, text)


OUTCOMES = {
    "attacker-won": Outcome.ATTACKER_WON,
    "defender-won": Outcome.DEFENDER_WON,
    "both-removed": Outcome.BOTH_REMOVED,
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_lesson_says_what_is_not_so(page: Any, language: str) -> None:
    """Lessons called a landmine and the Flag weaker than an Engineer and a Major."""
    in_language(page, language)
    course = {lesson.name: lesson for lesson in COURSE}
    moves = {(name, move): (said, why) for name, move, said, why in page.evaluate(MOVES, lessons())}
    in_language(page, "en")
    for lesson in lessons():
        kinds = {word.split(":")[1]: word[1] for word in course[lesson["name"]].pieces.split()}
        for move, after in lesson["after"].items():
            said, why = moves[lesson["name"], move]
            last = after["last"]
            assert said and bool(why) <= (last["outcome"] != "no-battle")
            if last["outcome"] == "no-battle":
                continue
            target = re.findall(r"[a-q]\d+", move)[1]
            mine, other = last["attacker"]["letter"], kinds[target]
            assert battle(LETTERS.index(mine), LETTERS.index(other)).outcome == OUTCOMES[last["outcome"]]
            assert other in last["defender"]["may"]
            if "weaker" in why or "小" in why:
                assert other in "abcdefghi" and other > mine, (move, why)
            if "stronger" in why or "大" in why:
                assert other < mine or "Landmine" in why or "地雷" in why, (move, why)
            if "clears" in why or "能排" in why:
                assert (mine, other) == ("i", "j"), (move, why)
