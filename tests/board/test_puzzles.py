"""Puzzles, puzzles of Junqi itself, and lessons, without a browser: what is drawn, asked, packaged and told.

The engine's descriptions of puzzles are not trusted.
"""

import json
import random
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junqi_board.answers.puzzles import known_positions
from junqi_board.answers.quiz import of_day, shown, told
from junqi_board.daily import VARIANTS as VARIANTS_OF_KINDS
from junqi_board.daily import all_of, daily
from junqi_board.drawing.puzzles import VARIANTS, draw
from junqi_board.lessons import PAGE, files, lessons
from junqi_board.quiz import FILE, LEVELS, THEMES, Question, questions
from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.layout import from_point_of, seat_of, team_of, to_point_of
from junqi_engine.rules.pieces import BATTLES, COUNTS, FLAG, LETTERS, Outcome, letters_of, mask_of
from junqi_engine.rules.position import copied
from junqi_engine.rules.position_reader import legal_moves
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.variant_game import Control
from junqi_puzzles.base import Limits, Puzzle
from junqi_puzzles.difficulty import Level, difficulty
from junqi_puzzles.klotski import Klotski
from junqi_puzzles.knights_tour import KnightsTour
from junqi_puzzles.match3 import Match3
from junqi_puzzles.submarine import Submarine
from junqi_puzzles.submarine.tiles import ATTACHMENTS
from junqi_training.quiz import flag_points, is_asked
from tests.helpers.board import Page, Server, broken
from tests.helpers.marking import long_after
from tests.helpers.proof import plans

ENGINES = (broken("script"),)


def test_the_page_has_the_lessons_and_boards_of_the_rules() -> None:
    for name, text in files().items():
        assert (PAGE / name).read_text("utf-8") == text, f"{name}: run python -m junqi_board.lessons"


def test_each_lesson_has_words_a_good_move_and_says_what_a_wrong_one_does() -> None:
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


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.sampled_from(VARIANTS))
def test_any_position_of_an_engine_is_drawn_or_refused(rng: random.Random, variant: str) -> None:
    samples = ("ABB./ABB./.... goal ..../..../.BB.", "T,b,m/s,T,b/T,T,.", "3343/3233", "5x5 start a1", "BBBKCC..HK.L")
    fen = plans.damaged(rng.choice(samples), rng)
    legal = [plans.line(rng) for _ in range(rng.randint(0, 3))] + ["Bd"]
    try:
        drawing = draw(variant, fen, " ".join(legal).split())
    except Refused as error:
        assert "\n" not in str(error)
    else:
        assert drawing["width"] > 0


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


def test_more_puzzles_of_a_kind_and_a_level_are_listed(board: Server) -> None:
    with Page(board) as page:
        levels = page.ask("puzzle_today")["levels"]
        assert levels.keys() == VARIANTS_OF_KINDS.keys() and levels["match3"] == ["easy"]
        for kind, level in ((one, level) for one, those in levels.items() for level in those):
            found = page.ask("puzzle_list", of=kind, level=level)["puzzles"]
            assert found and {(one["name"], one["level"]) for one in found} == {(kind, level)}
        assert page.ask("puzzle_list", of="match3", level="expert")["code"] == "no-puzzle"


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
        assert kind == "tour" or one.level == difficulty(puzzle, board, limits=limits).level.value


LEAST, MOST_BYTES = 60, 150_000
BACK = "N?N?N?N?N?/5"
"""The enemy's last two rows: pieces that reach nothing."""
MINED = "1N?N?N?N?/N?4"
"""The same with a piece on the railway, which nobody guards."""


def drawn(theme: str, row: str, own: str, masks: str, back: str = BACK, **more: Any) -> Question:
    """A question of South in Luzhanqi: the enemy's front row, the own half, and what hidden pieces may be."""
    return Question(theme, "luzhanqi", f"{back}/5/5/5/{row}/{own} S SN S 0 60 {masks}", **more)


FRONT = "Sc1Si1Sh/5/5/5/5/1Sl3"
SURE = "a7:fgh,c7:efg,e7:efg"
ATTACKERS = "2Sd2/5/5/5/5/1Sl3"


def win(own: str, masks: str) -> Question:
    return drawn("win", "N?1N?1N?", own, masks)


def win_mined(piece: str, mask: str) -> Question:
    """An attack on a piece that may be a landmine."""
    return drawn("win", "2N?1N?", f"{piece}1Si1Sh/5/5/5/5/1Sl3", f"a11:{mask},c7:efg,e7:efg", back=MINED)


def attack(row: str) -> Question:
    return drawn("attack", row, ATTACKERS, "c7:cef", target="c7")


def save(row: str, masks: str) -> Question:
    return drawn("save", "5", f"5/5/5/5/{row}/1Sl3", masks)


def find(chances: dict[str, float]) -> Question:
    """Where the flag is; an enemy's piece in the own headquarters is not asked about."""
    return drawn("flag", "5", "2Sd2/5/5/5/5/1Sl1N?1", "d1:abc", chances=chances)


