"""The belief of the newest player: who sets up how, and who plays how.

An opponent is a pair of a style of line-ups (`styles`) and a policy (`move_reading`). `styles.json` has the share of
each pair before anything is known: a program sets up in its own styles, but anyone may copy a line-up; people set up in
any way, and so do strangers.

How well a pair explains a seat is how well the style explains the masks and what the policy reads from the moves,
times the probability of the moves by the policy. So the belief finds out by their moves whether it plays against people
or against a program, and reads their moves accordingly. The two seats of a team share what they show of the pair.

A share of `UNREAD` always goes to an opponent whose moves tell nothing: what a piece did not do never proves that it is
weak.

For a view from a snapshot in the middle of a game nothing is read, and the styles alone decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.information.belief.chances import Chances, allowed_kinds, chances_by_seat, uncertain_seats
from junqi_engine.information.belief.move_reading import MoveReader
from junqi_engine.information.belief.policy import POLICIES
from junqi_engine.information.belief.styles import (
    FALLBACK_SHARE,
    SeatBelief,
    Styles,
    explain,
    load,
    places_of,
    share_origins,
    stored,
)
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import slice_of, team_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT

EVIDENCE_SHARE = 0.5
"""How much of the evidence of a seat's moves counts for who plays."""
UNREAD = 0.1
"""The share of the opponent whose moves are not read, whatever the moves are."""
LEAST_ODDS = 1e-4
"""A pair whose policy explains the moves so much worse than the best one is left out, which saves time."""
SMALLEST_CHANCE = 1e-7
"""Of a kind that is possible."""
LARGEST_TOLD = 10.0
"""The moves of a game change the likelihoods of a piece's kinds, as logarithms, by no more than this."""


@dataclass(frozen=True)
class Opponents:
    """n pairs: their styles as `Styles` with n entries, and `policies` (n,), the numbers of their policies, as the
    reader has them.
    """

    styles: Styles
    policies: np.ndarray


def belief(view: SeatView) -> Chances:
    """See `chances.Belief`: the chances in the mixture of the pairs of `load_opponents`."""
    beliefs = seat_beliefs(view)
    return chances_by_seat(view, lambda seat: np.maximum(beliefs[seat].chances, SMALLEST_CHANCE))


def read_moves(view: SeatView, stop: Sequence[int] | np.ndarray = (0,)) -> MoveReader | None:
    """What the moves tell, of which only new ones are read; None if nothing can be read, or nothing is hidden.

    Once `stop[0]` is set, no more is read: `followed` of the reader is then less than the length of the record.
    """
    return view.follower(MoveReader, stop) if uncertain_seats(view) else None


def seat_beliefs(view: SeatView) -> dict[int, SeatBelief]:
    """The beliefs of the hidden seats with pieces, by seat. What one shows of its opponent counts for its partner."""
    reader = read_moves(view)
    read = _beliefs_about(view, load_opponents(view.board.variant), reader)
    if reader is None:
        return read
    styles = load(view.board.variant)
    unread = _beliefs_about(view, Opponents(styles, np.zeros(len(styles.names), np.intp)), None)
    return {
        seat: SeatBelief(
            np.concatenate(((1 - UNREAD) * read[seat].shares, UNREAD * unread[seat].shares)),
            np.concatenate((read[seat].scaled, unread[seat].scaled)),
        )
        for seat in read
    }


def _beliefs_about(view: SeatView, opponents: Opponents, reader: MoveReader | None) -> dict[int, SeatBelief]:
    """As `seat_beliefs`. `reader` reads the policies of the opponents; None if nothing can be read."""
    found: dict[int, SeatBelief] = {}
    for team in range(2):
        seats = [seat for seat in uncertain_seats(view) if team_of(seat) == team]
        alone = [_belief_of(opponents, reader, view, seat) for seat in seats]
        found |= zip(seats, share_origins(opponents.styles, alone), strict=True)
    return found


def _belief_of(opponents: Opponents, reader: MoveReader | None, view: SeatView, seat: int) -> SeatBelief:
    own, styles, places = slice_of(seat, PIECES_PER_SEAT), opponents.styles, places_of(view, seat)
    factors = allowed_kinds(view, seat)
    if reader is None:
        return explain(styles, factors, places)
    told = reader.told[:, own]
    told = np.maximum(told, told.max(axis=2, keepdims=True) - LARGEST_TOLD)
    evidence = EVIDENCE_SHARE * reader.evidence[opponents.policies, seat]
    odds = np.exp(evidence - evidence.max())
    likely = np.flatnonzero(odds > LEAST_ODDS)
    found = explain(
        styles.chosen(likely, styles.shares[likely] * odds[likely], styles.origins[likely]),
        (factors * np.exp(told))[opponents.policies[likely]], places,
    )  # fmt: skip
    shares, scaled = np.zeros(len(odds)), np.zeros((len(odds), PIECES_PER_SEAT, KINDS))
    shares[likely], scaled[likely] = found.shares, found.scaled
    return SeatBelief(shares, scaled)


@cache
def load_opponents(variant: str) -> Opponents:
    styles = load(variant)
    left = np.array([[style["players"][policy] for style in stored(variant)] for policy in POLICIES])
    pairs = np.concatenate((left, left, np.full((len(POLICIES), 1), FALLBACK_SHARE)), axis=1)
    policies, entries = map(np.ravel, np.indices(pairs.shape))
    origins = len(POLICIES) * styles.origins[entries] + policies
    return Opponents(styles.chosen(entries, pairs.ravel(), origins), policies)
