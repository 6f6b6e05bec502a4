"""Makes the openings that the referee packages: positions in which neither side is ahead, as each side sees them.

    python -m junqi_training openings luzhanqi > tools/junqi_referee/settings/balanced-luzhanqi.txt

Each game begins from line-ups that are drawn as for a match, and is played by player 1.2 and now and then by chance.
After a number of plies that is drawn too, the side to move searches its own view with the newest player; one ply later,
so does the other side. If both expect between `LEAST` and `MOST` points, the position after that ply is an opening.
"""

import argparse
import random

from junqi_engine.api.game import Game
from junqi_engine.client.engine import Engine
from junqi_engine.env.policies import policy

QUICK, SEARCHED_NODES = "1.2", 2000
RANDOM = 0.15
"""The share of plies that are drawn, so that openings differ."""
PLIES = {"siguo": (24, 64), "luzhanqi": (10, 36)}
LEAST, MOST = 0.42, 0.58


def expectation(engine: Engine, game: Game) -> tuple[str | None, float]:
    """The move of the side to move, and the points that it expects of its view."""
    result = engine.play(game.view(team_to_move(game)), nodes=SEARCHED_NODES)
    win, draw, _ = result.info.wdl or (0, 0, 0)
    return result.move, (win + draw / 2) / 1000


def team_to_move(game: Game) -> str:
    return next(team for team in game.teams if game.turn in team)


def opening(engine: Engine, variant: str, seed: int) -> str | None:
    """The position that a seed gives, as the referee reads it; None if it is not balanced."""
    rng, game = random.Random(seed), Game(variant, seed=seed)
    quick = policy(QUICK, seed=seed)
    engine.configure({"Seed": seed})
    for _ in range(rng.randint(*PLIES[variant])):
        if game.is_game_over():
            return None
        legal = game.legal_moves
        game.push(rng.choice(legal) if rng.random() < RANDOM else quick.move(game.view(team_to_move(game))))
    for is_second in (False, True):
        if game.is_game_over():
            return None
        move, expected = expectation(engine, game)
        if not LEAST <= expected <= MOST:
            return None
        if not is_second:
            game.push(move or "")
    lineups = " ".join(f"{seat}:{lineup}" for seat, lineup in game.lineups.items())
    return f"startpos lineup {lineups} viewer * moves {' '.join(move.bare for move in game.move_stack)}"


def work(given: argparse.Namespace) -> None:
    made, seed = 0, given.seed
    print(f"# made by: python -m junqi_training openings {given.variant} --count {given.count} --seed {given.seed}")
    with Engine(options={"UCI_ShowWDL": True}) as engine:
        while made < given.count:
            line = opening(engine, given.variant, seed)
            seed += 1
            if line is not None:
                made += 1
                print(line, flush=True)
