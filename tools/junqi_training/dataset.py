"""Positions of engines' games as arrays: `python -m junqi_training.dataset RECORD ... --out positions.npz`.

Beside the arrays it writes a datasheet (Gebru et al., Communications of the ACM 2021), `positions.md`: where the games
come from, what each array is, and what the data are not good for. A record in which a person played is refused.
"""

import argparse
import hashlib
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from junqi_engine.api.game import Game, View
from junqi_engine.env.observation import VISIBILITIES, Observer, viewer_of
from junqi_engine.errors import quoted
from junqi_engine.files import write_whole
from junqi_engine.information.belief.opponents import belief
from junqi_engine.notation.moves import format_viewer, parse_move
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.layout import seat_of, slot_of, team_of
from junqi_engine.rules.pieces import KINDS
from junqi_engine.version import __version__
from junqi_referee.records.game_record import DRAW, GameRecord, read_record
from junqi_training.command import count, run_command

ENGINE = "engine"
"""Who plays, as the board writes it to records; the referee's records do not say it, because only engines play."""
COMMAND = "command"
"""The program of an engine; a game that was converted from a file of people's games has none."""
SCORE = re.compile(r"cp ([+-]?[0-9]{1,9})|mate ([+-]?[0-9]{1,4})")
"""What fits in the arrays."""
ARRAYS = {
    "observation": "what the seat to move sees, by relative point (docs/environments.md)",
    "counts": "the same, in numbers",
    "mask": "the legal actions, as bits: `np.unpackbits(mask, axis=1, count=points * points)`",
    "action": "the action that was played",
    "belief": "the chances of the kinds `a` to `l` of the piece on each relative point; 0 where none stands",
    "score": "what the engine that moved said, for its team, in hundredths of a Lieutenant; NaN if it said none",
    "mate": "the moves to the end that it announced, negative for a loss; 0 if it announced none",
    "outcome": "how the game ended for the team to move: 1, 0 or -1",
    "game": "the number of the game, from 0 on over all records",
    "ply": "the plies before the position",
    "seat": "the seat to move, in the order of turns",
}
"""What the file holds, one entry for each position."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m junqi_training.dataset", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="records of the referee, all of one variant")
    parser.add_argument("--out", required=True, metavar="FILE.npz", help="the file to write, which must be new")
    parser.add_argument("--visibility", choices=VISIBILITIES, default=VISIBILITIES[0], help="what a seat sees")
    parser.add_argument("--every", type=count, default=1, metavar="N", help="take every N-th position of a game")
    return run_command("dataset", partial(_run, parser.parse_args(words)))


def _run(asked: argparse.Namespace) -> int:
    out, sheet = Path(asked.out), Path(asked.out).with_suffix(".md")
    if out.suffix != ".npz":
        raise ValueError(f"--out {out}: expected the ending .npz")
    for path in (out, sheet):
        if path.exists():
            raise ValueError(f"{path} exists")
    games = [(path, game) for path in asked.records for game in read_record(path) if not game.ending.breaks_off]
    variants = {game.variant for _, game in games}
    if len(variants) != 1:
        raise ValueError(
            f"the records have finished games of {', '.join(sorted(variants)) or 'no variant'}, expected one"
        )
    rows = [row for number, (path, game) in enumerate(games) for row in _positions(path, game, number, asked)]
    arrays = {name: np.array([row[name] for row in rows]) for name in ARRAYS}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    write_whole(out, file.getbuffer(), replaces=False)
    write_whole(sheet, _datasheet(asked, [game for _, game in games], arrays).encode(), replaces=False)
    print(f"{len(rows)} positions of {len(games)} games in {out}, described in {sheet}")
    return 0


def _positions(path: str, record: GameRecord, number: int, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The positions of a game before its moves, as entries of `ARRAYS`."""
    where = f"{path}, game {record.game}"
    for seats, entry in record.engines.items():
        if entry.get("who", ENGINE) != ENGINE or not entry.get(COMMAND):
            raise ValueError(f"{where}: {seats} has no engine's command; a data set has games of engines only")
    board, observer = BOARDS[record.variant], Observer(record.variant)
    try:
        table = {"variant": record.variant, "lineups": record.lineups, "first": record.first, "rules": record.rules}
        game = Game.from_record({**table, "moves": []})
        for ply, (text, score) in enumerate(zip(record.moves, record.scores, strict=True)):
            move, seat = parse_move(board, text), game.state.turn
            if move.is_ply and ply % asked.every == 0:
                view = game.view(format_viewer(board, viewer_of(board, asked.visibility, seat)))
                seen = observer.observe(view)
                cp, mate = _score(score)
                yield {
                    "observation": seen["observation"],
                    "counts": seen["counts"],
                    "mask": np.packbits(seen["action_mask"]),
                    "action": np.int32(observer.frame(seat).action_of(move.move)),
                    "belief": _belief(view, observer.frame(seat).relative),
                    "score": np.float32(cp),
                    "mate": np.int16(mate),
                    "outcome": np.int8(_outcome(record, seat)),
                    "game": np.int32(number),
                    "ply": np.int32(game.ply()),
                    "seat": np.int8(seat),
                }
            game.push(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _belief(view: View, relative: np.ndarray) -> np.ndarray:
    """(points, 12) of float16, by relative point."""
    found, chances = np.zeros((len(relative), KINDS), np.float16), belief(view.state)
    for point in view.state.board.points:
        piece = view.state.piece_at(point)
        if piece is not None:
            found[relative[point]] = chances[seat_of(piece)][slot_of(piece)]
    return found


def _score(text: str | None) -> tuple[float, int]:
    """The score of a move and the moves to the end, of which one was said, or neither; ValueError for another text."""
    if text is None:
        return np.nan, 0
    match = SCORE.fullmatch(text)
    if match is None:
        raise ValueError(f"score {quoted(text)} is neither cp NUMBER nor mate NUMBER")
    return (float(match[1]), 0) if match[1] else (np.nan, int(match[2]))


def _outcome(record: GameRecord, seat: int) -> int:
    return 0 if record.result == DRAW else 1 if record.result == BOARDS[record.variant].teams[team_of(seat)] else -1


def _datasheet(asked: argparse.Namespace, games: Sequence[GameRecord], arrays: Mapping[str, np.ndarray]) -> str:
    """What a user of the data must know."""
    players = Counter(_player(entry) for game in games for entry in game.engines.values())
    rules = Counter(", ".join(f"{name} {value}" for name, value in game.rules.items()) for game in games)
    files = [(path, hashlib.sha256(Path(path).read_bytes()).hexdigest()) for path in asked.records]
    endings = Counter(f"{game.result} by {game.ending}" for game in games)
    lines = [
        f"# {Path(asked.out).name}",
        "",
        f"{len(arrays['ply'])} positions of {len(games)} finished games of {games[0].variant} between engines, each "
        f"seen by the seat to move (visibility `{asked.visibility}`; every {asked.every}. position of a game). Written "
        f"by `python -m junqi_training.dataset` of junqi-engine {__version__}.",
        "",
        "## Arrays",
        "",
        "| array | shape | type | what it is |",
        "|---|---|---|---|",
        *(f"| `{name}` | {arrays[name].shape} | {arrays[name].dtype} | {text} |" for name, text in ARRAYS.items()),
        "",
        "Load them by `numpy.load`. Relative points and actions are those of `junqi_engine.env`.",
        "",
        "## Where the games come from",
        "",
        *(f"- {Path(path).name}, SHA-256 {digest}" for path, digest in files),
        *(f"- {number} times a player {name}" for name, number in players.most_common()),
        *(f"- {number} games with the rules {text}" for text, number in rules.most_common()),
        *(f"- {number} games ended: {text}" for text, number in endings.most_common()),
        "",
        "Every move was checked against the rules. No person played, and nothing in the data is about a person.",
        "",
        "## What to bear in mind",
        "",
        "- Positions of one game depend on each other: split training and test data by `game`.",
        "- The data show how these engines play and set up. People and other engines do both differently.",
        "- `belief` is what the newest belief of this version says, not the truth. `score` is each engine's own scale.",
        "- Only games that the rules ended are in the data: not those that were adjudicated, broke off or met a fault.",
    ]
    return "\n".join(lines) + "\n"


def _player(entry: Mapping[str, Any]) -> str:
    limits = " ".join(f"{name}={value}" for name, value in dict(entry.get("limits", {})).items())
    return " ".join(filter(None, (str(entry["name"]), limits)))


if __name__ == "__main__":
    sys.exit(main())
