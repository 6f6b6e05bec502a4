"""FEN, moves with outcomes, squares, line-ups: text to values and back.

Every parser raises `ParseError`, which names the field, the rank or the move that is wrong.
"""

import re
from collections.abc import Iterable, Sequence

from junqi_engine import lineup as lineups_module
from junqi_engine.board import Board
from junqi_engine.errors import JunqiError, ParseError
from junqi_engine.pieces import LETTERS, UNKNOWN, Outcome, letters_of, mask_of
from junqi_engine.position import Result
from junqi_engine.snapshot import default_mask, view_of_snapshot
from junqi_engine.state import GameState, Placement, Rules, SeenMove
from junqi_engine.view import SeatView

OPEN_VIEWER = "*"
HIDDEN = "?"
FIELDS = ("board", "turn", "alive", "viewer", "quiet", "ply", "masks")
LARGEST_COUNT = 10**6

_SUFFIX = {Outcome.NO_BATTLE: "", Outcome.ATTACKER_WON: "x", Outcome.DEFENDER_WON: "o", Outcome.BOTH_LEFT: "="}
_OUTCOME = {suffix: outcome for outcome, suffix in _SUFFIX.items()}
_MOVE = re.compile(r"([a-z][0-9]{1,2})([a-z][0-9]{1,2})([xo=]?)((?:![a-z][0-9]{1,2})*)((?:#[A-Z])*)")
_RESIGNATION = re.compile(r"resign:([A-Z])((?:#[A-Z])*)")
_LONGEST_SHOWN = 40


# Moves


def parse_point(board: Board, text: str) -> int:
    """The point of a square such as `g6`; `bad-move` if there is none."""
    point = board.point_named.get(text)
    if point is None:
        raise ParseError("bad-move", f"{_shown(text)} is no point of the board")
    return point


def parse_move(board: Board, text: str) -> SeenMove:
    """A move with or without a suffix, or `resign:SEAT`; `bad-move` if it is neither."""
    resignation = _RESIGNATION.fullmatch(text)
    if resignation:
        return SeenMove(
            -1, -1, eliminated=_seats(board, text, resignation[2]), resigned=_seat(board, text, resignation[1])
        )
    match = _MOVE.fullmatch(text)
    if not match:
        raise ParseError("bad-move", f"{_shown(text)} is no move")
    points = []
    for square in (match[1], match[2], *filter(None, match[4].split("!"))):
        if square not in board.point_named:
            raise ParseError("bad-move", f"{_shown(text)}: {square} is no point of the board")
        points.append(board.point_named[square])
    if len(points) > 4:
        raise ParseError("bad-move", f"{_shown(text)}: more than two flags")
    if match[4] and not match[3]:
        raise ParseError("bad-move", f"{_shown(text)}: a flag is shown after a battle only")
    return SeenMove(
        points[0], points[1], _OUTCOME[match[3]], tuple(points[2:]), _seats(board, text, match[5].replace("#", ""))
    )


def format_move(board: Board, seen: SeenMove) -> str:
    """The text of a move as everyone saw it; `parse_move` reads it back."""
    eliminated = "".join(f"#{board.seats[seat]}" for seat in seen.eliminated)
    if seen.resigned is not None:
        return f"resign:{board.seats[seen.resigned]}{eliminated}"
    shown = "".join(f"!{board.names[point]}" for point in seen.shown_flags)
    return f"{format_bare(board, seen.from_point, seen.to_point)}{_SUFFIX[seen.outcome]}{shown}{eliminated}"


def format_bare(board: Board, from_point: int, to_point: int) -> str:
    """A move without what came of it, as `bestmove` has it."""
    return board.names[from_point] + board.names[to_point]


def format_code(board: Board, move: int) -> str:
    """A move given as `256 * from + to`."""
    return format_bare(board, move >> 8, move & 255)


def _seat(board: Board, text: str, letter: str) -> int:
    if letter not in board.seats:
        raise ParseError("bad-move", f"{_shown(text)}: {letter} is no seat")
    return board.seats.index(letter)


