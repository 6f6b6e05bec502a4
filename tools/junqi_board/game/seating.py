"""The setup of a game: the variant, who plays which seats, what each player sees, the time control."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from junqi_board.engines import Program
from junqi_engine.errors import Refused
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from junqi_engine.rules.visibility import Visibility
from junqi_referee.time_control import TimeControl

ME, GUEST, ENGINE = "me", "guest", "engine"
MOVE_MS = 1000
"""Longest time for a move of an engine, also if its clock allows more."""


class TimeOut(StrEnum):
    LOSES = "loses"
    """The player loses the game for its team. The clock is for the whole game."""
    PASSES = "passes"
    """The turn passes, as on QQ. The clock is for one turn: each turn begins with the full time."""


Elo = Annotated[int, Meta(ge=0, le=10_000)] | None


class Taker(Struct, forbid_unknown_fields=True):
    who: Literal["me", "guest", "engine"]
    program: str
    elo: Elo


class GameClock(Struct, forbid_unknown_fields=True):
    base_s: Annotated[int, Meta(ge=1, le=86_400)]
    increment_s: Annotated[int, Meta(ge=0, le=3_600)]


class Setup(Struct):
    """A game as a page or a record names it."""

    variant: str
    visibility: str
    seats: dict[str, Taker]
    clock: GameClock | None = None
    time_out: TimeOut = TimeOut.LOSES


@dataclass(frozen=True)
class Party:
    """The seats of one person or one engine process, and the seats whose pieces it sees (`viewer`, `*` for all)."""

    who: str
    seats: str
    viewer: str
    program: Program | None = None
    elo: int | None = None
    """The Elo to which an engine limits its strength; None for full strength."""

    @property
    def is_engine(self) -> bool:
        return self.who == ENGINE

    @property
    def name(self) -> str:
        """The name in the record."""
        if self.program is None:
            return "person" if self.who == ME else "guest"
        return self.program.name + ("" if self.elo is None else f" (Elo {self.elo})")


@dataclass(frozen=True)
class Seating:
    """A game before it starts.

    `time_control` is one clock per party, or the time per move of an engine in a game without clocks. If a turn passes
    when its clock runs out, it has both.
    """

    board: Board
    visibility: Visibility
    parties: tuple[Party, ...]
    first: str
    rules: Rules
    time_control: TimeControl
    time_out: TimeOut

    @classmethod
    def read(cls, setup: Setup, programs: tuple[Program, ...], variants: tuple[str, ...]) -> "Seating":
        board = BOARDS.get(setup.variant)
        if board is None or board.variant not in variants:
            raise Refused("bad-setup", f"the engine does not play the variant {setup.variant!r}")
        if set(setup.seats) != set(board.seats):
            raise Refused("bad-setup", f"each of the seats {', '.join(board.seats)} needs a player")
        if setup.visibility not in (Visibility.PARTNER, Visibility.DARK):
            raise Refused("bad-setup", "the board plays no games in which all pieces are seen")
        visibility, parties = Visibility(setup.visibility), _parties(setup, board, programs)
        _check_persons(visibility, parties)
        return cls(
            board=board,
            visibility=visibility,
            parties=parties,
            first=board.seats[0],
            rules=Rules.of(board),
            time_control=_time_control(setup, parties),
            time_out=setup.time_out,
        )

    def with_level(self, elo: int | None) -> "Seating":
        return replace(self, parties=tuple(replace(one, elo=elo) if one.is_engine else one for one in self.parties))

    def for_rematch(self) -> "Seating":
        """The next game of the same persons: the next seat has the first turn, unless a person plays alone."""
        seats = self.board.seats
        turn = (seats.index(self.first) + 1) % len(seats) if self.guests else 0
        return replace(self, first=seats[turn])

    @property
    def host_seats(self) -> str:
        """The seats that the host plays, empty if the host only watches."""
        return "".join(party.seats for party in self.parties if party.who == ME)

    @property
    def guests(self) -> list[str]:
        return [party.seats for party in self.parties if party.who == GUEST]

    @property
    def host_viewer(self) -> str:
        """The viewer of the host: its seats, or everything in a game between engines."""
        return next((party.viewer for party in self.parties if party.who == ME), OPEN_VIEWER)


def _time_control(setup: Setup, parties: tuple[Party, ...]) -> TimeControl:
    if setup.clock is None:
        return TimeControl(move_ms=MOVE_MS)
    base_ms, increment_ms = 1000 * setup.clock.base_s, 1000 * setup.clock.increment_s
    if setup.time_out == TimeOut.PASSES:
        if increment_ms:
            raise Refused("bad-setup", "clock: expected increment_s 0: each turn begins with the full time")
        # The clock alone would tell an engine to spread its time over the whole game.
        return TimeControl(base_ms=base_ms, move_ms=min(MOVE_MS, base_ms))
    has_engine = any(party.is_engine for party in parties)
    return TimeControl(base_ms=base_ms, increment_ms=increment_ms, move_ms=MOVE_MS if has_engine else None)


def _parties(setup: Setup, board: Board, programs: tuple[Program, ...]) -> tuple[Party, ...]:
    """Join seats with the same player: none in dark games, those of a team otherwise.

    A guest has several seats only if the host commands a whole team too: otherwise each seat is another person's.
    """
    seats_of: dict[Party, str] = {}
    joins_guests = any(len(team) > 1 and all(setup.seats[seat].who == ME for seat in team) for team in board.teams)
    for team in board.teams:
        for seat in team:
            taker, viewer = setup.seats[seat], seat if setup.visibility == Visibility.DARK else team
            # Those of two teams see other pieces.
            party = Party(taker.who, seat if taker.who == GUEST and not joins_guests else "", viewer)
            if taker.who == ENGINE:
                program = next((program for program in programs if program.name == taker.program), None)
                if program is None:
                    raise Refused("bad-setup", f"seat {seat}: no engine is called {taker.program!r}")
                party = replace(party, program=program, elo=taker.elo)
            seats_of[party] = seats_of.get(party, "") + seat
    return tuple(replace(party, seats=seats) for party, seats in seats_of.items())


def _check_persons(visibility: Visibility, parties: tuple[Party, ...]) -> None:
    mine = [party for party in parties if party.who == ME]
    if len(mine) > 1:
        allowed = "one seat" if visibility == Visibility.DARK else "the seats of one team"
        raise Refused("one-side-only", f"in a {visibility} game the host's page can play only {allowed}")
    if not mine and any(party.who == GUEST for party in parties):
        raise Refused("host-must-sit", "a game with guests needs a seat for the host")


def opening(variants: tuple[str, ...], programs: tuple[Program, ...], elo: int | None) -> Seating | None:
    """The first game: the host at the first seat, the first engine, limited to an Elo, at the others; with two seats if
    possible. None if the engine plays none.
    """
    boards = [BOARDS[variant] for variant in variants if variant in BOARDS]
    if not boards:
        return None
    board = min(boards, key=lambda board: len(board.seats))
    seats = dict.fromkeys(board.seats, Taker("engine", programs[0].name, elo)) | {board.seats[0]: Taker("me", "", None)}
    setup = Setup(board.variant, "dark" if len(board.seats) == 2 else "partner", seats)
    return Seating.read(setup, programs, variants)
