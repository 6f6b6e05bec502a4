"""Compare reported losses with labels: `python -m tools.proof.review RECORD ...`.

In turn, the move that was played and a random move are reviewed in random positions of the games. The label of a move
is its loss by a search `--factor` times as long over `--worlds` worlds. It prints each move, the correlation of the
losses, the blunders that are the label's best move, and how many of the random moves that cost more than 0.15 have a
verdict.
"""

import argparse
import sys
from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tools.proof.review", description="Compare reviews with long searches.")
    parser.add_argument("records", nargs="+", help="records of the referee")
    parser.add_argument("--positions", type=int, default=60, help="default: %(default)s")
    parser.add_argument("--nodes", type=int, default=200_000, help="of the review (default: %(default)s)")
    parser.add_argument("--factor", type=int, default=100, help="how much longer a label takes (default: %(default)s)")
    parser.add_argument("--worlds", type=int, default=200, help="of a label (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of positions and moves (default: %(default)s)")
    options = parser.parse_args(words)
    import random

    from junqi_engine.analysis.evaluation import Settings
    from tools.proof.review.labels import Effort, labelled, summary
    from tools.referee.records.record_file import read_record
    from tools.referee.review.request import ReviewRequest

    games = [ReviewRequest.of(record).game for path in options.records for record in read_record(path)]
    effort = Effort(options.factor * options.nodes, options.worlds)
    found = []
    settings, rng = Settings(options.nodes), random.Random(options.seed)
    for one in labelled(games, options.positions, settings, effort, rng):
        found.append(one)
        kind = "random" if one.is_random else "played"
        best = ", the label's best" if one.is_best else ""
        print(f"{one.variant} step {one.step} {kind} {one.text}: {one.reported:.3f}, label {one.label:.3f}{best}")
        sys.stdout.flush()
    print("\n".join(summary(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
