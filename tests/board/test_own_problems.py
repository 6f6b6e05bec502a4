"""Problems from the host's own games: which blunders become one, and when it is offered."""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from junqi_board import own_problems
from junqi_board.answers.problems import statement_of, verdict_on
from junqi_board.store import FILE, LATER_TRY, MARK, PROBLEMS, Store
from junqi_engine.api.game_record import GameRecord
from junqi_engine.rules.board import SIGUO
from junqi_referee.records.replay import bare, begin
from tests.helpers.board import Page, broken, serving
from tests.helpers.record import random_game
from tests.helpers.referee import scripted

TODAY = date(2026, 1, 31)
OWN_LINEUP, OTHER_LINEUP = "hceabhdchiedgifgfkgijljjk", "cbfhadehgegidcfkjkijgjhli"
LOST = "e6d5 a7a6 d5e6 a6a5 e6d5 a5a4 d5e6 a4a3 e6d5 a3a2 d5e6 a2b2 e6d5 b2b1".split()
"""A game of Luzhanqi: at last the Field Marshal of North stands before the Flag, and South does not use its Bomb."""
BEST = "c2b2"
TOMORROW = """
from datetime import date, timedelta
from junqi_board.answers import problems
class Tomorrow(date):
    @classmethod
    def today(cls):
        return date.today() + timedelta(1)
problems.date = Tomorrow
"""


def own_game() -> GameRecord:
    """A game of Siguo that the host played with the team of South."""
    engines = {"SN": {"name": "person", "who": "me"}, "EW": {"name": "engine", "who": "engine"}}
    return replace(random_game("siguo", "S", 40), engines=engines)


def legal_at(record: GameRecord, step: int) -> list[str]:
    full = begin(record, "the record")
    for move in record.moves[:step]:
        full.play(bare(move))
    view = full.view("*")
    return [view.board.names[code >> 8] + view.board.names[code & 255] for code in view.legal_moves()]


def steps_of(record: GameRecord, losses: dict[int, float]) -> list[dict[str, Any]]:
    """The steps of a review in which these moves are blunders; the first other legal move is the best."""
    found = []
    for step, text in enumerate(record.moves):
        best = next(move for move in legal_at(record, step) if move != bare(text)) if step in losses else ""
        verdict = "blunder" if step in losses else None
        seat = SIGUO.seats[step % 4]
        found.append({"step": step, "text": text, "seat": seat, "verdict": verdict, "loss": losses.get(step, 0.0)})
        found[-1]["best"] = best
    return found


def test_largest_blunders_of_the_host_become_problems() -> None:
    record = own_game()
    steps = steps_of(record, {0: 0.2, 4: 0.4, 8: 0.3, 10: 0.25})
    found = own_problems.of_review(record, steps)
    assert [one.answer for one in found] == [steps[number]["best"] for number in (4, 8, 10)]
    for one, number in zip(found, (4, 8, 10), strict=True):
        assert sorted(one.choices) == sorted(legal_at(record, number))
        statement = statement_of(one)
        assert {piece.seat for piece in statement.pieces if piece.letter not in "?l"} == {"S", "N"}
        assert (statement.level == "quiet") == (one.attack(one.answer).may == "")
        played = verdict_on(one, bare(record.moves[number]), is_last=False)
        assert not played.is_right and played.why == "own"
        assert verdict_on(one, str(one.answer), is_last=False).is_right


def test_blunder_of_an_engine_or_without_better_move_is_no_problem() -> None:
    record = own_game()
    steps = steps_of(record, {1: 0.4, 4: 0.4})
    steps[4]["best"] = bare(record.moves[4])
    assert own_problems.of_review(record, steps) == []


def test_problem_is_offered_from_the_next_day_on(tmp_path: Path) -> None:
    record, store = own_game(), Store(tmp_path)
    own_problems.keep(store, own_problems.of_review(record, steps_of(record, {4: 0.4})), TODAY)
    assert own_problems.offered(store, TODAY) == {}
    [(name, problem)] = own_problems.offered(Store(tmp_path), TODAY + timedelta(1)).items()
    assert name == problem.id and name.startswith("own-")


def test_own_problem_is_listed_and_does_not_change_the_rating(tmp_path: Path) -> None:
    record, store = own_game(), Store(tmp_path)
    [problem] = own_problems.of_review(record, steps_of(record, {4: 0.4}))
    own_problems.keep(store, [problem], TODAY)
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        welcome = page.until("welcome")
        assert problem.answer not in json.dumps(welcome["facts"]), "the answer is not sent"
        assert page.ask("problem_list")["problems"][0] == [problem.id, "siguo", "own"]
        assert page.ask("problem_answer", problem=problem.id, answer=problem.answer, is_last=False)["is_right"]
    stored = json.loads((tmp_path / FILE).read_text())[MARK]
    assert stored["facts"]["problem"] == {problem.id: True} and PROBLEMS not in stored["settings"]


def test_blunder_of_a_reviewed_game_is_solved_on_the_next_day(tmp_path: Path) -> None:
    speaker = "speaker", scripted("speaker", OTHER_LINEUP, "b12", *LOST)
    with serving(tmp_path, speaker) as server, Page(server) as page:
        page.until("game")
        page.new_game({"S": "me", "N": "speaker"}, variant="luzhanqi")
        page.say("ready", lineups={"S": OWN_LINEUP})
        for ply in range(0, len(LOST), 2):
            page.move(page.state(lambda state, ply=ply: bool(state.get("targets")) and state["ply"] == ply), LOST[ply])
        page.state(lambda state: state["result"] == "N")
        line = page.ask("record")["line"]
        assert page.ask("review_start", line=line, nodes=1_000, number=1)["is_whole"]
        assert own_problems_on(page) == [], "it is offered from the next day on"
    with serving(tmp_path, speaker, sabotage=TOMORROW) as server, Page(server) as page:
        [name] = own_problems_on(page)
        assert LOST[12] in json.dumps(page.ask("problem", problem=name)["targets"])
        assert not page.ask("problem_answer", problem=name, answer=LOST[12], is_last=False)["is_right"]
        assert page.ask("problem_answer", problem=name, answer=BEST, is_last=False)["is_right"]
        with Page(server) as again:
            assert again.until("welcome")["facts"]["problem"] == {name: LATER_TRY}


def own_problems_on(page: Page) -> list[str]:
    return [name for name, _, level in page.ask("problem_list")["problems"] if level == "own"]
