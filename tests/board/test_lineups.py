"""The line-up editor: drags, mirroring, the check of every rule, `.jql` files."""

import pytest

from junqi_board.views.lineup_editor import GALLERY, faults
from junqi_engine.rules import lineup
from tests.helpers.board import broken

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
