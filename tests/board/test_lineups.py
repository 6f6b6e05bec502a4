"""The line-up editor: drags, mirroring, the check of every rule, `.jql` files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from junqi_board.views.lineup_editor import GALLERY, faults
from junqi_engine.notation.lineup_files import parse_jql
from junqi_engine.rules import lineup
from tests.helpers.board import broken
from tests.helpers.board_pages import centre, centres, click, drag, new_game, until

ENGINES = (broken("script"),)
LEGAL = lineup.DEFAULT
BROKEN = {
    "length": LEGAL[:-1],
    "letter": "z" + LEGAL[1:],
    "count": LEGAL.replace("b", "a"),
    "landmine-row": LEGAL[19] + LEGAL[1:19] + LEGAL[0] + LEGAL[20:],
    "bomb-row": LEGAL[15] + LEGAL[1:15] + LEGAL[0] + LEGAL[16:],
    "flag-headquarters": LEGAL[:22] + LEGAL[23] + LEGAL[22] + LEGAL[24:],
}


@pytest.mark.parametrize("rule", BROKEN)
def test_each_broken_rule_is_named(rule: str) -> None:
    assert rule in [fault["rule"] for fault in faults(BROKEN[rule])]
    assert faults(LEGAL) == []


def test_the_gallery_is_legal_and_no_two_are_alike() -> None:
    for letters in GALLERY.values():
        lineup.check(letters)
    assert len({*GALLERY.values(), *map(lineup.mirror, GALLERY.values())}) == 2 * len(GALLERY)


@pytest.mark.long
@pytest.mark.parametrize(("variant", "partners"), [("siguo", "N"), ("luzhanqi", "")])
def test_the_editor(open_page: Callable[..., Any], tmp_path: Path, variant: str, partners: str) -> None:
    page = open_page()
    new_game(page, {}, variant=variant)
    page.wait_for_selector("#arrange-start:not([disabled])")

    def letters() -> str:
        return str(page.input_value("#arrange-letters"))

    for rule, text in BROKEN.items():
        page.fill("#arrange-letters", text)
        page.wait_for_selector(f"#arrange-faults [data-rule='{rule}']")
        assert page.is_disabled("#arrange-start")
        page.fill("#arrange-letters", LEGAL)
        page.wait_for_selector("#arrange-start:not([disabled])")
    # What is not a line-up changes no piece; the message says what to do.
    page.fill("#arrange-letters", "zzz")
    page.wait_for_selector("#arrange-faults [data-rule='length']")
    assert "Write 25 letters" in page.inner_text("#arrange-faults") and "short." not in page.text_content("#play-board")
    assert page.locator("#play-board .piece.seat-S:not(.hidden)").count() == 25
    page.fill("#arrange-letters", BROKEN["count"])
    page.wait_for_selector("#arrange-faults [data-rule='count']")
    assert "Field Marshal: replace 1. There are 2, the rules allow 1." in page.inner_text("#arrange-faults")
    page.fill("#arrange-letters", BROKEN["flag-headquarters"])
    until(page, "document.getElementById('arrange-faults').textContent.includes('Put the Flag into one of the two')")
    page.fill("#arrange-letters", LEGAL)
    page.wait_for_selector("#arrange-start:not([disabled])")
    # A selected bomb shows the places where it may stand, and cannot be dragged into the front row.
    click(page, centre(page, "S:15"))
    assert page.locator("#play-board .target.hit").count() == 0
    rings = centres(page, ".target.swap")
    front = [centre(page, f"S:{place}") for place in range(5)]
    assert rings and not [ring for ring in rings if abs(ring["y"] - front[0]["y"]) < 5]
    drag(page, centre(page, "S:15"), front[0])
    assert letters() == LEGAL
    # Two other pieces are swapped by a drag, and again by clicks.
    swapped = LEGAL[1] + LEGAL[0] + LEGAL[2:]
    drag(page, front[0], front[1])
    until(page, f"document.getElementById('arrange-letters').value === '{swapped}'")
    click(page, front[1])
    click(page, front[0])
    until(page, f"document.getElementById('arrange-letters').value === '{LEGAL}'")
    # A line-up is stored under a name, and one of the gallery is taken.
    page.click("#arrange-more summary")
    page.fill("#slot-name", "mine")
    page.click("#slot-save")
    page.click(f"#gallery [data-letters='{GALLERY['fortress']}']")
    until(page, f"document.getElementById('arrange-letters').value === '{GALLERY['fortress']}'")
    page.click("#slots button")
    until(page, f"document.getElementById('arrange-letters').value === '{LEGAL}'")
    page.click("#arrange-mirror")
    until(page, f"document.getElementById('arrange-letters').value === '{lineup.mirror(LEGAL)}'")
    with page.expect_download() as download:
        page.click("#arrange-save")
    download.value.save_as(tmp_path / "mine.jql")
    assert parse_jql((tmp_path / "mine.jql").read_bytes()) == lineup.mirror(LEGAL)
    page.click("#arrange-random")
    until(page, f"document.getElementById('arrange-letters').value !== '{lineup.mirror(LEGAL)}'")
    assert faults(letters()) == []
    page.set_input_files("#arrange-file", tmp_path / "mine.jql")
    until(page, f"document.getElementById('arrange-letters').value === '{lineup.mirror(LEGAL)}'")
    (tmp_path / "bad.jql").write_bytes(b"nothing")
    page.set_input_files("#arrange-file", tmp_path / "bad.jql")
    until(page, "document.getElementById('banner').textContent.includes('QQGame')")
    assert letters() == lineup.mirror(LEGAL)
    for seat in partners:
        page.click(f"#arrange-seats [data-seat='{seat}']")
        assert letters() != lineup.mirror(LEGAL)
    page.click("#arrange-start")
    until(page, "document.getElementById('arrange').hidden")
