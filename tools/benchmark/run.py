"""What `junqi-benchmark` does: the missing pairs are played, then all are measured."""

import argparse
import json
import sys
from dataclasses import asdict

from junqi_engine.files import sole_writer, write_whole
from tools.benchmark.measures import measure
from tools.benchmark.players import COMMAND, PLAYER, PYTHON, Subject
from tools.benchmark.playing import Kept, Plan
from tools.benchmark.report import as_html, lines_of
from tools.jobs import workers
from tools.progress import LineProgress
from tools.referee.exits import ExitCode

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
        not asked.no_partners, asked.exploiter,
    )  # fmt: skip
    for subject in (plan.subject, *([Subject(COMMAND, plan.exploiter)] if plan.exploiter else [])):
        subject.start(plan.seed, plan.nodes).close()  # so that a mistake is told at once
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
