"""The public classes `Move` and `Piece`."""

from dataclasses import dataclass

from junqi_engine.errors import IllegalMove, quoted
from junqi_engine.notation.moves import MoveWords, split_move
from junqi_engine.rules.pieces import LETTERS, NAMES


class Move(str):
    """A move in the notation of the protocol: from-point, to-point, and the suffix that says what everyone saw.

    It is a string and can be compared with one. `IllegalMove` if the text does not have the form of a move, of
    `resign:SEAT` or of `pass:SEAT`. Whether a move is legal, only a `Game` knows.

    >>> from junqi_engine import Move
    >>> move = Move("g7k7=!h1!q10")
    >>> move.from_point, move.to_point, move.outcome, move.flags, move.eliminated
    ('g7', 'k7', '=', ('h1', 'q10'), '')
    >>> move.bare
    Move('g7k7')
    >>> Move("resign:E").resigned
    'E'
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "Move":
        if split_move(text) is None:
            raise IllegalMove("bad-move", f"{quoted(text)} is not a move")
        return str.__new__(cls, text)

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    @property
    def from_point(self) -> str:
        """The point that the piece leaves; empty for a resignation and a passed turn."""
        return self._words.from_point

    @property
    def to_point(self) -> str:
        """The point that the piece enters; empty for a resignation and a passed turn."""
        return self._words.to_point

    @property
    def outcome(self) -> str:
        """`x`: the attacker won; `o`: the defender won; `=`: both were removed; empty: there was no battle."""
        return self._words.outcome

    @property
    def flags(self) -> tuple[str, ...]:
        """The points of the flags that the battle revealed, the attacker's first."""
        return self._words.flags

    @property
    def eliminated(self) -> str:
        """The letters of the eliminated seats, the owner of a captured flag first."""
        return self._words.eliminated

    @property
    def resigned(self) -> str:
        """The seat that resigned; empty for a move."""
        return self._words.resigned

    @property
    def passed(self) -> str:
        """The seat whose turn passed because its clock ran out; empty for a move."""
        return self._words.passed

    @property
    def bare(self) -> "Move":
        """The move without its suffix, as in `Game.legal_moves`."""
        words = self._words
        if words.resigned or words.passed:
            return Move(self.partition("#")[0])
        return Move(words.from_point + words.to_point)

    @property
    def _words(self) -> MoveWords:
        words = split_move(self)
        assert words is not None
        return words


def trusted_move(text: str) -> Move:
    """A `Move` from trusted text, without validation."""
    return str.__new__(Move, text)


@dataclass(frozen=True)
class Piece:
    """A piece on the board: its seat and its letter, None if the viewer does not know it.

    >>> from junqi_engine import Game
    >>> lineup = "cbfahdehgegidcfkjkijgjhli"
    >>> piece = Game("luzhanqi", {"S": lineup, "N": lineup}).piece_at("a6")
    >>> piece.seat, piece.letter, piece.name, str(piece)
    ('S', 'c', 'Major General 师长', 'Sc')
    """

    seat: str
    letter: str | None

    @property
    def name(self) -> str:
        """The rank in English and Chinese; `?` if it is not known."""
        return "?" if self.letter is None else NAMES[LETTERS.index(self.letter)]

    def __str__(self) -> str:
        return f"{self.seat}{self.letter or '?'}"
