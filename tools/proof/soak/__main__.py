"""`python -m tools.proof.soak [--games N] [--orders N] [--minutes M] [--seed N]`."""

import argparse
import sys
import time
from collections.abc import Sequence

from junqi_engine.engines.own_program import own_command

DESCRIPTION = """\
Play games with bounds checks in all kernels, then send commands in random order to one process. No game may end by a
fault, each go must be answered once and in time, and memory must not grow. Prints a summary, or the first fault
(exit code 1).
"""
ENGINE = own_command()


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    from junqi_engine.engines.client import EngineError
    from tools.proof.soak.findings import Findings, SoakError
    from tools.proof.soak.games import play_games
    from tools.proof.soak.orders import give_orders

    began, found, seed = time.monotonic(), Findings(), arguments.seed
    try:
        play_games(found, ENGINE, arguments.games, began + 30 * arguments.minutes, seed)
        give_orders(found, ENGINE, arguments.orders, began + 60 * arguments.minutes, seed)
    except (SoakError, EngineError) as fault:
        print(f"seed {seed}, after {found.games} games and {found.orders} orders: {fault}", file=sys.stderr)
        return 1
    print("\n".join(found.summary(time.monotonic() - began)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.soak", description=DESCRIPTION)
    parser.add_argument("--games", type=int, default=1000, help="games to play, default %(default)s")
    parser.add_argument("--orders", type=int, default=50_000, help="commands to send, default %(default)s")
    parser.add_argument(
        "--minutes", type=float, default=24 * 60.0, help="time limit, half of it for the games, default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, help="of players, line-ups and commands, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
