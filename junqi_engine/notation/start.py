"""The start of a game, from line-ups as text or from a FEN."""

from collections.abc import Sequence

from junqi_engine.errors import JunqiError, ParseError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.quoting import quoted
from junqi_engine.notation.seats import OPEN_VIEWER, parse_viewer
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains
from junqi_engine.rules.options import Rules


def start_view(
    board: Board, lineups: Sequence[str] = (), viewer: str | None = None, rules: Rules | None = None
) -> SeatView:
    """The view at the start, from line-ups written `S:<25 letters>` as in `position startpos`."""
    by_seat: dict[int, str] = {}
    for text in lineups:
        letter, _, lineup = text.partition(":")
        if letter not in board.seats or len(letter) != 1:
            raise ParseError("bad-lineup", f"{quoted(text)} does not begin with one of {', '.join(board.seats)}")
        seat = board.seats.index(letter)
        if seat in by_seat:
            raise ParseError("bad-lineup", f"{letter} has two line-ups")
        try:
            lineups_module.check(lineup)
        except JunqiError as error:
            raise ParseError(error.code, f"{letter}'s line-up: {error}") from None
        by_seat[seat] = lineup
    if viewer is None and by_seat:
        viewer = "".join(board.seats[seat] for seat in sorted(by_seat))
        viewer = OPEN_VIEWER if len(viewer) == len(board.seats) else viewer
    try:
        seats = parse_viewer(board, board.teams[0] if viewer is None else viewer)
    except ValueError as error:
        raise ParseError("bad-position", f"viewer {error}") from None
    for seat, letter in enumerate(board.seats):
        if by_seat and contains(seats, seat) and seat not in by_seat:
            raise ParseError("bad-lineup", f"{letter}'s line-up is missing")
    return SeatView.start(board, seats, by_seat, rules)


def parse_game(board: Board, text: str, rules: Rules | None = None) -> GameState:
    """The game of a FEN with viewer `*`; `needs-open` if it has another viewer."""
    view = parse_fen(board, text, rules)
    if not view.is_open:
        raise ParseError("needs-open", "field viewer: a game needs all pieces, so the viewer must be *")
    return GameState(board, view.rules, view.position)
