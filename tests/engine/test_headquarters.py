"""What a piece loses in an enemy headquarters."""

import numpy as np
import pytest

from junqi_engine.evaluation.evaluator import TUNED
from junqi_engine.evaluation.terms import LOST_PERMILLE, Term
from junqi_engine.information.belief import version_2
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.layout import from_point_of, piece_in, to_point_of
from junqi_engine.search.parameters import SearchParameters
from junqi_engine.search.root import SearchLimits, TeamSearch

SPARING = TUNED.adding(Term.HEADQUARTERS)
RAID = "1Nl1Nh1/2NjNjNj/4Sb/4Nd/5/5/5/5/5/4Nc/1SdSj1Sj/1Sl1Sh1"
"""North's flag is on b12, a Captain on d12; South's General stands on e10."""


def raid() -> SeatView:
    return parse_fen(LUZHANQI, f"{RAID} S SN * 5 60")


def losses(view: SeatView) -> dict[tuple[str, str], int]:
    """What pieces lose by where they stand and where they would stand."""
    records = [evaluator.new(1)[0] for evaluator in (SPARING, TUNED)]
    for evaluator, record in zip((SPARING, TUNED), records, strict=True):
        evaluator.refresh(view.board, view.position, public_of(view), record)
    assert records[0]["scores"][0] == records[1]["scores"][0]
    found, names, where = (
        records[1]["values"].astype(int) - records[0]["values"],
        view.board.names,
        view.position["where"],
    )
    return {
        (names[where[piece]], names[point]): int(found[piece, point])
        for piece, point in zip(*map(list, np.nonzero(found)), strict=True)
    }


@pytest.mark.bounds
def test_a_piece_loses_most_of_its_worth_in_a_headquarters_without_the_flag() -> None:
    view = raid()
    record = TUNED.new(1)[0]
    TUNED.refresh(view.board, view.position, public_of(view), record)
    general = LOST_PERMILLE * int(record["worth"][0, 1]) // 1000
    assert losses(view)["e10", "d12"] == general > 500


def test_a_general_is_not_given_for_a_captain_in_the_headquarters() -> None:
    """The General takes the landmine's neighbour rather than the Captain, from where it could never return."""
    view = raid()
    search = TeamSearch(SPARING, SearchParameters(), version_2.belief, hash_mb=1)
    worlds = view.position["kind"].reshape(1, -1)
    *_, last = search.iterate(view, worlds, view.legal_moves(), SearchLimits(nodes=4000), np.zeros(1, np.uint8))
    best = last.best[0].move
    assert view.board.names[to_point_of(best)] != "d12"
    assert piece_in(int(view.position["board"][from_point_of(best)])) >= 0
