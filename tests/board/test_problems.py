"""Problems without a browser: choices, answers, refutations, and what a page may know."""

import dataclasses
import json
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from junqi_board.answers.problems import of_day, statement_of, verdict_on
from junqi_board.problems import FILE, LEVELS, THEMES, Problem, problems
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.layout import from_point_of, seat_of, team_of, to_point_of
from junqi_engine.rules.pieces import BATTLES, COUNTS, FLAG, LETTERS, Outcome, letters_of, mask_of
from junqi_engine.rules.position import copied
from junqi_engine.rules.position_reader import legal_moves
from junqi_training.problems import flag_points, is_asked
from junqi_training.refutations import refutation_of, solved
from tests.helpers.board import Page, Server, broken
from tests.helpers.marking import long_after

ENGINES = (broken("script"),)


LEAST, MOST_BYTES = 60, 170_000
BACK = "N?N?N?N?N?/5"
"""The enemy's last two rows: pieces that reach nothing."""
MINED = "1N?N?N?N?/N?4"
"""The same with a piece on the railway, which nobody guards."""


def drawn(theme: str, row: str, own: str, masks: str, back: str = BACK, **more: Any) -> Problem:
    """A problem of South in Luzhanqi: the enemy's front row, South's half, and the possible kinds of hidden pieces."""
    return Problem(theme, "luzhanqi", f"{back}/5/5/5/{row}/{own} S SN S 0 60 {masks}", **more)


FRONT = "Sc1Si1Sh/5/5/5/5/1Sl3"
SURE = "a7:fgh,c7:efg,e7:efg"
ATTACKERS = "2Sd2/5/5/5/5/1Sl3"


def win(own: str, masks: str) -> Problem:
    return drawn("win", "N?1N?1N?", own, masks)


def win_mined(piece: str, mask: str) -> Problem:
    """An attack on a piece that may be a landmine."""
    return drawn("win", "2N?1N?", f"{piece}1Si1Sh/5/5/5/5/1Sl3", f"a11:{mask},c7:efg,e7:efg", back=MINED)


def attack(row: str) -> Problem:
    return drawn("attack", row, ATTACKERS, "c7:cef", target="c7")


def save(row: str, masks: str) -> Problem:
    return drawn("save", "5", f"5/5/5/5/{row}/1Sl3", masks)


def find(chances: dict[str, float]) -> Problem:
    """A question for the flag; an enemy's piece in South's headquarters is not asked about."""
    return drawn("flag", "5", "2Sd2/5/5/5/5/1Sl1N?1", "d1:abc", chances=chances)


