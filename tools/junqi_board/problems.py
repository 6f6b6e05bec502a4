"""Problems: questions about positions, as one team saw them, whose answers follow from the rules and its knowledge.

| theme | question | right |
|---|---|---|
| flag | which of the enemies' pieces in headquarters is a flag | the one of the largest chance |
| win | which attack wins a piece for sure | the only *safe* attack |
| attack | which piece should attack a given enemy | the only *safe* one of those that can |
| save | an enemy takes the mover's flag next turn: which move prevents it | the only one that surely does |
| own | which move was better in the host's own game | the best one by its review; no packaged problem asks it |

An attack is *sure* if it removes the enemy and stays, whatever the enemy may be; it is *safe* if then no piece that may
beat or equal it can come there either. Help by the partner does not count. The answer and the refutations of the other
choices are in the file; `junqi_training.refutations` derives them from the rules.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

from junqi_engine.information.deduction import assign
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.notation.moves import format_code
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import from_point_of, piece_of, to_point_of
from junqi_engine.rules.pieces import FLAG, LETTERS, PIECES_PER_SEAT, letters_of

FILE = resources.files("junqi_board").joinpath("problems.json")
THEMES = ("flag", "win", "attack", "save")
"""Themes of the packaged problems."""
OWN = "own"
"""The theme and the level of problems from the host's own games (`own_problems`)."""
LEVELS = ("easy", "medium", "hard")
USUAL = {"flag": "flag", "win": "quiet", "attack": "", "save": "ignored", OWN: OWN}
"""By theme, the reason that a file of problems leaves out."""
ID_DIGITS = 6


class Attack(NamedTuple):
    """The points of a move, the letter of its piece, and the letters that what stands on the target may have."""

    start: int
    target: int
    piece: str
    may: str


@dataclass(frozen=True)
class Problem:
    """A question, its answer, and why other choices are wrong.

    `target` is the name of the point that is attacked; `chances` are by name of a point, that it holds a flag.
    `refutations` are pairs of `why` and `may` by choice. The most frequent reason of a theme, `USUAL`, is left out:

    | why | |
    |---|---|
    | flag | another piece is more likely the flag |
    | quiet | the move attacks nothing |
    | loses | the enemy may be of kinds `may` that the attacker does not remove, or that fall with it |
    | taken | pieces of kinds `may` may take or bomb it there |
    | ignored | an enemy beside the flag takes it in any case |
    | stays | the attacked enemy may be of kinds `may`, and then takes the flag |
    | own | the review knows a better move |
    """

    theme: str
    variant: str
    fen: str
    level: str = ""
    target: str = ""
    chances: Mapping[str, float] = field(default_factory=dict)
    answer: str = ""
    refutations: Mapping[str, Sequence[str]] = field(default_factory=dict)

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

    def refutation(self, choice: str) -> tuple[str, str] | None:
        """Why a choice is wrong, and the letters that the enemy may have; None if it is right."""
        if choice == self.answer:
            return None
        why, may = self.refutations.get(choice, (USUAL[self.theme], ""))
        return why, may

    @property
    def motive(self) -> str:
        """By its answer, the theme of a problem from the host's games: `flag` (a headquarters), `attack` or `quiet`."""
        answer = self.attack(self.answer)
        is_flag = self.view.board.is_headquarters(answer.target)
        return "quiet" if not answer.may else "flag" if is_flag else "attack"

    def face_up(self, choice: str = "") -> GameState:
        """The position with all pieces face up: one line-up that agrees with all that is known, and with the answer.

        A wrong choice for a flag is none, although the other enemy has a flag too.
        """
        view, masks = self.view, self.view.masks.copy()
        if self.theme == "flag" and self.answer:
            points = (view.board.point_named[name] for name in (choice or self.answer, self.answer))
            chosen, right = map(view.piece_at, points)
            masks[chosen] = int(masks[chosen]) & ~(1 << FLAG)
            masks[right] = 1 << FLAG
        positions = view.positions.copy()
        for seat in range(len(view.board.seats)):
            first = piece_of(seat, 0)
            assign(masks, first, positions[0]["kind"][first : first + PIECES_PER_SEAT].view("int8"))
        return GameState(view.board, view.rules, positions)

    def attack(self, choice: str) -> Attack:
        move = self.moves[self.choices.index(choice)]
        start, target = from_point_of(move), to_point_of(move)
        return Attack(start, target, LETTERS[kind_at(self.view, start)], letters_of(self.view.mask_at(target)))

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


def kind_at(view: SeatView, point: int) -> int:
    """The kind of the known piece at a point."""
    piece = view.piece_at(point)
    assert piece is not None
    return int(view.position["kind"][piece])
