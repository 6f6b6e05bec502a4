"""Looks for what beats a way to draw line-ups: `python -m tools.training.lineups response --variant V`.

Each *response* is a way to draw line-ups. It plays pairs of games against the line-ups of `go setup`, or of another
way that `--against` names, both sides by the newest player, and the command prints its score with its 95% interval. The
ways are

- `go setup`, a mixture of styles
- each style of line-ups that belief knows, people among them; *engine 3.3* is the population by worths
- this population at half and a quarter of its temperature, so nearer to the best line-up by the worths, and at twice
- `--worths FILE`: other worths, as `python -m tools.training.lineups worth` writes them, at half the temperature

The best score is a lower bound on what a best response scores. An interval is that of one response; the best of many
is a little too good by chance.
"""

import argparse
from collections.abc import Sequence
from functools import partial

from tools.training.command import count, run_command


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("response", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from tools.training.lineups.matches import OWN_LINEUPS, measure, ways_to_set_up

    found = ways_to_set_up(arguments.variant, arguments.worths)
    against = arguments.against or OWN_LINEUPS
    for option, names in (("--against", [against]), ("--only", arguments.only)):
        for name in names:
            if name not in found:
                raise ValueError(f"{option} {name!r}: expected one of {', '.join(map(repr, found))}")
    chosen = arguments.only or [name for name in found if name != against]
    print(f"{'response':<32}{'pairs':>6}{'score':>8}{'95% interval':>18}", flush=True)
    for name in chosen:
        pairs = measure(
            arguments.variant, (found[name], found[against]), arguments.pairs, arguments.nodes, arguments.seed
        )
        least, most = pairs.interval
        print(f"{name:<32}{arguments.pairs:>6}{pairs.score:>8.1%}{f'{least:.1%} to {most:.1%}':>18}", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.lineups response",
        description="Look for ways to draw line-ups that beat those of go setup.",
    )
    add = parser.add_argument
    add("--variant", default="siguo", choices=("siguo", "luzhanqi"), help="default %(default)s")
    add("--pairs", type=count, default=200, help="of games for each response, default %(default)s")
    add("--nodes", type=count, default=4000, help="nodes a move, default %(default)s")
    add("--worths", metavar="FILE", help="worths of another population, which respond too")
    add("--against", metavar="NAME", help="what the responses answer, default go setup")
    add("--only", action="append", default=[], metavar="NAME", help="measure this response; may be repeated")
    add("--seed", type=int, default=1, help="of line-ups and players, default %(default)s")
    return parser
