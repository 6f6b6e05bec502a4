"""Games and first moves for the steps, by the referee's own rules."""

import random

from junqi_engine.rules import lineup
from junqi_engine.rules.options import Rules
from tools.referee.check.subject import Subject
from tools.referee.schedule.book import random_lineup
from tools.referee.truth import Truth


def random_game(subject: Subject, rng: random.Random, first: str) -> Truth:
    """A game at its start, from random line-ups; the seat `first` moves first."""
    lineups = {seat: random_lineup(rng) for seat in subject.board.seats}
    return Truth(subject.variant, lineups, first, Rules.of(subject.board))


def first_battle(subject: Subject) -> str:
    """A first move that attacks, from the built-in line-ups, without its suffix."""
    return _first_move(subject, is_attack=True)


def quiet_move(subject: Subject) -> str:
    """A first move without a battle, from the built-in line-ups."""
    return _first_move(subject, is_attack=False)


def _first_move(subject: Subject, is_attack: bool) -> str:
    board = subject.board
    lineups = dict.fromkeys(board.seats, lineup.DEFAULT)

    def start() -> Truth:
        return Truth(board.variant, lineups, board.seats[0], Rules.of(board))

    # Only a battle adds a suffix to a first move.
    return next(move for move in start().legal() if (start().play(move) != move) == is_attack)
