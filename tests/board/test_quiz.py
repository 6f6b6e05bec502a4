"""Puzzles of Junqi itself: their themes on drawn boards, all packaged ones, what a page may know, and the view."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from junqi_board.quiz import FILE, LEVELS, THEMES, Question, flag_points, questions
from junqi_board.views.quiz import of_day, shown, told
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.layout import from_point_of, seat_of, team_of, to_point_of
from junqi_engine.rules.pieces import BATTLES, FLAG, LETTERS, Outcome, mask_of
from junqi_engine.rules.position import copied
from junqi_engine.rules.standing import legal_moves
from tests.helpers.board import Page, Server, broken
from tests.helpers.board_pages import centres, click, until
from tests.helpers.marking import release_after

OpenPage = Callable[..., Any]
ENGINES = (broken("script"),)
LEAST, MOST_BYTES = 60, 150_000
BACK = "N?N?N?N?N?/5"
"""The enemy's last two rows: pieces that reach nothing."""
MINED = "1N?N?N?N?/N?4"
"""The same with a piece on the railway, which nobody guards."""


def drawn(theme: str, row: str, own: str, masks: str, back: str = BACK, **more: Any) -> Question:
    """A question of South in Luzhanqi: the enemy's front row, the own half, and what hidden pieces may be."""
    return Question(theme, "luzhanqi", f"{back}/5/5/5/{row}/{own} S SN S 0 60 {masks}", **more)


FRONT = "Sc1Si1Sh/5/5/5/5/1Sl3"


@pytest.mark.parametrize(
    ("own", "masks", "answer"),
    [
        pytest.param(FRONT, "a7:fgh,c7:efg,e7:efg", "a6a7", id="one attack wins in any case"),
        pytest.param("Sc1Sc1Sh/5/5/5/5/1Sl3", "a7:fgh,c7:efg,e7:efg", None, id="two do"),
        pytest.param(FRONT, "a7:fgh,c7:befg,e7:efg", None, id="a neighbour may take it back"),
        pytest.param(FRONT, "a7:fgh,c7:cefg,e7:efg", None, id="a neighbour may trade it"),
        pytest.param(FRONT, "a7:fghk,c7:efg,e7:efg", None, id="it may be a bomb"),
        pytest.param("Sc1Sh2/5/5/5/5/1Sl3", "a7:fgh,c7:efg,e7:efg", None, id="too little to choose from"),
    ],
)
def test_win_a_piece_for_sure(own: str, masks: str, answer: str | None) -> None:
    assert drawn("win", "N?1N?1N?", own, masks).answer == answer


@pytest.mark.parametrize(
    ("own", "mask", "answer"), [("Sc", "fgh", "a6a11"), ("Sc", "fghj", None), ("Si", "j", "a6a11")]
)
def test_only_an_engineer_wins_against_a_landmine(own: str, mask: str, answer: str | None) -> None:
    masks = f"a11:{mask},c7:efg,e7:efg"
    assert drawn("win", "2N?1N?", f"{own}1Si1Sh/5/5/5/5/1Sl3", masks, back=MINED).answer == answer


@pytest.mark.parametrize(
    ("row", "masks", "answer"),
    [
        pytest.param("Sb1N?1Sg", "c7:cef", "a7c7", id="one of three wins in any case"),
        pytest.param("Sb1N?1Sa", "c7:cef", None, id="two of them do"),
        pytest.param("Sc1N?1Sg", "c7:cef", None, id="none does"),
        pytest.param("Sb1N?2", "c7:cef", None, id="only two can attack"),
    ],
)
def test_the_right_piece_for_the_attack(row: str, masks: str, answer: str | None) -> None:
    question = drawn("attack", row, "2Sd2/5/5/5/5/1Sl3", masks, target="c7")
    assert question.answer == answer
    assert {choice[-2:] for choice in question.choices} == {"c7"}


BESIDE = "5/5/5/5/{row}/1Sl3"


@pytest.mark.parametrize(
    ("row", "masks", "answer"),
    [
        pytest.param("SeN?Sh2", "b2:fg", "a2b2", id="one move removes the attacker in any case"),
        pytest.param("SkN?Sh2", "b2:abc", "a2b2", id="a bomb does too"),
        pytest.param("SeN?Se2", "b2:fg", None, id="two moves do"),
        pytest.param("SeN?Sh2", "b2:efg", "a2b2", id="a trade saves the flag"),
        pytest.param("SeN?Sh2", "b2:defg", None, id="none does in any case"),
        pytest.param("Se1N?Sh1", "c2:fg", None, id="nobody stands beside the flag"),
    ],
)
def test_save_your_flag(row: str, masks: str, answer: str | None) -> None:
    assert drawn("save", "5", BESIDE.format(row=row), masks).answer == answer


