"""Openings: positions that games are played from, each twice with the teams exchanged.

A file has one opening per line, in the words after `position` with the viewer `*`: line-ups or a FEN, then moves, with
or without suffixes; `#` starts a comment. In a record (`.jsonl`), the first plies of each game are an opening.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

from junqi_engine.errors import Refused
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from junqi_referee.exit_codes import RefereeError, read_text
from junqi_referee.records.record_file import read_record
from junqi_referee.records.replay import bare
from junqi_referee.settings.schedule import Opening

PACKAGED = "balanced"
"""The name of the packaged openings of each variant."""
RECORD = ".jsonl"


def read_openings(path: str, variant: str, ply: int, rules: Rules) -> tuple[Opening, ...]:
    """The openings of a file, or the packaged ones; a `RefereeError` names the line that is wrong.

    In a record, each game longer than `ply` plies is an opening.
    """
    board = BOARDS[variant]
    found = _of_record(path, board, ply) if path.endswith(RECORD) else _of_text(path, board)
    openings = []
    for where, opening in found:
        try:
            full = opening.begin(variant, rules)
        except Refused as error:
            raise RefereeError(f"openings {path}, {where}: {error}") from error
        if full.result is not None:
            raise RefereeError(f"openings {path}, {where}: the game is over")
        openings.append(replace(opening, first=full.first))
    if not openings:
        missing = f"no game is longer than {ply} plies" if path.endswith(RECORD) else "there is no position in it"
        raise RefereeError(f"openings {path}: {missing}")
    return tuple(openings)


def _of_record(path: str, board: Board, ply: int) -> Iterator[tuple[str, Opening]]:
    for game in read_record(path):
        if game.variant != board.variant:
            raise RefereeError(f"openings {path}, game {game.game}: it is of {game.variant}, not of {board.variant}")
        if len(game.moves) > ply:
            moves = tuple(map(bare, game.moves[:ply]))
            yield f"game {game.game}", Opening(tuple(game.lineups.items()), game.first, moves, game.fen)


def _of_text(path: str, board: Board) -> Iterator[tuple[str, Opening]]:
    packaged = resources.files("junqi_referee.settings").joinpath(f"{PACKAGED}-{board.variant}.txt")
    is_packaged = path == PACKAGED and not Path(path).exists()
    text = read_text(packaged if is_packaged else Path(path), f"openings {path}")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(" #")[0].split()
        if words and not words[0].startswith("#"):
            where = f"line {number}"
            yield where, parse_opening(words, board, f"openings {path}, {where}")


def parse_opening(words: Sequence[str], board: Board, where: str) -> Opening:
    if words[0] == "position":
        raise RefereeError(f"{where}: leave out 'position'; a line has the words after it")
    end = words.index("moves") if "moves" in words else len(words)
    start, moves = words[words[0] == "fen" : end], tuple(map(bare, words[end + 1 :]))
    if start and start[0] != "startpos":
        return Opening((), board.seats[0], moves, " ".join(start))
    given = [(word[:1], word[2:]) for word in start if word[1:2] == ":"]
    rest = [word for word in start if word[1:2] != ":" and word not in ("startpos", "lineup", "viewer", OPEN_VIEWER)]
    if rest or sorted(seat for seat, _ in given) != sorted(board.seats):
        expected = f"startpos lineup with one of each seat {', '.join(board.seats)}, or a FEN"
        raise RefereeError(f"{where}: expected {expected}")
    return Opening(tuple(given), board.seats[0], moves)
