"""GameState: the truth of a game, as a referee knows it; and the public record of a move."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from junqi_engine import lineup as lineups_module
from junqi_engine.board import LINEUP_INDICES, Board
from junqi_engine.errors import JunqiError
from junqi_engine.movegen import MAX_MOVES, generate
from junqi_engine.pieces import BATTLE_TABLE, FLAG, IMMOBILE_MASK, LETTERS, MARSHAL, PIECES_PER_SEAT, Outcome
from junqi_engine.position import POSITION, UNDO, Result, apply_limits, eliminate, make, settle

MOST_PLIES = 1_000_000
"""A limit beyond it is none: no game comes near."""


@dataclass(frozen=True)
class Rules:
    """The options of the rules. Limits are in plies, 0 = none; ValueError for what is no such number."""

    no_contact: int = 70
    no_contact_loses: bool = False
    max_plies: int = 0

    def __post_init__(self) -> None:
        for name, plies in (("no_contact", self.no_contact), ("max_plies", self.max_plies)):
            if type(plies) is not int or not 0 <= plies <= MOST_PLIES:
                raise ValueError(f"{name}={plies!r} is no whole number from 0 to {MOST_PLIES}")
        if not isinstance(self.no_contact_loses, bool):
            raise ValueError(f"no_contact_loses={self.no_contact_loses!r} is neither true nor false")

    @classmethod
    def of(cls, board: Board) -> "Rules":
        """The variant's own."""
        return cls() if board.variant == "siguo" else cls(31, True)


@dataclass(frozen=True)
class SeenMove:
    """What all seats see of a ply, or of a resignation (`resigned` is then the seat, and the points are -1).

    `shown_flags` are points, the attacker's flag first; `eliminated` are seats, the owner of a taken flag first.
    As it comes from a move list without a suffix, `outcome` is `NO_BATTLE` and the rest empty. `seat` is who moved;
    the text of a move does not say it, so it is -1 until the move has been played or observed, and no part of
    equality.
    """

    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    shown_flags: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    resigned: int | None = None
    seat: int = field(default=-1, compare=False)

    @property
    def is_bare(self) -> bool:
        """Whether only the two points are known."""
        return self.outcome == Outcome.NO_BATTLE and not self.shown_flags and not self.eliminated


@dataclass(frozen=True)
class Placement:
    """A piece on the board: its seat, point and kind (`pieces.UNKNOWN` for a hidden one)."""

    seat: int
    point: int
    kind: int


def new_position(board: Board, rules: Rules, alive: int, turn: int, quiet: int = 0, ply: int = 0) -> np.void:
    """An empty board as a `POSITION` record."""
    position = np.zeros(1, POSITION)[0]
    position["alive"], position["turn"], position["quiet"], position["ply"] = alive, turn, quiet, ply
    position["result"] = _result_by_team(alive)
    set_rules(position, rules)
    return position


def set_rules(position: np.void, rules: Rules) -> None:
    position["no_contact"] = rules.no_contact
    position["no_contact_loses"] = rules.no_contact_loses
    position["max_plies"] = rules.max_plies


def place(board: Board, position: np.void, piece: int, point: int, kind: int) -> None:
    """Put a piece on an empty point."""
    seat, slot = piece >> 5, piece & 31
    position["board"][point] = 128 | piece
    position["kind"][piece] = kind
    position["where"][piece] = point
    position["present"][seat] |= 1 << slot
    if not IMMOBILE_MASK >> kind & 1 and not board.is_headquarters(point):
        position["movable"][seat] |= 1 << slot


def lineup_kinds(letter: str, lineup: str) -> list[int]:
    """The kinds of the line-up of seat `letter`, in index order; `bad-lineup` if it isn't legal."""
    try:
        lineups_module.check(lineup)
    except JunqiError as error:
        raise JunqiError(error.code, f"{letter}'s line-up: {error}") from None
    return [LETTERS.index(piece) for piece in lineup]


def place_lineup(board: Board, position: np.void, seat: int, kinds: Iterable[int]) -> None:
    """Set up a seat's 25 pieces, `kinds` in index order; slot k is the k-th of them."""
    for slot, (index, kind) in enumerate(zip(LINEUP_INDICES, kinds, strict=True)):
        place(board, position, 32 * seat + slot, 30 * seat + index, kind)


def set_movable(board: Board, position: np.void, may_move: np.ndarray) -> None:
    """The movable pieces afresh: those whose kind `may_move`, (128,) bool, on the board and in no headquarters."""
    may_move = may_move & ~board.tables["headquarters"].astype(bool)[position["where"]]
    words = np.packbits(may_move.reshape(4, 32), axis=1, bitorder="little").view(np.uint32).ravel()
    position["movable"] = words & position["present"]


def legal_moves(board: Board, position: np.void) -> list[int]:
    """The moves (`256 * from + to`) of the seat to move, ascending. Leaves `position` alone, its scratch included."""
    moves = np.empty(MAX_MOVES, np.uint16)
    count = generate(board.tables, position.copy(), moves, 0)
    return sorted(moves[:count].tolist())


def result_of(position: np.void) -> Result:
    """The result, decided afresh from who is alive and from the limits."""
    position = position.copy()
    position["result"] = _result_by_team(int(position["alive"]))
    if position["result"] == Result.ONGOING:
        apply_limits(position)
    return Result(int(position["result"]))


def _result_by_team(alive: int) -> Result:
    """The win of a team whose opponents are out, if it is one."""
    if not alive & 0b0101:
        return Result.TEAM_1
    return Result.ONGOING if alive & 0b1010 else Result.TEAM_0


