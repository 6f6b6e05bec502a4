"""The belief of the newest player, over opponents: pairs of a style of line-ups and a policy of moves.

`styles.json` has the prior of each pair: a program sets up in its own styles, but anyone may copy a line-up; people set
up in any way, and so do strangers.

The posterior weight of a pair is its prior times the likelihood of the masks and moves under style and policy, times
the tempered evidence of the moves under the policy. So the belief finds out by their moves whether it plays against
people or against a program. The two seats of a team share what they show of the pair.

An opponent whose moves tell nothing always keeps `UNINFORMATIVE_SHARE`: what a piece did not do never proves that it is
weak. For a view from a snapshot in the middle of a game no moves are known, and the styles alone decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.information.belief.marginals import Marginals, allowed_kinds, marginals_by_seat, uncertain_seats
from junqi_engine.information.belief.policy import POLICIES
from junqi_engine.information.belief.styles import (
    FALLBACK_PRIOR,
    SeatPosterior,
    Styles,
    combine_partners,
    load_styles,
    places_of,
    posterior_of_styles,
    read_styles,
)
from junqi_engine.information.public_record import PublicRecord
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import slice_of, team_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT

EVIDENCE_EXPONENT = 0.5
"""Exponent that tempers the evidence of a seat's moves."""
UNINFORMATIVE_SHARE = 0.1
"""Weight of the opponent whose moves tell nothing."""
MIN_ODDS = 1e-4
"""Pairs whose evidence is below this share of the best one's are left out, to save time."""
MIN_PROBABILITY = 1e-7
"""Lower bound on the probability of a possible kind, before normalisation."""
MAX_LOG_RATIO = 10.0
"""Largest difference that the moves of a game make between the log-likelihoods of a piece's kinds."""


@dataclass(frozen=True)
class Opponents:
    """n pairs: their styles as `Styles` with n entries, and `policies` (n,), the indices of their policies."""

    styles: Styles
    policies: np.ndarray


def belief(view: SeatView) -> Marginals:
    """The marginals of all hidden seats, in the mixture of `load_opponents`; a `marginals.Belief`."""
    posteriors = posteriors_by_seat(view)
    return marginals_by_seat(view, lambda seat: np.maximum(posteriors[seat].marginals, MIN_PROBABILITY))


def read_moves(view: SeatView, stop: Sequence[int] | np.ndarray = (0,)) -> PublicRecord | None:
    """The public record with likelihoods; None if nothing is hidden, or the start of the game is not known.

    Once `stop[0]` is set, no more is read: the length is then less than that of the view's record.
    """
    return view.public_record(with_likelihoods=True, stop=stop) if uncertain_seats(view) else None


def posteriors_by_seat(view: SeatView) -> dict[int, SeatPosterior]:
    """The posteriors of the hidden seats with pieces, by seat."""
    record, styles = read_moves(view), load_styles(view.board.variant)
    uninformed = Opponents(styles, np.zeros(len(styles.names), np.intp))
    if record is None:
        return _posteriors(view, load_opponents(view.board.variant), None)
    informed, other = _posteriors(view, load_opponents(view.board.variant), record), _posteriors(view, uninformed, None)
    return {
        seat: SeatPosterior(
            np.concatenate(
                ((1 - UNINFORMATIVE_SHARE) * informed[seat].weights, UNINFORMATIVE_SHARE * other[seat].weights)
            ),
            np.concatenate((informed[seat].marginals_by_style, other[seat].marginals_by_style)),
        )
        for seat in informed
    }


def _posteriors(view: SeatView, opponents: Opponents, record: PublicRecord | None) -> dict[int, SeatPosterior]:
    """As `posteriors_by_seat`, for some opponents; without a record their moves tell nothing."""
    posteriors: dict[int, SeatPosterior] = {}
    for team in range(2):
        seats = [seat for seat in uncertain_seats(view) if team_of(seat) == team]
        alone = [_posterior(view, opponents, record, seat) for seat in seats]
        posteriors |= zip(seats, combine_partners(opponents.styles, alone), strict=True)
    return posteriors


def _posterior(view: SeatView, opponents: Opponents, record: PublicRecord | None, seat: int) -> SeatPosterior:
    """The posterior of a seat by itself."""
    own, styles, places = slice_of(seat, PIECES_PER_SEAT), opponents.styles, places_of(view, seat)
    masks = allowed_kinds(view, seat)
    if record is None or record.likelihoods is None:
        return posterior_of_styles(styles, masks, places)
    log_likelihoods = record.likelihoods["log_likelihoods"][:, own]
    log_likelihoods = np.maximum(log_likelihoods, log_likelihoods.max(axis=2, keepdims=True) - MAX_LOG_RATIO)
    log_evidence = EVIDENCE_EXPONENT * record.likelihoods["log_evidence"][opponents.policies, seat]
    odds = np.exp(log_evidence - log_evidence.max())
    likely = np.flatnonzero(odds > MIN_ODDS)
    posterior = posterior_of_styles(
        styles.select(likely, styles.prior[likely] * odds[likely], styles.origins[likely]),
        (masks * np.exp(log_likelihoods))[opponents.policies[likely]], places,
    )  # fmt: skip
    weights, marginals = np.zeros(len(odds)), np.zeros((len(odds), PIECES_PER_SEAT, KINDS))
    weights[likely], marginals[likely] = posterior.weights, posterior.marginals_by_style
    return SeatPosterior(weights, marginals)


@cache
def load_opponents(variant: str) -> Opponents:
    """All pairs of a style and a policy, with their prior."""
    styles = load_styles(variant)
    left = np.array([[style["players"][policy] for style in read_styles(variant)] for policy in POLICIES])
    pairs = np.concatenate((left, left, np.full((len(POLICIES), 1), FALLBACK_PRIOR)), axis=1)
    policies, entries = map(np.ravel, np.indices(pairs.shape))
    origins = len(POLICIES) * styles.origins[entries] + policies
    return Opponents(styles.select(entries, pairs.ravel(), origins), policies)
