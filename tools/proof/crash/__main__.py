"""`python -m tools.proof.crash [match] [tournament] [convert] [--kills N] [--seed N]`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = """\
Kill runs of junqi-referee by SIGKILL at random moments. After each kill no process may remain for ten seconds, the
record may have whole lines only, apart from one that was just being written, and no other file may have changed. A run
that was killed several times and then continued must give the same games as one that was not. Prints the counts, or
what is wrong (exit code 1). Linux only.
"""
NAMES = ("match", "tournament", "convert")


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    from tools.proof.crash.killing import CrashError
    from tools.proof.crash.runs import Crashes

    for name in arguments.commands or NAMES:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="junqi-crash-", dir=arguments.folder) as folder:
            try:
                crashes = Crashes(name, Path(folder), arguments.seed)
                while crashes.counts.kills < arguments.kills:
                    crashes.run()
            except CrashError as error:
                print(f"{name}, seed {arguments.seed}: {error}", file=sys.stderr)
                return 1
        counts = crashes.counts
        print(f"{name}: {counts.kills} kills, seed {arguments.seed}, {time.monotonic() - began:.0f} s")
        print(f"  {counts.runs} runs continued to the end, all like one that was not killed")
        print(f"  {counts.too_late} runs ended before they could be killed, {counts.cut_lines} lines were cut off")
        print(f"  killed with {', '.join(f'{state} ({n})' for state, n in sorted(counts.states.items()))} on disk")
        print(f"  no process remained after {counts.slowest_s:.2f} s at most", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.crash", description=DESCRIPTION)
    parser.add_argument("commands", nargs="*", choices=[*NAMES, []], help="what to kill, default all")
    parser.add_argument("--kills", type=int, default=500, help="of each command, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of line-ups and moments, default %(default)s")
    parser.add_argument("--folder", help="where the files are written, default the system's temporary folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
