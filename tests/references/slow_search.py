"""Plain minimax by teams on the plain rules: no bounds, no table, no order of moves."""

from collections.abc import Mapping

from tests.references.slow_junqi import TEAMS, SlowGame

MATE = 30_000

Worth = Mapping[tuple[str, str, str], int]
"""The worth of a piece by seat, letter and point."""


def minimax(game: SlowGame, depth: int, worth: Worth, seat_value: int, ply: int = 0) -> int:
    """The value for the team to move, `depth` plies deep; a won game counts `MATE` less the plies to it."""
    if game.result == "draw":
        return 0
    ours = team_of(game, game.turn)
    if game.result is not None:
        return MATE - ply if game.result == ours else ply - MATE
    if depth == 0:
        return static_value(game, ours, worth, seat_value)
    return max(values_of_moves(game, depth, worth, seat_value, ply).values())


def values_of_moves(game: SlowGame, depth: int, worth: Worth, seat_value: int, ply: int = 0) -> dict[str, int]:
    """The value of each move for the team to move, `depth` plies deep with the move itself."""
    ours = team_of(game, game.turn)
    values = {}
    for move in game.legal():
        after = game.after(move)
        # A finished game has no turn: it is seen from our side.
        is_ours = after.result is None and team_of(after, after.turn) == ours
        if after.result is not None:
            values[move] = 0 if after.result == "draw" else (1 if after.result == ours else -1) * (MATE - ply - 1)
        else:
            value = minimax(after, depth - 1, worth, seat_value, ply + 1)
            values[move] = value if is_ours else -value
    return values


def static_value(game: SlowGame, ours: str, worth: Worth, seat_value: int) -> int:
    """All pieces and seats of a team less those of the other."""
    value = 0
    for point, (seat, letter) in game.pieces.items():
        value += worth[seat, letter, point] if seat in ours else -worth[seat, letter, point]
    for seat in game.alive:
        value += seat_value if seat in ours else -seat_value
    return value


def team_of(game: SlowGame, seat: str) -> str:
    return next(team for team in TEAMS[game.variant] if seat in team)
