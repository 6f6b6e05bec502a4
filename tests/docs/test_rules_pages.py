"""The pages of the rules are those of the program: the board is rebuilt from their tables, their examples are played.

The Chinese page corresponds to the English one, as the two READMEs do.
"""

import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.notation.moves import parse_viewer
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, FIRST_BACK_ROW, LINEUP_INDICES, SIGUO, Board
from junqi_engine.rules.game_state import GameEnding, GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.perft import count_leaves
from junqi_engine.rules.pieces import BATTLES, BOMB, COUNTS, FLAG, LETTERS, MINE, NAMES, Outcome
from junqi_protocol.catalogue import declared_options
from junqi_protocol.options import Combo
from junqi_referee.settings.settings import Visibility
from tests.helpers import pages
from tests.helpers.engine import Engine
from tests.helpers.transcripts import check_transcript, transcripts
from tests.references.slow_junqi import SlowGame

PAGE = pages.ROOT / "docs/rules.md"
ENGLISH, CHINESE = pages.read("docs/rules.md"), pages.read("docs/rules.zh-CN.md")
TABLES = (
    "seats", "totals", "luzhanqi blocks", "luzhanqi between", "siguo blocks", "siguo between", "pieces", "battles",
    "limits", "endings", "visibility", "other rules", "perft", "siguo positions", "luzhanqi positions",
)  # fmt: skip
PERFT = json.loads(pages.read("docs/perft.json"))
OUTCOMES = {"x": Outcome.ATTACKER_WON, "o": Outcome.DEFENDER_WON, "=": Outcome.BOTH_REMOVED}

MOST_OF_THE_TWIN = 2500
"""Counts below it are counted by the slow twin too."""

in_both_languages = pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["English", "Chinese"])
on_both_boards = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def rows_of(text: str, name: str) -> list[list[str]]:
    """The rows of a table of a page, without the header."""
    return dict(zip(TABLES, pages.tables(text), strict=True))[name][2:]


def code_in_columns(text: str, name: str) -> list[list[list[str]]]:
    """By row and column, what is marked as code."""
    return [[pages.code_in(cell) for cell in row] for row in rows_of(text, name)]


def column_of(board: Board) -> int:
    """The column of a game in the tables that have one for each."""
    return 1 + list(BOARDS).index(board.variant)


# The boards, built from the tables alone: points and edges are names, squares are pairs of numbers


