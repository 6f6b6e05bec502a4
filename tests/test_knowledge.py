"""What is known of the pieces: facts that come in, what follows from them, and going back."""

import numpy as np

from junqi_engine.information.deduction import relation_code
from junqi_engine.information.knowledge import Knowledge, add_battle, deduce_one_of, narrow, write_kinds
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import FLAG, MARSHAL, UNKNOWN, Outcome, letters_of, mask_of

EAST, NORTH = 32, 64
"""The first pieces, on the left of the front rows."""


def of_line_ups() -> Knowledge:
    """East and North as they are before the first move, to one who sees South and West."""
    masks = np.zeros(128, np.uint16)
    for first in (EAST, NORTH):
        masks[first : first + 25] = MASK_AT
    return Knowledge(masks, 0b0110)


def narrowed(**letters: str) -> Knowledge:
    """`e0="ab"`: East's first piece is a or b."""
    known = of_line_ups()
    for name, kinds in letters.items():
        assert narrow(known.record, {"e": EAST, "n": NORTH}[name[0]] + int(name[1:]), mask_of(kinds))
    return known


def test_what_can_not_be_is_not_noted() -> None:
    known = of_line_ups()
    before = known.masks.copy()
    assert not narrow(known.record, EAST, mask_of("jl"))
    assert not known.is_stale
    assert (known.masks == before).all()


def test_what_was_known_already_leaves_nothing_to_deduce() -> None:
    known = of_line_ups()
    assert narrow(known.record, EAST, 0xFFF)
    assert not known.is_stale


def test_a_fact_waits_until_what_follows_is_asked_for() -> None:
    """Two pieces are the marshal and the general, so no other is."""
    known = narrowed(e0="ab", e1="ab")
    assert known.is_stale and letters_of(int(known.masks[EAST + 2])) == "abcdefghi"
    assert known.deduce()
    assert not known.is_stale and letters_of(int(known.masks[EAST + 2])) == "cdefghi"


def test_a_battle_is_kept_until_one_of_its_pieces_is_certain() -> None:
    known = narrowed(e0="cde", n0="def")
    add_battle(known.record, EAST, NORTH, relation_code(Outcome.BOTH_REMOVED, False, False, False))
    assert known.deduce()
    assert [letters_of(int(known.masks[piece])) for piece in (EAST, NORTH)] == ["de", "de"]
    assert known.relations[:, :2].tolist() == [[EAST, NORTH]]
    assert narrow(known.record, EAST, mask_of("d")) and known.deduce()
    assert letters_of(int(known.masks[NORTH])) == "d"
    assert not len(known.relations)


def test_no_world_is_left() -> None:
    known = narrowed(e0="a", e1="ab", e2="ab")
    assert known.deduce() is False


def test_one_of_several() -> None:
    """Whichever of the two is the marshal, no other piece is; neither is certain."""
    known = of_line_ups()
    assert deduce_one_of(known.record, 1, 0b11, 1 << MARSHAL)
    assert "a" not in "".join(letters_of(int(mask)) for mask in known.masks[EAST + 2 : EAST + 25])
    assert [letters_of(int(known.masks[EAST + slot])) for slot in range(2)] == ["abcdefghi"] * 2
    assert "a" in letters_of(int(known.masks[NORTH]))


def test_one_of_several_that_can_not_be() -> None:
    assert not deduce_one_of(of_line_ups().record, 1, 0b11, 1 << FLAG)


def test_a_copy_can_be_gone_back_to() -> None:
    known = narrowed(e0="cde", n0="cde")
    add_battle(known.record, EAST, NORTH, relation_code(Outcome.BOTH_REMOVED, False, False, False))
    assert known.deduce()
    before = known.copy()
    masks, relations = known.masks.copy(), known.relations.copy()
    assert narrow(known.record, EAST, mask_of("c")) and known.deduce()
    assert (before.masks == masks).all()
    assert (before.relations == relations).all()
    assert not len(known.relations)


def test_kinds() -> None:
    known = narrowed(e0="a", e1="cd")
    assert known.deduce()
    kinds = np.empty(128, np.uint8)
    write_kinds(known.record, kinds)
    assert kinds[EAST] == MARSHAL and kinds[EAST + 1] == UNKNOWN
    assert kinds[0] == UNKNOWN