class Standing:
    """How the game of a `position` record stands, for those who hold one."""

    position: np.void

    @property
    def turn(self) -> int:
        return int(self.position["turn"])

    @property
    def alive(self) -> int:
        return int(self.position["alive"])

    @property
    def quiet(self) -> int:
        return int(self.position["quiet"])

    @property
    def ply(self) -> int:
        return int(self.position["ply"])

    @property
    def result(self) -> Result:
        return Result(int(self.position["result"]))

    def piece_at(self, point: int) -> int | None:
        """The piece (`32 * seat + slot`) on a point."""
        code = int(self.position["board"][point])
        return code & 127 if code else None

    def points_of(self, seat: int) -> list[int]:
        """The points of a seat's pieces, ascending."""
        board = self.position["board"]
        return [int(point) for point in np.flatnonzero((board & 0xE0) == (0x80 | seat << 5))]

    def flag_point(self, seat: int) -> int | None:
        """Where a seat's flag is known to stand; None as well in a study in which it has none."""
        present = int(self.position["present"][seat])
        for slot in range(PIECES_PER_SEAT):
            if present >> slot & 1 and self.position["kind"][32 * seat + slot] == FLAG:
                return int(self.position["where"][32 * seat + slot])
        return None


@dataclass
class GameState(Standing):
    """A game in which every piece is known. `record` is public: it is what all seats have seen."""

    board: Board
    rules: Rules
    position: np.void
    lineups: dict[int, str] = field(default_factory=dict)
    record: list[SeenMove] = field(default_factory=list)

    @classmethod
    def start(cls, board: Board, lineups: Mapping[str, str] | None = None, rules: Rules | None = None) -> "GameState":
        """A new game from a line-up a seat letter; seats without one have the built-in one. `bad-lineup` if illegal."""
        rules = rules or Rules.of(board)
        position = new_position(board, rules, board.all_alive, 0)
        by_seat = {}
        for seat, letter in enumerate(board.seats):
            lineup = (lineups or {}).get(letter, lineups_module.DEFAULT)
            place_lineup(board, position, seat, lineup_kinds(letter, lineup))
            by_seat[seat] = lineup
        return cls(board, rules, position, by_seat)

    @classmethod
    def from_placements(
        cls, board: Board, rules: Rules, placements: Iterable[Placement], turn: int, alive: int, quiet: int, ply: int
    ) -> "GameState":
        """A game from a snapshot; a seat to move that has no legal move goes out at once."""
        position = new_position(board, rules, alive, turn, quiet, ply)
        slots = [0] * len(board.seats)
        for placement in placements:
            place(board, position, 32 * placement.seat + slots[placement.seat], placement.point, placement.kind)
            slots[placement.seat] += 1
        settle(board.tables, position)
        return cls(board, rules, position)

    def copy(self) -> "GameState":
        return GameState(self.board, self.rules, self.position.copy(), self.lineups, list(self.record))

    def legal_moves(self) -> list[int]:
        """Moves as `256 * from + to`, ascending; none once the game has ended."""
        return legal_moves(self.board, self.position)

    def play(self, move: int) -> SeenMove:
        """Play a legal move and give what everyone saw; else `illegal-move` or `game-over`, and nothing changes."""
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", "the game has ended")
        if move not in self.legal_moves():
            names = self.board.names
            start, target = move >> 8, move & 255
            shown = names[start] + names[target] if max(start, target) < len(names) else str(move)
            raise JunqiError("illegal-move", shown)
        start, target = move >> 8, move & 255
        mover, alive = self.turn, self.alive
        attacker, defender = self.piece_at(start), self.piece_at(target)
        outcome, shown_flags, taken = Outcome.NO_BATTLE, [], []
        if defender is not None and attacker is not None:
            kinds = self.position["kind"]
            outcome = Outcome(int(BATTLE_TABLE[kinds[attacker], kinds[defender]]))
            for piece, stays in ((attacker, Outcome.ATTACKER_WON), (defender, Outcome.DEFENDER_WON)):
                flag = self.flag_point(piece >> 5) if kinds[piece] == MARSHAL and outcome != stays else None
                shown_flags += [] if flag is None else [flag]
            taken = [defender >> 5] if kinds[defender] == FLAG else []
        make(self.board.tables, self.position, np.uint16(move), np.zeros(1, UNDO)[0])
        gone = alive & ~self.alive
        order = [(mover + step) % len(self.board.seats) for step in range(1, len(self.board.seats) + 1)]
        eliminated = taken + [seat for seat in order if gone >> seat & 1 and seat not in taken]
        seen = SeenMove(start, target, outcome, tuple(shown_flags), tuple(eliminated), seat=mover)
        self.record.append(seen)
        return seen

    def resign(self, seat: int) -> SeenMove:
        """A seat gives up, at any time; no ply. `illegal-move` if it is out already, `game-over` after the end."""
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", "the game has ended")
        if not self.alive >> seat & 1:
            raise JunqiError("illegal-move", f"resign:{self.board.seats[seat]}: the seat is out already")
        alive = self.alive & ~(1 << seat)
        eliminate(self.position, np.uint8(seat))
        if self.turn == seat:
            self.position["turn"] = self.board.tables["next_seat"][4 * self.alive + seat]
            settle(self.board.tables, self.position)
        gone = alive & ~self.alive
        order = [(seat + step) % len(self.board.seats) for step in range(1, len(self.board.seats))]
        seen = SeenMove(-1, -1, eliminated=tuple(other for other in order if gone >> other & 1), resigned=seat)
        self.record.append(seen)
        return seen
