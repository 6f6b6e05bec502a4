"""Puzzles of Junqi itself: a page gets a position without the answer, which follows its right try or its last one."""

from datetime import date
from typing import Annotated, Any

from junqi_board.drawing import junqi, story
from junqi_board.page import Answer, Page, answers, chars
from junqi_board.quiz import Question, questions
from junqi_engine.errors import Refused
from junqi_engine.notation.fen import HIDDEN, format_fen
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.pieces import FLAG, LETTERS, letters_of
from junqi_referee.full_game import FullGame


def of_day(day: date) -> Question:
    found = list(questions().values())
    return found[day.toordinal() % len(found)]


def shown(question: Question) -> dict[str, Any]:
    """What a page may know before it has answered: `asked` are answers by point, `targets` answers by their ends."""
    view = question.view
    board, mine = view.board, view.board.seats[view.turn]
    scene = junqi.scene(view)
    targets = junqi.targets(view, mine) if question.theme in ("win", "save") else {}
    if question.theme == "flag":
        asked = {str(board.point_named[name]): name for name in question.choices}
    else:
        asked = {} if targets else {str(question.attack(choice).start): choice for choice in question.choices}
    may = {
        point: letters_of(view.mask_at(point))
        for point, _, seat, letter in scene["pieces"]
        if letter == HIDDEN and seat not in mine
    }
    if question.theme == "flag":
        # What proves a flag is shown, but not that it does.
        for point in [point for point, letters in may.items() if letters == LETTERS[FLAG]]:
            del scene["proven"][str(point)]
            may[point] = LETTERS
    return {
        "question": question.id, "theme": question.theme, "level": question.level, "variant": board.variant,
        "mine": mine, "targets": targets, "asked": asked,
        "marked": [board.point_named[question.target]] if question.target else [],
        "pieces": scene["pieces"], "proven": scene["proven"], "may": may,
        "alive": scene["alive"], "counts": scene["counts"],
    }  # fmt: skip


def told(question: Question, choice: str, is_last: bool) -> dict[str, Any]:
    """Whether a choice is right, and why. After a right one or the last one follow the answer, its reason `best`, and
    the pieces face up, before and after it.
    """
    view, answer = question.view, str(question.answer)
    fault = question.fault(choice) or {"why": "", "may": ""}
    found: dict[str, Any] = {"is_right": choice == answer, **fault}
    if choice != answer and not is_last:
        return found | ({} if question.theme == "flag" else {"piece": question.attack(choice).piece})
    found |= {"answer": answer, **_turned(question)}
    if question.theme == "flag":
        point = view.board.point_named[answer]
        is_proven = view.mask_at(point) == 1 << FLAG
        return found | {"points": [point], "chances": question.chances, "is_proven": is_proven}
    attack, best = question.attack(choice), question.attack(answer)
    right = {"piece": best.piece, "may": best.may}
    return found | {"points": [best.start, best.target], "piece": attack.piece, "best": right}


def _turned(question: Question) -> dict[str, Any]:
    state = question.turned()
    board, rules = state.board, question.view.rules
    full = FullGame(board.variant, {}, board.seats[state.turn], rules, fen=format_fen(state))
    before = story.scene(full.view(OPEN_VIEWER), None)
    if question.theme == "flag":
        return {"turned": before["pieces"]}
    full.play(str(question.answer))
    after = story.scene(full.view(OPEN_VIEWER), before)
    return {"turned": before["pieces"], "after": {"pieces": after["pieces"], "last": after["last"]}}


QuestionId = Annotated[str, chars(20)]


@answers(host_only=True)
async def quiz_list(page: Page) -> Answer:
    found = [[one.id, one.variant, one.level] for one in questions().values()]
    return {"type": "quiz_list", "questions": found, "today": of_day(date.today()).id}


@answers(host_only=True)
async def quiz(page: Page, question: QuestionId) -> Answer:
    return {"type": "quiz", **shown(_question(question))}


@answers(host_only=True)
async def quiz_try(page: Page, question: QuestionId, answer: Annotated[str, chars(12)], is_last: bool) -> Answer:
    asked = _question(question)
    if answer not in asked.choices:
        raise Refused("illegal-move", f"answer: {answer!r} is not one of the answers to choose from")
    return {"type": "quiz_told", **told(asked, answer, is_last)}


def _question(name: str) -> Question:
    found = questions().get(name)
    if found is None:
        raise Refused("no-puzzle", f"question: there is no puzzle {name!r}")
    return found
