"""A bot for luzhanqi by information-set Monte Carlo tree search over `View.sample`.

    python ismcts.py
    python ismcts.py --games 10 --player 1.1 --worlds 400

As Cowling, Powley and Whitehouse (2012) have it, each descent of the tree is in another world: a complete game that
agrees with what the seat has seen. The tree has the moves of all worlds; a move counts as often as a world allowed it.
At the end of a descent stands `value`, with all pieces known. To make another bot, change that.
"""

import argparse
import math
import random
from dataclasses import dataclass, field

import junqi_engine as junqi

LINEAR = dict(zip("abcdefghijkl", (10.0, 8.0, 6.0, 4.5, 3.5, 2.5, 1.7, 1.2, 2.5, 2.0, 4.0, 0.0), strict=True))
WAY, CURIOSITY = 0.01, 0.3


@dataclass
class Node:
    """What follows a move: visits, how often a world allowed it, and the sum of the values for the seat that moved."""

    visits: int = 0
    allowed: int = 0
    total: float = 0.0
    moves: dict[str, "Node"] = field(default_factory=dict)

    def promise(self) -> float:
        """The mean value, and more for a move that was seldom tried (UCB1)."""
        return self.total / self.visits + CURIOSITY * math.sqrt(math.log(self.allowed) / self.visits)


def choose(view: junqi.View, worlds: int, seed: int = 0) -> str:
    """The move that was visited most."""
    root, rng = Node(), random.Random(seed)
    for world in view.sample(worlds, seed):
        descend(root, world, rng)
    return max(root.moves, key=lambda move: root.moves[move].visits)


def descend(node: Node, world: junqi.Game, rng: random.Random) -> float:
    """Go down the tree in a world to a move that is new, or to the end; the value for the seat to move here."""
    mover, moves = world.turn, world.legal_moves
    fresh = [move for move in moves if move not in node.moves]
    for move in moves:
        if move in node.moves:
            node.moves[move].allowed += 1
    move = rng.choice(fresh) if fresh else max(moves, key=lambda move: node.moves[move].promise())
    world.push(move)
    child = node.moves.setdefault(move, Node(allowed=1))
    found = value(world, mover) if fresh or world.is_game_over() else -descend(child, world, rng)
    child.visits += 1
    child.total += found
    return found


def value(world: junqi.Game, seat: str) -> float:
    """From -1 to 1: the result, or the pieces that remain and how near the enemy's flag is to them."""
    if world.is_game_over():
        return world.returns()[seat]
    worth, flags, places = dict.fromkeys("SN", 0.0), {}, {"S": list[str](), "N": list[str]()}
    for point, piece in world.piece_map().items():
        assert piece.letter is not None
        worth[piece.seat] += LINEAR[piece.letter]
        if piece.letter == "l":
            flags[piece.seat] = point
        elif piece.letter not in "jk":
            places[piece.seat].append(point)
    other = "N" if seat == "S" else "S"
    ways = [min((steps(point, flags[enemy]) for point in places[own]), default=12)
            for own, enemy in ((seat, other), (other, seat))]  # fmt: skip
    return math.tanh((worth[seat] - worth[other]) / 20 + WAY * (ways[1] - ways[0]))


def steps(point: str, other: str) -> int:
    """The steps between two points as a king of chess goes."""
    return max(abs(ord(point[0]) - ord(other[0])), abs(int(point[1:]) - int(other[1:])))


def main() -> None:
    parser = argparse.ArgumentParser(description="Play luzhanqi against junqi-engine.")
    parser.add_argument("--games", type=int, default=2, help="games to play, default %(default)s")
    parser.add_argument("--player", default="1.0", help="the version of the engine, default %(default)s")
    parser.add_argument("--worlds", type=int, default=200, help="sampled games per move, default %(default)s")
    asked = parser.parse_args()
    score = 0.0
    with junqi.Engine("junqi-engine", options={"Player": asked.player, "Seed": 1}) as engine:
        for number in range(asked.games):
            game, ours = junqi.Game("luzhanqi", seed=number // 2), "SN"[number % 2]
            while not game.is_game_over():
                view = game.view(game.turn)
                ply = game.ply()
                game.push(choose(view, asked.worlds, ply) if game.turn == ours else engine.play(view, nodes=1000).move)
            score += (game.returns()[ours] + 1) / 2
            print(f"game {number + 1}: the bot plays {ours}, result {game.result} by {game.ending}, {game.ply()} plies")
    print(f"the bot scored {score:g} of {asked.games}")


if __name__ == "__main__":
    main()
