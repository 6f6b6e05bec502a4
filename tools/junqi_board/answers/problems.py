"""Problems on a page: it gets a position without the answer, which follows its right try or its last one."""

from contextlib import suppress
from datetime import date
from typing import Annotated

from msgspec.structs import replace

from junqi_board.connection import Connection, answers, chars
from junqi_board.host import Host
from junqi_board.messages.learning import (
    ListedProblem,
    PieceReason,
    ProblemList,
    ProblemRating,
    ProblemStatement,
    ProblemVerdict,
)
from junqi_board.messages.scenes import AfterMove
from junqi_board.own_problems import offered
from junqi_board.problems import OWN, Problem, problems
from junqi_board.scenes import junqi, story
from junqi_board.store import DAY, LATER_TRY, PROBLEM
from junqi_engine.errors import Refused
from junqi_engine.notation.fen import HIDDEN, format_fen
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.pieces import FLAG, LETTERS, letters_of
from junqi_referee.full_game import FullGame


def of_day(day: date) -> Problem:
    found = list(problems().values())
    return found[day.toordinal() % len(found)]


def statement_of(problem: Problem) -> ProblemStatement:
    """A problem without its answer. `choices` are answers by their point, `targets` answers by their start and end."""
    view = problem.view
    board, mine = view.board, view.board.seats[view.turn]
    scene = junqi.scene(view)
    targets = junqi.targets(view, mine) if problem.theme in ("win", "save", OWN) else {}
    if problem.theme == "flag":
        choices = {str(board.point_named[name]): name for name in problem.choices}
    else:
        choices = {} if targets else {str(problem.attack(choice).start): choice for choice in problem.choices}
    may = {
        one.point: letters_of(view.mask_at(one.point))
        for one in scene.pieces
        if one.letter == HIDDEN and one.seat not in mine
    }
    if problem.theme == "flag":
        # What proves a flag is shown, but not that it does.
        for point in [point for point, letters in may.items() if letters == LETTERS[FLAG]]:
            del scene.proven[str(point)]
            may[point] = LETTERS
    return ProblemStatement(
        problem=problem.id, theme=problem.theme, level=problem.level or problem.motive, variant=board.variant,
        mine=mine, targets=targets, choices=choices,
        marked=[board.point_named[problem.target]] if problem.target else [],
        pieces=scene.pieces, proven=scene.proven, may={str(point): letters for point, letters in may.items()},
        alive=scene.alive, counts=scene.counts,
    )  # fmt: skip


def verdict_on(problem: Problem, choice: str, is_last: bool) -> ProblemVerdict:
    """Whether a choice is right, and why. After a right one or the last one follow the answer, its reason `best`, and
    the pieces face up, before and after it.
    """
    view, answer = problem.view, problem.answer
    why, may = problem.refutation(choice) or ("", "")
    found = ProblemVerdict(is_right=choice == answer, why=why, may=may)
    if problem.theme != "flag":
        found.piece = problem.attack(choice).piece
    if choice != answer and not is_last:
        return found
    found.answer = answer
    _turn_face_up(found, problem, choice)
    if problem.theme == "flag":
        point = view.board.point_named[answer]
        is_proven = view.mask_at(point) == 1 << FLAG
        return replace(found, points=[point], chances=dict(problem.chances), is_proven=is_proven)
    best = problem.attack(answer)
    return replace(found, points=[best.start, best.target], best=PieceReason(best.piece, best.may))


def _turn_face_up(found: ProblemVerdict, problem: Problem, choice: str) -> None:
    state = problem.face_up(choice)
    board, rules = state.board, problem.view.rules
    full = FullGame(board.variant, {}, board.seats[state.turn], rules, fen=format_fen(state))
    before = story.scene(full.view(OPEN_VIEWER), None)
    found.face_up, found.fen = before.pieces, format_fen(state)
    if problem.theme != "flag":
        full.play(problem.answer)
        after = story.scene(full.view(OPEN_VIEWER), before)
        found.after = AfterMove(after.pieces, after.last)


ProblemId = Annotated[str, chars(20)]


@answers(host_only=True)
async def problem_list(connection: Connection) -> ProblemList:
    """The packaged problems and, with their own level, those from the host's games."""
    today = date.today()
    found = [ListedProblem(one.id, one.variant, one.level) for one in problems().values()]
    own = [ListedProblem(name, one.variant, OWN) for name, one in offered(connection.host.store, today).items()]
    return ProblemList(own + found, of_day(today).id)


@answers(host_only=True)
async def problem(connection: Connection, problem: ProblemId) -> ProblemStatement:
    return statement_of(_problem_named(connection.host, problem))


@answers(host_only=True)
async def problem_answer(
    connection: Connection, problem: ProblemId, answer: Annotated[str, chars(12)], is_last: bool
) -> ProblemVerdict:
    found = _problem_named(connection.host, problem)
    if answer not in found.choices:
        raise Refused("illegal-move", f"answer: {answer!r} is not one of the answers to choose from")
    verdict = verdict_on(found, answer, is_last)
    _count(connection.host, found, verdict.is_right)
    return verdict


def _count(host: Host, problem: Problem, is_right: bool) -> None:
    """Count the first answer for the rating and for the day; a later one may still solve the problem, `LATER_TRY`.

    A problem from an own game has no rating: its answer is the engine's opinion.
    """
    today = date.today()
    before = host.store.facts.get(PROBLEM, {}).get(problem.id)
    if problem.theme != OWN and before is None:
        host.ladder.count_problem(problem.level, is_right)
        host.send_host(ProblemRating(**host.ladder.problems))
    with suppress(Refused):  # the disk refuses: the page says so when a game is saved
        host.add_fact(PROBLEM, problem.id, LATER_TRY if is_right and before is False else is_right)
        if problem.id == of_day(today).id:
            host.add_fact(DAY, today.isoformat(), is_right)


def _problem_named(host: Host, name: str) -> Problem:
    found = problems().get(name) or offered(host.store, date.today()).get(name)
    if found is None:
        raise Refused("no-problem", f"problem: there is no problem {name!r}")
    return found