ANSWERS: dict[str, tuple[Problem, str | None]] = {
    "one attack wins in any case": (win(FRONT, SURE), "a6a7"),
    "two attacks do": (win("Sc1Sc1Sh/5/5/5/5/1Sl3", SURE), None),
    "a neighbour may take it back": (win(FRONT, "a7:fgh,c7:befg,e7:efg"), None),
    "a neighbour may trade it": (win(FRONT, "a7:fgh,c7:cefg,e7:efg"), None),
    "it may be a bomb": (win(FRONT, "a7:fghk,c7:efg,e7:efg"), None),
    "too little to choose from": (win("Sc1Sh2/5/5/5/5/1Sl3", SURE), None),
    "no landmine": (win_mined("Sc", "fgh"), "a6a11"),
    "it may be a landmine": (win_mined("Sc", "fghj"), None),
    "an engineer wins against a landmine": (win_mined("Si", "j"), "a6a11"),
    "one of three wins in any case": (attack("Sb1N?1Sg"), "a7c7"),
    "two of three do": (attack("Sb1N?1Sa"), None),
    "none does": (attack("Sc1N?1Sg"), None),
    "only two can attack": (attack("Sb1N?2"), None),
    "one move removes the attacker in any case": (save("SeN?Sh2", "b2:fg"), "a2b2"),
    "a bomb does too": (save("SkN?Sh2", "b2:abc"), "a2b2"),
    "two moves do": (save("SeN?Se2", "b2:fg"), None),
    "a trade saves the flag": (save("SeN?Sh2", "b2:efg"), "a2b2"),
    "no move does in any case": (save("SeN?Sh2", "b2:defg"), None),
    "nobody stands beside the flag": (save("Se1N?Sh1", "c2:fg"), None),
    "the flag is nearly sure": (find({"b12": 0.95, "d12": 0.05}), "b12"),
    "the flag is not sure": (find({"b12": 0.8, "d12": 0.2}), None),
    "one headquarters is not known": (find({"b12": 0.95}), None),
    "no headquarters": (find({"a12": 0.95, "d12": 0.05}), None),
    "two flags": (find({"b12": 0.95, "d12": 0.9}), None),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_question_has_one_answer_or_none(name: str) -> None:
    problem, answer = ANSWERS[name]
    found = solved(problem)
    assert (found.answer if found and is_asked(found) else None) == answer
    if problem.theme == "attack":
        assert {choice[-2:] for choice in problem.choices} == {"c7"}


@pytest.mark.parametrize(
    ("problem", "choice", "refutation"),
    [
        (win(FRONT, "a7:fgh,c7:befg,e7:efg"), "a6a7", ("taken", "b")),
        (win(FRONT, "a7:fghk,c7:efg,e7:efg"), "a6a7", ("loses", "k")),
        (win(FRONT, SURE), "a6b6", ("quiet", "")),
        (save("SeN?Sh2", "b2:fgh"), "c2b2", ("stays", "fg")),
        (save("SeN?Sh2", "b2:fg"), "c2b2", ("ignored", "")),
        (save("SeN?Sh2", "b2:fg"), "c2c3", ("ignored", "")),
    ],
)
def test_why_an_answer_is_wrong(problem: Problem, choice: str, refutation: tuple[str, str]) -> None:
    assert refutation_of(problem, choice) == refutation


def takers(view: SeatView, move: int) -> str:
    """The kinds that may come to the target after a sure win and not lose there."""
    start, target = from_point_of(move), to_point_of(move)
    positions = copied(view.positions)
    after = positions[0]
    attacker = view.piece_at(start)
    assert attacker is not None
    after["board"][target], after["board"][start] = after["board"][start], 0
    found = set()
    for point in view.board.points:
        piece = view.piece_at(point)
        if piece is None or point == target or team_of(seat_of(piece)) == team_of(view.turn):
            continue
        for kind in range(len(LETTERS)):
            if not int(view.masks[piece]) >> kind & 1 or BATTLES[kind][int(after["kind"][attacker])][0] == 2:
                continue
            alone = copied(positions)
            alone[0]["turn"], alone[0]["kind"][piece] = seat_of(piece), kind
            if any((from_point_of(one), to_point_of(one)) == (point, target) for one in legal_moves(view.board, alone)):
                found.add(LETTERS[kind])
    return "".join(sorted(found - set("jl")))


def test_there_are_enough_of_every_theme_in_a_small_file() -> None:
    found = list(problems().values())
    themes = Counter(one.theme for one in found)
    assert set(themes) == set(THEMES) and min(themes.values()) >= LEAST
    assert {(one.theme, one.variant) for one in found} == {(theme, variant) for theme in THEMES for variant in BOARDS}
    assert {(one.theme, one.level) for one in found} == {(theme, level) for theme in THEMES for level in LEVELS}
    assert len(found) == len(json.loads(FILE.read_text("utf-8"))) == len({(one.theme, one.fen) for one in found})
    assert len(FILE.read_bytes()) <= MOST_BYTES


@pytest.mark.parametrize("theme", long_after(1, THEMES))
def test_every_packaged_answer_is_legal_unique_and_right(theme: str) -> None:
    for problem in (one for one in problems().values() if one.theme == theme):
        view, answer = problem.view, problem.answer
        assert is_asked(problem), problem
        assert problem == solved(dataclasses.replace(problem, answer="", refutations={}))
        assert [choice for choice in problem.choices if problem.refutation(choice) is None] == [answer]
        if theme == "flag":
            assert view.mask_at(view.board.point_named[answer]) >> FLAG & 1
            assert 0.98 <= sum(problem.chances.values()) <= 2.02
            continue
        move = problem.moves[problem.choices.index(answer)]
        assert move in view.legal_moves()
        attack = problem.attack(answer)
        outcomes = {BATTLES[LETTERS.index(attack.piece)][LETTERS.index(one)].outcome for one in attack.may}
        if theme == "save":
            flag = view.flag_point(view.turn)
            assert flag is not None and flag in view.board.road_steps[attack.target]
            assert outcomes and outcomes <= {Outcome.ATTACKER_WON, Outcome.BOTH_REMOVED}
        else:
            assert outcomes == {Outcome.ATTACKER_WON}
            assert takers(view, move) == ""


def test_problem_page_gets_team_knowledge_only() -> None:
    for problem in problems().values():
        view, sent = problem.view, statement_of(problem)
        seats = view.board.seats
        known = {seats[number] for number in range(len(seats)) if view.sees(number)}
        assert sent.mine in known and known != set(seats)
        hidden = {piece.letter for piece in sent.pieces if piece.seat not in known}
        assert HIDDEN in hidden and hidden <= {HIDDEN, LETTERS[FLAG]}
        assert problem.theme == "attack" or not sent.marked
        # What may be chosen is in the order of the board, whatever the answer is.
        offered = [*sent.choices.values(), *(move for moves in sent.targets.values() for move in moves.values())]
        assert sorted(offered) == sorted(problem.choices)
        if problem.theme == "flag":
            assert list(map(int, sent.choices)) == flag_points(view)
            assert LETTERS[FLAG] not in {*sent.proven.values(), *sent.may.values()}
        else:
            assert {mask_of(letters) for letters in sent.may.values()} <= set(view.masks.tolist())


def test_revealed_pieces_agree_with_knowledge_and_answer() -> None:
    for problem in problems().values():
        view, said = problem.view, verdict_on(problem, problem.answer, is_last=False)
        before, face_up = statement_of(problem).pieces, said.face_up
        assert before == [replace(piece, letter=old.letter) for piece, old in zip(face_up, before, strict=True)]
        assert all(piece.letter in letters_of(view.mask_at(piece.point)) for piece in face_up)
        for seat in range(len(view.board.seats)):
            letters = Counter(piece.letter for piece in face_up if piece.seat == view.board.seats[seat])
            assert all(letters[letter] <= COUNTS[LETTERS.index(letter)] for letter in letters)
        if problem.theme == "flag":
            assert [LETTERS[FLAG]] == [piece.letter for piece in face_up if [piece.point] == said.points]
            for choice in {*problem.choices} - {problem.answer}:
                wrong = verdict_on(problem, choice, is_last=True)
                letter_at = {one.point: one.letter for one in wrong.face_up}
                right, chosen = (letter_at[view.board.point_named[name]] for name in (problem.answer, choice))
                assert right == LETTERS[FLAG] != chosen
        else:
            assert said.after.last.outcome in {"attacker-won", "both-removed"}


def test_day_has_one_problem_and_each_comes_in_its_turn() -> None:
    first, number = date(2026, 1, 1), len(problems())
    days = [of_day(first + timedelta(day)).id for day in range(number + 1)]
    assert set(days) == set(problems()) and days[0] == days[-1]
    assert len({problems()[one].theme for one in days[:14]}) > 2


def test_answer_follows_the_first_try(board: Server) -> None:
    with Page(board) as page:
        before, listed, after = date.today(), page.ask("problem_list"), date.today()
        assert {one[0] for one in listed["problems"]} == set(problems())
        assert listed["today"] in {of_day(before).id, of_day(after).id}
        for theme in THEMES:
            problem = next(one for one in problems().values() if one.theme == theme)
            statement = page.ask("problem", problem=problem.id)
            told_last = {"answer", "best", "points", "chances", "face_up", "after", "is_proven"}
            assert not {"answers", "fen", *told_last} & statement.keys()

            def tried(choice: str, is_last: bool, name: str = problem.id) -> Any:
                return page.ask("problem_answer", problem=name, answer=choice, is_last=is_last)

            said = tried(problem.answer, is_last=False)
            assert said["is_right"] and said["why"] == "" and said["answer"] == problem.answer and said["face_up"]
            wrong = next(choice for choice in problem.choices if choice != problem.answer)
            said = tried(wrong, is_last=False)
            assert not said["is_right"] and said["why"] and not told_last & said.keys()
            said = tried(wrong, is_last=True)
            assert (
                not said["is_right"]
                and said["why"]
                and said == said | to_builtins(verdict_on(problem, wrong, is_last=True))
            )
            assert tried("a1a1", is_last=True)["code"] == "illegal-move"
        assert page.ask("problem", problem="flag-000000")["code"] == "no-problem"
        assert page.ask("problem_answer", problem="x", answer="x", is_last=True)["code"] == "no-problem"
