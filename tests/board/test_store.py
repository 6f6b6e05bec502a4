"""Settings and facts of the host: facts of two connections in any order, a restart, and files of older boards."""

import json
import random
from pathlib import Path

import pytest

from junqi_board.ladder import Ladder
from junqi_board.store import DAY, FILE, LEARNED, LINEUP, MARK, OLDER_NAMES, PROBLEM, TEASER, TIP, Store
from tests.helpers.board import Page, broken, serving

ONE = [(LEARNED, "bombs", True), (TEASER, "klotski|x", 9), (TEASER, "match3|x", 20), (PROBLEM, "flag-1", False)]
OTHER = [(LEARNED, "mines", True), (TEASER, "klotski|x", 7), (TEASER, "match3|x", 30), (PROBLEM, "flag-1", True)]
UNION = {
    LEARNED: {"bombs": True, "mines": True},
    TEASER: {"klotski|x": 7, "match3|x": 30},
    PROBLEM: {"flag-1": True},
}


@pytest.mark.parametrize("seed", range(10))
def test_facts_are_united_in_any_order(tmp_path: Path, seed: int) -> None:
    facts = [*ONE, *OTHER]
    random.Random(seed).shuffle(facts)
    store = Store(tmp_path)
    for fact in facts:
        store.add(*fact)
    assert Store(tmp_path).facts == store.facts == UNION
    assert not any(store.add(*fact) for fact in facts), "nothing changes any more"


def test_day_keeps_the_first_answer(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.add(DAY, "2026-01-31", False) and not store.add(DAY, "2026-01-31", True)
    assert store.facts[DAY] == {"2026-01-31": False}


def test_newest_line_ups_are_kept_and_can_be_removed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(31):
        store.add(LINEUP, f"line-up {number}")
    store.remove(LINEUP, "line-up 3")
    assert [*store.facts[LINEUP]] == [f"line-up {number}" for number in range(1, 31) if number != 3]


def test_facts_of_two_tabs_reach_both_and_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, broken("script")) as server, Page(server) as one, Page(server) as other:
        for page, fact in ((one, "roads"), (other, "bombs")):
            assert page.ask("fact", kind=LEARNED, fact=fact, value=True)["type"] == "done"
        assert one.until(lambda message: message["type"] == "fact" and message["fact"] == "bombs")["value"] is True
        assert any('"fact":"bombs"' in frame for frame in other.frames), "before the answer"
        assert one.ask("fact", kind=LEARNED, fact="roads", value=None)["code"] == "not-kept", "it stays"
        assert one.ask("fact", kind=PROBLEM, fact="flag-1", value=True)["code"] == "bad-message", "the server judges"
        assert one.ask("fact", kind=LEARNED, fact="roads", value=False)["code"] == "bad-message", "true or a count"
    with serving(tmp_path, broken("script")) as server, Page(server) as page:
        assert page.until("welcome")["facts"] == {LEARNED: {"roads": True, "bombs": True}}


def test_older_file_is_read(tmp_path: Path) -> None:
    older = {
        PROBLEM: {"solved": 1, "rating": 1300, "tried": 4, "row": 1, "best": 2, "done": ["flag-1"]},
        DAY: {"2026-01-31": False},
        TEASER: {"klotski|x": 9},
        LEARNED: ["roads"],
        TIP: 7,
        LINEUP: [{"letters": "abc"}],
    }
    values = {OLDER_NAMES[kind]: json.dumps(value) for kind, value in older.items()} | {"level": '"novice"'}
    (tmp_path / FILE).write_text(json.dumps({MARK: values}))
    store = Store(tmp_path)
    assert store.page_settings == {"level": '"novice"'}
    assert store.facts == {
        PROBLEM: {"flag-1": True},
        DAY: {"2026-01-31": False},
        TEASER: {"klotski|x": 9},
        LEARNED: {"roads": True},
        LINEUP: {"abc": True},
    }
    assert Ladder(store, {}).problems == {"rating": 1300, "tried": 4, "row": 1, "best": 2}
