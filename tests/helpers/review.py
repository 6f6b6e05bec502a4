"""Short random games for the tests of reviews, with resignations and passes."""

import random

from junqi_engine import Game, Rules
from tests.helpers.hidden import random_move

NODES = 1_000


def short_game(variant: str, seed: int, plies: int = 12, with_events: bool = False) -> Game:
    """A random game with battles that ends by `plies`; on request with passes and resignations."""
    rng = random.Random(f"{variant} {seed}")
    game = Game(variant, seed=seed, rules=Rules(max_plies=plies))
    while not game.is_game_over():
        chance = rng.random()
        if with_events and chance < 0.1:
            game.push(f"pass:{game.turn}")
        elif with_events and chance < 0.15:
            game.resign(rng.choice(game.alive))
        else:
            code = random_move(game.state, rng)
            game.push(game.points[code >> 8] + game.points[code & 255])
    return game


def record_of(*games: Game) -> str:
    """A record file of games."""
    return "".join(f"{game.record(number=number)}\n" for number, game in enumerate(games, 1))
