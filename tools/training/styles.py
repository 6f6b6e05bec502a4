"""The styles of line-ups that belief knows: `python -m tools.training.styles [NAME:SHARE=FILE ...]`.

Makes `junqi_engine/information/styles.json` anew. The styles of this engine come from line-ups that it draws; each FILE
adds a style, or replaces the one of that name. A FILE is a book of the referee (a line-up of letters in each line) or
a `.jql` file. SHARE is the share of a style before anything is known; the shares are relative to each other, and
`people` has 2.5. Styles that are not named stay as they are, and so do the terms of what pieces do, which
`python -m tools.training.calibration --fit` fits.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from tools.training.command import run_command
from tools.training.counts import count


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("styles", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from junqi_engine.information.style_belief import STYLES_FILE
    from tools.referee.schedule.book import Book
    from tools.training.style_tables import Style, own_styles, stored_behaviour, stored_styles, table_of, write_styles

    given = [
        Style(name, share, table_of(Book.read(file).lineups, arguments.smoothing))
        for name, share, file in arguments.styles
    ]
    made = own_styles(arguments.lineups, arguments.seed)
    styles = {(style.name, style.variant): style for style in (*stored_styles(), *made, *given)}
    write_styles(list(styles.values()), stored_behaviour())
    print(f"{STYLES_FILE}: {', '.join(dict.fromkeys(style.name for style in styles.values()))}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.styles", description="Make the styles of line-ups that belief knows."
    )
    parser.add_argument(
        "styles", nargs="*", type=_style, metavar="NAME:SHARE=FILE", help="a style from the line-ups of a file"
    )
    parser.add_argument(
        "--lineups", type=count, default=6_000, help="line-ups to draw for each own style, default %(default)s"
    )
    parser.add_argument(
        "--smoothing", type=count, default=8, metavar="N",
        help="line-ups, spread evenly, that are added to those of each file, default %(default)s",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of these line-ups, default %(default)s")
    return parser


def _style(text: str) -> tuple[str, float, str]:
    head, _, file = text.partition("=")
    name, _, share = head.rpartition(":")
    try:
        value = float(share)
    except ValueError:
        value = 0.0
    if not name or not file or not 0.0 < value <= 1000.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME:SHARE=FILE with a share above 0, at most 1000")
    return name, value, file


if __name__ == "__main__":
    sys.exit(main())