ANSWERS: dict[str, tuple[Question, str | None]] = {
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
def test_a_question_has_one_answer_or_none(name: str) -> None:
    question, answer = ANSWERS[name]
    assert (question.answer if is_asked(question) else None) == answer
    if question.theme == "attack":
        assert {choice[-2:] for choice in question.choices} == {"c7"}


@pytest.mark.parametrize(
    ("question", "choice", "fault"),
    [
        (win(FRONT, "a7:fgh,c7:befg,e7:efg"), "a6a7", ("taken", "b")),
        (win(FRONT, "a7:fghk,c7:efg,e7:efg"), "a6a7", ("loses", "k")),
        (win(FRONT, SURE), "a6b6", ("quiet", "")),
        (save("SeN?Sh2", "b2:fgh"), "c2b2", ("stays", "fg")),
        (save("SeN?Sh2", "b2:fg"), "c2b2", ("ignored", "")),
        (save("SeN?Sh2", "b2:fg"), "c2c3", ("ignored", "")),
    ],
)
def test_why_an_answer_is_wrong(question: Question, choice: str, fault: tuple[str, str]) -> None:
    assert question.fault(choice) == dict(zip(("why", "may"), fault, strict=True))


def takers(view: SeatView, move: int) -> str:
    """What may come to the target after a sure win and not lose there, kind by kind."""
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
    found = list(questions().values())
    themes = Counter(one.theme for one in found)
    assert set(themes) == set(THEMES) and min(themes.values()) >= LEAST
    assert {(one.theme, one.variant) for one in found} == {(theme, variant) for theme in THEMES for variant in BOARDS}
    assert {(one.theme, one.level) for one in found} == {(theme, level) for theme in THEMES for level in LEVELS}
    assert len(found) == len(json.loads(FILE.read_text("utf-8"))) == len({(one.theme, one.fen) for one in found})
    assert len(FILE.read_bytes()) <= MOST_BYTES


@pytest.mark.parametrize("theme", long_after(1, THEMES))
def test_every_packaged_answer_is_legal_unique_and_right(theme: str) -> None:
    for question in (one for one in questions().values() if one.theme == theme):
        view, answer = question.view, question.answer
        assert answer is not None and is_asked(question), question
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


def test_pieces_turned_over_agree_with_what_is_known_and_with_the_answer() -> None:
    for question in questions().values():
        view, said = question.view, told(question, str(question.answer), is_last=False)
        assert {piece[:3] == one[:3] for piece, one in zip(shown(question)["pieces"], said["turned"], strict=True)} == {
            True
        }
        assert all(letter in letters_of(view.mask_at(point)) for point, _, _, letter in said["turned"])
        for seat in range(len(view.board.seats)):
            letters = Counter(letter for _, _, one, letter in said["turned"] if one == view.board.seats[seat])
            assert all(letters[letter] <= COUNTS[LETTERS.index(letter)] for letter in letters)
        if question.theme == "flag":
            assert [LETTERS[FLAG]] == [letter for point, *_, letter in said["turned"] if [point] == said["points"]]
        else:
            assert said["after"]["last"]["outcome"] in {"attacker-won", "both-removed"}


def test_a_day_has_one_puzzle_and_each_comes_in_its_turn() -> None:
    first, number = date(2026, 1, 1), len(questions())
    days = [of_day(first + timedelta(day)).id for day in range(number + 1)]
    assert set(days) == set(questions()) and days[0] == days[-1]
    assert len({questions()[one].theme for one in days[:14]}) > 2


def test_the_answer_follows_the_first_try(board: Server) -> None:
    with Page(board) as page:
        before, listed, after = date.today(), page.ask("quiz_list"), date.today()
        assert {one[0] for one in listed["questions"]} == set(questions())
        assert listed["today"] in {of_day(before).id, of_day(after).id}
        for theme in THEMES:
            question = next(one for one in questions().values() if one.theme == theme)
            asked = page.ask("quiz", question=question.id)
            told_last = {"answer", "best", "points", "chances", "turned", "after", "is_proven"}
            assert not {"answers", "fen", *told_last} & asked.keys()

            def tried(choice: str, is_last: bool, name: str = question.id) -> Any:
                return page.ask("quiz_try", question=name, answer=choice, is_last=is_last)

            said = tried(str(question.answer), is_last=False)
            assert said["is_right"] and said["why"] == "" and said["answer"] == question.answer and said["turned"]
            wrong = next(choice for choice in question.choices if choice != question.answer)
            said = tried(wrong, is_last=False)
            assert not said["is_right"] and said["why"] and not told_last & said.keys()
            said = tried(wrong, is_last=True)
            assert not said["is_right"] and said["why"] and said == said | told(question, wrong, is_last=True)
            assert tried("a1a1", is_last=True)["code"] == "illegal-move"
        assert page.ask("quiz", question="flag-000000")["code"] == "no-puzzle"
        assert page.ask("quiz_try", question="x", answer="x", is_last=True)["code"] == "no-puzzle"
