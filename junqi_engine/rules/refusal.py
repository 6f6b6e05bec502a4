"""Why a move is not legal, in words: the only place that has them.

They say where pieces stand and whose they are, which everybody sees, and of what kind the moving piece is, if the
position has it. In the position of a view that is what the viewer knows.
"""

from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import contains, from_point_of, seat_of, team_of, to_point_of
from junqi_engine.rules.pieces import ENGINEER, IMMOBILE_MASK, NAMES, UNKNOWN
from junqi_engine.rules.standing import Standing

GAME_OVER = "the game has ended"


def why_illegal(board: Board, standing: Standing, move: int) -> str:
    """Why a move (`layout.move_of`) that is not legal is not. The game goes on."""
    start, target = from_point_of(move), to_point_of(move)
    if max(start, target) >= len(board.names):
        return "the board has no such point"
    name, other = board.names[start], board.names[target]
    mover = standing.piece_at(start)
    if mover is None:
        return f"no piece stands on {name}"
    if seat_of(mover) != standing.turn:
        return f"the piece on {name} is {board.seats[seat_of(mover)]}'s, and {board.seats[standing.turn]} is to move"
    kind = int(standing.position["kind"][mover])
    if board.is_headquarters(start):
        return f"{name} is a headquarters, and no piece leaves one"
    if kind != UNKNOWN and contains(IMMOBILE_MASK, kind):
        return f"the piece on {name} is a {NAMES[kind].split()[0]}, which cannot move"
    if start == target:
        return f"the piece stands on {name} already"
    is_step = target in board.road_steps[start] or frozenset((start, target)) in board.rails
    lines = [line for line in board.lines if start in line and target in line]
    if not is_step and not {start, target} <= board.rail_points:
        return f"no road or railway leads from {name} to {other}"
    if not is_step and not lines and kind not in (ENGINEER, UNKNOWN):
        return f"the railway from {name} to {other} turns, and only an Engineer can turn"
    occupant = standing.piece_at(target)
    if occupant is not None and team_of(seat_of(occupant)) == team_of(seat_of(mover)):
        return f"{other} is taken by a piece of the same team"
    if occupant is not None and board.is_campsite(target):
        return f"{other} is a campsite, and the piece on it cannot be attacked"
    for line in lines:
        here, there = line.index(start), line.index(target)
        between = line[here + 1 : there] if here < there else line[there + 1 : here][::-1]
        for point in between:
            if standing.piece_at(point) is not None:
                return f"the way is blocked at {board.names[point]}"
    return f"every way from {name} to {other} is blocked"
