"""Measures of belief: how well its chances predict the kinds of hidden pieces."""

from collections.abc import Iterable

import numpy as np

from junqi_engine.information.belief import scale_to_counts
from junqi_engine.rules.pieces import KINDS
from tools.training.samples import Sample


def report(samples: Iterable[Sample]) -> None:
    """Print the log-loss of belief and of the counts alone, and the calibration table."""
    samples = list(samples)
    allowed = np.stack([sample.allowed for sample in samples])
    is_asked = np.stack([sample.is_asked for sample in samples])
    truth = np.stack([sample.truth for sample in samples])
    believed = scale_to_counts(allowed * np.exp(np.stack([sample.weights for sample in samples])))
    counted = scale_to_counts(allowed)
    print(f"{len(samples)} samples, {is_asked.sum()} living hidden pieces")
    for name, chances in (("counts alone", counted), ("belief", believed)):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, is_asked):8.4f} nats")
    print(f"{'predicted':>16}{'entries':>10}{'mean':>8}{'came true':>11}")
    entries = believed[is_asked]
    happened = np.eye(KINDS, dtype=bool)[truth[is_asked]]
    for tenth in range(10):
        inside = (entries >= tenth / 10) & (entries < (tenth + 1) / 10 + (tenth == 9)) & allowed[is_asked].astype(bool)
        if inside.any():
            mean, true = entries[inside].mean(), happened[inside].mean()
            print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{inside.sum():>10}{mean:>8.3f}{true:>11.3f}")


def log_loss(chances: np.ndarray, truth: np.ndarray, is_asked: np.ndarray) -> float:
    """The mean of -ln(probability of the true kind) over the asked pieces, in nats; infinite if one is 0.

    `chances` (n, 25, 12), `truth` and `is_asked` (n, 25).
    """
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[is_asked]).mean())
