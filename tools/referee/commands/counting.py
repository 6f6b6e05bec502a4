"""What `stats` does: count how games were played, and print or draw it."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from junqi_engine.rules.board import BOARDS
from tools.referee.endings import Ending
from tools.referee.exits import ExitCode, RefereeError, report
from tools.referee.records.conversion import read_games, write_file
from tools.referee.records.game_record import GameRecord
from tools.referee.records.replay import verify
from tools.referee.statistics.heat_map import draw_heat_map
from tools.referee.statistics.play import PlayCounts, new_counts
from tools.referee.statistics.play_report import as_json, as_text


def show_statistics(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `stats`."""
    read = read_games(parsed.paths)
    counts, errors, notes = _count(read.games, parsed.mirror)
    errors = [*read.errors, *errors]
    if not counts:
        if errors:
            return report(tuple(errors), tuple(notes))
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
    return report(tuple(errors), tuple(notes))


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
        elif game.ending == Ending.INTERRUPTED or len(game.lineups) < len(BOARDS[game.variant].seats):
            unfinished += 1
        else:
            if game.variant not in counts:
                counts[game.variant] = new_counts(game.variant, is_mirrored)
            counts[game.variant].add(game)
    notes = [f"unfinished games, not counted: {unfinished}"] if unfinished else []
    return counts, errors, notes
