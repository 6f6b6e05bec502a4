"""Games for tests of hidden information: random games with many battles, and their views."""

import random
from collections.abc import Iterable, Iterator

from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.position import Result

PARTNERS_VIEW, ONE_SEAT, NOBODY = (0, 2), (0,), ()


def random_move(game: GameState, rng: random.Random) -> int:
    """A random move; in half of the cases an attack, if there is one."""
    moves = game.legal_moves()
    attacks = [move for move in moves if game.position["board"][move & 255]]
    return rng.choice(attacks if attacks and rng.random() < 0.5 else moves)


def start(seed: int) -> GameState:
    rng = random.Random(seed)
    return GameState.start(SIGUO, {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats})


def view_of_start(game: GameState, seats: Iterable[int]) -> SeatView:
    lineups = {seat: game.lineups[seat] for seat in seats}
    return SeatView.start(game.board, sum(1 << seat for seat in lineups), lineups, game.rules)


def random_game(seed: int, seats: Iterable[int], plies: int = 10_000) -> Iterator[tuple[GameState, SeatView]]:
    """Yield the full game and the view of `seats` after each ply."""
    rng = random.Random(f"moves {seed}")
    game = start(seed)
    view = view_of_start(game, seats)
    while game.result == Result.ONGOING and len(game.record) < plies:
        view.observe(game.play(random_move(game, rng)))
        yield game, view


def random_view(seed: int, seats: Iterable[int], plies: int) -> tuple[GameState, SeatView]:
    """The full game and the view of `seats` after this many plies, or at the end."""
    return list(random_game(seed, seats, plies))[-1]
