"""What the games of a batch begin from, and games as they stand.

Games begin from line-ups, or from games of the library in their middle. Kernels take every number in a state as it is,
so `check_states` tells whether arrays can be one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from junqi_engine.api.game import Game
from junqi_engine.api.readable import board_of, lineups_by_seat
from junqi_engine.env.observation import check_choice
from junqi_engine.env.observing import TRACK
from junqi_engine.errors import JunqiError, expect
from junqi_engine.information.deduction import KNOWN, MOST_RELATIONS, PARTNERS, begin
from junqi_engine.notation.moves import format_viewer
from junqi_engine.players.events import NO_POINT
from junqi_engine.rules.board import MAX_POINTS, Board
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    SLOTS,
    contains,
    from_point_of,
    occupant_of,
    seat_of,
    slot_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import POSITION, Result, unpickled


@dataclass(frozen=True)
class Starts:
    """Starting positions, (k,). `drawn` are the sets of seats whose line-ups are drawn for each game, `views`, (k, v),
    what each viewer knows.
    """

    positions: np.ndarray
    drawn: np.ndarray
    has_lineups: np.ndarray
    views: np.ndarray
    tracks: np.ndarray

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(unpickled(state))


def lineups_of(options: Mapping[str, Any] | None, *others: str) -> Any:
    """The option `lineups` of a reset; None if it is not given. `JunqiError` for an option that is not one of the
    `others` either.
    """
    expect(Mapping | None, "options", options)
    known = ("lineups", *others)
    for name in options or {}:
        check_choice("option", name, known)
    return (options or {}).get("lineups")


def read_starts(
    variant: str,
    rules: Rules,
    visibility: str | None,
    viewers: Sequence[int],
    shows_removed: bool,
    lineups: Sequence[Mapping[str, str]],
    games: Sequence[Game],
) -> Starts:
    """The starting positions of `Batch.reset`. `BadLineup` or `JunqiError` if one of them is not fit."""
    board = board_of(variant)
    given = [lineups_by_seat(board, own) for own in lineups or [{}]]
    drawn = [sum(1 << seat for seat, letter in enumerate(board.seats) if letter not in own) for own in given]
    if games:
        drawn = [0] * len(games)
        for number, game in enumerate(games):
            expect(Game, f"game {number}", game)
            if (game.variant, game.rules) != (variant, rules):
                text = f"it is {game.variant} with {game.rules}, expected {variant} with {rules}"
            elif game.is_game_over():
                text = "it has ended"
            elif not game.lineups and visibility not in (None, "open"):
                text = f"it began from a FEN, and visibility {visibility} needs a game from line-ups"
            elif not game.lineups and shows_removed:
                text = "it began from a FEN, so what its removed pieces were is not known"
            else:
                continue
            raise JunqiError("bad-argument", f"game {number}: {text}")
    else:
        games = [Game(variant, own, rules=rules, seed=0) for own in given]
    views, tracks = np.zeros((len(games), len(viewers)), KNOWN), np.zeros(len(games), TRACK)
    for game, of_game, track in zip(games, views, tracks, strict=True):
        for number, viewer in enumerate(viewers):
            if viewer == board.all_alive:
                begin(game.state.position, of_game[number])
            else:
                of_game[number] = game.view(format_viewer(board, viewer)).state.known
        _write_track(game, track)
    positions = np.array([game.state.position for game in games], POSITION)
    has_lineups = np.array([bool(game.lineups) for game in games])
    return Starts(positions, np.array(drawn, np.uint8), has_lineups, views, tracks)


def _write_track(game: Game, track: np.void) -> None:
    track["ends"] = NO_POINT
    plies = [seen for seen in game.state.record if seen.is_ply]
    for step, seen in enumerate(reversed(plies[-len(track["moves"]) :])):
        track["moves"][step] = seen.move
    for seen in plies:
        track["ends"][team_of(seen.seat)] = seen.to_point


@dataclass(frozen=True, eq=False)
class States:
    """Games of a batch as they stand, for `Batch.set_states`: what they are like, and what their seats know."""

    made_by: tuple[Any, ...]
    positions: np.ndarray
    has_lineups: np.ndarray
    views: np.ndarray
    tracks: np.ndarray

    def __len__(self) -> int:
        return len(self.positions)


def check_states(board: Board, viewers: int, states: States) -> None:
    """`JunqiError` if an array has another form than those of a batch, or a number that no game has."""
    shape = states.positions.shape
    forms = {
        "positions": (POSITION, shape), "has_lineups": (np.dtype(bool), shape), "views": (KNOWN, (*shape, viewers)),
        "tracks": (TRACK, shape),
    }  # fmt: skip
    for name, (kind, expected) in forms.items():
        array = getattr(states, name)
        if array.dtype != kind or array.shape != expected:
            raise JunqiError("bad-argument", f"states: {name} is not an array of this batch")
    checks = _positions(board, states.positions), _views(board, states.views), _tracks(board, states.tracks)
    for name, are_possible in (each for check in checks for each in check.items()):
        if not np.all(are_possible):
            raise JunqiError("bad-argument", f"states: {name} has numbers that no game has")


def _positions(board: Board, positions: np.ndarray) -> dict[str, np.ndarray]:
    """By field, whether its numbers are possible."""
    pieces, points, seats = np.arange(PIECES), len(board.points), len(board.seats)
    slots, has_seats = np.uint32(1 << PIECES_PER_SEAT), np.arange(SEATS) < seats
    present = contains(positions["present"][..., seat_of(pieces)], slot_of(pieces).astype(np.uint32)) > 0
    kinds = positions["kind"].astype(np.intp)
    where = np.minimum(positions["where"], MAX_POINTS - 1).astype(np.intp)
    stand = np.where(present, occupant_of(pieces), NO_PIECE)
    by_seat = (*positions.shape, SEATS, SLOTS)
    own = np.where(present, kinds, UNKNOWN).reshape(by_seat)
    return {
        "present": (positions["present"] < slots) & (present.reshape(by_seat).any(axis=-1) <= has_seats),
        "movable": (positions["movable"] & ~positions["present"]) == 0,
        "where": ~present | (positions["where"] < points),
        "board": np.logical_and(
            (np.take_along_axis(positions["board"], where, axis=-1) == stand) | ~present,
            ((positions["board"] != NO_PIECE).sum(axis=-1) == present.sum(axis=-1))[..., None],
        ),
        "kind": (kinds <= UNKNOWN) & (~present | (kinds < KINDS)),
        "kind of a seat": np.stack([(own == kind).sum(axis=-1) <= COUNTS[kind] for kind in range(KINDS)]),
        "turn": positions["turn"] < seats,
        "alive": positions["alive"] <= board.all_alive,
        "result": positions["result"] < len(Result),
    }


def _views(board: Board, views: np.ndarray) -> dict[str, np.ndarray]:
    relations = views["relations"]
    return {
        "masks": views["masks"] < 1 << KINDS,
        "relation_count": (views["relation_count"] >= 0) & (views["relation_count"] <= MOST_RELATIONS),
        "hidden_seats": views["hidden_seats"] <= board.all_alive,
        "relations": (relations[..., :2] < PIECES).all(axis=-1) & (relations[..., 2] < len(PARTNERS)),
    }


def _tracks(board: Board, tracks: np.ndarray) -> dict[str, np.ndarray]:
    moves, points = tracks["moves"], len(board.points)
    return {
        "moves": (from_point_of(moves) < points) & (to_point_of(moves) < points),
        "ends": (tracks["ends"] < points) | (tracks["ends"] == NO_POINT),
    }
