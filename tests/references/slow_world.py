"""A position of one world in which moves are made and taken back: the rules and the evaluator as plain methods.

The kernels of the rules are called from Python, because a search depends on the order in which moves are generated.
Moves are integers (`layout.move_of`), scores are for the team to move.
"""

import numpy as np

from junqi_engine.evaluation import evaluator as kernels
from junqi_engine.evaluation.evaluator import HAND_WRITTEN, Evaluator
from junqi_engine.evaluation.network import class_key
from junqi_engine.information.public_game import show
from junqi_engine.information.view import Public
from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.movegen import MAX_MOVES, generate, generate_battles
from junqi_engine.rules.position import Result
from junqi_engine.search.transposition import position_key, world_key

MATE = 30_000
LONGEST_LINE = 128
UNSHOWN = Public(0, np.zeros(PIECES, np.uint8))


class SlowWorld:
    """The position and its evaluation; `make`, `unmake`, `pass_turn` and `take_turn_back` change them."""

    def __init__(
        self, board: Board, position: np.void, public: Public = UNSHOWN, evaluator: Evaluator = HAND_WRITTEN
    ) -> None:
        self.tables, self.position = board.tables, position.copy()
        self.evaluation = evaluator.new(1)[0]
        evaluator.refresh(board, self.position, public, self.evaluation)
        # Without a network, the value does not depend on classes.
        self._has_classes = bool(self.evaluation["network"]["rows"])
        self._classes = [public.classes.copy()]
        self._wholes: dict[int, bytes] = {}
        self._board, self._kinds = self.position["board"], self.position["kind"]
        self._moves = np.empty(MAX_MOVES, np.uint16)
        self._undos = np.zeros(LONGEST_LINE, UNDO)
        self._made = 0
        self._world = np.uint64(world_key(self.position))

    @property
    def team(self) -> int:
        """The team to move."""
        return int(self.position["turn"]) & 1

    @property
    def is_over(self) -> bool:
        return bool(self.position["result"] != Result.ONGOING)

    @property
    def key(self) -> int:
        """From scratch, so that it does not depend on the way to the position; no other position has had it."""
        key, whole = int(position_key(self.position, self._world)), b""
        if self._has_classes:
            pieces = [int(occupant) & 0x7F for occupant in self._board if occupant]
            classes = self._classes[-1]
            for piece in pieces:
                key ^= int(class_key(piece, int(classes[piece])))
            whole = classes[pieces].tobytes()
        whole += bytes([self.position["turn"], self.position["alive"]]) + self._board.tobytes()
        assert self._wholes.setdefault(key, whole) == whole
        return key

    def final_score(self, ply: int) -> int:
        """The score of a finished game, `ply` plies below the root."""
        if self.position["result"] == Result.DRAW:
            return 0
        winner = 0 if self.position["result"] == Result.TEAM_0 else 1
        return MATE - ply if winner == self.team else ply - MATE

    def limits_in_reach(self, depth: int, quiescence_plies: int) -> tuple[int, int]:
        """How many plies away the no-contact limit and the limit of plies are; 0 if a search of `depth` plies and a
        quiescence search after it do not reach it.
        """
        position = self.position
        contact = int(position["no_contact"]) - int(position["quiet"])
        last = int(position["max_plies"]) - int(position["ply"])
        is_last_near = position["max_plies"] != 0 and last <= depth + quiescence_plies
        return (contact if position["no_contact"] != 0 and contact <= depth else 0), (last if is_last_near else 0)

    def is_last_ply(self) -> bool:
        """Whether the next move reaches the limit of plies."""
        return self.position["max_plies"] != 0 and self.position["ply"] + 1 >= self.position["max_plies"]

    def enemy_is_next(self) -> bool:
        """Whether the next of the seats that are in is of the other team."""
        seats = [seat for seat in range(4) if int(self.position["alive"]) >> seat & 1]
        turn = int(self.position["turn"])
        following = next((seat for seat in seats if seat > turn), seats[0])
        return following & 1 != turn & 1

    def legal(self) -> list[int]:
        count = generate(self.tables, self.position, self._moves, 0)
        return self._moves[:count].tolist()

    def battles(self) -> list[int]:
        count = generate_battles(self.tables, self.position, self._moves, 0)
        return self._moves[:count].tolist()

    def make(self, move: int) -> None:
        undo = self._undos[self._made]
        make(self.tables, self.position, np.uint16(move), undo)
        kernels.after_make(self.position, undo, self.evaluation)
        if self._has_classes:
            self._classes.append(self._classes[-1].copy())
            show(self.position, undo, self._classes[-1])
        self._made += 1

    def unmake(self) -> None:
        self._made -= 1
        unmake(self.position, self._undos[self._made])
        kernels.after_unmake(self.evaluation)
        if self._has_classes:
            self._classes.pop()

    def pass_turn(self) -> int:
        """Give the turn to the next seat; returns the seat that had it, for `take_turn_back`."""
        turn = int(self.position["turn"])
        seats = [seat for seat in range(4) if int(self.position["alive"]) >> seat & 1]
        self.position["turn"] = next((seat for seat in seats if seat > turn), seats[0])
        return turn

    def take_turn_back(self, turn: int) -> None:
        self.position["turn"] = turn

    def value(self) -> int:
        return int(kernels.value(self.position, self.evaluation))

    def value_after(self, move: int) -> int:
        """The value that the evaluator knows without making a move, or `UNKNOWN_VALUE`, which is above every score."""
        return int(kernels.value_after(self.tables, self.position, self.evaluation, np.uint16(move)))

    def is_quiet(self, move: int) -> bool:
        return not self._board[move & 0xFF]

    def piece(self, move: int) -> int:
        """The piece that moves."""
        return int(self._board[move >> 8]) & 0x7F

    def kind(self, move: int) -> int:
        """The kind of the piece that moves."""
        return int(self._kinds[self.piece(move)])

    def battle_gain(self, move: int) -> int:
        defender = int(self._board[move & 0xFF]) & 0x7F
        kind = self._kinds[defender]
        return int(kernels.battle_gain(self.evaluation, self.kind(move), defender >> 5, kind))
