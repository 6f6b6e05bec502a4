"""Kinds of steps: each function makes a step from a sentence of the protocol and lines for the engine."""

import random
import re
from collections.abc import Callable

from junqi_engine.engines.engine_lines import NO_MOVE
from junqi_engine.rules import lineup
from junqi_engine.rules.board import Board
from junqi_engine.rules.options import Rules
from tools.referee.check.subject import NODES, Enough, Step, StepFailed, Subject, count_answers
from tools.referee.schedule.schedule import random_lineup
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


BARE_MOVE = re.compile(r"[a-q]\d+[a-q]\d+")


def refused(sentence: str, codes: str, *lines: str) -> Step:
    """The last line is rejected with one of the codes, and the position does not change."""

    def step(subject: Subject) -> None:
        subject.tell(*lines[:-1])
        before = subject.fen()
        subject.expect_error(codes, lines[-1])
        if subject.fen() != before:
            raise StepFailed(f"{lines[-1][:80]!r} was rejected and changed the position")

    step.__doc__ = sentence
    return step


def refused_go(sentence: str, codes: str, *lines: str) -> Step:
    """The lines end in a `go` that is rejected, and answered by `bestmove (none)`."""

    def step(subject: Subject) -> None:
        move = subject.best(*lines)
        if move != NO_MOVE:
            raise StepFailed(f"{lines[-1][:80]!r} must be answered by 'bestmove (none)', not {move!r}")
        subject.expect_error(codes, *lines)

    step.__doc__ = sentence
    return step


def silent(sentence: str, *lines: str) -> Step:
    """The lines bring no output."""

    def step(subject: Subject) -> None:
        heard = [line for line in subject.hear(*lines) if line != "readyok"]
        if heard:
            raise StepFailed(f"{lines[-1][:80]!r} brought {heard[0][:80]!r}")

    step.__doc__ = sentence
    return step


def says(sentence: str, pattern: str, *lines: str) -> Step:
    """One line of the output matches a pattern."""

    def step(subject: Subject) -> None:

        def is_said(heard: list[str]) -> bool:
            return any(re.fullmatch(pattern, line) for line in heard)

        if not is_said(subject.hear(*lines, enough=is_said)):
            raise StepFailed(f"{lines[-1][:80]!r} brought no line like {pattern!r}")

    step.__doc__ = sentence
    return step


def same_position(sentence: str, first: Callable[[Board], str], second: Callable[[Board], str]) -> Step:
    """Two commands set up the same position."""

    def step(subject: Subject) -> None:
        found = []
        for command in (first(subject.board), second(subject.board)):
            subject.tell("position startpos", command)
            found.append(subject.fen())
        if found[0] != found[1]:
            raise StepFailed(f"{second(subject.board)[:80]!r} gave {found[1]!r}, not {found[0]!r}")

    step.__doc__ = sentence
    return step


def in_time(sentence: str, go: str, allowed_ms: float) -> Step:
    """A `go` in the starting position is answered by a move within `allowed_ms`."""

    def step(subject: Subject) -> None:
        subject.best("position startpos", NODES)
        answer = subject.client.ask(("position startpos", go))
        subject.within(answer.time_ms / 1000, allowed_ms / 1000, f"the answer to {go!r}")
        if not BARE_MOVE.fullmatch(answer.move):
            raise StepFailed(f"{go!r} was answered by {answer.move!r}")

    step.__doc__ = sentence
    return step


def during_search(sentence: str, *lines: str) -> Step:
    """The lines do not end a search; `stop` then does, with one answer."""

    def step(subject: Subject) -> None:
        subject.client.send("position startpos", "go infinite")
        heard = subject.hear(*lines)
        if count_answers(heard):
            raise StepFailed(f"{lines[-1][:80]!r} ended a search")
        subject.client.ask(("stop",))

    step.__doc__ = sentence
    return step


def default_lineups(board: Board) -> str:
    return " ".join(f"{seat}:{lineup.DEFAULT}" for seat in board.teams[0])


def answer_and(beginning: str) -> Enough:
    """Whether a `bestmove` and a line with this beginning arrived, in any order."""
    return lambda heard: count_answers(heard) > 0 and any(line.startswith(beginning) for line in heard)
