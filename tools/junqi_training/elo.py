"""The Elo of the levels of `Skill Level`: `python -m junqi_training.elo FOLDER`.

The anchor, player 1.2, and the levels form a ladder; neighbours play a match of pairs from the line-ups of the book, at
the limits of nodes that the levels themselves have. The Elo of a level is that of the anchor plus the differences on
the way up to it; the squares of their errors add up. Writes `junqi_engine/players/elo.json`, which `UCI_Elo` uses. The
records are in FOLDER, and an interrupted run continues with them.
"""

import argparse
import json
import math
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from junqi_engine.client.line_process import own_command
from junqi_engine.players.versions import ANCHOR, ANCHOR_ELO, ELO_FILE
from junqi_protocol.catalogue import JUNQI_VARIANTS
from junqi_referee.playing.standings import PairingResults
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.settings.settings import MatchSettings
from junqi_training.command import count, json_text, run_command

LEVELS = "0,4,8,12,16"
FULL_SKILL = 20
PAIRS = 60


def main(words: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    run = partial(_run, _parser().parse_args(given), given)
    return run_command("elo", run, "interrupted; the same command continues")


def _run(arguments: argparse.Namespace, given: Sequence[str]) -> int:
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    table = json.loads(ELO_FILE.read_text(encoding="utf-8"))
    for variant in arguments.variants:
        below = [None, *arguments.levels[:-1]]
        standings = [_match(arguments, variant, *each) for each in zip(below, arguments.levels, strict=True)]
        try:
            rows = ladder(arguments.levels, standings)
        except ValueError as error:
            raise ValueError(f"{variant}: {error}") from None
        for row in rows:
            print(f"{variant} {row}")
        made_by = shlex.join(["python", "-m", "junqi_training.elo", *given])
        table[variant] = {"made by": made_by, "levels": rows}
    ELO_FILE.write_text(json_text(table) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    description = "Measure the Elo of the levels of Skill Level by matches of neighbouring levels."
    parser = argparse.ArgumentParser(prog="python -m junqi_training.elo", description=description)
    add = parser.add_argument
    add("folder", help="folder of the records; finished games in it are not played again")
    add("--levels", type=_levels, default=LEVELS, help="levels to measure, ascending, default %(default)s")
    add("--pairs", type=count, default=PAIRS, help="pairs of games a match, default %(default)s")
    add("--variants", type=_variants, default=",".join(JUNQI_VARIANTS), help="default %(default)s")
    add("--seed", type=int, default=1, help="of line-ups and engines, default %(default)s")
    add("--concurrency", type=count, default=1, help="games at a time, default %(default)s")
    return parser


def _levels(text: str) -> list[int]:
    levels = [int(word) if word.isascii() and word.isdecimal() and len(word) < 3 else -1 for word in text.split(",")]
    if min(levels) < 0 or max(levels) > FULL_SKILL or levels != sorted(set(levels)):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a list of levels from 0 to {FULL_SKILL}, ascending")
    return levels


def _variants(text: str) -> list[str]:
    variants = text.split(",")
    if not {*variants} <= {*JUNQI_VARIANTS}:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a list of {', '.join(JUNQI_VARIANTS)}")
    return variants


def _match(arguments: argparse.Namespace, variant: str, lower: int | None, upper: int) -> PairingResults:
    """Play a level against the one below it, or against the anchor; the standing of the upper one."""
    record = Path(arguments.folder) / f"{variant}_{upper}_{ANCHOR if lower is None else lower}.jsonl"
    tables = {
        "match": {"variant": variant, "rounds": arguments.pairs, "seed": arguments.seed,
                  "concurrency": arguments.concurrency, "record": str(record)},
        # No level searches more than its own limit of nodes; the limit here only switches clocks off.
        "each": {"cmd": list(own_command()), "nodes": 10**9},
        "engine": [_engine(upper), _engine(lower)],
    }  # fmt: skip
    tournament = Tournament(MatchSettings.read(tables, "elo"))
    with Progress(sys.stderr) as progress:
        tournament.run(progress, resume=True)
    (standing,) = tournament.standings.by_pairing.values()
    return standing


def _engine(level: int | None) -> dict[str, Any]:
    if level is None:
        return {"name": f"player {ANCHOR}", "option": {"Player": ANCHOR}}
    return {"name": f"level {level}", "option": {"Skill Level": str(level)}}


def ladder(levels: Sequence[int], standings: Sequence[PairingResults]) -> list[dict[str, Any]]:
    """The levels with their Elo, half the width of its 95% interval, and the results that each adds to the ladder.

    `standings` are those of each level against the one below it, of the first against the anchor. ValueError if one of
    them has no finite interval, or if a level is not stronger than the level below it. The first may be weaker than
    the anchor.
    """
    rows: list[dict[str, Any]] = []
    elo, variance = float(ANCHOR_ELO), 0.0
    for level, standing in zip(levels, standings, strict=True):
        strength = standing.strength
        if strength.elo is None or strength.elo_error is None or not math.isfinite(strength.elo_error):
            raise ValueError(f"level {level} against the one below it has no finite interval; play more pairs")
        if rows and strength.elo <= 0:
            raise ValueError(f"level {level} is not stronger than the one below it; play more pairs")
        elo += strength.elo
        variance += strength.elo_error**2
        rows.append({
            "level": level, "elo": round(elo), "error": round(math.sqrt(variance)),
            "wins": standing.wins, "losses": standing.losses, "draws": standing.draws,
        })  # fmt: skip
    return rows


if __name__ == "__main__":
    sys.exit(main())
