"""Positions for tests of the search, in one world each: from random games, games of a player, endings, near limits."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.information.belief import worlds
from junqi_engine.information.view import PublicInfo, public_info, redact
from junqi_engine.information.world import positions_of_world
from junqi_engine.notation.fen import parse_fen
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import choose_move
from junqi_engine.rules.board import SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.pieces import COUNTS, LETTERS
from junqi_engine.rules.position import Result


@dataclass(frozen=True)
class Case:
    """A position with all pieces known, and the public knowledge: seats whose flag is known, classes of pieces."""

    board: Board
    position: np.void
    revealed: int = 0
    classes: np.ndarray = field(default_factory=lambda: np.zeros(PIECES, np.uint8))

    @property
    def public(self) -> PublicInfo:
        return PublicInfo(self.revealed, self.classes)


def random_fen(board: Board, rng: random.Random, most: int = 4) -> str:
    """A small position with all pieces known: a flag and up to `most` other pieces a seat, some near a draw."""
    seats = [seat for seat in range(len(board.seats)) if rng.random() < 0.8]
    for team in range(2):
        if not any(seat & 1 == team for seat in seats):
            seats.append(team)
    seats.sort()
    taken: dict[int, str] = {}
    for seat in seats:
        letter = board.seats[seat]
        corners = [point for point in board.block(seat) if board.is_headquarters(point) and point not in taken]
        taken[rng.choice(corners)] = f"{letter}l"
        left = {kind: count for kind, count in zip(LETTERS, COUNTS, strict=True) if kind != "l"}
        for _ in range(rng.randint(1, most)):
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


def endings(board: Board, rng: random.Random, most: int = 8) -> Iterator[Case]:
    """Yield positions with few pieces: seats are eliminated soon, and some limits are near."""
    while True:
        try:
            view = parse_fen(board, random_fen(board, rng, most))
        except ValueError:
            continue
        if view.result == Result.ONGOING and len(view.legal_moves()) > 1:
            yield Case(board, positions_of_world(view, view.position["kind"])[0], rng.randrange(4))


def random_game(board: Board, rng: random.Random, most_plies: int) -> GameState:
    """An unfinished game of random moves."""
    while True:
        game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
        for _ in range(rng.randrange(most_plies)):
            if game.result != Result.ONGOING:
                break
            game.play(rng.choice(game.legal_moves()))
        if game.result == Result.ONGOING:
            return game


def random_games(board: Board, rng: random.Random, most_plies: int = 250) -> Iterator[Case]:
    """Yield openings and middle games of random play."""
    while True:
        yield Case(board, random_game(board, rng, most_plies).position)


def after_resignations(rng: random.Random) -> Iterator[Case]:
    """Four-seat games in which a seat has resigned, so that two seats of a team move in a row."""
    while True:
        game = random_game(SIGUO, rng, 200)
        game.resign(rng.choice([seat for seat in range(4) if game.is_alive(seat)]))
        if game.result == Result.ONGOING:
            yield Case(SIGUO, game.position)


def games_of_a_player(board: Board, rng: random.Random, every: int = 9) -> Iterator[Case]:
    """Yield worlds of hidden pieces for the team to move in games of player 1.2."""
    while True:
        game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
        views = [redact(game, [seat for seat in range(len(board.seats)) if seat & 1 == team]) for team in range(2)]
        while game.result == Result.ONGOING and game.ply < 300:
            view = views[game.turn & 1]
            if rng.randrange(every) == 0:
                (kinds,) = worlds.sample_worlds(view, 1, rng.getrandbits(32))
                yield Case(board, positions_of_world(view, kinds)[0], view.revealed_seats, public_info(view).classes)
            seen = game.play(choose_move("1.2", view, rng.getrandbits(32), view.legal_moves()).move)
            for watching in views:
                watching.observe(seen)
