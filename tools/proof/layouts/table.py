"""The results as a table in Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from puzzles.metric import Metric
from tools.proof.layouts.survey import Summary

COLUMNS = (
    "vertical", "horizontal", "single", "layouts", "components", "with a goal", "layouts in those",
    *(f"hardest, {metric.value}" for metric in Metric),
)  # fmt: skip


def table(summaries: Iterable[Summary]) -> Iterator[str]:
    """A line for each set of pieces; of the hardest layouts the steps, and one as a code."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{'---|' * len(COLUMNS)}"
    for summary in summaries:
        pieces = summary.pieces
        cells = [pieces.vertical, pieces.horizontal, pieces.single, summary.layouts, summary.components]
        cells += [summary.solvable_components, summary.solvable]
        found = [summary.hardest.get(metric.value) for metric in Metric]
        hardest = ["" if one is None else f"{one.steps} `{one.code}`" for one in found]
        yield f"| {' | '.join([*(f'{cell:,}' for cell in cells), *hardest])} |"


def totals(summaries: Sequence[Summary]) -> Iterator[str]:
    """All sets together, and the hardest layout of all in each metric."""
    layouts = sum(summary.layouts for summary in summaries)
    components = sum(summary.components for summary in summaries)
    solvable = sum(summary.solvable for summary in summaries)
    with_goal = sum(summary.solvable_components for summary in summaries)
    yield (
        f"{len(summaries)} sets of pieces: {layouts:,} layouts in {components:,} components;"
        f" {with_goal:,} components with {solvable:,} layouts have a goal"
    )
    for metric in Metric:
        found = [(summary.hardest[metric.value], summary.pieces) for summary in summaries if summary.hardest]
        if found:
            hardest, pieces = max(found, key=lambda one: one[0].steps)
            yield f"hardest in metric {metric.value}: {hardest.steps} steps from {hardest.code} ({pieces})"
