"""Secrecy: what the enemies of a piece had learnt about it, when a flag could have been known or taken, and which
battles belief did not expect.

Enemies who do not share what they know count one by one: of two, the one who knows most about a piece.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from junqi_engine.game_review.reviewed_game import Cursor, ReviewedGame, is_battle, is_quiet
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.view import SeatView
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import are_enemies, contains, piece_in, piece_of, seat_of, slot_of, to_point_of
from junqi_engine.rules.pieces import BATTLES, FLAG, LETTERS, PIECES_PER_SEAT, letters_of

LIKELY = 0.7
"""The probability from which an enemy should suspect a piece to be the flag. Of two headquarters each has 0.5."""
SURPRISING = 0.1
"""An outcome that belief found less likely than this is a surprise."""
MOST_SURPRISES = 8


@dataclass
class PieceSecrecy:
    """A piece by its seat, its starting point and its letter.

    `learnt` has, each time the enemies proved more, the number of the step before which they knew it, and the letters
    that remained possible. `proven` is the step before which they knew the letter. `removed` is the step after which
    the piece was gone. `chance` is the probability that the enemies gave to the true letter when they last looked.
    """

    seat: str
    point: str
    letter: str
    learnt: list[tuple[int, str]] = field(default_factory=list)
    proven: int | None = None
    removed: int | None = None
    chance: float | None = None


@dataclass
class FlagHistory:
    """A flag: the numbers of the steps before which it was likely by belief, proven, revealed to all; at which an enemy
    first could have moved onto it, and did. None if that never happened.
    """

    seat: str
    point: str
    likely: int | None = None
    proven: int | None = None
    revealed: int | None = None
    reachable: int | None = None
    taken: int | None = None


@dataclass(frozen=True)
class Surprise:
    """A battle that a player did not expect: the `step`, the `seat`, `point` and `letter` of the enemy's piece, and the
    probability of the battle's outcome by the player's belief before it.
    """

    step: int
    player: str
    seat: str
    point: str
    letter: str
    chance: float


@dataclass(frozen=True)
class GameKnowledge:
    """Secrecy by piece and flag, the number of pieces on the board before each step and at the end, and the largest
    surprises, the least likely first.
    """

    pieces: tuple[PieceSecrecy, ...]
    flags: tuple[FlagHistory, ...]
    counts: tuple[int, ...]
    surprises: tuple[Surprise, ...]


def knowledge_of(game: ReviewedGame) -> GameKnowledge:
    return _Follower(game).run()


class _Follower:
    def __init__(self, game: ReviewedGame) -> None:
        self.game, self.cursor = game, Cursor(game)
        board, truth = self.cursor.board, self.cursor.truth
        self.kinds = truth.position["kind"].copy()
        numbers = [piece_of(seat, slot) for seat in range(len(board.seats)) for slot in range(PIECES_PER_SEAT)]
        where = truth.position["where"]
        self.pieces = {
            piece: PieceSecrecy(
                board.seats[seat_of(piece)], board.names[int(where[piece])], LETTERS[int(self.kinds[piece])]
            )
            for piece in numbers
        }
        self.flags = {
            seat: FlagHistory(letter, board.names[truth.flag_point(seat) or 0])
            for seat, letter in enumerate(board.seats)
        }
        self.counts: list[int] = []
        self.surprises: list[Surprise] = []

    def run(self) -> GameKnowledge:
        last = len(self.game.steps)
        for step in range(last + 1):
            self.cursor.go_to(step)
            self.counts.append(sum(1 for _ in self._present()))
            self._look(step, is_close=step == last or not step or not is_quiet(self.cursor.steps[step - 1]))
            self._watch_flags(step)
            if step < last and is_battle(self.cursor.steps[step]):
                self._note_surprises(step, self.cursor.steps[step])
        largest = sorted(self.surprises, key=lambda surprise: surprise.chance)[:MOST_SURPRISES]
        return GameKnowledge(
            tuple(self.pieces.values()), tuple(self.flags.values()), tuple(self.counts), tuple(largest)
        )

    def _note_surprises(self, step: int, seen: SeenMove) -> None:
        """Compare the outcome of the battle that comes next with what each player who sees one of the two expects."""
        board, truth = self.cursor.board, self.cursor.truth.position["board"]
        attacker, defender = (piece_in(int(truth[point])) for point in (seen.from_point, seen.to_point))
        for player, view in self.cursor.views.items():
            if view.sees(seat_of(attacker)) == view.sees(seat_of(defender)):
                continue
            hidden, point = (defender, seen.to_point) if view.sees(seat_of(attacker)) else (attacker, seen.from_point)
            chance = 0.0
            for kind, share in enumerate(belief(view)[seat_of(hidden)][slot_of(hidden)]):
                kinds = (self.kinds[attacker], kind) if hidden == defender else (kind, self.kinds[defender])
                chance += float(share) * (BATTLES[kinds[0]][kinds[1]].outcome == seen.outcome)
            if chance < SURPRISING:
                letter = LETTERS[int(self.kinds[hidden])]
                place = board.names[point]
                self.surprises.append(Surprise(step, player, board.seats[seat_of(hidden)], place, letter, chance))

    def _present(self) -> Iterator[int]:
        present = self.cursor.truth.position["present"]
        return (piece for piece in self.pieces if contains(int(present[seat_of(piece)]), slot_of(piece)))

    def _look(self, step: int, is_close: bool) -> None:
        """Note what is proven; with a close look, what is likely too."""
        present = set(self._present())
        for piece, secrecy in self.pieces.items():
            if piece not in present and secrecy.removed is None:
                secrecy.removed = step - 1
        chances: dict[int, float] = {}
        for player, view in self.cursor.views.items():
            believed = belief(view) if is_close else {}
            for seat in self._enemies(player, view):
                likely = believed.get(seat)
                for slot in range(PIECES_PER_SEAT):
                    piece = piece_of(seat, slot)
                    if piece in present:
                        self._note(step, piece, int(view.masks[piece]))
                    if likely is not None and piece in present:
                        chance = float(likely[slot][self.kinds[piece]])
                        chances[piece] = max(chance, chances.get(piece, 0.0))
        for piece, chance in chances.items():
            self.pieces[piece].chance = chance
            flag = self.flags[seat_of(piece)]
            if self.kinds[piece] == FLAG and chance >= LIKELY and flag.likely is None:
                flag.likely = step

    def _enemies(self, player: str, view: SeatView) -> list[int]:
        own = self.cursor.board.seats.index(player[0])
        seats = range(len(self.cursor.board.seats))
        return [seat for seat in seats if are_enemies(seat, own) and view.is_alive(seat) and not view.sees(seat)]

    def _note(self, step: int, piece: int, mask: int) -> None:
        secrecy = self.pieces[piece]
        letters = letters_of(mask)
        if secrecy.learnt and len(letters) >= len(secrecy.learnt[-1][1]):
            return
        secrecy.learnt.append((step, letters))
        if len(letters) == 1 and secrecy.proven is None:
            secrecy.proven = step
            if self.kinds[piece] == FLAG:
                self.flags[seat_of(piece)].proven = step

    def _watch_flags(self, step: int) -> None:
        truth, board = self.cursor.truth, self.cursor.board
        for seat, point in enumerate(self.cursor.truth_view.shown_flags):
            if point is not None and self.flags[seat].revealed is None:
                self.flags[seat].revealed = step
        targets = {to_point_of(move) for move in truth.legal_moves()}
        for seat, flag in self.flags.items():
            place = board.point_named[flag.point]
            if truth.is_alive(seat) and are_enemies(seat, truth.turn) and place in targets and flag.reachable is None:
                flag.reachable = step
            if step and flag.taken is None:
                seen = truth.record[-1]
                if seen.is_ply and seen.to_point == place and seat in seen.eliminated:
                    flag.taken = step - 1
