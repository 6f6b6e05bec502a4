"""Problems: questions about positions, as one team saw them, whose answers follow from the rules and its knowledge.

| theme | question | right |
|---|---|---|
| flag | which of the enemies' pieces in headquarters is a flag | the one of the largest chance; the file has them |
| win | which attack wins a piece for sure | the only *safe* attack |
| attack | which piece should attack a given enemy | the only *safe* one of those that can |
| save | an enemy takes the mover's flag next turn: which move prevents it | the only one that surely does |
| own | which move was better in the host's own game | the `best` one by its review; no packaged problem asks it |

An attack is *sure* if it removes the enemy and stays, whatever the enemy may be; it is *safe* if then no piece that may
beat or equal it can come there either. Help by the partner does not count.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib import resources
from typing import Any, NamedTuple

from junqi_engine.information.deduction import assign
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.moves import format_code
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import (
    NO_PIECE,
    are_enemies,
    contains,
    from_point_of,
    piece_in,
    piece_of,
    seat_of,
    to_point_of,
)
from junqi_engine.rules.movegen import ANY_CAN, NO_PIECE_CAN, reach
from junqi_engine.rules.pieces import (
    BATTLES,
    ENGINEER,
    FLAG,
    KINDS,
    LETTERS,
    MOVABLE_MASK,
    PIECES_PER_SEAT,
    Outcome,
    letters_of,
)

FILE = resources.files("junqi_board").joinpath("problems.json")
THEMES = ("flag", "win", "attack", "save")
"""Themes of the packaged problems."""
OWN = "own"
"""The theme and the level of problems from the host's own games (`own_problems`)."""
LEVELS = ("easy", "medium", "hard")
LEAST_FLAG = 0.9
"""The chance of the piece that is asked for."""
ID_DIGITS = 6


class Attack(NamedTuple):
    """The points of a move, the letter of its piece, and the letters that what stands on the target may have."""

    start: int
    target: int
    piece: str
    may: str


@dataclass(frozen=True)
class Problem:
    """`target` is the name of the point that is attacked; `chances` are by name of a point, that it holds a flag."""

    theme: str
    variant: str
    fen: str
    level: str = ""
    target: str = ""
    chances: Mapping[str, float] = field(default_factory=dict)
    best: str = ""

    @cached_property
    def id(self) -> str:
        """The same in every edition of the file."""
        return f"{self.theme}-{sha256(f'{self.theme} {self.fen} {self.target}'.encode()).hexdigest()[:ID_DIGITS]}"

    @cached_property
    def view(self) -> SeatView:
        return _view(self.variant, self.fen)

    @cached_property
    def choices(self) -> list[str]:
        """The possible answers: names of points for `flag`, otherwise moves."""
        if self.theme == "flag":
            return list(self.chances)
        return [format_code(self.view.board, move) for move in self.moves]

    @cached_property
    def answer(self) -> str | None:
        right = [choice for choice in self.choices if self.refutation(choice) is None]
        return right[0] if len(right) == 1 else None

    def refutation(self, choice: str) -> dict[str, str] | None:
        """Why a choice is wrong: `why` and the letters that the enemy `may` have; None if it is right.

        | why | |
        |---|---|
        | flag | another one is likelier |
        | quiet | the move attacks nothing |
        | loses | the enemy may be of kinds `may` that the attacker does not remove, or that fall with it |
        | taken | pieces of kinds `may` may take or bomb it there |
        | ignored | an enemy beside the flag takes it in any case |
        | stays | the attacked enemy may be of kinds `may`, and then takes the flag |
        | own | the review knows a better move |
        """
        if self.theme == "flag":
            return None if self.chances[choice] >= LEAST_FLAG else {"why": "flag", "may": ""}
        if self.theme == OWN:
            return None if choice == self.best else {"why": OWN, "may": ""}
        refute = _refutation_of_defence if self.theme == "save" else _refutation_of_attack
        return refute(self.view, self.moves[self.choices.index(choice)])

    def face_up(self) -> GameState:
        """The position with all pieces face up: one line-up that agrees with all that is known, and with the answer."""
        view, masks = self.view, self.view.masks.copy()
        if self.theme == "flag" and self.answer:
            masks[view.piece_at(view.board.point_named[self.answer])] = 1 << FLAG
        positions = view.positions.copy()
        for seat in range(len(view.board.seats)):
            first = piece_of(seat, 0)
            assign(masks, first, positions[0]["kind"][first : first + PIECES_PER_SEAT].view("int8"))
        return GameState(view.board, view.rules, positions)

    def attack(self, choice: str) -> Attack:
        move = self.moves[self.choices.index(choice)]
        start, target = from_point_of(move), to_point_of(move)
        return Attack(start, target, LETTERS[_kind_at(self.view, start)], letters_of(self.view.mask_at(target)))

    @cached_property
    def moves(self) -> list[int]:
        """The legal moves, `layout.move_of`; for `attack` those that attack the target."""
        moves = self.view.legal_moves()
        if self.theme == "attack":
            aim = self.view.board.point_named[self.target]
            return [move for move in moves if to_point_of(move) == aim]
        return moves


