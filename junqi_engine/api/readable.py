"""The common base of `Game` and `View`: read access to the position, and the geometry of its board."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from junqi_engine.api.move import Move, Piece, trusted_move
from junqi_engine.errors import BadPosition, IllegalMove, Refused, expect_at_least, expect_one_of, quoted
from junqi_engine.information.view import SeatView
from junqi_engine.notation.drawing import draw_svg, draw_text, status
from junqi_engine.notation.fen import HIDDEN, format_fen, piece_text
from junqi_engine.notation.moves import (
    format_code,
    format_move,
    format_viewer,
    outcome_text,
    parse_move,
    parse_viewer,
    result_text,
    seat_letters,
    split_move,
)
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of as team_number
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BATTLES, IMMOBILE_MASK, LETTERS, letters_of
from junqi_engine.rules.position import Copyable, Result, winner_of

MOVING = "".join(letter for letter in LETTERS if letter not in letters_of(IMMOBILE_MASK))


class LegalMoves(list[Move]):
    """The legal moves of a position. `in` ignores the suffix of a move."""

    def __contains__(self, move: object) -> bool:
        words = split_move(move) if isinstance(move, str) else None
        return words is not None and super().__contains__(words.from_point + words.to_point)


class ReadablePosition(Copyable):
    """Read access to a position. Seats and points are text: `"S"`, `"g6"`."""

    state: GameState | SeatView
    """The position as arrays, for programs that need them. Read-only."""

    @property
    def variant(self) -> str:
        """`siguo` or `luzhanqi`."""
        return self._board.variant

    @property
    def seats(self) -> str:
        """The letters of all seats, in turn order."""
        return self._board.seats

    @property
    def teams(self) -> tuple[str, str]:
        return self._board.teams

    @property
    def points(self) -> tuple[str, ...]:
        return self._board.names

    @property
    def rules(self) -> Rules:
        return self.state.rules

    @property
    def turn(self) -> str:
        """The seat to move; after the end of the game, the seat that moved last or would be next."""
        return self._board.seats[self.state.turn]

    @property
    def alive(self) -> str:
        """The seats that are not eliminated, in turn order."""
        return seat_letters(self._board, self.state.alive)

    @property
    def quiet(self) -> int:
        """The no-contact counter: plies since the last battle."""
        return self.state.quiet

    @property
    def result(self) -> str | None:
        """The seats of the team that won, `draw`, or None while the game continues."""
        result = self.state.result
        return None if result == Result.ONGOING else result_text(self._board, result)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, in board order; none once the game has ended. They have no suffix, but `in` takes one.

        `IllegalMove` if the seat to move is hidden from the viewer.
        """
        codes = self.state.legal_moves()
        board = self._board
        return LegalMoves(trusted_move(format_code(board, code)) for code in codes)

    @property
    def move_stack(self) -> list[Move]:
        """The moves so far with their suffixes: the public record."""
        return [Move(format_move(self._board, seen)) for seen in self.state.record]

    def peek(self) -> Move:
        """The last move; IndexError if there is none."""
        return Move(format_move(self._board, self.state.record[-1]))

    def ply(self) -> int:
        """The number of moves played; resignations and passed turns do not count."""
        return self.state.ply

    def is_game_over(self) -> bool:
        return self.state.result != Result.ONGOING

    def returns(self) -> dict[str, float]:
        """By seat: 1 if its team has won, -1 if the other team has, 0 for a draw or while the game continues."""
        winner = winner_of(self.state.result)
        signs = [
            0.0 if winner is None else 1.0 if team_number(seat) == winner else -1.0 for seat in range(len(self.seats))
        ]
        return dict(zip(self.seats, signs, strict=True))

    def is_legal(self, move: str) -> bool:
        """Whether a move is legal now. A suffix is ignored; `push` checks it. `resign:SEAT` is not a move here."""
        return move in self.legal_moves

    def piece_at(self, point: str) -> Piece | None:
        """The piece on a point; None if it is empty."""
        return self._piece(self._point(point))

    def piece_map(self) -> dict[str, Piece]:
        """All pieces on the board by point, in board order."""
        pieces = {name: self._piece(point) for point, name in enumerate(self._board.names)}
        return {name: piece for name, piece in pieces.items() if piece is not None}

    def fen(self) -> str:
        return format_fen(self.state)

    def svg(
        self,
        *,
        size: int | None = None,
        last_move: str | None = None,
        arrows: Iterable[str] = (),
        orientation: str | None = None,
    ) -> str:
        """A picture of the board as SVG, `size` pixels high; without a size it fills its frame.

        The points of `last_move` are marked, and each move of `arrows` is drawn as an arrow. `orientation` is the seat
        at the bottom, by default the first one. `Refused` for anything but a move or a seat of the board.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", seed=1)
        >>> game.svg(size=480, last_move="a6b5", arrows=["a7a6"], orientation="N").count("<polygon")
        1
        """
        if size is not None:
            expect_at_least(1, "size", size)
        bottom = 0 if orientation is None else seat_of_letter(self._board, orientation, "orientation")
        marked = () if last_move is None else self._points_of(last_move)
        return draw_svg(self.state, size, marked, [self._points_of(move) for move in arrows], bottom)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return "\n".join([*draw_text(self.state), status(self.state)])

    def __eq__(self, other: object) -> bool:
        """Whether two games have the same variant, position and rules, or two views the same information state and
        rules.
        """
        return self._identity() == other._identity() if isinstance(other, type(self)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _identity(self) -> object:
        return self.variant, self.rules, self.fen()

    @property
    def _board(self) -> Board:
        return self.state.board

    def _piece(self, point: int) -> Piece | None:
        piece = self.state.piece_at(point)
        if piece is None:
            return None
        text = piece_text(self.state, piece)
        letter = text[1:]
        return Piece(text[0], None if letter == HIDDEN else letter)

    def _piece_number(self, point: str) -> int:
        piece = self.state.piece_at(self._point(point))
        if piece is None:
            raise Refused("bad-argument", f"no piece stands on {point}")
        return piece

    def _points_of(self, move: str) -> tuple[int, int]:
        seen = parse_move(self._board, move)
        if not seen.is_ply:
            raise IllegalMove("bad-move", f"{quoted(move)} has no points to draw")
        return seen.from_point, seen.to_point

    def _point(self, name: str) -> int:
        point = self._board.point_named.get(name)
        if point is None:
            raise Refused("bad-argument", f"{quoted(name)} is not a point of the board")
        return point


def board_of(variant: str) -> Board:
    expect_one_of("variant", variant, BOARDS)
    return BOARDS[variant]


def board_of_fen(fen: str, variant: str | None) -> Board:
    """The board of a variant; without one, the board with the number of ranks of a FEN."""
    if variant is not None:
        return board_of(variant)
    ranks = fen.split(" ")[0].count("/") + 1
    for board in BOARDS.values():
        if board.height == ranks:
            return board
    heights = " or ".join(f"{board.height} ({board.variant})" for board in BOARDS.values())
    raise BadPosition("bad-position", f"field board: {ranks} ranks, expected {heights}")


def seat_of_letter(board: Board, letter: str, what: str) -> int:
    expect_one_of(what, letter, board.seats)
    return board.seats.index(letter)


def lineups_by_seat(board: Board, lineups: Mapping[str, str] | None) -> dict[str, str]:
    for letter in lineups or {}:
        seat_of_letter(board, letter, "line-up of seat")
    return dict(lineups or {})


def viewer_from_text(board: Board, text: str) -> int:
    try:
        return parse_viewer(board, text)
    except ValueError as error:
        raise BadPosition("bad-position", f"viewer {error}") from None


def start_text(state: SeatView) -> str:
    """The start of a game in the words of `position`: line-ups if South moves first from the start, otherwise a FEN."""
    board = state.board
    if not state.is_followed or state.turn:
        return f"fen {format_fen(state)}"
    kinds = state.position["kind"]
    lineups = []
    for seat, letter in enumerate(board.seats):
        if state.sees(seat):
            pieces = [state.piece_at(point) for point in state.points_of(seat)]
            lineups.append(f"{letter}:{''.join(LETTERS[kinds[piece]] for piece in pieces)}")
    return f"startpos lineup {' '.join(lineups)} viewer {format_viewer(board, state.viewer)}"


def battle(attacker: str, defender: str) -> str:
    """The outcome of a battle between two kinds: `x`, the attacker wins; `o`, the defender wins; `=`, both are removed.

    `Refused` for anything but the letter of a kind, and for an attacker that never moves.

    >>> from junqi_engine import battle
    >>> battle("a", "b"), battle("i", "j"), battle("c", "k"), battle("d", "j")
    ('x', 'x', '=', 'o')
    """
    expect_one_of("attacker", attacker, MOVING)
    expect_one_of("defender", defender, LETTERS)
    return outcome_text(BATTLES[LETTERS.index(attacker)][LETTERS.index(defender)].outcome)


@dataclass(frozen=True)
class Point:
    """A point of a board: its name, its square from 0 at the lower left, and the seat of its block, "" in the centre.

    `roads` and `rails` are the points one step away by road and by railway; a step on the edge of a block may be both.

    >>> from junqi_engine import board_points
    >>> points = board_points("luzhanqi")
    >>> points["b1"].file, points["b1"].rank, points["b1"].seat, points["b1"].is_headquarters
    (1, 0, 'S', True)
    >>> points["c6"].rails, points["b3"].is_campsite, len(points["b3"].roads)
    (('b6', 'd6', 'c7'), True, 8)
    """

    name: str
    file: int
    rank: int
    seat: str
    is_campsite: bool
    is_headquarters: bool
    roads: tuple[str, ...]
    rails: tuple[str, ...]


def board_points(variant: str = "siguo") -> dict[str, Point]:
    """The points of a board by name, in board order. `Refused` if there is no such variant.

    >>> from junqi_engine import board_points
    >>> len(board_points()), len(board_points("luzhanqi"))
    (129, 60)
    """
    board = board_of(variant)
    return {board.names[point]: _point(board, point) for point in board.points}


def _point(board: Board, point: int) -> Point:
    (file, rank), owner = board.squares[point], board.owner(point)
    roads = sorted(board.road_steps[point])
    rails = [to for to in board.points if frozenset((point, to)) in board.rails]
    return Point(
        board.names[point], file, rank, "" if owner is None else board.seats[owner], board.is_campsite(point),
        board.is_headquarters(point), tuple(board.names[to] for to in roads), tuple(board.names[to] for to in rails),
    )  # fmt: skip
