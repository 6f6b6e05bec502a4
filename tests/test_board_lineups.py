"""The line-up editor: drags, mirroring, the check of every rule, `.jql` files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from junqi_engine.errors import JunqiError
from junqi_engine.notation.lineup_files import HEADER, format_jql, parse_jql
from junqi_engine.rules import lineup
from tests.board_pages import centre, click, drag, new_game, until
from tests.marking import long_after
from tools.board.views.lineup_editor import faults

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


def test_a_file_is_read_back_and_damage_is_named() -> None:
    data = format_jql(LEGAL)
    assert len(data) == 50 and data.startswith(HEADER) and parse_jql(data) == LEGAL
    assert lineup.mirror(lineup.mirror(LEGAL)) == LEGAL
    for damaged, said in [
        (b"", "QQGame"),
        (data + b"\0", "50 bytes"),
        (b"X" + data[1:], "QQGame"),
        (data[:26] + b"\x05" + data[27:], "byte 27 .index 6. is 5"),
        (data[:20] + b"\x63" + data[21:], "byte 21 .index 0. is 99"),
        (data[:20] + data[21:22] + data[21:], "pieces"),
    ]:
        with pytest.raises(JunqiError, match=said):
            parse_jql(damaged)
    with pytest.raises(JunqiError):
        format_jql(LEGAL[:-1])


@pytest.mark.parametrize(("variant", "partners"), long_after(1, [("siguo", "N"), ("luzhanqi", "")]))
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
    # A bomb is dragged into the front row and returned by clicks.
    drag(page, centre(page, "S:15"), centre(page, "S:0"))
    page.wait_for_selector("#arrange-faults [data-rule='bomb-row']")
    assert letters() == BROKEN["bomb-row"] and page.locator("#play-board .wrong").count() == 1
    click(page, centre(page, "S:0"))
    click(page, centre(page, "S:15"))
    page.wait_for_selector("#arrange-start:not([disabled])")
    assert letters() == LEGAL
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
