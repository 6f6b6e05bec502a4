"""`python -m tools.proof.board fuzz|kills [--count N] [--seed S]`, and `tables [--count N] [--minutes M]`."""

import argparse
import random
import sys
import time

ATTACKS, TABLES = 500, 8


def main() -> int:
    parser = argparse.ArgumentParser("python -m tools.proof.board", description="Attack the web board.")
    parser.add_argument(
        "attack",
        choices=("fuzz", "kills", "tables"),
        help="hostile engines, SIGKILL at random moments, or many games at the same time",
    )
    parser.add_argument("--count", type=int, help="conversations or kills (default: 500), tables (default: 8)")
    parser.add_argument("--minutes", type=float, default=20.0, help="of the tables (default: %(default)g)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one; each has the next seed")
    options = parser.parse_args()
    if options.attack == "tables":
        return _tables(options.count or TABLES, options.minutes, options.seed)
    attack = _fuzz if options.attack == "fuzz" else _kill
    return attack(options.seed, options.count or ATTACKS)


def _tables(count: int, minutes: float, seed: int) -> int:
    from tools.proof.board.tables import MOST_GROWTH, run

    findings = run(count, 60 * minutes, seed)
    print(f"{count} tables for {minutes:g} minutes from seed {seed}: {findings}")
    for fault in findings.faults:
        print(fault, file=sys.stderr)
    return int(bool(findings.faults) or findings.growth > MOST_GROWTH)


def _fuzz(seed: int, count: int) -> int:
    from tools.proof.board.conversations import Broken, Findings, run

    findings, began_s = Findings(), time.monotonic()
    for number in range(seed, seed + count):
        try:
            findings.add(run(random.Random(number)))
        except Broken as error:
            print(f"seed {number}: {error}", file=sys.stderr)
            return 1
        if findings.count % 50 == 0:
            print(f"seeds {seed} to {number}: {findings}", flush=True)
    seconds = time.monotonic() - began_s
    print(f"{count} conversations from seed {seed} in {seconds:.0f} s, none broke the board: {findings}")
    return 0


def _kill(seed: int, count: int) -> int:
    from tools.proof.board.kills import Broken, Kills

    began_s = time.monotonic()
    with Kills() as kills:
        for number in range(seed, seed + count):
            try:
                kills.run(random.Random(number))
            except Broken as error:
                print(f"seed {number}: {error}", file=sys.stderr)
                return 1
            if (number - seed) % 20 == 19:
                print(f"seeds {seed} to {number}: {kills.summary()}", flush=True)
        print(f"{count} kills from seed {seed} in {time.monotonic() - began_s:.0f} s: {kills.summary()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
