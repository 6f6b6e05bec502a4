"""Pressing: when it happens, and where it draws the pieces. What a piece loses in an enemy headquarters."""

import numpy as np
import pytest

from junqi_engine.evaluation.evaluator import TUNED, Evaluator
from junqi_engine.evaluation.terms import LARGEST_LEAD, LEAST_LEAD, LEAST_QUIET, LOST_PERMILLE, Term
from junqi_engine.information.belief import version_2
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import LUZHANQI, SIGUO
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import from_point_of, piece_in, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_engine.search.parameters import SearchParameters
from junqi_engine.search.root import SearchLimits, TeamSearch

PRESSING = TUNED.adding(Term.PRESSING)
STALLED = (
    "6NcNhNdNlNj6/6Nj1NeNbNj6/7Nh9/8Ng8/17/17/WjWa15/Wl16/We16/Wh15Sa/WcWj15/17/7Nf9/8Sh8/7Sh1Sg7/6SjSd1Sj7/"
    "6SdSiSeSlSc6"
)
"""East is eliminated. West has seven pieces left; South and North have 24, most of them at home."""


def stalled(turn: str = "S", quiet: int = LEAST_QUIET) -> SeatView:
    return parse_fen(SIGUO, f"{STALLED} {turn} SNW * {quiet} 164")


def gains(view: SeatView, other: Evaluator = PRESSING) -> np.ndarray:
    """What pressing, or another term, adds to the worth of each piece on each point, (128, 129)."""
    records = [evaluator.new(1)[0] for evaluator in (other, TUNED)]
    for evaluator, record in zip((other, TUNED), records, strict=True):
        evaluator.refresh(view.board, view.position, public_of(view), record)
    assert records[0]["scores"][0] == records[1]["scores"][0]
    return records[0]["values"].astype(int) - records[1]["values"]


def gain(view: SeatView, start: str, *targets: str) -> list[int]:
    """What pressing adds for the piece on a point when it goes to others."""
    piece = piece_in(int(view.position["board"][view.board.point_named[start]]))
    found = gains(view)[piece]
    assert found[view.board.point_named[start]] == 0
    return [int(found[view.board.point_named[target]]) for target in targets]


def test_the_leader_is_drawn_to_the_back_rows_of_its_enemies() -> None:
    """South's Lieutenant on h3: its own back and front rows, the centre, West's front and back rows."""
    found = gain(stalled(), "h3", "h1", "h6", "i9", "f9", "a9")
    assert found == sorted(found) and found[0] < 0 < found[1] and len(set(found)) == 5


LEADING = "NiNlNhNjNg/NjNiNkNjNk/5/5/5/5/ScSbSfSaSh/Sd1Se1Sh/SgSe1SgSi/Sd1Sc1Sf/SkSjSkSiSj/SgSjShSlSi"


def test_nobody_presses_where_the_rules_make_a_loss_of_no_contact() -> None:
    """South leads in Luzhanqi, where the side to move loses if nothing happens, and where that is a draw."""
    for rules in (Rules(), Rules(no_contact_loses=False), Rules(0, no_contact_loses=False)):
        view = parse_fen(LUZHANQI, f"{LEADING} S SN * 20 60", rules)
        assert gains(view).any() == (not view.rules.no_contact_loses)


WON = "6NcNhNdNlNj6/6Nj1NeNbNj6/7Nh9/8Ng8/17/17/Wj16/Wl16/We16/Wh15Sa/Wj16/17/7Nf9/8Sh8/7Sh1Sg7/6SjSd1Sj7/6SdSiSeSlSc6"
"""As `STALLED`, but West has five pieces left."""


@pytest.mark.bounds
@pytest.mark.parametrize("board", [STALLED, WON], ids=["below the limit", "above"])
def test_a_row_is_worth_a_share_of_the_lead_up_to_a_limit(board: str) -> None:
    """From h3, two rows ahead of the own last row, to West's last row: 8.8 rows."""
    view = parse_fen(SIGUO, f"{board} S SNW * {LEAST_QUIET} 164")
    lead = sum(term.value for term in TUNED.mean_terms(view, version_2.belief))
    assert (lead > LARGEST_LEAD) == (board is WON) and lead > LEAST_LEAD
    assert gain(view, "h3", "a9") == [pytest.approx(0.060 * min(lead, LARGEST_LEAD) * 8.8, abs=1)]


@pytest.mark.parametrize(
    ("evaluator", "ends"), [(TUNED, Result.DRAW), (PRESSING, Result.TEAM_0)], ids=["waits", "presses"]
)
def test_a_won_game_is_won_rather_than_drawn(evaluator: Evaluator, ends: Result) -> None:
    """South and North against West, which waits on its campsites; everybody sees all pieces."""
    view = stalled(quiet=0)
    belief = version_2.belief
    searches = [TeamSearch(each, SearchParameters(), belief, hash_mb=1) for each in (evaluator, TUNED)]
    while view.result == Result.ONGOING:
        worlds = view.position["kind"].reshape(1, -1)
        moves, running = view.legal_moves(), np.zeros(1, np.uint8)
        *_, last = searches[view.turn % 2].iterate(view, worlds, moves, SearchLimits(nodes=400), running)
        view.observe(SeenMove(from_point_of(last.best[0].move), to_point_of(last.best[0].move)))
    assert view.result == ends


# Headquarters


SPARING = TUNED.adding(Term.HEADQUARTERS)
RAID = "1Nl1Nh1/2NjNjNj/4Sb/4Nd/5/5/5/5/5/4Nc/1SdSj1Sj/1Sl1Sh1 S SN * 5 60"
"""North's flag is on b12, a Captain on d12; South's General stands on e10."""


@pytest.mark.bounds
def test_a_piece_loses_most_of_its_worth_in_a_headquarters_without_the_flag() -> None:
    view = parse_fen(LUZHANQI, RAID)
    record = TUNED.new(1)[0]
    TUNED.refresh(view.board, view.position, public_of(view), record)
    general = LOST_PERMILLE * int(record["worth"][0, 1]) // 1000
    piece = view.piece_at(LUZHANQI.point_named["e10"])
    assert -gains(view, SPARING)[piece, LUZHANQI.point_named["d12"]] == general > 500


def test_a_general_is_not_given_for_a_captain_in_the_headquarters() -> None:
    """The General takes the landmine's neighbour rather than the Captain, from where it could never return."""
    view = parse_fen(LUZHANQI, RAID)
    search = TeamSearch(SPARING, SearchParameters(), version_2.belief, hash_mb=1)
    worlds = view.position["kind"].reshape(1, -1)
    *_, last = search.iterate(view, worlds, view.legal_moves(), SearchLimits(nodes=4000), np.zeros(1, np.uint8))
    assert view.board.names[to_point_of(last.best[0].move)] != "d12"
