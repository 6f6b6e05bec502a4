"""Measures of belief: how well its chances predict the kinds of hidden pieces."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from junqi_engine.information.belief import scale_to_counts
from junqi_engine.information.shown import PublicClass
from junqi_engine.rules.pieces import KINDS
from tools.training.samples import Sample

PHASES = (("over 2/3 on the board", 2 / 3, 1.01), ("1/3 to 2/3", 1 / 3, 2 / 3), ("up to 1/3", 0.0, 1 / 3))
"""Names and bounds, by the share of all pieces of the game that are on the board."""
ENOUGH = 500
"""Entries of a tenth from which its gap counts."""


def report(samples: Iterable[Sample]) -> None:
    """Print the log-loss of belief and of the counts alone, in all and by phase and public class, and the calibration
    table. ValueError if there is no sample.
    """
    samples = list(samples)
    if not samples:
        raise ValueError("no samples: there are no games, or they are shorter than --every")
    allowed = np.stack([sample.allowed for sample in samples])
    is_asked = np.stack([sample.is_asked for sample in samples])
    truth = np.stack([sample.truth for sample in samples])
    believed = scale_to_counts(allowed * np.exp(np.stack([sample.weights for sample in samples])))
    counted = scale_to_counts(allowed)
    print(f"{len(samples)} samples, {is_asked.sum()} living hidden pieces")
    for name, chances in (("counts alone", counted), ("belief", believed)):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, is_asked):8.4f} nats")
    print(f"{'pieces':<24}{'number':>8}{'belief':>9}{'counts':>9}{'largest gap':>13}")
    for name, among in _groups(samples):
        asked = is_asked & among
        if asked.any():
            gaps = [abs(mean - true) for _, count, mean, true in _tenths(believed, allowed, truth, asked)
                    if count >= ENOUGH]  # fmt: skip
            losses = f"{log_loss(believed, truth, asked):>9.3f}{log_loss(counted, truth, asked):>9.3f}"
            print(f"{name:<24}{asked.sum():>8}{losses}{max(gaps, default=0.0):>13.3f}")
    print(f"{'predicted':>16}{'entries':>10}{'mean':>8}{'came true':>11}")
    for tenth, count, mean, true in _tenths(believed, allowed, truth, is_asked):
        print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{count:>10}{mean:>8.3f}{true:>11.3f}")


def _groups(samples: Sequence[Sample]) -> Iterator[tuple[str, np.ndarray]]:
    """Names of groups of pieces, and which pieces belong to them, (n, 25) or (n, 1)."""
    on_board = np.array([sample.on_board for sample in samples])[:, None]
    for name, least, most in PHASES:
        yield name, (on_board > least) & (on_board <= most)
    classes = np.stack([sample.classes for sample in samples])
    for each in PublicClass:
        yield each.name.lower(), classes == each


def _tenths(
    chances: np.ndarray, allowed: np.ndarray, truth: np.ndarray, is_asked: np.ndarray
) -> Iterator[tuple[int, int, float, float]]:
    """For each tenth of probability: its number, its entries, their mean and the share of them that came true."""
    entries, may = chances[is_asked], allowed[is_asked].astype(bool)
    happened = np.eye(KINDS, dtype=bool)[truth[is_asked]]
    for tenth in range(10):
        inside = (entries >= tenth / 10) & (entries < (tenth + 1) / 10 + (tenth == 9)) & may
        if inside.any():
            yield tenth, int(inside.sum()), float(entries[inside].mean()), float(happened[inside].mean())


def log_loss(chances: np.ndarray, truth: np.ndarray, is_asked: np.ndarray) -> float:
    """The mean of -ln(probability of the true kind) over the asked pieces, in nats; infinite if one is 0.

    `chances` (n, 25, 12), `truth` and `is_asked` (n, 25).
    """
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[is_asked]).mean())
