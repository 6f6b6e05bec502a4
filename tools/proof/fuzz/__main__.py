"""`python -m tools.proof.fuzz [TARGET ...] [--minutes M] [--seed N] [--corpus FOLDER]`."""

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from junqi_engine.engines.own_program import own_command
from tools.proof.fuzz.names import NAMES

LIBFUZZER = ("-print_final_stats=1", "-timeout=120", "-rss_limit_mb=4096")
STATUS = re.compile(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)")
DESCRIPTION = """\
Feed hostile input to everything that reads text, one target after the other, guided by the code that it reaches. An
input that makes a reader fail is shown and kept in the folder, and the command fails after the last target. Needs Linux
and the extra `proof`.
"""


def fuzz(name: str, minutes: float, seed: int, corpus: Path) -> bool:
    """Run a target for some minutes in a process of its own, and print a line about it; whether no reader failed."""
    folder = corpus / name
    folder.mkdir(parents=True, exist_ok=True)
    limits = f"-max_total_time={60 * minutes:.0f}", f"-seed={seed}", f"-artifact_prefix={corpus}/{name}-"
    command = own_command("tools.proof.fuzz.guided", name, *LIBFUZZER, *limits, str(folder))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    found = STATUS.findall(done.stdout)
    inputs, covered, features, kept = found[-1] if found else "0000"
    is_sound = done.returncode == 0 and bool(found)
    outcome = "no reader failed" if is_sound else f"FAILED, exit code {done.returncode}"
    print(f"{name}: {inputs} inputs, coverage {covered}, features {features}, kept {kept}: {outcome}", flush=True)
    if not is_sound:
        print("\n".join(line for line in done.stdout.splitlines() if not STATUS.match(line)), flush=True)
    return is_sound


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.fuzz", description=DESCRIPTION)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(NAMES)}; default: all")
    parser.add_argument("--minutes", type=float, default=20.0, help="for each target, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of libFuzzer, above 0, default %(default)s")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps the inputs which reach new code")
    arguments = parser.parse_args(words)
    for name in arguments.targets:
        if name not in NAMES:
            parser.error(f"no target {name!r}; expected one of {', '.join(NAMES)}")
    if importlib.util.find_spec("atheris") is None:
        print("tools.proof.fuzz: atheris is missing: pip install 'junqi-engine[proof]'", file=sys.stderr)
        return 2
    corpus = arguments.corpus or Path(tempfile.mkdtemp(prefix="junqi-fuzz-"))
    sound = [fuzz(name, arguments.minutes, arguments.seed, corpus) for name in arguments.targets or NAMES]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