@pytest.mark.parametrize(
    ("question", "choice", "fault"),
    [
        (drawn("win", "N?1N?1N?", FRONT, "a7:fgh,c7:befg,e7:efg"), "a6a7", ("taken", "b")),
        (drawn("win", "N?1N?1N?", FRONT, "a7:fghk,c7:efg,e7:efg"), "a6a7", ("loses", "k")),
        (drawn("win", "N?1N?1N?", FRONT, "a7:fgh,c7:efg,e7:efg"), "a6b6", ("quiet", "")),
        (drawn("save", "5", BESIDE.format(row="SeN?Sh2"), "b2:fgh"), "c2b2", ("stays", "fg")),
        (drawn("save", "5", BESIDE.format(row="SeN?Sh2"), "b2:fg"), "c2b2", ("ignored", "")),
        (drawn("save", "5", BESIDE.format(row="SeN?Sh2"), "b2:fg"), "c2c3", ("ignored", "")),
    ],
)
def test_why_an_answer_is_wrong(question: Question, choice: str, fault: tuple[str, str]) -> None:
    assert question.fault(choice) == dict(zip(("why", "may"), fault, strict=True))


@pytest.mark.parametrize(
    ("chances", "answer"),
    [
        ({"b12": 0.95, "d12": 0.05}, "b12"),
        ({"b12": 0.8, "d12": 0.2}, None),
        ({"b12": 0.95}, None),
        ({"a12": 0.95, "d12": 0.05}, None),
        ({"b12": 0.95, "d12": 0.9}, None),
    ],
)
def test_find_the_flag(chances: dict[str, float], answer: str | None) -> None:
    # An enemy's piece in the own headquarters is not asked about.
    question = drawn("flag", "5", "2Sd2/5/5/5/5/1Sl1N?1", "d1:abc", chances=chances)
    assert question.answer == answer


def takers(view: SeatView, move: int) -> str:
    """What may come to the target after a sure win and not lose there, kind by kind."""
    start, target = from_point_of(move), to_point_of(move)
    after = copied(view.position)
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
            alone = copied(after)
            alone["turn"], alone["kind"][piece] = seat_of(piece), kind
            if any((from_point_of(one), to_point_of(one)) == (point, target) for one in legal_moves(view.board, alone)):
                found.add(LETTERS[kind])
    return "".join(sorted(found - set("jl")))


def test_there_are_enough_of_every_theme_in_a_small_file() -> None:
    found = list(questions().values())
    themes = Counter(one.theme for one in found)
    assert set(themes) == set(THEMES) and min(themes.values()) >= LEAST
    assert {(one.theme, one.variant) for one in found} == {(theme, variant) for theme in THEMES for variant in BOARDS}
    assert {(one.theme, one.level) for one in found} == {(theme, level) for theme in THEMES for level in LEVELS}
    assert len(found) == len(json.loads(FILE.read_text("utf-8"))) == len({(one.theme, one.fen) for one in found})
    assert len(FILE.read_bytes()) <= MOST_BYTES


@pytest.mark.parametrize("theme", THEMES)
def test_every_packaged_answer_is_legal_unique_and_right(theme: str) -> None:
    for question in (one for one in questions().values() if one.theme == theme):
        view, answer = question.view, question.answer
        assert answer is not None, question
        assert [choice for choice in question.choices if question.fault(choice) is None] == [answer]
        if theme == "flag":
            assert view.mask_at(view.board.point_named[answer]) >> FLAG & 1
            assert 0.98 <= sum(question.chances.values()) <= 2.02
            continue
        move = question.moves[question.choices.index(answer)]
        assert move in view.legal_moves()
        attack = question.attack(answer)
        outcomes = {BATTLES[LETTERS.index(attack.piece)][LETTERS.index(one)].outcome for one in attack.may}
        if theme == "save":
            flag = view.flag_point(view.turn)
            assert flag is not None and flag in view.board.road_steps[attack.target]
            assert outcomes and outcomes <= {Outcome.ATTACKER_WON, Outcome.BOTH_REMOVED}
        else:
            assert outcomes == {Outcome.ATTACKER_WON}
            assert takers(view, move) == ""


def test_a_page_is_told_what_its_team_knows_and_no_answer() -> None:
    keys = {
        *("question", "theme", "level", "variant", "mine", "targets", "asked", "marked"),
        *("pieces", "proven", "may", "alive", "counts"),
    }
    for question in questions().values():
        view, sent = question.view, shown(question)
        seats = view.board.seats
        known = {seats[number] for number in range(len(seats)) if view.sees(number)}
        assert sent.keys() == keys and sent["mine"] in known and known != set(seats)
        hidden = {letter for _, _, seat, letter in sent["pieces"] if seat not in known}
        assert HIDDEN in hidden and hidden <= {HIDDEN, LETTERS[FLAG]}
        assert question.theme == "attack" or not sent["marked"]
        # What may be chosen is in the order of the board, whatever the answer is.
        offered = [*sent["asked"].values(), *(move for moves in sent["targets"].values() for move in moves.values())]
        assert sorted(offered) == sorted(question.choices)
        if question.theme == "flag":
            assert list(map(int, sent["asked"])) == flag_points(view)
            assert LETTERS[FLAG] not in {*sent["proven"].values(), *sent["may"].values()}
        else:
            assert {mask_of(letters) for letters in sent["may"].values()} <= set(view.masks.tolist())


