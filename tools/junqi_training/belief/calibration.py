"""How well belief predicts hidden pieces: `python -m junqi_training.belief calibration RECORD ...`.

A sample is a hidden enemy seat with its true pieces, at regular intervals in a game. Prints measures over the living
hidden pieces of the samples, for belief and for the piece counts alone:

- log-loss: the mean of -ln(probability of the true kind), in nats; also by phase and by what a piece has shown
- calibration: for each tenth of probability, the number of predictions, their mean, and how many came true; for each
  phase and class the largest gap between the two
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from junqi_engine.information.belief.chances import allowed_kinds, scale_to_counts
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.public_game import PublicClass
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains, slice_of
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_training.command import count, run_command
from junqi_training.games import RecordedGame, read_games, team_view


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("calibration", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    games = list(read_games(arguments.records))
    report(samples_of(games, arguments.every))
    return 0


def _parser() -> argparse.ArgumentParser:
    description = "Measure how well belief predicts hidden pieces: log-loss and a calibration table."
    parser = argparse.ArgumentParser(prog="python -m junqi_training.belief calibration", description=description)
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=20, metavar="PLIES", help="plies between two samples, default %(default)s")
    return parser


@dataclass(frozen=True)
class Sample:
    """A hidden seat as a team sees it.

    `allowed` (25, 12): the kinds that each piece may have, 1 or 0; `chances` (25, 12): what
    is believed now; `truth` (25,): the true kinds; `is_asked` (25,): whether the piece is on the board
    and may have more than one kind; `classes` (25,): its `PublicClass`; `on_board`: the share of all pieces of the game
    that are on the board.
    """

    allowed: np.ndarray
    chances: np.ndarray
    truth: np.ndarray
    is_asked: np.ndarray
    classes: np.ndarray
    on_board: float


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
    chances, classes = belief(view), public_of(view).classes
    on_board = sum(int(present).bit_count() for present in view.position["present"])
    share = on_board / (len(view.board.seats) * PIECES_PER_SEAT)
    for seat in hidden_seats_alive(view):
        own = slice_of(seat, PIECES_PER_SEAT)
        allowed, is_asked = allowed_kinds(view, seat), asked_pieces(view, seat)
        if is_asked.any():
            yield Sample(allowed, chances[seat], truth[own].astype(int), is_asked, classes[own], share)


def hidden_seats_alive(view: SeatView) -> list[int]:
    """The seats of which the viewer does not see the pieces, without those that are eliminated."""
    return [seat for seat in range(len(view.board.seats)) if not view.sees(seat) and contains(view.alive, seat)]


def asked_pieces(view: SeatView, seat: int) -> np.ndarray:
    """(25,) by slot: whether the piece is on the board and may be of more than one kind."""
    is_present = contains(int(view.position["present"][seat]), np.arange(PIECES_PER_SEAT)) == 1
    return is_present & (allowed_kinds(view, seat).sum(axis=1) > 1)


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
    believed = np.stack([sample.chances for sample in samples])
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
    for tenth, entries, mean, true in _tenths(believed, allowed, truth, is_asked):
        print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{entries:>10}{mean:>8.3f}{true:>11.3f}")


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
