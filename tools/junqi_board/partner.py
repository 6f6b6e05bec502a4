"""The words of a computer partner to its person: quick words of the page.

They follow from the engine's own search and from the team's view: where partners see each other's pieces, the person
knows everything that the engine was told. In a dark game it does not, so there a computer partner stays silent.
"""

from collections.abc import Sequence

from junqi_engine.errors import IllegalMove
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.layout import seat_of, team_of
from junqi_engine.rules.pieces import FLAG, Outcome

QUICK = "!"
"""The first character of a line of the chat that names a quick word."""
EVERY_PLIES = 10
"""A partner says at most one word in so many plies."""
PLIES_AHEAD = 5
"""In Siguo, as far as the next turn of the same seat."""
FIRST_HOME_ROW = 3
"""The first row of a block in which an enemy threatens the headquarters."""


def quick_word(view: SeatView, line: Sequence[str]) -> str:
    """The word for the first move of the line that an engine expects; empty if it decides nothing.

    | word | when |
    |---|---|
    | attack | its piece enters an enemy headquarters, now or in its next turn |
    | help | an enemy takes its flag before |
    | hold | its move attacks an enemy near its own headquarters |

    A program that reports no line can only hold, or enter a headquarters now.
    """
    board, seat = view.board, view.turn
    pieces = {point: view.piece_at(point) for point in board.points}
    owners = {point: seat_of(piece) for point, piece in pieces.items() if piece is not None}
    is_enemy = [team_of(other) != team_of(seat) for other in range(len(board.seats))]
    word = ""
    for number, text in enumerate(line[:PLIES_AHEAD]):
        try:
            seen = parse_move(board, text)
        except IllegalMove:
            break
        start, target = seen.from_point, seen.to_point
        mover, owner = owners.get(start), owners.get(target)
        if mover is None:
            continue
        if mover == seat and owner is not None and is_enemy[owner] and board.is_headquarters(target):
            return "attack"
        if is_enemy[mover] and owner == seat and view.mask_at(target) == 1 << FLAG:
            return "help"
        home = board.owner(target) == seat and (board.row(target) or 0) >= FIRST_HOME_ROW
        if number == 0 and owner is not None and home:
            word = "hold"
        if seen.outcome != Outcome.DEFENDER_WON:
            owners[target] = owners.pop(start)
    return word
