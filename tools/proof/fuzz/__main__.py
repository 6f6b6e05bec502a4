"""`python -m tools.proof.fuzz [TARGET ...] [--minutes M] [--seed N]`: every target in turn until the time is up."""

import argparse
import sys
import time

EXAMPLES_A_ROUND = 500


def main() -> int:
    try:
        from tools.proof.fuzz.runner import NAMES, run
    except ModuleNotFoundError as error:
        print(f"tools.proof.fuzz: {error.name} is missing: pip install 'junqi-engine[test]'", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(prog="python -m tools.proof.fuzz", description=__doc__.partition(": ")[2])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(NAMES)}; default: all")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first round; each round has the next one")
    arguments = parser.parse_args()
    for name in arguments.targets:
        if name not in NAMES:
            parser.error(f"no target {name!r}; there are {', '.join(NAMES)}")
    names = arguments.targets or NAMES
    end = time.monotonic() + 60 * arguments.minutes
    rounds = 0
    while time.monotonic() < end:
        for name in names:
            run(name, arguments.seed + rounds, EXAMPLES_A_ROUND)
        rounds += 1
        print(f"round {rounds}: {EXAMPLES_A_ROUND} inputs for each of {len(names)} targets, all answered", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
