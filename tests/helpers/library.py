"""Games and states for the tests of the library."""

import random

import junqi_engine as junqi

LINEUP = "cbfahdehgegidcfkjkijgjhli"


def random_game(variant: str, seed: int, plies: int = 10_000, first: str = "S") -> junqi.Game:
    """A game after random moves, up to its end."""
    game, rng = junqi.Game(variant, seed=seed, first=first), random.Random(seed)
    while not game.is_game_over() and game.ply() < plies:
        game.push(rng.choice(game.legal_moves))
    return game


def state_of(position: junqi.Game | junqi.View) -> list[object]:
    """The complete state of a game, to detect changes."""
    return [position.fen(), position.move_stack, position.result, position.turn, position.alive, position.quiet]
