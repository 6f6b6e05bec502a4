"""The search: against plain minimax, what it finds, how it keeps its limits, what it must not see."""

import random

import numpy as np
import pytest

from junqi_engine.board import BOARDS, SIGUO, Board
from junqi_engine.evaluate import SEAT_WORTH, WORLD, become_world
from junqi_engine.notation import format_code, parse_fen
from junqi_engine.pieces import COUNTS, LETTERS, UNKNOWN
from junqi_engine.players import v2_0
from junqi_engine.root import Comparison, Limits, Line, TeamSearch
from junqi_engine.view import SeatView
from tests.references.slow_junqi import SlowGame
from tests.references.slow_search import minimax

RUNNING = np.zeros(1, np.uint8)


@pytest.fixture(scope="module")
def team_search() -> TeamSearch:
    return TeamSearch(hash_mb=1)


def plain_values(team_search: TeamSearch, view: SeatView, depth: int) -> list[int]:
    """The values at depths 1 to `depth` without quiescence and whatever else is selective."""
    found: list[int] = []

    def take(comparison: Comparison) -> None:
        found.append(comparison.lines()[0].score)

    kinds = view.position["kind"].reshape(1, 128)
    chances = np.zeros((128, 12), np.float32)
    known = np.flatnonzero(kinds[0] != UNKNOWN)
    chances[known, kinds[0, known]] = 1
    moves = view.legal_moves()
    team_search.run(view, kinds, chances, moves, Limits(depth=depth), RUNNING, take, is_plain=True)
    # A search ends early where the end of the game is in sight or nothing is to choose.
    return found + found[-1:] * (depth - len(found))


def slow_values(view: SeatView, fen: str, depth: int) -> list[int]:
    position, world = view.position.copy(), np.zeros(1, WORLD)[0]
    become_world(view, position, view.position["kind"], world)
    board = view.board
    worth = {}
    for piece in range(128):
        kind = int(position["kind"][piece])
        if kind != UNKNOWN and int(position["present"][piece >> 5]) >> (piece & 31) & 1:
            for point in board.points:
                where = board.seats[piece >> 5], LETTERS[kind], board.names[point]
                worth[where] = int(world["values"][piece, point])
    game = SlowGame.from_fen(fen, board.variant)
    return [minimax(game, plies, worth, SEAT_WORTH) for plies in range(1, depth + 1)]


def random_fen(board: Board, rng: random.Random) -> str:
    """A small position with all pieces known: a flag and up to four other pieces a seat, some near a draw."""
    seats = [seat for seat in range(len(board.seats)) if rng.random() < 0.8]
    for team in range(2):
        if not any(seat & 1 == team for seat in seats):
            seats.append(team)
    seats.sort()
    taken: dict[int, str] = {}
    for seat in seats:
        letter = board.seats[seat]
        taken[rng.choice([point for point in board.headquarters(seat) if point not in taken])] = f"{letter}l"
        left = {kind: count for kind, count in zip(LETTERS, COUNTS, strict=True) if kind != "l"}
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice([kind for kind, count in left.items() if count])
            left[kind] -= 1
            block = [point for point in board.block(seat) if point % 30 >= 20]
            points = block if kind == "j" else [point for point in board.points if not board.is_headquarters(point)]
            point = rng.choice([point for point in points if point not in taken])
            taken[point] = letter + kind
    ranks = []
    for rank in reversed(range(board.height)):
        text, empty = "", 0
        for file in range(board.width):
            piece = taken.get(board.point_at.get((file, rank), -1))
            if piece:
                text += (str(empty) if empty else "") + piece
            empty = 0 if piece else empty + 1
        ranks.append(text + (str(empty) if empty else ""))
    alive = "".join(board.seats[seat] for seat in seats)
    limit = 70 if board is SIGUO else 31
    quiet = rng.choice([0, 5, limit - 3, limit - 2])
    return f"{'/'.join(ranks)} {rng.choice(alive)} {alive} * {quiet} 0"


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("variant", BOARDS)
def test_the_search_equals_plain_minimax(variant: str, part: int, team_search: TeamSearch) -> None:
    """With all pieces known, depths 1 to 3, 200 positions in all."""
    rng = random.Random(f"{variant} {part}")
    compared = 0
    while compared < 10:
        fen = random_fen(BOARDS[variant], rng)
        try:
            view = parse_fen(BOARDS[variant], fen)
            game = SlowGame.from_fen(fen, variant)
        except ValueError:
            continue
        if game.result is not None or game.turn != fen.split()[1] or not 1 < len(game.legal()) <= 13:
            continue
        assert plain_values(team_search, view, 3) == slow_values(view, fen, 3), fen
        compared += 1


def think(view: SeatView, team_search: TeamSearch, seed: int = 0, skill: int = 20, **limits: int) -> list[Line]:
    return v2_0.think(team_search, view, seed, skill, view.legal_moves(), Limits(**limits), RUNNING)


def best(view: SeatView, team_search: TeamSearch, **limits: int) -> str:
    return format_code(SIGUO, think(view, team_search, **limits)[0].move)