@cache
def problems() -> dict[str, Problem]:
    """The packaged ones by id, in an order in which themes and variants are mixed."""
    found = [Problem(**entry) for entry in json.loads(FILE.read_text("utf-8"))]
    return {one.id: one for one in sorted(found, key=lambda one: one.id.partition("-")[2])}


@lru_cache(maxsize=4)
def _view(variant: str, fen: str) -> SeatView:
    return parse_fen(BOARDS[variant], fen)


def _kind_at(view: SeatView, point: int) -> int:
    piece = view.piece_at(point)
    assert piece is not None
    return int(view.position["kind"][piece])


def losing_kinds(view: SeatView, move: int) -> list[int]:
    """The possible kinds of the enemy on the target that beat the attacker or fall with it."""
    kind = _kind_at(view, from_point_of(move))
    possible = _kinds(view.mask_at(to_point_of(move)))
    return [other for other in possible if BATTLES[kind][other].outcome != Outcome.ATTACKER_WON]


def _refutation_of_attack(view: SeatView, move: int) -> dict[str, str] | None:
    target, kind = to_point_of(move), _kind_at(view, from_point_of(move))
    mask = view.mask_at(target)
    if not mask:
        return {"why": "quiet", "may": ""}
    if lost := losing_kinds(view, move):
        return {"why": "loses", "may": _letters(lost)}
    takers = {
        other
        for point, mask in _enemies_that_reach(view, _moved(view.position, move), target, view.masks.tolist())
        for other in _kinds(mask)
        if BATTLES[other][kind].outcome != Outcome.DEFENDER_WON
    }
    return {"why": "taken", "may": _letters(takers)} if takers else None


def _refutation_of_defence(view: SeatView, move: int) -> dict[str, str] | None:
    kind, mask = _kind_at(view, from_point_of(move)), view.mask_at(to_point_of(move))
    if mask:
        stays = [other for other in _kinds(mask) if any(attackers_of_flag(view, *_after(view, move, kind, other)))]
        is_lost = len(stays) == mask.bit_count()
    else:
        stays = []
        is_lost = any(attackers_of_flag(view, _moved(view.position, move), view.masks.tolist()))
    if is_lost:
        return {"why": "ignored", "may": ""}
    return {"why": "stays", "may": _letters(stays)} if stays else None


def _after(view: SeatView, move: int, kind: int, other: int) -> tuple[Any, list[int]]:
    """The position and the masks after an attack on a piece of kind `other`."""
    target = to_point_of(move)
    position, masks = _moved(view.position, move), view.masks.tolist()
    piece = view.piece_at(target)
    assert piece is not None
    battle = BATTLES[kind][other]
    if battle.takes_flag:
        for point in view.points_of(seat_of(piece)):
            position["board"][point] = NO_PIECE
    elif battle.outcome == Outcome.BOTH_REMOVED:
        position["board"][target] = NO_PIECE
    elif battle.outcome == Outcome.DEFENDER_WON:
        position["board"][target] = view.position["board"][target]
        masks[piece] = 1 << other
    return position, masks


def _moved(position: Any, move: int) -> Any:
    found = position.copy()
    found["board"][to_point_of(move)] = position["board"][from_point_of(move)]
    found["board"][from_point_of(move)] = NO_PIECE
    return found


def attackers_of_flag(view: SeatView, position: Any, masks: list[int]) -> Iterator[int]:
    """The points of the enemies that can take the mover's flag at once."""
    flag = view.flag_point(view.turn)
    if flag is not None:
        yield from (point for point, _ in _enemies_that_reach(view, position, flag, masks))


def _enemies_that_reach(view: SeatView, position: Any, target: int, masks: list[int]) -> Iterator[tuple[int, int]]:
    """The points of the mover's enemies that may be able to move to a point, with what they may then be."""
    turn = view.turn
    for point, occupant in enumerate(position["board"].tolist()):
        piece = piece_in(occupant)
        if occupant == NO_PIECE or not are_enemies(seat_of(piece), turn):
            continue
        way = reach(view.board.tables, position, point, target)
        able = NO_PIECE_CAN if way == NO_PIECE_CAN else MOVABLE_MASK if way == ANY_CAN else 1 << ENGINEER
        if masks[piece] & able:
            yield point, masks[piece] & able


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if contains(mask, kind)]


def _letters(kinds: Any) -> str:
    return "".join(LETTERS[kind] for kind in sorted(kinds))
