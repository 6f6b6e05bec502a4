"""A bot for luzhanqi with an evaluation of one's own: `choose(view)` gives a move, from what is known and likely.

    python luzhanqi_bot.py
    python luzhanqi_bot.py --games 10 --player 1.2

It plays games against the packaged engine, in turns as South and as North, and prints each result. To make another bot,
change `choose`: whatever it does with a view, it cannot see more than its seat may know.
"""

import argparse
from functools import cache

import junqi_engine as junqi

WORTHS = dict(zip("abcdefghijkl", (10.0, 8.0, 6.0, 4.5, 3.5, 2.5, 1.7, 1.2, 2.5, 2.0, 4.0, 100.0), strict=True))
PROGRESS, CAUTION, IMPATIENCE = 0.1, 0.5, 0.05


def outcome(attacker: str, defender: str) -> str:
    """How the battle of two letters ends: `x`, `o` or `=`, as in a move."""
    if defender == "l":
        return "x"
    if attacker == defender or "k" in (attacker, defender):
        return "="
    if defender == "j":
        return "x" if attacker == "i" else "o"
    return "x" if attacker < defender else "o"


@cache
def balance(attacker: str, defender: str) -> float:
    """What the attacker's side gains by a battle."""
    ends = outcome(attacker, defender)
    return WORTHS[defender] * (ends != "o") - WORTHS[attacker] * (ends != "x")


def steps(point: str, other: str) -> int:
    """The steps between two points as a king of chess goes."""
    return max(abs(ord(point[0]) - ord(other[0])), abs(int(point[1:]) - int(other[1:])))


def choose(view: junqi.View) -> junqi.Move:
    """The best move for the seat to move, by `value`."""
    enemies = {point: view.belief(point) for point, piece in view.piece_map().items() if piece.seat != view.turn}
    return max(view.legal_moves, key=lambda move: value(view, move, enemies))


def value(view: junqi.View, move: junqi.Move, enemies: dict[str, dict[str, float]]) -> float:
    """The mean gain of the battle, the way to the likely flag, and the danger at both ends of the move."""
    mine = view.possible(move.from_point)
    if move.to_point in enemies:
        chances = enemies[move.to_point]
        return IMPATIENCE * view.quiet + sum(chance * balance(mine, theirs) for theirs, chance in chances.items())
    nearer = sum(
        chances.get("l", 0.0) * (steps(move.from_point, point) - steps(move.to_point, point))
        for point, chances in enemies.items()
    )
    safer = danger(mine, move.from_point, enemies) - danger(mine, move.to_point, enemies)
    return PROGRESS * nearer + CAUTION * safer


def danger(mine: str, point: str, enemies: dict[str, dict[str, float]]) -> float:
    """What the best neighbour would gain by an attack. Campsites, and enemies far away on a railway, are left out."""
    attacks = (
        sum(chance * balance(theirs, mine) for theirs, chance in chances.items() if theirs not in "jl")
        for other, chances in enemies.items()
        if steps(point, other) == 1
    )
    return max(0.0, max(attacks, default=0.0))


def play(engine: junqi.Engine, ours: str) -> junqi.Game:
    """A game of the bot as one seat against an engine as the other."""
    game = junqi.Game("luzhanqi")
    while not game.is_game_over():
        view = game.view(game.turn)
        game.push(choose(view) if game.turn == ours else engine.play(view, movetime_ms=50).move)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description="plays luzhanqi against junqi-engine")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--player", default="1.1", help="the engine's version")
    arguments = parser.parse_args()
    won = 0
    with junqi.Engine("junqi-engine", options={"Player": arguments.player}) as engine:
        for number in range(arguments.games):
            ours = "SN"[number % 2]
            game = play(engine, ours)
            won += game.result == ours
            print(f"game {number + 1}: the bot plays {ours}, result {game.result} by {game.ending}, {game.ply()} plies")
    print(f"the bot won {won} of {arguments.games}")


if __name__ == "__main__":
    main()