def test_a_day_has_one_puzzle_and_each_comes_in_its_turn() -> None:
    first, number = date(2026, 1, 1), len(questions())
    days = [of_day(first + timedelta(day)).id for day in range(number + 1)]
    assert set(days) == set(questions()) and days[0] == days[-1]
    assert len({questions()[one].theme for one in days[:14]}) > 2


def test_the_answer_follows_the_first_try_and_guests_have_none(board: Server) -> None:
    with Page(board) as page:
        listed = page.ask("quiz_list")
        assert {one[0] for one in listed["questions"]} == set(questions()) and listed["today"] == of_day(
            date.today()
        ).id
        for theme in THEMES:
            question = next(one for one in questions().values() if one.theme == theme)
            asked = page.ask("quiz", question=question.id)
            assert not {"answer", "answers", "best", "points", "chances", "fen"} & asked.keys()
            said = page.ask("quiz_try", question=question.id, answer=question.answer)
            assert said["is_right"] and said["why"] == "" and said["answer"] == question.answer
            wrong = next(choice for choice in question.choices if choice != question.answer)
            said = page.ask("quiz_try", question=question.id, answer=wrong)
            assert not said["is_right"] and said["why"] and said == said | told(question, wrong)
            assert page.ask("quiz_try", question=question.id, answer="a1a1")["code"] == "illegal-move"
        assert page.ask("quiz", question="flag-000000")["code"] == "no-puzzle"
        assert page.ask("quiz_try", question="x", answer="x")["code"] == "no-puzzle"
        page.say("quiz", question=1)
        assert page.until("error")["code"] == "bad-message"
        opened = page.new_game({"S": "me", "N": "guest"}, variant="luzhanqi")
        with Page(board, token=opened["invitations"][0]["token"]) as guest:
            assert guest.ask("quiz_list")["code"] == guest.ask("quiz", question="x")["code"] == "host-only"
            assert guest.ask("quiz_try", question="x", answer="x")["code"] == "host-only"


FRESH = """() => import('/main.js').then(({modules: {'storage.js': {keep}}}) => {
  for (const name of ['quiz', 'quizChoice', 'daily']) keep(name, {});
})"""
"""The person has solved and chosen nothing."""


def host_page(open_page: OpenPage) -> Any:
    page = open_page(at_home=True)
    until(page, "localStorage.getItem('junqi.token') && document.querySelector('#seats li')")
    page.evaluate(FRESH)
    return page


def shown_puzzle(page: Any, before: str = "") -> str:
    """The name of the puzzle that is shown after another."""
    until(page, f"location.pathname.startsWith('/puzzle/') && !location.pathname.endsWith('/{before}')")
    return str(page.evaluate("location.pathname")).rpartition("/")[2]


def play(page: Any, choice: str) -> None:
    """Answer by the pointer."""
    places = [one for one in centres(page, ".target", "quiz-board") if one["name"] == choice]
    for shape in [] if places else centres(page, ".shapes .movable", "quiz-board"):
        click(page, shape)
        places = [one for one in centres(page, ".target", "quiz-board") if one["name"] == choice]
        if places:
            break
    click(page, places[0])
    until(page, "document.getElementById('quiz-answer').textContent !== ''")


@pytest.mark.parametrize("theme", release_after(2, THEMES))
def test_a_person_answers_wrong_and_right_and_goes_on(open_page: OpenPage, board: Server, theme: str) -> None:
    page = host_page(open_page)
    page.click("#tab-quiz")
    name = shown_puzzle(page)
    for what, value in (("theme", theme), ("level", "medium"), ("variant", "luzhanqi")):
        page.select_option(f"#quiz-{what}", value)
        name = shown_puzzle(page, name)
    seen = []
    for is_right in (False, True):
        question = questions()[name]
        assert (question.theme, question.level, question.variant) == (theme, "medium", "luzhanqi") and name not in seen
        seen.append(name)
        wrong = next(one for one in question.choices if one != question.answer)
        play(page, str(question.answer) if is_right else wrong)
        said = page.inner_text("#quiz-answer").replace("\n", "")
        assert said.startswith("Right! " if is_right else "Not this one. ") and len(said) > 20
        assert is_right or theme == "flag" or "Better, along the arrow: your" in said
        assert page.locator("#quiz-board .hint-way, #quiz-board .marked").count() == 1
        page.click("#quiz-next")
        name = shown_puzzle(page, name)
    assert "Solved: 1 puzzle. In a row: 1, at best 1." in page.inner_text("#quiz-record")
