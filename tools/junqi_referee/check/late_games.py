"""The ends of games, drawn at a fixed seed: positions in which few moves are legal and many are not."""

import random

from junqi_engine.information.snapshot import default_mask
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.moves import OPEN_VIEWER, parse_move
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import COUNTS, FLAG
from junqi_engine.rules.position import Placement
from junqi_referee.check.subject import Subject
from junqi_referee.truth import Truth

GAMES, PLIES, DRAWS, MOST_PIECES = 80, 8, 10, 12


def plays_late_games(subject: Subject) -> None:
    """#plays: it can tell its legal moves by docs/rules.md, in partner, `dark` and `open` games"""
    rng = random.Random(9)
    for number in range(GAMES):
        drawn = (_draw(subject.board, rng) for _ in range(DRAWS))
        start = min(drawn, key=lambda state: len(state.legal_moves()) or MAX_MOVES)
        truth = Truth(subject.variant, {}, "", start.rules, format_fen(start))
        while truth.result is None and len(truth.moves) < PLIES:
            subject.move(truth, ("", truth.turn, OPEN_VIEWER)[number % 3])
            truth.play(_next_move(truth, rng))


def _next_move(truth: Truth, rng: random.Random) -> str:
    """A battle, if there is one; now and then another move, a turn that passes, or a resignation."""
    moves, view = truth.legal(), truth.view(OPEN_VIEWER)
    battles = [move for move in moves if view.piece_at(parse_move(truth.board, move).to_point) is not None]
    rare = [rng.choice(moves), f"pass:{truth.turn}", f"resign:{rng.choice(truth.alive)}"]
    return rng.choice([*[rng.choice(battles or moves)] * 9, *rare])


def _draw(board: Board, rng: random.Random) -> GameState:
    """A position with few pieces, which fill the headquarters first. In siguo a seat may be missing."""
    missing = rng.randrange(10) if len(board.seats) > 2 else None
    seats = [seat for seat in range(len(board.seats)) if seat != missing]
    kinds = [kind for kind, count in enumerate(COUNTS) if kind != FLAG for _ in range(count)]
    pieces = [(seat, kind) for seat in seats for kind in rng.sample(kinds, rng.randint(3, MOST_PIECES))]
    free = sorted(board.points, key=lambda point: (not board.is_headquarters(point), rng.random()))
    placements = []
    for seat, kind in [*((seat, FLAG) for seat in seats), *rng.sample(pieces, len(pieces))]:
        point = next(point for point in free if contains(default_mask(board, seat, point), kind))
        free.remove(point)
        placements.append(Placement(seat, point, kind))
    alive = sum(1 << seat for seat in seats)
    return GameState.from_placements(board, Rules.of(board), placements, rng.choice(seats), alive, quiet=0, ply=0)
