"""`python -m tools.proof.fuzz [TARGET ...] [--minutes M] [--seed N]`."""

import argparse
import sys
import time

from tools.proof.fuzz.names import NAMES

EXAMPLES_PER_ROUND = 500
DESCRIPTION = """\
Feed damaged input to everything that reads text, one target after the other, until the time is over. An input that
makes a reader fail is shrunk and shown, and the command fails.
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.fuzz", description=DESCRIPTION)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(NAMES)}; default: all")
    parser.add_argument("--minutes", type=float, default=60.0, help="time limit, default %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="of the first round; each round uses the next seed")
    arguments = parser.parse_args()
    for name in arguments.targets:
        if name not in NAMES:
            parser.error(f"no target {name!r}; expected one of {', '.join(NAMES)}")
    try:
        from tools.proof.fuzz.runner import run
    except ModuleNotFoundError as error:
        print(f"tools.proof.fuzz: {error.name} is missing: pip install 'junqi-engine[test]'", file=sys.stderr)
        return 2
    names = arguments.targets or NAMES
    end = time.monotonic() + 60 * arguments.minutes
    rounds = 0
    while time.monotonic() < end:
        for name in names:
            run(name, arguments.seed + rounds, EXAMPLES_PER_ROUND)
        rounds += 1
        print(
            f"round {rounds}: {EXAMPLES_PER_ROUND} inputs for each of {len(names)} targets, no reader failed",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
