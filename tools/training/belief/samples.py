"""Samples of what a team does not know, and the fit of the terms of deeds to them.

A sample is a hidden enemy seat with its true pieces, at regular intervals in a game. The terms of what pieces do are in
`junqi_engine/information/belief/styles.json`, by variant. The fit begins with those there: gradient ascent on the
likelihood of whole line-ups. Within a style the model is log-linear, so the gradient is the sum of features by true
kind minus the expected one, and belief itself computes the expectation.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from junqi_engine.information.belief.chances import allowed_kinds
from junqi_engine.information.belief.opponents import log_weights
from junqi_engine.information.belief.styles import STYLES_FILE, Styles, believe, load
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from tools.training.belief.styles import stored_behaviour, stored_styles, write_styles
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


EPOCHS, BATCH, FEWEST_STEPS = 3, 256, 60
STEP = 0.03
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.99


def fit(games: Sequence[Game], interval: int, seed: int, pull: float) -> None:
    """Fit the terms of each variant of which there are games, and write them to `STYLES_FILE`.

    `pull` is the L2 penalty on the difference from the terms that the fit begins with, per sample: other players behave
    differently from those in the fitted games.
    """
    behaviour = stored_behaviour()
    for variant in behaviour:
        samples = list(samples_of((game for game in games if game.board.variant == variant), interval))
        if samples:
            behaviour[variant] = _fit(load(variant), samples, pull, np.random.default_rng(seed))
    write_styles(stored_styles(), behaviour)
    print(f"{STYLES_FILE}: the terms of what pieces do are fitted")


def _fit(styles: Styles, samples: Sequence[Sample], pull: float, rng: np.random.Generator) -> np.ndarray:
    """The terms by feature and kind, (8, 12); a constant over all kinds has no effect."""
    terms = styles.behaviour.copy()
    mean, square = np.zeros_like(terms), np.zeros_like(terms)
    size = min(BATCH, len(samples))
    steps = max(FEWEST_STEPS, EPOCHS * (len(samples) // size))
    for number in range(1, steps + 1):
        gradient = -pull * (terms - styles.behaviour)
        for index in rng.choice(len(samples), size, replace=False):
            sample = samples[index]
            chances = believe(styles, sample.allowed, sample.features @ terms).chances
            gradient += sample.features.T @ (np.eye(KINDS)[sample.truth] - chances) / size
        # Adam (Kingma and Ba, ICLR 2015) with a cosine schedule, since the features differ in size.
        mean = MEAN_DECAY * mean + (1 - MEAN_DECAY) * gradient
        square = SQUARE_DECAY * square + (1 - SQUARE_DECAY) * gradient**2
        unbiased_mean, unbiased_square = mean / (1 - MEAN_DECAY**number), square / (1 - SQUARE_DECAY**number)
        step = STEP * (1 + np.cos(np.pi * number / (steps + 1))) / 2
        terms += step * unbiased_mean / (np.sqrt(unbiased_square) + 1e-8)
    return terms - terms.mean(axis=1, keepdims=True)
