"""`python -m tools.proof.hostile [--matches N] [--minutes M] [--seed N]`."""

import argparse
import sys
import time
from collections.abc import Sequence

DESCRIPTION = """\
Play short matches of a hostile engine against a sound one, in all variants and visibilities and in the contest's
dialect, and test every tenth hostile engine with `check`. No exception may end a match, the record must agree with the
rules, and only the hostile engine may lose by a fault. Prints the counts, or what is wrong (exit code 1).
"""
SHOWN_EVERY = 100


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    from tools.proof.hostile.runs import Counts, HostileError, run_seeds

    counts, began = Counts(), time.monotonic()
    seed = arguments.seed
    try:
        for seed in range(arguments.seed, arguments.seed + arguments.matches):
            if time.monotonic() - began > 60 * arguments.minutes:
                break
            run_seeds(counts, [seed])
            if counts.matches % SHOWN_EVERY == 0:
                print(f"match {counts.matches}, {time.monotonic() - began:.0f} s", flush=True)
    except HostileError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"matches   {counts.matches}, {counts.games} games, seeds from {arguments.seed} to {seed}")
    print(f"time      {time.monotonic() - began:.0f} s")
    print(f"endings   {', '.join(f'{ending} {count}' for ending, count in sorted(counts.endings.items()))}")
    print(f"refused   {', '.join(f'{code} {count}' for code, count in sorted(counts.refused.items())) or 'none'}")
    print(f"checks    {counts.checks}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.hostile", description=DESCRIPTION)
    parser.add_argument("--matches", type=int, default=10_000, help="how many, default %(default)s")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="time limit, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the first match, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
