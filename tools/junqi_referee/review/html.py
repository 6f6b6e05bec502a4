"""The report as one HTML file, which needs nothing else: texts in both languages, styles and scripts are in it."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from junqi_engine.analysis.account import END
from junqi_engine.analysis.reviewed_game import Cursor, ReviewedGame
from junqi_engine.notation.fen import piece_text
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules

PAGE = resources.files("junqi_referee.review").joinpath("page")
SCRIPTS = ("texts.js", "graph.js", "board.js", "report.js")
"""In the order in which they need each other."""


def as_html(tables: Sequence[Mapping[str, Any]]) -> str:
    """The report on some games, from the tables of their reviews."""
    data = {"games": [{**table, "frames": _frames(table)} for table in tables], "boards": _boards(tables)}
    # Inside a script element, only `<` could end the element.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    scripts = "\n".join(_file(name).replace("export ", "") for name in SCRIPTS)
    contents = {"STYLE": _file("report.css"), "DATA": text, "SCRIPT": scripts}
    # In one pass, because a name in the data may look like a place in the template.
    return re.sub("@@([A-Z]+)@@", lambda place: contents[place[1]], _file("report.html"))


def _file(name: str) -> str:
    return PAGE.joinpath(name).read_text(encoding="utf-8")


def _boards(tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {variant: _board(BOARDS[variant]) for variant in {table["variant"] for table in tables}}


def _board(board: Board) -> dict[str, Any]:
    """What is drawn of a board: its points with file and rank, counted from the top left, and its lines."""
    kinds = {
        point: "campsite" if board.is_campsite(point) else "headquarters" if board.is_headquarters(point) else "station"
        for point in board.points
    }
    squares = {point: board.squares[point] for point in board.points}
    return {
        "width": board.width,
        "height": board.height,
        "seats": board.seats,
        "teams": board.teams,
        "points": {
            board.names[point]: [file, board.height - 1 - rank, kinds[point]] for point, (file, rank) in squares.items()
        },
        "roads": _lines(board, board.roads),
        "rails": _lines(board, board.rails),
    }


def _lines(board: Board, edges: frozenset[frozenset[int]]) -> list[list[str]]:
    return sorted(sorted(board.names[point] for point in edge) for edge in edges)


def _frames(table: Mapping[str, Any]) -> list[dict[str, str]]:
    """What changes on the board: before the first step all pieces, then for each step the points whose piece differs.

    A piece is its seat and its letter; a point without a piece has "".
    """
    game = _game(table)
    cursor = Cursor(game)
    frames, before = [], dict.fromkeys(game.board.names, "")
    for step in range(len(game.steps) + 1):
        cursor.go_to(step)
        now = {name: _piece(cursor, point) for point, name in enumerate(game.board.names)}
        frames.append({name: piece for name, piece in now.items() if piece != before[name]})
        before = now
    return frames


def _piece(cursor: Cursor, point: int) -> str:
    piece = cursor.truth.piece_at(point)
    return "" if piece is None else piece_text(cursor.truth, piece)


def _game(table: Mapping[str, Any]) -> ReviewedGame:
    """The game of a review, as far as it was reviewed."""
    steps = [step["text"] for step in table["steps"] if step["text"] != END]
    return ReviewedGame(
        table["variant"], table["visibility"], tuple(table["lineups"].items()), table["first"],
        Rules(**table["rules"]), tuple(steps),
    )  # fmt: skip
