"""How well belief predicts hidden pieces: `python -m junqi_training calibration RECORD ...`.

A sample is a hidden enemy seat with its true pieces, at regular intervals in a game. Prints the log-loss over the
living hidden pieces of the samples, for belief and for the piece counts alone: the mean of -ln(probability of the true
kind), in nats.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from junqi_engine.information.belief.marginals import allowed_kinds, normalise_to_counts
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.view import SeatView
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_training.games import RecordedGame, read_games, team_view


def work(given: argparse.Namespace) -> None:
    samples = list(samples_of(read_games(given.records), given.every))
    if not samples:
        raise ValueError("no samples: there are no games, or they are shorter than --every")
    is_asked, truth = np.stack([one.is_asked for one in samples]), np.stack([one.truth for one in samples])
    print(f"{len(samples)} samples, {is_asked.sum()} living hidden pieces")
    counted = normalise_to_counts(np.stack([one.allowed for one in samples]))
    for name, chances in (("counts alone", counted), ("belief", np.stack([one.chances for one in samples]))):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, is_asked):8.4f} nats")


@dataclass(frozen=True)
class Sample:
    """A hidden seat as a team sees it.

    `allowed` (25, 12): the kinds that each piece may have, 1 or 0; `chances` (25, 12): what is believed now; `truth`
    (25,): the true kinds; `is_asked` (25,): whether the piece is on the board and may have more than one kind.
    """

    allowed: np.ndarray
    chances: np.ndarray
    truth: np.ndarray
    is_asked: np.ndarray


def samples_of(games: Iterable[RecordedGame], interval: int) -> Iterator[Sample]:
    """The samples of games, every `interval` plies, as each team sees them."""
    for game in games:
        start = GameState.start(game.board, game.lineups, game.rules)
        truth = start.position["kind"].copy()
        for team in range(2):
            view = team_view(start, team, game.first)
            for number, seen in enumerate(game.moves, 1):
                view.observe(seen)
                if number % interval == 0:
                    yield from _samples_of_view(view, truth)


def _samples_of_view(view: SeatView, truth: np.ndarray) -> Iterator[Sample]:
    chances = belief(view)
    for seat in hidden_seats_alive(view):
        own = slice_of(seat, PIECES_PER_SEAT)
        allowed, is_asked = allowed_kinds(view, seat), asked_pieces(view, seat)
        if is_asked.any():
            yield Sample(allowed, chances[seat], truth[own].astype(int), is_asked)


def hidden_seats_alive(view: SeatView) -> list[int]:
    """The seats of which the viewer does not see the pieces, without those that are eliminated."""
    return [seat for seat in range(len(view.board.seats)) if not view.sees(seat) and contains(view.alive, seat)]


def asked_pieces(view: SeatView, seat: int) -> np.ndarray:
    """(25,) by slot: whether the piece is on the board and may be of more than one kind."""
    is_present = contains(int(view.position["present"][seat]), np.arange(PIECES_PER_SEAT)) == 1
    return is_present & (allowed_kinds(view, seat).sum(axis=1) > 1)


def log_loss(chances: np.ndarray, truth: np.ndarray, is_asked: np.ndarray) -> float:
    """The mean of -ln(probability of the true kind) over the asked pieces, in nats; infinite if one is 0.

    `chances` (n, 25, 12), `truth` and `is_asked` (n, 25).
    """
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[is_asked]).mean())
