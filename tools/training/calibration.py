"""How well belief foretells the hidden pieces: `python -m tools.training.calibration [RECORD ...] [--fit]`.

Every `--every` plies of every game, each living hidden piece of the enemies is foretold in the eyes of either team. The
log-loss is the mean of -ln(probability of what the piece is), beside that of the counts alone; the table has, for each
tenth of probability, how many entries were foretold with about so much, and how many came true.

Games come from records of the referee (JSON lines), or with none given are played here. `--fit` fits
`junqi_engine/belief.json` afresh on the first four fifths of the games, and reports on the last fifth: places from
line-ups, then behaviour by gradient ascent on the likelihood of whole line-ups. The model is log-linear, so the
gradient is what was observed less what was expected, and the expectation is belief's own.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from junqi_engine.information.behaviour import FEATURES, behaviour
from junqi_engine.information.belief import BY_GROUP, GROUPS, WEIGHTS_FILE, log_weights, scale_to_counts, tables
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import KINDS, LETTERS, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from tools.referee.records.game_record import read_record

SHRINK = 0.7
"""Behaviour counts for so much of what was fitted: others play otherwise than those it was fitted on."""
SMOOTHING = 0.15
"""The share of every place's kinds that is spread evenly over all that the rules allow."""
PENALTY = 1e-2
"""Pulls the weights of behaviour to 0: half of it times their squares is taken off the likelihood of a look."""
ROUNDS = 100
LINEUPS = 10_000
FIT_SHARE = 0.8


@dataclass(frozen=True)
class Game:
    """A game to learn from or to be measured on. `lineups` by seat letter; `moves` is the public record; `first` is the
    seat that began.
    """

    board: Board
    rules: Rules
    lineups: dict[str, str]
    moves: list[SeenMove]
    first: int = 0


@dataclass(frozen=True)
class Sample:
    """A hidden seat in the eyes of a team: `allowed` (25, 12), `features` (25, f), `weights` (25, 12) as they are
    now, `truth` (25,), `asked` (25,) whether the piece lives and is uncertain.
    """

    allowed: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    truth: np.ndarray
    asked: np.ndarray


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.calibration", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("records", nargs="*", metavar="RECORD", help="records of the referee; default: play here")
    parser.add_argument("--games", type=int, default=40, help="games to play here")
    parser.add_argument("--players", default="1.2,1.1", help="of those, who plays: two versions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, metavar="PLIES")
    parser.add_argument("--fit", action="store_true", help=f"write {WEIGHTS_FILE.name} afresh")
    arguments = parser.parse_args(words)
    games = list(read_games(arguments.records))
    if not arguments.records:
        first, second = arguments.players.split(",")
        games = list(play_games(arguments.games, first, second, arguments.seed))
    random.Random(arguments.seed).shuffle(games)
    if arguments.fit:
        cut = int(len(games) * FIT_SHARE)
        fit(games[:cut], arguments.every, arguments.seed)
        games = games[cut:]
        print(f"fitted on {cut} games, {WEIGHTS_FILE} is written; on the other {len(games)}:")
    report(samples(games, arguments.every))
    return 0


def read_games(records: Iterable[str]) -> Iterator[Game]:
    """The games of records that began with line-ups."""
    for record in records:
        for game in read_record(record):
            if game.variant != SIGUO.variant or len(game.lineups) < len(SIGUO.seats):
                continue
            moves = [parse_move(SIGUO, text) for text in game.moves]
            yield Game(SIGUO, Rules(**game.rules), game.lineups, moves, SIGUO.seats.index(game.first))


def play_games(count: int, first: str, second: str, seed: int) -> Iterator[Game]:
    """Games between two players from sensible line-ups, who has South and North in turns."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        yield play(SIGUO, (first, second) if number % 2 else (second, first), rng)


def play(board: Board, versions: tuple[str, str], rng: random.Random) -> Game:
    lineups = {letter: lineup_choice.sensible(rng) for letter in board.seats}
    truth = GameState.start(board, lineups)
    views = [_team_view(truth, team) for team in range(2)]
    seed = rng.randrange(1 << 30)
    while truth.result == Result.ONGOING:
        view = views[truth.turn & 1]
        seen = truth.play(event_recipe(versions[truth.turn & 1]).choose(view, seed, view.legal_moves()).move)
        for each in views:
            each.observe(seen)
    return Game(board, truth.rules, lineups, truth.record)


def _team_view(game: GameState, team: int, first: int = 0) -> SeatView:
    seats = [seat for seat in range(len(game.board.seats)) if seat & 1 == team]
    own = {seat: game.lineups[seat] for seat in seats}
    return SeatView.start(game.board, sum(1 << seat for seat in seats), own, game.rules, first)


def samples(games: Iterable[Game], every: int) -> Iterator[Sample]:
    for game in games:
        start = GameState.start(game.board, game.lineups, game.rules)
        truth = start.position["kind"].copy()
        for team in range(2):
            view = _team_view(start, team, game.first)
            for number, seen in enumerate(game.moves, 1):
                view.observe(seen)
                if number % every == 0:
                    yield from _look(view, truth)


def _look(view: SeatView, truth: np.ndarray) -> Iterator[Sample]:
    features, weights = behaviour(view), log_weights(view)
    for seat in range(len(view.board.seats)):
        if view.sees(seat) or not view.alive >> seat & 1:
            continue
        own = slice(32 * seat, 32 * seat + PIECES_PER_SEAT)
        allowed = view.masks[own, None].astype(np.int64) >> np.arange(KINDS) & 1
        present = int(view.position["present"][seat]) >> np.arange(PIECES_PER_SEAT) & 1
        asked = (present == 1) & (allowed.sum(axis=1) > 1)
        if asked.any():
            yield Sample(allowed.astype(float), features[own], weights[own], truth[own].astype(int), asked)


# Measuring


def report(looks: Iterable[Sample]) -> None:
    """Print the log-loss of belief and of the counts alone, and the calibration table."""
    looks = list(looks)
    allowed = np.stack([look.allowed for look in looks])
    asked = np.stack([look.asked for look in looks])
    truth = np.stack([look.truth for look in looks])
    believed = scale_to_counts(allowed * np.exp(np.stack([look.weights for look in looks])))
    counted = scale_to_counts(allowed)
    print(f"{len(looks)} looks, {asked.sum()} living hidden pieces")
    for name, chances in (("counts alone", counted), ("belief", believed)):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, asked):8.4f} nats")
    print(f"{'foretold':>16}{'entries':>10}{'mean':>8}{'came true':>11}")
    entries = believed[asked]
    happened = np.eye(KINDS, dtype=bool)[truth[asked]]
    for tenth in range(10):
        inside = (entries >= tenth / 10) & (entries < (tenth + 1) / 10 + (tenth == 9)) & allowed[asked].astype(bool)
        if inside.any():
            mean, true = entries[inside].mean(), happened[inside].mean()
            print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{inside.sum():>10}{mean:>8.3f}{true:>11.3f}")


def log_loss(chances: np.ndarray, truth: np.ndarray, asked: np.ndarray) -> float:
    """The mean of -ln of what the asked pieces' kinds were given, in nats. Infinite if one was ruled out."""
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[asked]).mean())