def _seats(board: Board, text: str, letters: str) -> tuple[int, ...]:
    seats = tuple(_seat(board, text, letter) for letter in letters.replace("#", ""))
    if len(set(seats)) < len(seats):
        raise ParseError("bad-move", f"{_shown(text)}: a seat is out twice")
    return seats


# Viewers and line-ups


def parse_viewer(board: Board, text: str) -> int:
    """The seats of a viewer, a bit a seat: one seat, one team, or `*`; ValueError otherwise."""
    if text == OPEN_VIEWER:
        return board.all_alive
    for viewer in (*board.seats, *board.teams):
        if sorted(text) == sorted(viewer):
            return sum(1 << board.seats.index(letter) for letter in viewer)
    raise ValueError(f"{_shown(text)} is neither one seat, nor one team ({' or '.join(board.teams)}), nor *")


def format_viewer(board: Board, viewer: int) -> str:
    return OPEN_VIEWER if viewer == board.all_alive else _seat_letters(board, viewer)


def start_view(
    board: Board, lineups: Sequence[str] = (), viewer: str | None = None, rules: Rules | None = None
) -> SeatView:
    """The start from line-ups written `S:<25 letters>`, as `position startpos` has them."""
    by_seat: dict[int, str] = {}
    for text in lineups:
        letter, _, lineup = text.partition(":")
        if letter not in board.seats or len(letter) != 1:
            raise ParseError("bad-lineup", f"{_shown(text)}: it begins with none of {', '.join(board.seats)}")
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
        if by_seat and seats >> seat & 1 and seat not in by_seat:
            raise ParseError("bad-lineup", f"{letter}'s line-up is missing")
    return SeatView.start(board, seats, by_seat, rules)


# FEN


def parse_fen(board: Board, text: str, rules: Rules | None = None) -> SeatView:
    """The view that a FEN describes. `bad-position`, `impossible-position` or `leak`, with the field and the rank."""
    fields = text.split()
    if not 6 <= len(fields) <= 7:
        missing = f", field {FIELDS[len(fields)]} is missing" if len(fields) < 6 else ""
        raise ParseError("bad-position", f"a FEN has 6 or 7 fields, this one {len(fields)}{missing}")
    placements = _parse_board(board, fields[0])
    if len(fields[1]) != 1 or fields[1] not in board.seats:
        raise ParseError("bad-position", f"field turn: {_shown(fields[1])} is none of {', '.join(board.seats)}")
    alive = 0
    for letter in fields[2]:
        if letter not in board.seats or alive >> board.seats.index(letter) & 1:
            raise ParseError("bad-position", f"field alive: {_shown(fields[2])} is no set of {board.seats}")
        alive |= 1 << board.seats.index(letter)
    try:
        viewer = parse_viewer(board, fields[3])
    except ValueError as error:
        raise ParseError("bad-position", f"field viewer: {error}") from None
    quiet, ply = (_parse_count(name, field) for name, field in zip(FIELDS[4:6], fields[4:6], strict=True))
    masks = _parse_masks(board, fields[6] if len(fields) == 7 else "-", placements)
    turn = board.seats.index(fields[1])
    return view_of_snapshot(board, viewer, placements, turn, alive, quiet, ply, masks, rules)


def parse_game(board: Board, text: str, rules: Rules | None = None) -> GameState:
    """The game of a FEN whose viewer is `*`; `needs-open` for another."""
    view = parse_fen(board, text, rules)
    if not view.is_open:
        raise ParseError("needs-open", "field viewer: a game needs every piece, viewer *")
    return GameState(board, view.rules, view.position)


def format_fen(game: SeatView | GameState) -> str:
    """The FEN: six fields with viewer `*`, else seven. `parse_fen` gives an equal view, its history apart."""
    board, position = game.board, game.position
    view = game if isinstance(game, SeatView) else None
    viewer = board.all_alive if view is None else view.viewer
    ranks = []
    for rank in reversed(range(board.height)):
        text, empty = "", 0
        for file in range(board.width):
            code = int(position["board"][board.point_at[file, rank]]) if (file, rank) in board.point_at else 0
            if not code:
                empty += 1
                continue
            text += f"{empty or ''}{_piece_text(board, position, viewer, view, code & 127)}"
            empty = 0
        ranks.append(f"{text}{empty or ''}")
    turn, alive = board.seats[int(position["turn"])], _seat_letters(board, int(position["alive"]))
    fields = ["/".join(ranks), turn, alive, format_viewer(board, viewer), str(position["quiet"]), str(position["ply"])]
    if view is not None and not view.is_open:
        fields.append(_format_masks(view))
    return " ".join(fields)


