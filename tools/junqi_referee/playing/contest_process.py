"""Engines that speak the contest's dialect, with the interface of those that speak the protocol."""

from collections.abc import Mapping
from dataclasses import replace

from junqi_engine.client.engine_client import Identity, Reply
from junqi_engine.errors import EngineError, EngineFault
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.pieces import Outcome
from junqi_protocol.contest.notation import (
    ATTACKER_REMOVED,
    ATTACKER_WON,
    BOTH_REMOVED,
    NO_BATTLE,
    NO_FLAG,
    NO_MOVE,
    point_of,
    square_of,
)
from junqi_protocol.contest.notation import parse_move as parse_squares
from junqi_referee.playing.engine_process import EngineProcess
from junqi_referee.playing.taps import TappedClient

OUTCOME_CODES: Mapping[Outcome, str] = {
    Outcome.NO_BATTLE: NO_BATTLE,
    Outcome.ATTACKER_WON: ATTACKER_WON,
    Outcome.DEFENDER_WON: ATTACKER_REMOVED,
    Outcome.BOTH_REMOVED: BOTH_REMOVED,
}
NO_LIMIT = 1000
"""Plies without a battle that stand for no limit, which the dialect cannot express."""
END_CODES = {"loss": "0", "win": "1", "draw": "2"}


class ContestClient(TappedClient):
    ANSWER = b"BESTMOVE"
    FAREWELL = b""
    HAS_INFO = False

    def start(self) -> Identity:
        """Send `INFO` and wait for `NAME`; raises `NO_START` if it does not come."""
        try:
            self.send("INFO 1.0")
            self.identity.name = self._wait_for_word("NAME", self.patience.ready_s)
        except EngineError as error:
            raise EngineError(EngineFault.NO_START, f"no NAME: {error}") from error
        return self.identity

    def begin(self, is_first: bool, seconds: int, plies: int) -> str:
        """Start a game; returns the line-up after `ARRAY`. The first time, the engine may have to compile."""
        waiting_s = self.SETUP_S if self._was_ready else self.patience.first_ready_s
        self.send(f"START {0 if is_first else 1} {seconds} {plies}")
        letters = self._wait_for_word("ARRAY", waiting_s)
        self._was_ready = True
        return letters

    def _wait_for_word(self, word: str, seconds: float) -> str:
        """Wait for a line that begins with a word; returns the rest of the line."""
        found: list[str] = []

        def is_it(line: bytes) -> bool:
            if self._is_answer(line):
                raise EngineError(EngineFault.PROTOCOL, "an unexpected answer: there was no GO")
            first, _, rest = line.decode("utf-8", "replace").partition(" ")
            if first == word:
                found.append(rest)
            return first == word

        self.wait_for(is_it, seconds, word)
        return found[0]


class ContestProcess(EngineProcess):
    chooses_every_lineup = True
    _contest: ContestClient

    def prepare(self) -> None:
        """Start the process if it is not running; the game starts with `ask_lineup`."""
        if self._client is None:
            client = self._launch(ContestClient)
            self._client = self._contest = client
            self.version = client.start().name

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        self._seat = seat
        seconds = (self.engine.time_control.base_ms or 0) // 1000
        return f"@{self._contest.begin(is_first, seconds, self._rules.no_contact or NO_LIMIT)}"

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        """The reply to a position. Of the position, the dialect transmits only the last move."""
        moves = [parse_move(LUZHANQI, word) for word in position.partition(" moves ")[2].split()]
        words = [self._move(moves[-1]), OUTCOME_CODES[moves[-1].outcome]] if moves else [NO_MOVE, ATTACKER_REMOVED]
        reply = self._contest.ask((f"GO {' '.join(words)} {self._flag(moves)}",), allowed_ms)
        self._moves = moves
        try:
            squares = parse_squares(reply.move)
        except ValueError:
            return reply  # not a move; the arbiter reports it
        if squares is None:
            return reply
        return replace(reply, move="".join(point_of(square, self._seat) for square in squares))

    def tell_outcome(self, move: str) -> None:
        seen = parse_move(LUZHANQI, move)
        if seen.resigned is not None:
            return
        self._tell(f"RESULT {OUTCOME_CODES[seen.outcome]} {self._flag([*self._moves, seen])}")

    def game_over(self, result: str) -> None:
        self._contest.send(f"END {END_CODES[result]}")

    def _tell(self, line: str) -> None:
        try:
            self._contest.send(line)
        except EngineError as error:
            # The engine's move is valid. If the game continues, the next question meets the same fault.
            if error.fault != EngineFault.DISCONNECT:
                raise

    def _move(self, seen: SeenMove) -> str:
        return "".join(square_of(LUZHANQI.names[point], self._seat) for point in (seen.from_point, seen.to_point))

    def _flag(self, moves: list[SeenMove]) -> str:
        """The square of the opponent's flag, if it has been revealed."""
        ours = LUZHANQI.block(LUZHANQI.seats.index(self._seat))
        shown = [point for seen in moves for point in seen.revealed_flags if point not in ours]
        return square_of(LUZHANQI.names[shown[0]], self._seat) if shown else NO_FLAG
