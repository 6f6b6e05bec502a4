"""Positions as FEN, and the start of a game as text. `Refused` names the wrong field, and the rank or the entry."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from junqi_engine.errors import BadLineup, BadPosition, expect_one_of, naming, quoted
from junqi_engine.information.snapshot import default_mask, view_of_snapshot
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import OPEN_VIEWER, format_viewer, parse_viewer, seat_letters
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import NO_PIECE, contains, piece_in, seat_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, UNKNOWN, letters_of, mask_of
from junqi_engine.rules.position import Placement, Snapshot

FIELDS = ("board", "turn", "alive", "viewer", "quiet", "ply", "masks")
MAX_COUNT = 10**6
HIDDEN = "?"


def parse_fen(board: Board, text: str, rules: Rules | None = None) -> SeatView:
    """The view of a FEN. `bad-position`, `impossible-position` or `leak`, with the field and the rank."""
    fields = text.split()
    if not 6 <= len(fields) <= 7:
        missing = f", field {FIELDS[len(fields)]} is missing" if len(fields) < 6 else ""
        raise BadPosition("bad-position", f"a FEN has 6 or 7 fields; this one has {len(fields)}{missing}")
    placements = _parse_board(board, fields[0])
    expect_one_of("field turn:", fields[1], board.seats, "bad-position", BadPosition)
    alive = 0
    for letter in fields[2]:
        if letter not in board.seats or contains(alive, board.seats.index(letter)):
            raise BadPosition("bad-position", f"field alive: {quoted(fields[2])} is not a set of seats ({board.seats})")
        alive |= 1 << board.seats.index(letter)
    try:
        viewer = parse_viewer(board, fields[3])
    except ValueError as error:
        raise BadPosition("bad-position", f"field viewer: {error}") from None
    quiet, ply = (_parse_count(name, field) for name, field in zip(FIELDS[4:6], fields[4:6], strict=True))
    masks = _parse_masks(board, fields[6] if len(fields) == 7 else "-", placements)
    turn = board.seats.index(fields[1])
    return view_of_snapshot(board, viewer, Snapshot(placements, turn, alive, quiet, ply), masks, rules)


def format_fen(game: SeatView | GameState) -> str:
    """The FEN: six fields with viewer `*`, else seven. `parse_fen` gives an equal view, but without the record."""
    board, position = game.board, game.position
    view = game if isinstance(game, SeatView) else None
    viewer = board.all_alive if view is None else view.viewer
    # As lists, because players write a FEN before each move, and reading entries of an array is slow.
    occupants, kinds = position["board"].tolist(), position["kind"].tolist()
    is_seen = [view is None or view.sees(seat) for seat in range(len(board.seats))]
    flags = [None] * len(board.seats) if view is None else view.revealed_flags
    ranks = []
    for points in _ranks(board.variant):
        text, empty = "", 0
        for point in points:
            occupant = NO_PIECE if point is None else occupants[point]
            if occupant == NO_PIECE:
                empty += 1
                continue
            piece = piece_in(occupant)
            seat = seat_of(piece)
            letter = LETTERS[kinds[piece]] if is_seen[seat] or flags[seat] == point else HIDDEN
            text += f"{empty or ''}{board.seats[seat]}{letter}"
            empty = 0
        ranks.append(f"{text}{empty or ''}")
    turn, alive = board.seats[int(position["turn"])], seat_letters(board, int(position["alive"]))
    fields = ["/".join(ranks), turn, alive, format_viewer(board, viewer), str(position["quiet"]), str(position["ply"])]
    if view is not None and not view.is_open:
        fields.append(_format_masks(view))
    return " ".join(fields)


def piece_text(game: SeatView | GameState, piece: int) -> str:
    is_shown = not isinstance(game, SeatView) or game.shows(piece)
    letter = LETTERS[int(game.position["kind"][piece])] if is_shown else HIDDEN
    return game.board.seats[seat_of(piece)] + letter


def _parse_board(board: Board, field: str) -> list[Placement]:
    ranks = field.split("/")
    if len(ranks) != board.height:
        raise BadPosition("bad-position", f"field board: {len(ranks)} ranks, expected {board.height}")
    placements = []
    for number, text in zip(range(board.height, 0, -1), ranks, strict=True):
        file = 0
        for token in re.findall(r"[1-9][0-9]*|[A-Z].?|.", text, re.DOTALL):
            if token[0] in "123456789":
                file += int(token[:6])
                continue
            if len(token) != 2 or token[0] not in board.seats or token[1] not in LETTERS + HIDDEN:
                raise BadPosition("bad-position", f"field board, rank {number}: {quoted(token)} is not a piece")
            point = board.point_at.get((file, number - 1))
            if file >= board.width or point is None:
                where = f"{chr(ord('a') + file)}{number}" if file < board.width else f"column {file + 1}"
                raise BadPosition(
                    "bad-position", f"field board, rank {number}: {where}, where {token} stands, is not a point"
                )
            kind = UNKNOWN if token[1] == HIDDEN else LETTERS.index(token[1])
            placements.append(Placement(board.seats.index(token[0]), point, kind))
            file += 1
        if file != board.width:
            raise BadPosition("bad-position", f"field board, rank {number}: {file} squares, expected {board.width}")
    return placements


def _parse_count(name: str, field: str) -> int:
    if not re.fullmatch("[0-9]{1,7}", field) or int(field) > MAX_COUNT:
        raise BadPosition("bad-position", f"field {name}: {quoted(field)} is not a number from 0 to {MAX_COUNT}")
    return int(field)


def _parse_masks(board: Board, field: str, placements: Iterable[Placement]) -> dict[int, int]:
    hidden = {placement.point for placement in placements if placement.kind == UNKNOWN}
    masks: dict[int, int] = {}
    for entry in field.split(",") if field != "-" else ():
        square, _, letters = entry.partition(":")
        point = board.point_named.get(square)
        if point is None or point not in hidden:
            raise BadPosition("bad-position", f"field masks: {quoted(entry)}: there is no hidden piece on this point")
        if point in masks:
            raise BadPosition("bad-position", f"field masks: {square} appears twice")
        if not letters or not set(letters) <= set(LETTERS) or len(set(letters)) < len(letters):
            raise BadPosition("bad-position", f"field masks: {quoted(entry)}: expected different letters from a to l")
        masks[point] = mask_of(letters)
    return masks


def _format_masks(view: SeatView) -> str:
    entries = []
    defaults, masks = _default_masks(view.board.variant), view.masks.tolist()
    is_seen = [view.sees(seat) for seat in range(len(view.board.seats))]
    for point, occupant in enumerate(view.position["board"].tolist()):
        if occupant == NO_PIECE:
            continue
        piece = piece_in(occupant)
        seat = seat_of(piece)
        if is_seen[seat] or view.revealed_flags[seat] == point or masks[piece] == defaults[seat][point]:
            continue
        entries.append(f"{view.board.names[point]}:{letters_of(masks[piece])}")
    return ",".join(entries) or "-"


@cache
def _ranks(variant: str) -> tuple[tuple[int | None, ...], ...]:
    """The points of each rank from left to right, the highest rank first; None for a square without a point."""
    board = BOARDS[variant]
    return tuple(
        tuple(board.point_at.get((file, rank)) for file in range(board.width)) for rank in reversed(range(board.height))
    )


@cache
def _default_masks(variant: str) -> tuple[tuple[int, ...], ...]:
    """By seat and point, the mask of a hidden piece about which nothing else is known."""
    board = BOARDS[variant]
    return tuple(tuple(default_mask(board, seat, point) for point in board.points) for seat in range(len(board.seats)))


def start_view(
    board: Board, lineups: Sequence[str] = (), viewer: str | None = None, rules: Rules | None = None
) -> SeatView:
    """The view at the start, from line-ups written `S:<25 letters>` as in `position startpos`."""
    by_seat: dict[int, str] = {}
    for text in lineups:
        letter, _, lineup = text.partition(":")
        if letter not in board.seats or len(letter) != 1:
            raise BadLineup("bad-lineup", f"{quoted(text)} does not begin with one of {', '.join(board.seats)}")
        seat = board.seats.index(letter)
        if seat in by_seat:
            raise BadLineup("bad-lineup", f"{letter} has two line-ups")
        with naming(f"{letter}'s line-up: "):
            lineups_module.check(lineup)
        by_seat[seat] = lineup
    if viewer is None and by_seat:
        viewer = "".join(board.seats[seat] for seat in sorted(by_seat))
        viewer = OPEN_VIEWER if len(viewer) == len(board.seats) else viewer
    try:
        seats = parse_viewer(board, board.teams[0] if viewer is None else viewer)
    except ValueError as error:
        raise BadPosition("bad-position", f"viewer {error}") from None
    for seat, letter in enumerate(board.seats):
        if by_seat and contains(seats, seat) and seat not in by_seat:
            raise BadLineup("bad-lineup", f"{letter}'s line-up is missing")
    return SeatView.start(board, seats, by_seat, rules)


def parse_game(board: Board, text: str, rules: Rules | None = None) -> GameState:
    """The game of a FEN with viewer `*`; `needs-open` if it has another viewer."""
    view = parse_fen(board, text, rules)
    if not view.is_open:
        raise BadPosition("needs-open", "field viewer: a game needs all pieces, so the viewer must be *")
    return GameState(board, view.rules, view.positions)