def result_text(board: Board, result: Result) -> str:
    """`ongoing`, `draw`, or the seats of the team that has won."""
    if result in (Result.ONGOING, Result.DRAW):
        return result.name.lower()
    return board.teams[0 if result == Result.TEAM_0 else 1]


def _piece_text(board: Board, position: object, viewer: int, view: SeatView | None, piece: int) -> str:
    seat = piece >> 5
    where, kind = int(position["where"][piece]), int(position["kind"][piece])  # type: ignore[index]
    is_shown = view is not None and view.shown_flags[seat] == where
    return board.seats[seat] + (LETTERS[kind] if viewer >> seat & 1 or is_shown else HIDDEN)


def _seat_letters(board: Board, seats: int) -> str:
    return "".join(letter for seat, letter in enumerate(board.seats) if seats >> seat & 1)


def _parse_board(board: Board, field: str) -> list[Placement]:
    ranks = field.split("/")
    if len(ranks) != board.height:
        raise ParseError("bad-position", f"field board: {len(ranks)} ranks, not {board.height}")
    placements = []
    for number, text in zip(range(board.height, 0, -1), ranks, strict=True):
        file = 0
        for token in re.findall(r"[1-9][0-9]*|[A-Z].?|.", text, re.DOTALL):
            if token[0] in "123456789":
                file += int(token[:6])
                continue
            if len(token) != 2 or token[0] not in board.seats or token[1] not in LETTERS + HIDDEN:
                raise ParseError("bad-position", f"field board, rank {number}: {_shown(token)} is no piece")
            point = board.point_at.get((file, number - 1))
            if file >= board.width or point is None:
                where = f"{chr(ord('a') + file)}{number}" if file < board.width else f"column {file + 1}"
                raise ParseError("bad-position", f"field board, rank {number}: {token} off the board at {where}")
            kind = UNKNOWN if token[1] == HIDDEN else LETTERS.index(token[1])
            placements.append(Placement(board.seats.index(token[0]), point, kind))
            file += 1
        if file != board.width:
            raise ParseError("bad-position", f"field board, rank {number}: {file} squares, not {board.width}")
    return placements


def _parse_count(name: str, field: str) -> int:
    if not re.fullmatch("[0-9]{1,7}", field) or int(field) > LARGEST_COUNT:
        raise ParseError("bad-position", f"field {name}: {_shown(field)} is no number from 0 to {LARGEST_COUNT}")
    return int(field)


def _parse_masks(board: Board, field: str, placements: Iterable[Placement]) -> dict[int, int]:
    hidden = {placement.point for placement in placements if placement.kind == UNKNOWN}
    masks: dict[int, int] = {}
    for entry in field.split(",") if field != "-" else ():
        square, _, letters = entry.partition(":")
        point = board.point_named.get(square)
        if point is None or point not in hidden:
            raise ParseError("bad-position", f"field masks: {_shown(entry)}: no hidden piece stands there")
        if point in masks:
            raise ParseError("bad-position", f"field masks: {square} is given twice")
        if not letters or not set(letters) <= set(LETTERS) or len(set(letters)) < len(letters):
            raise ParseError("bad-position", f"field masks: {_shown(entry)}: letters a to l, each once, must follow")
        masks[point] = mask_of(letters)
    return masks


def _format_masks(view: SeatView) -> str:
    entries = []
    for point in view.board.points:
        piece = view.piece_at(point)
        if piece is None or view.sees(piece >> 5) or view.shown_flags[piece >> 5] == point:
            continue
        mask = int(view.masks[piece])
        if mask != default_mask(view.board, piece >> 5, point):
            entries.append(f"{view.board.names[point]}:{letters_of(mask)}")
    return ",".join(entries) or "-"


def _shown(text: str) -> str:
    """Text of unknown origin in quotes, fit for one line."""
    cut = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return ascii(cut)
