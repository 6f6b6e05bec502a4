"""The crosstable as a file: CSV for programs, HTML for people."""

import csv
import io
from html import escape
from pathlib import Path

from tools.referee.exits import RefereeError
from tools.referee.records.conversion import write_file
from tools.referee.results.report import Standings, cross_rows

PAGE = """<!doctype html>
<meta charset="utf-8">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font-family: sans-serif }}
table {{ border-collapse: collapse }}
th, td {{ border-bottom: 1px solid; padding: 0.2em 0.6em; text-align: right }}
th:nth-child(2), td:nth-child(2) {{ text-align: left }}
</style>
<table>
<caption>{title}</caption>
{rows}
</table>
"""


def check_table(path: str | None, replaces: bool) -> None:
    """Refuse (`RefereeError`) a file that could not be written after the games."""
    if path is None:
        return
    if Path(path).suffix not in WRITERS:
        raise RefereeError(f"--table {path}: expected the ending {' or '.join(WRITERS)}")
    if Path(path).exists() and not replaces:
        raise RefereeError(f"--table {path} exists; only --resume replaces it")


def write_table(path: str, standings: Standings, replaces: bool) -> None:
    """Write the crosstable of a finished match or tournament."""
    write_file(Path(path), WRITERS[Path(path).suffix](standings).encode(), replaces)


def as_csv(standings: Standings) -> str:
    """The cells of the crosstable; what one engine has against another is `wins-losses-draws`."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(cross_rows(standings))
    return text.getvalue()


def as_html(standings: Standings) -> str:
    """A page with the crosstable, which needs nothing else."""
    heading, *rows = cross_rows(standings)
    lines = ["".join(f"<th>{escape(cell)}" for cell in heading)]
    lines += ["".join(f"<td>{escape(cell)}" for cell in row) for row in rows]
    title = f"{len(standings.engines)} engines, {standings.games} games"
    return PAGE.format(title=title, rows="\n".join(f"<tr>{line}" for line in lines))


WRITERS = {".csv": as_csv, ".html": as_html}
"""By the ending of a file's name."""
