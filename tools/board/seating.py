"""What a new game is made from: the variant, who sits where, what each may see, the time; checked before it begins."""

from dataclasses import dataclass, replace
from typing import Any

from junqi_engine.notation.seats import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.options import Rules
from tools.board.engines import Program
from tools.board.messages import BadMessage
from tools.referee.config import Visibility

ME, GUEST, ENGINE = "me", "guest", "engine"


@dataclass(frozen=True)
class Party:
    """Seats that one person or one engine process plays, and the seats whose pieces it sees (`*`: all)."""

    who: str
    seats: str
    viewer: str
    program: Program | None = None
    player: str = ""

    @property
    def is_engine(self) -> bool:
        return self.who == ENGINE

    @property
    def name(self) -> str:
        """What the record calls it."""
        if self.program is None:
            return "person" if self.who == ME else "guest"
        return f"{self.program.name} {self.player}".strip()


@dataclass(frozen=True)
class Seating:
    """A game before it begins. Times are in milliseconds; without `base_ms` there are no clocks, and an engine takes
    `move_ms` for each move. An engine's move is shown no sooner than `pace_ms` after the last one.
    """

    board: Board
    visibility: Visibility
    parties: tuple[Party, ...]
    first: str
    rules: Rules
    base_ms: int | None
    increment_ms: int
    move_ms: int
    pace_ms: int

    @classmethod
    def read(cls, fields: dict[str, Any], programs: tuple[Program, ...], variants: tuple[str, ...]) -> "Seating":
        """From a `new_game` message; `BadMessage` says what cannot be."""
        board = BOARDS.get(fields["variant"])
        if board is None or board.variant not in variants:
            raise BadMessage("bad-setup", f"the engine does not play the variant {fields['variant']!r}")
        seats = fields["seats"]
        if set(seats) != set(board.seats):
            raise BadMessage("bad-setup", f"each of the seats {', '.join(board.seats)} needs a player")
        if fields["first"] not in tuple(board.seats):
            raise BadMessage("bad-setup", f"the first to move is none of {', '.join(board.seats)}")
        visibility = Visibility(fields["visibility"])
        parties = _parties(board, visibility, {seat: _taker(seat, seats[seat], programs) for seat in board.seats})
        _check_persons(visibility, parties)
        rules = replace(Rules.of(board), max_plies=fields["max_plies"])
        if fields["no_contact"] is not None:
            rules = replace(rules, no_contact=fields["no_contact"])
        clock = fields["clock"]
        return cls(
            board=board,
            visibility=visibility,
            parties=parties,
            first=fields["first"],
            rules=rules,
            base_ms=1000 * clock["base_s"] if clock else None,
            increment_ms=1000 * clock["increment_s"] if clock else 0,
            move_ms=fields["move_ms"],
            pace_ms=fields["pace_ms"],
        )

    @property
    def mine(self) -> str:
        """The seats of the host, none if it only watches."""
        return "".join(party.seats for party in self.parties if party.who == ME)

    @property
    def eyes_of_host(self) -> str:
        """What the host may see: what its seats see; everything in a game that only engines play."""
        return next((party.viewer for party in self.parties if party.who == ME), OPEN_VIEWER)


def _taker(seat: str, taken: dict[str, str], programs: tuple[Program, ...]) -> Party:
    """Who takes a seat, its view still to be decided."""
    if taken["who"] != ENGINE:
        return Party(taken["who"], seat, seat)
    program = next((program for program in programs if program.name == taken["program"]), None)
    if program is None:
        raise BadMessage("bad-setup", f"seat {seat}: there is no engine of the name {taken['program']!r}")
    return Party(ENGINE, seat, seat, program, taken["player"])


def _parties(board: Board, visibility: Visibility, takers: dict[str, Party]) -> tuple[Party, ...]:
    """One party a seat in dark games; else seats of a team, in open games of the board, that one player takes."""
    found: list[Party] = []
    for team in board.teams:
        for seat in team:
            viewer = {Visibility.DARK: seat, Visibility.PARTNER: team, Visibility.OPEN: OPEN_VIEWER}[visibility]
            party = replace(takers[seat], viewer=viewer)
            group = next((other for other in found if _plays_with(other, party, team)), None)
            if group is None:
                found.append(party)
            else:
                found[found.index(group)] = replace(group, seats=group.seats + seat)
    return tuple(found)


def _plays_with(one: Party, other: Party, team: str) -> bool:
    """Whether two seats, the second of `team`, have one player. Engines always play for one team only."""
    is_same = (one.who, one.program, one.player, one.viewer) == (other.who, other.program, other.player, other.viewer)
    return is_same and (not one.is_engine or one.seats[0] in team)


def _check_persons(visibility: Visibility, parties: tuple[Party, ...]) -> None:
    mine = [party for party in parties if party.who == ME]
    if len(mine) > 1 or (visibility == Visibility.DARK and mine and len(mine[0].seats) > 1):
        one = "one seat" if visibility == Visibility.DARK else "the seats of one team"
        raise BadMessage("one-side-only", f"in a {visibility} game one page may have {one} only")
    if not mine and any(party.who == GUEST for party in parties):
        raise BadMessage("host-must-sit", "with guests at the board, take a seat yourself")


def opening(variants: tuple[str, ...], program: Program, player: str) -> dict[str, Any]:
    """The fields of the game that the board opens with: the host's team against the default player."""
    variant = next(variant for variant in variants if variant in BOARDS)
    board = BOARDS[variant]
    person = {"who": ME, "program": "", "player": ""}
    engine = {"who": ENGINE, "program": program.name, "player": player}
    return {
        "variant": variant,
        "visibility": Visibility.PARTNER.value,
        "seats": {seat: person if seat in board.teams[0] else engine for seat in board.seats},
        "first": board.seats[0],
        "clock": None,
        "move_ms": 1000,
        "pace_ms": 400,
        "no_contact": None,
        "max_plies": 0,
    }
