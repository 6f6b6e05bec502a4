"""`python -m tools.proof.law [--conversations N] [--seed N] [--first N]`."""

import argparse
import signal
import sys
import time
from collections.abc import Sequence

from junqi_engine.engines.own_program import own_command

DESCRIPTION = """\
Hold hostile conversations with one engine process after the other, in all variants: good, damaged and random lines in
any order, up to eight at a time. Each go must be answered once, each isready in time, each line must be one of the
protocol, a rejected command must change nothing, and the process must run until it is told to end. Prints the counts,
or the first conversation that breaks a guarantee (exit code 1); its number and the seed reproduce it.
"""
ENGINE = own_command()
SHOWN_EVERY = 1000


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    from junqi_engine.engines.client import EngineError
    from tools.proof.law.conversation import Conversations, LawBroken

    conversations = Conversations(ENGINE, arguments.seed)
    began = time.monotonic()
    number = arguments.first
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for number in range(arguments.first, arguments.first + arguments.conversations):
            conversations.hold(number)
            if (number + 1) % SHOWN_EVERY == 0:
                print(f"conversation {number + 1}, {time.monotonic() - began:.0f} s", flush=True)
    except (LawBroken, EngineError) as fault:
        print(f"seed {arguments.seed}, conversation {number}: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"interrupted; continue with --seed {arguments.seed} --first {number}")
    finally:
        conversations.close()
    counts = conversations.counts
    print(f"conversations  {counts.conversations}, seed {arguments.seed}, from number {arguments.first} on")
    print(f"time           {time.monotonic() - began:.0f} s")
    print(f"lines          {counts.lines}, {counts.goes} of them go, each answered once")
    print(f"slowest        {1000 * counts.slowest_s:.0f} ms for all answers of a conversation")
    print(f"rejected       {', '.join(f'{code} {count}' for code, count in sorted(counts.errors.items()))}")
    print(f"processes      {counts.processes}; ended by {', '.join(f'{how} {n}' for how, n in counts.ends.items())}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.law", description=DESCRIPTION)
    parser.add_argument("--conversations", type=int, default=200_000, help="how many, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of what is sent, default %(default)s")
    parser.add_argument("--first", type=int, default=0, help="number of the first one, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
