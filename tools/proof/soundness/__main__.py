"""Soundness of deduction: `python -m tools.proof.soundness [GAMES] [--seed N]`.

Plays random games in which half of the moves are attacks, if there are any. Each is seen by a team, by one seat or by
a spectator. After every ply the mask of every piece, dead or alive, must contain its true kind. Prints how long
`observe` took, or the first game, ply and piece whose true kind was ruled out (exit code 1).
"""

import argparse
import sys
from collections.abc import Sequence

DESCRIPTION = "Check in random games that deduction never rules out the true kind of a piece."
GAMES = 10_000


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.soundness", description=DESCRIPTION)
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help="games to play, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the games, default %(default)s")
    arguments = parser.parse_args(words)
    from tools.proof.soundness.check import VIEWERS, Timing, check

    timings = {name: Timing() for name in VIEWERS}
    for number in range(arguments.games):
        name = list(VIEWERS)[number % len(VIEWERS)]
        fault = check(f"{arguments.seed} {number}", VIEWERS[name], timings[name])
        if fault is not None:
            print(f"game {number}, seen by {name}: {fault}")
            return 1
    for name, timing in timings.items():
        if timing.times:
            print(f"seen by {name}: {timing}")
    print(f"{arguments.games} games: no true kind was ruled out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
