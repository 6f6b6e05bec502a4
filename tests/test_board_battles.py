"""Battles on the page: they are seen before the next move, they are explained, and the log plays them again."""

import random
from collections.abc import Callable
from typing import Any

from tests.board_pages import click_a_move, my_turn, new_game, start, until

OpenPage = Callable[..., Any]
ARRIVALS = """async () => {
  const { Arrivals } = (await import('/main.js')).modules['motion.js'];
  const shown = [];
  const arrivals = new Arrivals((state) => shown.push(state.n), (state) => Boolean(state.battle));
  const steps = [];
  const states = [{ n: 1, battle: true }, { n: 2 }, { n: 3, battle: true }, { n: 4 }];
  for (const state of states) arrivals.come({ game: 1, ...state });
  steps.push(shown.join(''));
  arrivals.goOn();
  steps.push(shown.join(''));
  arrivals.come({ game: 2, n: 5 });
  steps.push(shown.join(''));
  return steps;
}"""
WHY = """async () => {
  const { whyText } = (await import('/main.js')).modules['panel.js'];
  const piece = (letter, may = letter) => ({ letter, may, seat: 'S', piece: 0 });
  const why = (outcome, attacker, defender) => whyText({ outcome, attacker, defender });
  const hidden = piece('?', 'abcdefghijk');
  return [
    why('attacker-won', piece('c'), piece('f')),
    why('defender-won', piece('c'), hidden),
    why('both-removed', piece('c'), hidden),
    why('both-removed', piece('k'), hidden),
    why('defender-won', hidden, piece('j')),
    why('attacker-won', hidden, piece('l')),
    why('no-battle', piece('c'), null),
  ];
}"""


def test_a_battle_is_seen_before_the_next_move_is_shown(open_page: OpenPage) -> None:
    """The moves of three engines went by while a piece was still being removed."""
    page = open_page(reduced_motion="no-preference")
    until(page, "document.querySelector('#seats li')")
    assert page.evaluate(ARRIVALS) == ["1", "123", "1235"]


def test_the_reason_of_a_battle_is_what_the_person_can_know(open_page: OpenPage) -> None:
    page = open_page()
    until(page, "document.querySelector('#seats li')")
    assert page.evaluate(WHY) == [
        "Major General beats Major.",
        "It is stronger than the Major General, or a landmine.",
        "It was also a Major General, or a bomb.",
        "A bomb takes both with it.",
        "Only Engineers and bombs beat a landmine.",
        "The Flag is taken: this army is out.",
        "",
    ]


def test_the_log_has_the_battles_as_sentences_and_plays_them_again(open_page: OpenPage) -> None:
    page = open_page()
    new_game(page, dict.fromkeys("ENW", "junqi-engine 1.0"))
    start(page)
    rng = random.Random(2)
    while page.locator("#log li").count() < 2 and my_turn(page):
        click_a_move(page, rng)
    assert my_turn(page) and page.locator("#log li").count() <= 10
    sentence = page.inner_text("#log li:first-child")
    assert "attacks" in sentence
    page.click("#log li:last-child button")
    page.wait_for_selector("#past-note:not([hidden])")
    page.wait_for_selector("#play-board .battle", state="attached")
    assert page.locator("#play-board .battle .why").count() > 0
    page.click("#past-end")
    assert my_turn(page)