# Fitting


def fit(games: Sequence[Game], every: int, seed: int) -> None:
    """Fit the table of places and the weights of behaviour, and write them."""
    places = fit_places(seed)
    write(places, np.zeros((len(FEATURES), len(GROUPS))))
    looks = list(samples(games, every))
    allowed = np.stack([look.allowed for look in looks])
    features = np.stack([look.features for look in looks])
    truth = np.eye(KINDS)[np.stack([look.truth for look in looks])]
    weights = np.zeros((len(FEATURES), len(GROUPS)))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    observed = np.einsum("npf,npk->fk", features, truth) / len(looks) @ BY_GROUP.T
    for number in range(1, ROUNDS + 1):
        chances = scale_to_counts(allowed * np.exp(places + features @ (weights @ BY_GROUP)), rounds=20)
        expected = np.einsum("npf,npk->fk", features, chances) / len(looks) @ BY_GROUP.T
        gradient = observed - expected - PENALTY * weights
        # Adam (Kingma and Ba, ICLR 2015), for the features' sizes differ.
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        step = 0.1 * (1 - number / (ROUNDS + 1))
        weights += step * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-8)
    # A constant over all kinds says nothing.
    write(places, SHRINK * (weights - weights.mean(axis=1, keepdims=True)))


def fit_places(seed: int) -> np.ndarray:
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


def write(places: np.ndarray, weights: np.ndarray) -> None:
    """Write the tables, one row a line."""
    rows = ",\n".join(f"  {json.dumps([round(float(value), 2) for value in row])}" for row in places)
    features = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps([round(float(value), 2) for value in row])}"
        for name, row in zip(FEATURES, weights, strict=True)
    )
    head = f'"kinds": "{LETTERS}", "groups": {json.dumps(GROUPS)}'
    text = f'{{{head},\n"places": [\n{rows}\n],\n"behaviour": {{\n{features}\n}}}}\n'
    WEIGHTS_FILE.write_text(text, encoding="utf-8")
    tables.cache_clear()


if __name__ == "__main__":
    sys.exit(main())
