"""The shortest way to a point, by breadth-first search by moves: the slow twin of the players' flag paths."""

from tests.references.slow_junqi import Piece, SlowGame, destinations


def shortest_paths(
    game: SlowGame, seat: str, targets: set[str], kinds: set[str] | None, limit: int = 4
) -> tuple[int, str] | None:
    """The fewest moves by which one piece of a seat gets to a target, and the first of them.

    Ties go to the lowest from-point, then to the lowest to-point of the first move, in board order. Only the
    letters in `kinds` go (None: all); None when no target is reached within `limit` moves.
    """
    place = {point: number for number, point in enumerate(game.board.points)}
    best: tuple[int, int, int] | None = None
    for start, piece in game.pieces.items():
        if piece[0] != seat or (kinds is not None and piece[1] not in kinds):
            continue
        found = shortest_path_of_piece(game, start, piece, targets, limit)
        if found is not None:
            moves, first_target = found
            candidate = (moves, place[start], place[first_target])
            best = candidate if best is None else min(best, candidate)
    if best is None:
        return None
    moves, start_place, target_place = best
    return moves, game.board.points[start_place] + game.board.points[target_place]


def shortest_path_of_piece(
    game: SlowGame, start: str, piece: Piece, targets: set[str], limit: int
) -> tuple[int, str] | None:
    """The fewest moves from start to a target, and the lowest point that the first of them may go to."""
    board = game.board
    place = {point: number for number, point in enumerate(board.points)}
    # A piece that has left its point does not stand in its own way later.
    others = {point: other for point, other in game.pieces.items() if point != start}
    seen = {start}
    # For each point reached by the last move: the lowest to-point of a first move that leads there.
    reached = {start: ""}
    for moves in range(1, limit + 1):
        ends: dict[str, str] = {}
        for point, first in reached.items():
            for end in destinations(board, others, point, piece):
                first_of_end = first or end
                if end not in seen and (end not in ends or place[first_of_end] < place[ends[end]]):
                    ends[end] = first_of_end
        hits = [
            first for end, first in ends.items() if end in targets and (end in others or end not in board.headquarters)
        ]
        if hits:
            return moves, min(hits, key=lambda first: place[first])
        seen.update(ends)
        reached = {end: first for end, first in ends.items() if end not in others and end not in board.headquarters}
    return None
