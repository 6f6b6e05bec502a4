"""Fits the terms of what pieces do, in `junqi_engine/information/styles.json`, by variant, beginning with those there.

Gradient ascent on the likelihood of whole line-ups: within a style the model is log-linear, so the gradient is the sum
of features by true kind minus the expected one, and belief itself computes the expectation.
"""

from collections.abc import Sequence

import numpy as np

from junqi_engine.information.style_belief import STYLES_FILE, Styles, believe, load
from junqi_engine.rules.pieces import KINDS
from tools.training.belief.samples import Sample, samples_of
from tools.training.belief.styles import stored_behaviour, stored_styles, write_styles
from tools.training.games import Game

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
