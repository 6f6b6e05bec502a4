"""The starting positions of a batch."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from junqi_engine.api.game import Game
from junqi_engine.api.readable import lineups_by_seat
from junqi_engine.information.deduction import KNOWN, begin
from junqi_engine.notation.moves import format_viewer
from junqi_engine.players.lineup_choice import sensible
from junqi_engine.rules.board import Board
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION

POOL = 512
"""Number of line-ups in the pool of a batch. Drawing a new one takes as long as a game in kernels."""


@dataclass(frozen=True)
class Starts:
    """Starting positions, (k,). `drawn` has the sets of seats whose line-ups are drawn for each game from the `pool`,
    (p, 25) kinds by place; `views`, (k, v), has the knowledge of each viewer.
    """

    positions: np.ndarray
    drawn: np.ndarray
    pool: np.ndarray
    views: np.ndarray


def starts_of(
    board: Board, rules: Rules, viewers: Sequence[int], lineups: Sequence[Mapping[str, str]], rng: random.Random
) -> Starts:
    """The starting positions of `Batch.reset`. `BadLineup` or `Refused` for wrong line-ups."""
    given = [lineups_by_seat(board, own) for own in lineups or [{}]]
    drawn = [sum(1 << seat for seat, letter in enumerate(board.seats) if letter not in own) for own in given]
    games = [Game(board.variant, own, rules=rules, seed=0) for own in given]
    views = np.zeros((len(games), len(viewers)), KNOWN)
    for game, of_game in zip(games, views, strict=True):
        for number, viewer in enumerate(viewers):
            if viewer == board.all_alive:
                begin(game.state.position, of_game[number])
            else:
                of_game[number] = game.view(format_viewer(board, viewer)).state.known
    positions = np.array([game.state.position for game in games], POSITION)
    pool = [[LETTERS.index(letter) for letter in sensible(rng)] for _ in range(POOL if any(drawn) else 0)]
    return Starts(positions, np.array(drawn, np.uint8), np.array(pool, np.uint8).reshape(-1, PIECES_PER_SEAT), views)
