"""Samples of what a team does not know: at regular intervals in a game, each hidden enemy seat with its true pieces."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from junqi_engine.information.belief import allowed_kinds
from junqi_engine.information.public import public_of
from junqi_engine.information.reading_belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from tools.training.games import Game, team_view


@dataclass(frozen=True)
class Sample:
    """A hidden seat as a team sees it, with f features of behaviour.

    `allowed` (25, 12): the kinds that each piece may have, 1 or 0; `features` (25, f); `weights` (25, 12): the log
    weights of the present tables; `truth` (25,): the true kinds; `is_asked` (25,): whether the piece is on the board
    and may have more than one kind; `classes` (25,): its `PublicClass`; `on_board`: the share of all pieces of the game
    that are on the board.
    """

    allowed: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    truth: np.ndarray
    is_asked: np.ndarray
    classes: np.ndarray
    on_board: float


def samples_of(games: Iterable[Game], interval: int) -> Iterator[Sample]:
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
    features, weights, classes = view.behaviour(), log_weights(view), public_of(view).classes
    on_board = sum(int(present).bit_count() for present in view.position["present"])
    share = on_board / (len(view.board.seats) * PIECES_PER_SEAT)
    for seat in hidden_seats_alive(view):
        own = slice_of(seat, PIECES_PER_SEAT)
        allowed, is_asked = allowed_kinds(view, seat), asked_pieces(view, seat)
        if is_asked.any():
            yield Sample(allowed, features[own], weights[own], truth[own].astype(int), is_asked, classes[own], share)


def hidden_seats_alive(view: SeatView) -> list[int]:
    """The seats of which the viewer does not see the pieces, without those that are eliminated."""
    return [seat for seat in range(len(view.board.seats)) if not view.sees(seat) and contains(view.alive, seat)]


def asked_pieces(view: SeatView, seat: int) -> np.ndarray:
    """(25,) by slot: whether the piece is on the board and may be of more than one kind."""
    is_present = contains(int(view.position["present"][seat]), np.arange(PIECES_PER_SEAT)) == 1
    return is_present & (allowed_kinds(view, seat).sum(axis=1) > 1)
