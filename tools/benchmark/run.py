"""What `junqi-benchmark` does: the missing pairs are played, then all are measured.

The results are text, JSON and a page of HTML.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from html import escape
from typing import Any

from junqi_engine.files import sole_writer, write_whole
from tools.benchmark.measures import measure
from tools.benchmark.playing import COMMAND, PLAYER, PYTHON, Kept, Plan, Subject
from tools.jobs import LineProgress, workers
from tools.referee.exits import ExitCode
from tools.referee.playing.standings import PAGE

ELOS = {
    ("luzhanqi", "partner"): {"1.0": 876, "1.1": 951, "1.2": 1000, "2.0": 1260},
    ("siguo", "partner"): {"1.0": 697, "1.1": 964, "1.2": 1000, "2.0": 1313},
    ("siguo", "dark"): {"1.0": 784, "1.1": 967, "1.2": 1000, "2.0": 1301},
}
"""The anchors at 1,000 nodes, as docs/environments.md has them; 1.2 has 1000. Another visibility has those of
`partner`.
"""


def run(asked: argparse.Namespace) -> ExitCode:
    """Carry out the command."""
    given = {COMMAND: asked.command, PLAYER: asked.player, PYTHON: asked.python}
    [(kind, text)] = [(kind, text) for kind, text in given.items() if text is not None]
    plan = Plan(
        Subject(kind, text), asked.variant, asked.visibility, asked.nodes, asked.seed, asked.pairs, asked.luck,
        not asked.no_partners,
    )  # fmt: skip
    plan.subject.start(plan.seed, plan.nodes).close()  # so that a mistake is told at once
    with sole_writer(asked.folder):
        kept = Kept(asked.folder / "games.jsonl", plan)
        total = len(plan.parts()) * plan.pairs
        with LineProgress(sys.stderr, total, len(kept.known), "pairs") as progress, workers(asked.concurrency) as hired:
            for rows in hired.results(plan.jobs(kept.known)):
                kept.add(rows)
                progress.count()
        elos = ELOS.get((plan.variant, plan.visibility), ELOS[plan.variant, "partner"])
        found = measure(kept.rows, plan.parts(), elos)
        table = {**asdict(plan), "subject": text, "anchors": elos, **found}
        write_whole(asked.folder / "report.json", (json.dumps(table, indent=1) + "\n").encode(), replaces=True)
        write_whole(asked.folder / "report.html", as_html(table).encode(), replaces=True)
    print("\n".join(lines_of(table)))
    return ExitCode.DONE


def lines_of(table: Mapping[str, Any]) -> list[str]:
    """The results as text."""
    return ["  ".join(row).rstrip() for row in _rows(table)]


def as_html(table: Mapping[str, Any]) -> str:
    """A page that needs nothing else."""
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}" for cell in row) for row in _rows(table))
    return PAGE.format(title=escape(f"{table['subject']}, {table['variant']}, {table['visibility']}"), rows=rows)


def _rows(table: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    found = table["rating"]
    yield "Elo on the scale of the anchors", f"{_text(found['elo'])} +/- {_text(found['error'])}"
    for title in ("against", "beside"):
        for other, match in table[title].items():
            what = f"{title} {other}" if title == "against" else f"beside {other} against two of it"
            low, high = match["elo_interval"]
            score = f"{match['games']} games, score {_text(match['score'])}"
            faults = f", {match['faults']} lost by a fault" if match["faults"] else ""
            yield what, f"{score}, Elo {_text(match['elo'])} ({_text(low)} to {_text(high)}){faults}"
    for other, found in table["without_luck"].items():
        if found is not None:
            score = f"{_text(found['score'])} +/- {_text(found['error'])}"
            fair = f"{_text(found['score_without_luck'])} +/- {_text(found['error_without_luck'])}"
            needed = f"the same interval from {_text(found['games_needed'])} of the games"
            yield f"score against {other}", f"{score}; without luck {fair}; {needed}"
    if (belief := table["belief"]) is not None:
        yield "belief", f"log-loss {belief['log_loss']} nats over {belief['pieces']} hidden pieces"
        for row in belief["tenths"]:
            yield "  told, came true", f"{row['told']}, {row['came_true']} of {row['entries']}"


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
