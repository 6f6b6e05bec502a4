"""Fits the tables of belief, `junqi_engine/information/belief.json`.

Places come from line-ups. Behaviour is fitted by gradient ascent on the likelihood of whole line-ups: the model is
log-linear, so the gradient is the observed sum of features minus the expected one, and belief itself computes the
expectation.
"""

import json
import random
from collections.abc import Sequence

import numpy as np

from junqi_engine.information.behaviour import FEATURES
from junqi_engine.information.belief import BY_GROUP, GROUPS, WEIGHTS_FILE, scale_to_counts, tables
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.pieces import KINDS, LETTERS, PIECES_PER_SEAT
from tools.training.games import Game
from tools.training.samples import samples_of

SHRINK = 0.7
"""The factor on the fitted weights of behaviour: other players behave differently from those in the fitted games."""
SMOOTHING = 0.15
"""The share of each place's probability that is spread evenly over all kinds that the rules allow there."""
PENALTY = 1e-2
"""L2 penalty on the weights of behaviour, per sample."""
ROUNDS = 100
LINEUPS = 10_000
STEP = 0.1
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.99


def fit(games: Sequence[Game], interval: int, seed: int) -> None:
    """Fit the table of places and the weights of behaviour, and write them to `WEIGHTS_FILE`."""
    places = _fit_places(seed)
    # The samples take the places from the file.
    _write(places, np.zeros((len(FEATURES), len(GROUPS))))
    samples = list(samples_of(games, interval))
    allowed = np.stack([sample.allowed for sample in samples])
    features = np.stack([sample.features for sample in samples])
    truth = np.eye(KINDS)[np.stack([sample.truth for sample in samples])]
    weights = np.zeros((len(FEATURES), len(GROUPS)))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    observed = np.einsum("npf,npk->fk", features, truth) / len(samples) @ BY_GROUP.T
    for number in range(1, ROUNDS + 1):
        chances = scale_to_counts(allowed * np.exp(places + features @ (weights @ BY_GROUP)), rounds=20)
        expected = np.einsum("npf,npk->fk", features, chances) / len(samples) @ BY_GROUP.T
        gradient = observed - expected - PENALTY * weights
        # Adam (Kingma and Ba, ICLR 2015), since the features differ in size.
        mean = MEAN_DECAY * mean + (1 - MEAN_DECAY) * gradient
        square = SQUARE_DECAY * square + (1 - SQUARE_DECAY) * gradient**2
        step = STEP * (1 - number / (ROUNDS + 1))
        unbiased_mean, unbiased_square = mean / (1 - MEAN_DECAY**number), square / (1 - SQUARE_DECAY**number)
        weights += step * unbiased_mean / (np.sqrt(unbiased_square) + 1e-8)
    # A constant over all kinds has no effect.
    _write(places, SHRINK * (weights - weights.mean(axis=1, keepdims=True)))


def _fit_places(seed: int) -> np.ndarray:
    """Log probabilities (25, 12) of the kinds at each place of a sensible line-up, smoothed within the rules."""
    rng = random.Random(seed)
    seen = np.zeros((PIECES_PER_SEAT, KINDS))
    for _ in range(LINEUPS):
        letters = lineup_choice.sensible(rng)
        for one in (letters, lineup.mirror(letters)):
            seen[np.arange(PIECES_PER_SEAT), [LETTERS.index(letter) for letter in one]] += 1
    allowed = np.array(lineup.MASK_AT)[:, None] >> np.arange(KINDS) & 1
    even = scale_to_counts(allowed.astype(float))
    mixed = (1 - SMOOTHING) * seen / (2 * LINEUPS) + SMOOTHING * even
    return np.log(np.where(allowed, mixed, 1.0))


def _write(places: np.ndarray, weights: np.ndarray) -> None:
    """Write the tables as JSON, one line for each row, and let belief read them again."""
    rows = ",\n".join(f"  {json.dumps([round(float(value), 2) for value in row])}" for row in places)
    features = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps([round(float(value), 2) for value in row])}"
        for name, row in zip(FEATURES, weights, strict=True)
    )
    head = f'"kinds": "{LETTERS}", "groups": {json.dumps(GROUPS)}'
    text = f'{{{head},\n"places": [\n{rows}\n],\n"behaviour": {{\n{features}\n}}}}\n'
    WEIGHTS_FILE.write_text(text, encoding="utf-8")
    tables.cache_clear()
