"""The results as text, as JSON and as a page of HTML."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from tools.referee.results.table import PAGE


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
    if (found := table["exploitability"]) is not None:
        gain = f"{found['opponent']} gains {_text(found['gain'])} over an even score in {found['games']} games"
        yield "exploitability", f"at least {_text(found['at_least'])} (95%): {gain}"
    if (belief := table["belief"]) is not None:
        yield "belief", f"log-loss {belief['log_loss']} nats over {belief['pieces']} hidden pieces"
        for row in belief["tenths"]:
            yield "  told, came true", f"{row['told']}, {row['came_true']} of {row['entries']}"


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