def square_of(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("a"), int(name[1:])


def name_of(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank}"


def rectangle(corners: str) -> list[str]:
    """The points of `g1:k6`."""
    (left, low), (right, high) = map(square_of, corners.split(":"))
    return [name_of(file, rank) for file in range(left, right + 1) for rank in range(low, high + 1)]


def line(text: str, points: set[str]) -> list[str]:
    """The points of `k2..k6 l7..p7` in order."""
    found = []
    for part in text.split():
        (file, rank), (last_file, last_rank) = map(square_of, part.split(".."))
        step = int(np.sign(last_file - file)), int(np.sign(last_rank - rank))
        assert 0 in step, f"{part} is neither a file nor a rank"
        while (name := name_of(file, rank)) != part.split("..")[1]:
            found.append(name)
            file, rank = file + step[0], rank + step[1]
        found.append(name)
    return [name for name in found if name in points]


def edges_of(names: list[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairwise(names)}


@dataclass
class PageBoard:
    """A board as the page describes it."""

    blocks: dict[str, list[str]]
    """By seat, the points in the order of line-ups, row by row."""
    front_rows: list[str]
    back_rows: list[str]
    points: set[str]
    campsites: set[str]
    headquarters: set[str]
    roads: set[frozenset[str]]
    lines: list[list[str]]

    @property
    def rails(self) -> set[frozenset[str]]:
        return {edge for line in self.lines for edge in edges_of(line)}


def page_board(variant: str) -> PageBoard:
    seats = [[" ".join(code) for code in row] for row in code_in_columns(ENGLISH, f"{variant} blocks")]
    between = [row[1] for row in code_in_columns(ENGLISH, f"{variant} between")]
    centre = {name for names in between[0] for name in names.split()}
    page = PageBoard({}, [], [], set(centre), set(), set(), set(), [])
    for _, block, _, _, campsites, headquarters in seats:
        page.points |= set(rectangle(block))
        page.campsites |= set(campsites.split())
        page.headquarters |= set(headquarters.split())
    for seat, block, front, back, _, _ in seats:
        squares, row = set(map(square_of, rectangle(block))), line(front, page.points)
        page.front_rows += row
        page.back_rows += rectangle(back)
        page.blocks[seat] = _rows_behind(row, squares)
        for (file, rank), (right, up) in product(squares, [(1, 0), (0, 1), (1, 1), (1, -1)]):
            one, other = name_of(file, rank), name_of(file + right, rank + up)
            is_diagonal = right and up
            if (file + right, rank + up) in squares and (not is_diagonal or {one, other} & page.campsites):
                page.roads.add(frozenset((one, other)))
    page.roads |= {edge for text in between[1] for edge in edges_of(line(text, page.points))}
    page.lines = [line(text, page.points) for text in between[2]]
    return page


def _rows_behind(front: list[str], squares: set[tuple[int, int]]) -> list[str]:
    """A block from its front row backwards: away from it, on the side where the block is."""
    file, rank = square_of(front[0])
    ways = [(0, 1), (0, -1)] if rank == square_of(front[-1])[1] else [(1, 0), (-1, 0)]
    [(right, up)] = [(right, up) for right, up in ways if (file + right, rank + up) in squares]
    rows = len(squares) // len(front)
    return [name_of(x + row * right, y + row * up) for row in range(rows) for x, y in map(square_of, front)]


@on_both_boards
def test_the_tables_describe_the_board(board: Board) -> None:
    page = page_board(board.variant)
    names = board.names
    assert page.points == set(names)
    assert page.campsites == {names[point] for point in board.campsites}
    assert page.headquarters == {names[point] for point in board.points if board.is_headquarters(point)}
    assert page.roads == {frozenset(names[point] for point in edge) for edge in board.roads}
    in_one_direction = sorted(min(line, line[::-1]) for line in page.lines)
    lines = [[names[point] for point in line] for line in board.lines]
    assert in_one_direction == sorted(min(line, line[::-1]) for line in lines)
    assert page.rails == {frozenset(names[point] for point in edge) for edge in board.rails}


@on_both_boards
def test_the_tables_give_the_order_and_the_places_of_line_ups(board: Board) -> None:
    page = page_board(board.variant)
    for seat, letter in enumerate(board.seats):
        assert page.blocks[letter] == [board.names[point] for point in board.block(seat)]
    assert list(page.blocks) == list(board.seats)
    for row, part in ((0, page.front_rows), (FIRST_BACK_ROW, page.back_rows), (FIRST_BACK_ROW + 1, page.back_rows)):
        assert {board.names[point] for point in board.points if board.row(point) == row} <= set(part)
    assert len(page.back_rows) == 2 * len(page.front_rows) == 2 * 5 * len(board.seats)
    for place, index in enumerate(LINEUP_INDICES):
        name = page.blocks[board.seats[0]][index]
        for kind, is_allowed in (
            (MINE, name in page.back_rows),
            (BOMB, name not in page.front_rows),
            (FLAG, name in page.headquarters),
        ):
            assert bool(lineup.MASK_AT[place] >> kind & 1) == is_allowed


@on_both_boards
def test_the_number_of_sequences_of_moves(board: Board) -> None:
    game = GameState.start(board)
    stop = np.zeros(1, np.uint8)
    numbers = rows_of(ENGLISH, "perft")[column_of(board) - 1][1:]
    assert [int(number.replace(",", "")) for number in numbers] == [
        count_leaves(board, game.position, depth, stop) for depth in range(1, len(numbers) + 1)
    ]


@pytest.mark.parametrize("entry", PERFT, ids=[entry["shows"] for entry in PERFT])
def test_the_twenty_positions(entry: dict[str, Any]) -> None:
    """The numbers of the program; the slow twin finds the same as far as it is fast enough."""
    fen, _, moves = entry["position"].removeprefix("fen ").partition(" moves ")
    game = junqi.Game.from_fen(fen, variant=entry["variant"])
    for move in moves.split():
        game.push(move)
    stop, depths = np.zeros(1, np.uint8), range(1, 4)
    position = game.state.position
    assert [count_leaves(game.state.board, position, depth, stop) for depth in depths] == entry["perft"]
    twin = SlowGame.from_fen(game.fen(), entry["variant"])
    assert [twin.perft(depth) for depth in depths if entry["perft"][depth - 1] < MOST_OF_THE_TWIN] == [
        count for count in entry["perft"] if count < MOST_OF_THE_TWIN
    ]


@in_both_languages
def test_the_table_has_the_positions_of_the_file(text: str) -> None:
    rows = [row for variant in BOARDS for row in rows_of(text, f"{variant} positions")]
    assert len(rows) == 20
    found = [(row[1].strip("`"), [int(number.replace(",", "")) for number in row[2:]]) for row in rows]
    assert found == [(entry["position"], entry["perft"]) for entry in PERFT]
    if text == ENGLISH:
        assert [row[0] for row in rows] == [entry["shows"] for entry in PERFT]


# The other tables


@on_both_boards
def test_the_seats_and_the_teams(board: Board) -> None:
    seats, teams = (row[column_of(board)] for row in code_in_columns(ENGLISH, "seats"))
    assert (seats, tuple(teams)) == (list(board.seats), board.teams)


@in_both_languages
def test_the_pieces(text: str) -> None:
    rows = rows_of(text, "pieces")
    assert [row[0].strip("`") for row in rows] == list(LETTERS)
    assert [sorted(row[1].split()) for row in rows] == [sorted(name.split()) for name in NAMES]
    assert [int(row[2]) for row in rows] == list(COUNTS)


@in_both_languages
def test_the_battles(text: str) -> None:
    found = {}
    for attackers, *outcomes in rows_of(text, "battles"):
        first, last = (pages.code_in(attackers) * 2)[:2]
        for attacker in LETTERS[LETTERS.index(first) : LETTERS.index(last) + 1]:
            for defender in LETTERS:
                found[attacker, defender] = outcomes[_battle_column(attacker, defender)].strip("`")
    movable = [letter for letter in LETTERS if letter not in (LETTERS[MINE], LETTERS[FLAG])]
    assert set(found) == set(product(movable, LETTERS))
    for (attacker, defender), outcome in found.items():
        assert OUTCOMES[outcome] == BATTLES[LETTERS.index(attacker)][LETTERS.index(defender)].outcome


def _battle_column(attacker: str, defender: str) -> int:
    if LETTERS.index(defender) >= MINE:
        return 3 + (MINE, BOMB, FLAG).index(LETTERS.index(defender))
    return (attacker < defender, attacker == defender, attacker > defender).index(True)


def test_the_limits_and_their_options() -> None:
    rows = code_in_columns(ENGLISH, "limits")
    declared = {option.name: option for option in declared_options()}
    assert [row[0] for row in rows] == [["NoContactLimit"], ["NoContactResult"], ["MaxPlies"]]
    result = declared["NoContactResult"]
    assert isinstance(result, Combo) and sorted(rows[1][1]) == sorted(result.choices)
    for board in BOARDS.values():
        rules = Rules.of(board)
        result_of_variant = "`loss`" if rules.no_contact_loses else "`draw`"
        defaults = [row[1 + column_of(board)] for row in rows_of(ENGLISH, "limits")]
        assert defaults == [str(rules.no_contact), result_of_variant, str(rules.max_plies)]


def test_the_endings_and_the_visibilities() -> None:
    assert {row[0][0] for row in code_in_columns(ENGLISH, "endings")} == {ending.value for ending in GameEnding}
    rows = code_in_columns(ENGLISH, "visibility")
    assert [row[0][0] for row in rows] == [visibility.value for visibility in Visibility]
    assert [bin(parse_viewer(SIGUO, row[2][0])).count("1") for row in rows] == [2, 1, 4]


# Examples and pictures


@pytest.mark.parametrize("text", transcripts(PAGE))
def test_the_examples_are_played(text: str, engine: Engine) -> None:
    check_transcript(text, engine)


def test_the_command_draws_the_picture() -> None:
    [command] = [block for block in pages.blocks(ENGLISH) if block.startswith("    ")]
    program, option, code, redirect, picture = shlex.split(command)
    assert (program, option, redirect) == (".venv/bin/python", "-c", ">")
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert drawn == (pages.ROOT / picture).read_text(encoding="utf-8")


@in_both_languages
def test_the_page_shows_both_boards(text: str) -> None:
    assert re.findall(r"!\[[^]]+\]\((.*?)\)", text) == ["luzhanqi.svg", "board.svg"]


# The two languages


def test_both_languages_have_the_same_structure() -> None:
    pages.assert_same_structure(PAGE)
