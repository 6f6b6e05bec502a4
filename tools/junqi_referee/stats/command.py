"""What `stats` does: counts how games were played, and prints the counts or draws the line-ups.

The drawing is an SVG: for each kind of piece a block of 30 points, darker where it starts more often.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from junqi_engine.rules.board import BOARDS, CAMPSITE_INDICES, HEADQUARTERS_INDICES, LINEUP_INDICES
from junqi_engine.rules.pieces import COUNTS, KINDS, NAMES
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError, report
from junqi_referee.records.conversion import read_games, write_file
from junqi_referee.records.game_record import FROM_FEN, GameRecord
from junqi_referee.records.replay import verify
from junqi_referee.stats.play import PlayCounts, as_json, as_text


def show_statistics(parsed: argparse.Namespace) -> ExitCode:
    read = read_games(parsed.paths)
    counts, errors, notes = _count(read.games, parsed.mirror)
    errors = [*read.errors, *errors]
    if not counts:
        if errors:
            return report(errors, notes)
        raise RefereeError(f"stats: no finished games in {', '.join(parsed.paths)}", ExitCode.FAILED)
    if parsed.svg is not None:
        if len(counts) > 1:
            raise RefereeError(f"stats: --svg shows one variant; the games are of {' and '.join(counts)}")
        (only,) = counts.values()
        write_file(Path(parsed.svg), draw_heat_map(only).encode(), parsed.overwrite)
    if parsed.json:
        print(json.dumps({variant: as_json(found) for variant, found in counts.items()}))
    else:
        print("\n\n\n".join(map(as_text, counts.values())))
    sys.stdout.flush()
    return report(errors, notes)


def _count(
    games: Sequence[GameRecord], is_mirrored: bool
) -> tuple[dict[str, PlayCounts], list[RefereeError], list[str]]:
    """The counts by variant, an error for each game that breaks the rules, and notes on games that do not count."""
    counts: dict[str, PlayCounts] = {}
    errors, unfinished = [], 0
    for game in games:
        fault = verify(game)
        if fault is not None:
            errors.append(RefereeError(f"game {game.game} is not counted: {fault}", ExitCode.FAILED))
        elif game.fen:
            errors.append(RefereeError(f"game {game.game} is not counted: {FROM_FEN}", ExitCode.FAILED))
        elif game.ending == Ending.INTERRUPTED or len(game.lineups) < len(BOARDS[game.variant].seats):
            unfinished += 1
        else:
            if game.variant not in counts:
                counts[game.variant] = PlayCounts(BOARDS[game.variant], is_mirrored)
            counts[game.variant].add(game)
    notes = [f"unfinished games, not counted: {unfinished}"] if unfinished else []
    return counts, errors, notes


CELL_WIDTH, CELL_HEIGHT = 46, 30
GAP = 30
TITLE_HEIGHT = 26
MARGIN, HEAD = 24, 64
BLOCKS_IN_ROW = 4
COLUMNS, ROWS = 5, 6
LOW, HIGH = (253, 246, 227), (158, 27, 20)
"""The colours of 0 and of the highest share in a block."""
TEXT, FAINT, LINE = "#333", "#666", "#c9b98f"
DARK_SHARE = 0.55
"""Above this part of the highest share, text is white."""


def draw_heat_map(counts: PlayCounts) -> str:
    """The SVG. Each block has its own scale, since kinds differ in number; every point shows its percentage."""
    block_width, block_height = CELL_WIDTH * COLUMNS, CELL_HEIGHT * ROWS + TITLE_HEIGHT
    lines = -(-KINDS // BLOCKS_IN_ROW)
    width = 2 * MARGIN + BLOCKS_IN_ROW * block_width + (BLOCKS_IN_ROW - 1) * GAP
    height = HEAD + lines * (block_height + GAP) - GAP + MARGIN
    variant = counts.board.variant.capitalize()
    mirrored = ", mirrored so that the flag is on the left" if counts.is_mirrored else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Noto Sans, Noto Sans CJK SC, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="30" font-size="18" font-weight="bold" fill="{TEXT}">'
        f"Where the pieces start in {variant}: games {counts.games}, line-ups {counts.lineups}</text>",
        f'<text x="{MARGIN}" y="50" font-size="12" fill="{FAINT}">Percentage of line-ups with the piece at the point; '
        f"front row at the top, seen by the owner{mirrored}. Each piece has its own colour scale.</text>",
    ]
    for kind in range(KINDS):
        line, column = divmod(kind, BLOCKS_IN_ROW)
        parts += _block(counts, kind, MARGIN + column * (block_width + GAP), HEAD + line * (block_height + GAP))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _block(counts: PlayCounts, kind: int, left: int, top: int) -> Iterator[str]:
    number = f"×{COUNTS[kind]}" if COUNTS[kind] > 1 else ""
    yield (
        f'<text x="{left}" y="{top + TITLE_HEIGHT - 9}" font-size="14" font-weight="bold" fill="{TEXT}">'
        f'{NAMES[kind]}<tspan dx="5" font-weight="normal" fill="{FAINT}">{number}</tspan></text>'
    )
    shares = [counts.frequency(kind, place) for place in range(len(LINEUP_INDICES))]
    highest = max(shares) or 1.0
    for index in range(COLUMNS * ROWS):
        row, column = divmod(index, COLUMNS)
        x, y = left + CELL_WIDTH * column, top + TITLE_HEIGHT + CELL_HEIGHT * row
        if index in CAMPSITE_INDICES:
            yield (
                f'<circle cx="{x + CELL_WIDTH / 2:g}" cy="{y + CELL_HEIGHT / 2:g}" r="10" fill="none" stroke="{LINE}"/>'
            )
            continue
        share = shares[LINEUP_INDICES.index(index)]
        border = 2 if index in HEADQUARTERS_INDICES else 0.5
        yield (
            f'<rect x="{x + 1}" y="{y + 1}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}" rx="3" '
            f'fill="{_colour(share / highest)}" stroke="{LINE}" stroke-width="{border}"/>'
        )
        if share:
            colour = "#fff" if share / highest > DARK_SHARE else TEXT
            yield (
                f'<text x="{x + CELL_WIDTH / 2:g}" y="{y + CELL_HEIGHT / 2 + 4:g}" font-size="12" '
                f'text-anchor="middle" fill="{colour}">{_percent(share)}</text>'
            )


def _percent(share: float) -> str:
    percent = 100 * share
    return "&lt;1" if percent < 0.5 else f"{percent:.0f}"


def _colour(part: float) -> str:
    return "#" + "".join(f"{round(low + (high - low) * part):02x}" for low, high in zip(LOW, HIGH, strict=True))
