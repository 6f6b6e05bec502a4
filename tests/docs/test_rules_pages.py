"""The pages of the rules are those of the program: the board is rebuilt from their tables, their examples are played.

The Chinese page corresponds to the English one, as the two READMEs do.
"""

import json
import re
import shlex
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.perft import count_leaves
from junqi_engine.rules.pieces import COUNTS, LETTERS, NAMES
from junqi_protocol.catalogue import OPTIONS
from tests.helpers import pages
from tests.helpers.engine import Engine
from tests.helpers.transcripts import check_transcript, transcripts
from tests.references.slow_junqi import SlowGame

PAGE = pages.ROOT / "docs/rules.md"
ENGLISH, CHINESE = pages.read("docs/rules.md"), pages.read("docs/rules.zh-CN.md")
PERFT = json.loads(pages.read("docs/perft.json"))

MAX_TWIN_COUNT = 2500
"""The slow twin counts only smaller numbers."""

in_both_languages = pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["English", "Chinese"])
on_both_boards = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def rows_of(text: str, first: str) -> list[list[str]]:
    """The rows of the table whose first row begins with a cell, without the header."""
    [table] = [table for table in pages.tables(text) if table[2][0] == first]
    return table[2:]


def column_of(board: Board) -> int:
    """The column of a game in the tables that have one for each."""
    return 1 + list(BOARDS).index(board.variant)


@on_both_boards
def test_perft_numbers_are_right(board: Board) -> None:
    game = GameState.start(board)
    stop = np.zeros(1, np.uint8)
    numbers = rows_of(ENGLISH, "Siguo")[column_of(board) - 1][1:]
    assert [int(number.replace(",", "")) for number in numbers] == [
        count_leaves(board, game.positions, depth, stop) for depth in range(1, len(numbers) + 1)
    ]


@pytest.mark.parametrize("entry", PERFT, ids=[entry["shows"] for entry in PERFT])
def test_twenty_positions_are_right(entry: dict[str, Any]) -> None:
    """The numbers of the program; the slow twin finds the same as far as it is fast enough."""
    fen, _, moves = entry["position"].removeprefix("fen ").partition(" moves ")
    game = junqi.Game.from_fen(fen, variant=entry["variant"])
    for move in moves.split():
        game.push(move)
    stop, depths = np.zeros(1, np.uint8), range(1, 4)
    positions = game.state.positions
    assert [count_leaves(game.state.board, positions, depth, stop) for depth in depths] == entry["perft"]
    twin = SlowGame.from_fen(game.fen(), entry["variant"])
    assert [twin.perft(depth) for depth in depths if entry["perft"][depth - 1] < MAX_TWIN_COUNT] == [
        count for count in entry["perft"] if count < MAX_TWIN_COUNT
    ]


# The other tables


@in_both_languages
def test_piece_table_matches_code(text: str) -> None:
    rows = rows_of(text, "`a`")
    assert [row[0].strip("`") for row in rows] == list(LETTERS)
    assert [sorted(row[1].split()) for row in rows] == [sorted(name.split()) for name in NAMES]
    assert [int(row[2]) for row in rows] == list(COUNTS)


def test_limits_and_options_match_code() -> None:
    rows = rows_of(ENGLISH, "`NoContactLimit`")
    assert [row[0] for row in rows] == ["`NoContactLimit`", "`MaxPlies`"]
    assert {"NoContactLimit", "MaxPlies"} <= {option.name for option in OPTIONS}
    for board in BOARDS.values():
        rules = Rules.of(board)
        defaults = [row[1 + column_of(board)] for row in rows]
        assert defaults == [str(rules.no_contact), str(rules.max_plies)]


# Examples and pictures


@pytest.mark.parametrize("text", transcripts(PAGE))
def test_examples_play_as_shown(text: str, engine: Engine) -> None:
    check_transcript(text, engine)


def test_command_draws_picture_as_shown() -> None:
    [command] = [block for block in pages.blocks(ENGLISH) if block.startswith("    ")]
    program, option, code, redirect, picture = shlex.split(command)
    assert (program, option, redirect) == (".venv/bin/python", "-c", ">")
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert drawn == (pages.ROOT / picture).read_text(encoding="utf-8")


@in_both_languages
def test_page_shows_both_boards(text: str) -> None:
    assert re.findall(r"!\[[^]]+\]\((.*?)\)", text) == ["luzhanqi.svg", "board.svg"]
