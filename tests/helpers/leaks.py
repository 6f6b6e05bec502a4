"""Games with hidden line-ups shuffled as the public record allows, and engines of the referee that follow a script."""

import random
import re
from collections.abc import Iterator, Mapping

import numpy as np

from junqi_engine.client.engine_client import Reply
from junqi_engine.information.belief import worlds
from junqi_engine.information.view import redact
from junqi_engine.notation.moves import format_move
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.pieces import LETTERS
from junqi_referee.playing.engine_pool import EnginePool
from junqi_referee.playing.engine_process import EngineProcess
from tests.helpers.hidden import random_move

SHUFFLES = 2
PLIES = 14


class Script(EngineProcess):
    """An engine that sets up given line-ups and plays the moves of a record, whatever it receives; keeps its seed."""

    def __init__(self, moves: list[str], lineups: Mapping[str, str] | None = None) -> None:
        self.moves = moves
        self.lineups = lineups or {}
        self.seed = -1

    is_running = True

    def prepare(self) -> None:
        pass

    def set_seed(self, seed: int) -> None:
        self.seed = seed

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        return f"@{self.lineups[seat]}"

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        played = position.partition(" moves ")[2].split()
        return Reply(re.match(r"[a-q]\d+[a-q]\d+", self.moves[len(played)])[0], 0.0)

    def game_over(self, result: str) -> None:
        pass

    def close(self) -> None:
        pass


class Seating(EnginePool):
    """A pool with the player under test at one place and scripts at the others."""

    def __init__(self, player: EngineProcess, place: tuple[str, int]) -> None:
        self.under_test, self.place = player, place
        self.script: list[str] = []
        self.lineups: Mapping[str, str] = {}
        self.others: list[Script] = []

    def process(self, engine: object, place: int) -> EngineProcess:
        if (engine.name, place) == self.place:
            return self.under_test
        script = Script(self.script, self.lineups)
        script.engine = engine
        self.others.append(script)
        return script


def lineups_of(board: Board, kinds: np.ndarray) -> Mapping[str, str]:
    """The line-ups of a world."""
    return {
        letter: "".join(LETTERS[kind] for kind in kinds[32 * seat : 32 * seat + 25])
        for seat, letter in enumerate(board.seats)
    }


def scripted_game(board: Board, seed: int) -> tuple[GameState, list[str]]:
    """A game with many battles and events, and its moves."""
    rng = random.Random(seed)
    game = GameState.start(board, {seat: lineup_choice.sensible(rng) for seat in board.seats})
    while game.ply < PLIES:
        game.play(random_move(game, rng))
    return game, [format_move(board, seen) for seen in game.record]


def allowed(game: GameState, seats: tuple[int, ...], seed: int) -> Iterator[Mapping[str, str]]:
    """Line-ups that differ only in pieces hidden from `seats` and that the whole record allows."""
    board = game.board
    view = redact(game, seats)
    for kinds in worlds.sample_worlds(view, 20, seed):
        lineups = lineups_of(board, kinds)
        other = GameState.start(board, lineups)
        if all(other.play(seen.from_point << 8 | seen.to_point) == seen for seen in game.record):
            yield lineups
