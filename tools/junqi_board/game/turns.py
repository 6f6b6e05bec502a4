"""A game at the board while it is played: what it is made of, and its transitions from turn to turn, up to its end.

A failed engine does not change the position: the game keeps its `Fault` and waits until it is started again. The
events that a transition causes wait until the input that led to it takes them.
"""

from collections.abc import Mapping, Sequence

from junqi_board.errors import RequestError
from junqi_board.game.parts import (
    EngineFailed,
    EngineToMove,
    Event,
    Events,
    Fault,
    GameVerdict,
    Happened,
    MovePlayed,
    Offer,
    Phase,
    Player,
    Ply,
    SearchCancelled,
)
from junqi_board.game.seating import Party, Seating, TimeOut
from junqi_referee.endings import Ending
from junqi_referee.records.replay import bare
from junqi_referee.settings.settings import Seed
from junqi_referee.time_control import Clock, go_command
from junqi_referee.truth import Truth

RESIGN, PASS = "resign:", "pass:"
"""The start of a resignation, and of a turn that passes; the seat follows."""
PACE_MS = 400
"""The shortest time between two moves that are shown."""
BATTLE_PACE = 3
"""How much longer than another move a battle is shown before the next move of an engine."""
HURRIED_GO = "go movetime 50"
"""The search of engines that finish a game quickly."""
MAX_FAULT_CHARS = 300
"""An engine may answer with a text of any length, which its fault quotes."""


class Turns:
    def __init__(self, number: int, seating: Seating, seed: Seed, drafts: Mapping[str, str]) -> None:
        """`number` counts the games of a server, the seeds of the engines come from `seed`, `drafts` are the first
        line-ups shown.
        """
        self.number = number
        self.seating = seating
        self.seed = seed
        self.board = seating.board
        self.players = [Player(party, Clock(seating.time_control)) for party in seating.parties]
        self.drafts = dict(drafts)
        self.lineups: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """What persons call themselves, by the seats of their parties."""
        self.truth: Truth | None = None
        self.history: list[Ply] = []
        self.faults: dict[str, Fault] = {}
        """By the seats of the engines that have failed and have not been started again."""
        self.offer: Offer | None = None
        self.is_paused = False
        self.is_hurried = False
        """The engines finish the game alone: they search shortly, and nothing waits until a move was seen."""
        self.thinking: Player | None = None
        self._question = 0
        self._last_move_s = 0.0
        self._verdict: GameVerdict | None = None
        self._pending: list[Event] = []

    # State

    @property
    def phase(self) -> Phase:
        if self.truth is None:
            return Phase.ARRANGING
        return Phase.PLAYING if self.result is None else Phase.OVER

    @property
    def result(self) -> str | None:
        """The seats of the winning team, `draw`, or None while the game goes on."""
        if self._verdict is not None:
            return self._verdict.result
        return None if self.truth is None else self.truth.result

    @property
    def ending(self) -> Ending:
        """How the game ended; `interrupted` while it goes on."""
        if self.truth is None or self.result is None:
            return Ending.INTERRUPTED
        return self.truth.ending if self._verdict is None else self._verdict.ending

    @property
    def detail(self) -> str:
        """What adds to the ending: who ran out of time."""
        return "" if self._verdict is None else self._verdict.detail

    @property
    def fault(self) -> Fault | None:
        """The fault that was found first, of those that remain; the game waits until each engine is started again."""
        return next(iter(self.faults.values()), None)

    @property
    def has_clocks(self) -> bool:
        return self.seating.time_control.base_ms is not None

    @property
    def person_count(self) -> int:
        return sum(not player.party.is_engine for player in self.players)

    @property
    def show_next_move_at_s(self) -> float:
        """The time before which an engine's answer must not be shown; a battle is shown longer than another move."""
        if self.is_hurried:
            return 0.0
        last = self.truth.moves[-1] if self.truth and self.truth.moves else ""
        return self._last_move_s + (1 if last == bare(last) else BATTLE_PACE) * PACE_MS / 1000

    def time_to_flag_s(self, now_s: float) -> float | None:
        """The time until the clock of the person to move runs out; None if no such clock runs. See `tick`."""
        for player in self.players:
            remaining_ms = player.clock.remaining_at_ms(in_ms(now_s))
            if player.clock.is_running and not player.party.is_engine and remaining_ms is not None:
                return remaining_ms / 1000
        return None

    def find_player(self, seats: str) -> Player | None:
        """The player with exactly these seats."""
        return next((player for player in self.players if player.party.seats == seats), None)

    def person(self, seats: str) -> Player:
        """The person with exactly these seats; `RequestError` if there is none."""
        player = self.find_player(seats)
        if player is None or player.party.is_engine:
            raise RequestError("no-seat", "you are watching this game and have no seat in it")
        return player

    def is_alive(self, player: Player) -> bool:
        """Whether a player still has a seat in the game."""
        return self.truth is not None and any(seat in self.truth.alive for seat in player.party.seats)

    @property
    def may_hurry(self) -> bool:
        """Whether only engines are left in the game, without the persons who have played it."""
        persons = [player for player in self.players if not player.party.is_engine]
        return self.phase == Phase.PLAYING and bool(persons) and not any(map(self.is_alive, persons))

    def truth_in_play(self) -> Truth:
        """The true position; `RequestError` unless the game has started and goes on."""
        if self.truth is None:
            raise RequestError("too-early", "the game has not started")
        if self.result is not None:
            raise RequestError("game-over", "the game is over")
        return self.truth

    def truth_after(self, moves: Sequence[str]) -> Truth:
        """The position after recorded moves from the line-ups of this game."""
        truth = Truth(self.board.variant, self.lineups, self.seating.first, self.seating.rules)
        for move in moves:
            truth.play(bare(move))
        return truth

    @property
    def may_be_helped(self) -> bool:
        """Whether engines may help a person: when it plays alone."""
        return self.person_count <= 1

    @property
    def may_pause(self) -> bool:
        return self.person_count <= 1 or self.is_paused

    def name_of(self, party: Party) -> str:
        """What a person calls itself, or else the name of the party."""
        return self.names.get(party.seats) or party.name

    def take_back_ply(self, player: Player) -> int | None:
        """The ply to which `take_back` would return: before the player's last turn. None if it is not possible."""
        if self.person_count > 1 or self.truth is None:
            return None
        own = [
            ply
            for ply, entry in enumerate(self.history)
            if entry.seat in player.party.seats and not entry.is_resignation
        ]
        return own[-1] if own else None

    # Transitions

    def _engine(self, seats: str) -> Player:
        player = self.find_player(seats)
        if player is None or not player.party.is_engine:
            raise RequestError("bad-setup", f"seats: no engine plays exactly {seats!r}")
        return player

    def _start_if_ready(self, now_s: float) -> None:
        if set(self.lineups) == set(self.board.seats) and self.fault is None:
            self.truth = self.truth_after(())
            self._last_move_s = now_s
            self._emit(Happened("started", changes_record=True))
            self._continue(now_s)

    def _continue(self, now_s: float) -> None:
        """Let the player to move think, unless the game waits for something."""
        if self.truth is None or self.result is not None or self.is_paused or self.fault is not None:
            return
        turn = self.truth.turn
        player = next(player for player in self.players if turn in player.party.seats)
        if not player.party.is_engine:
            player.clock.start(in_ms(now_s))
        elif player.has_engine and self.thinking is not player:
            self._question += 1
            self.thinking = player
            player.clock.start(in_ms(now_s))
            position = self.truth.position_line(player.party.viewer)
            allowed_ms = player.clock.allowed_ms if self.has_clocks else None
            go = HURRIED_GO if self.is_hurried else go_command(player.clock)
            self._emit(EngineToMove(player.party.seats, self._question, position, go, allowed_ms))

    def _play(self, text: str, player: Player, time_ms: float, score: str | None) -> None:
        """Play a move or resignation of a player; `IllegalMove` changes nothing."""
        truth = self.truth_in_play()
        resigned = text.removeprefix(RESIGN) if text.startswith(RESIGN) else None
        seat = resigned or truth.turn
        move = truth.play(text, player.party.seats)
        self._add_ply(seat, resigned is not None, move, time_ms, score)

    def _add_ply(self, seat: str, is_resignation: bool, move: str, time_ms: float, score: str | None) -> None:
        clocks_ms = tuple(other.clock.remaining_ms for other in self.players)
        self.history.append(Ply(seat, is_resignation, round(time_ms), score, clocks_ms))
        self._emit(MovePlayed(seat, move, round(time_ms)))

    def _finish_turn(self, player: Player, now_s: float) -> None:
        """The player has moved or passed. The next turn begins."""
        if self.seating.time_out == TimeOut.PASSES and self.has_clocks:
            player.clock.refill()
        if self.offer is not None and self.offer.by != player.party.seats:
            self.offer = None
        self.thinking = None
        self._last_move_s = now_s
        self._end_or_continue(now_s)

    def _end_or_continue(self, now_s: float) -> None:
        if self.result is None:
            self._continue(now_s)
            return
        self.offer = None
        for player in self.players:
            player.clock.pause(in_ms(now_s))
        self._emit(Happened(f"end {self.result} {self.ending}", changes_record=True))

    def _resign_all(self, player: Player, now_s: float) -> None:
        """All living seats of a player give up, one after the other, until the game is over."""
        truth = self.truth_in_play()
        self._stop_thinking(now_s)
        for seat in player.party.seats:
            if seat in truth.alive and truth.result is None:
                self._play(RESIGN + seat, player, 0, None)
        self._end_or_continue(now_s)

    def _run_out_of_time(self, player: Player, now_s: float) -> None:
        """The clock of the player to move has run out: its team loses, or its turn passes."""
        if self.seating.time_out == TimeOut.LOSES:
            self._stop_thinking(now_s)
            turn = self.truth_in_play().turn
            winners = next(team for team in self.board.teams if turn not in team)
            detail = f"{self.name_of(player.party)} ({player.party.seats}) ran out of time"
            self._verdict = GameVerdict(winners, Ending.TIMEOUT, detail)
            self._end_or_continue(now_s)
            return
        truth = self.truth_in_play()
        seat = truth.turn
        self._add_ply(seat, False, truth.play(PASS + seat), player.clock.elapsed_ms(in_ms(now_s)), None)
        player.clock.cancel()
        self._finish_turn(player, now_s)

    def _settle_offer(self, now_s: float) -> None:
        """End the game once everyone has accepted the draw."""
        if self.offer is not None and not self.offer.waiting_for:
            self.offer, self._verdict = None, GameVerdict("draw", Ending.AGREED)
            self._stop_thinking(now_s)
            self._end_or_continue(now_s)

    def _fail(self, player: Player, code: str, text: str, now_s: float) -> None:
        """The engine of a player is out of order. Its clock does not count the failed search."""
        player.clock.cancel()
        player.has_engine = False
        if self.thinking is player:
            self.thinking = None
        self._stop_thinking(now_s)
        text = f"{player.party.name} ({player.party.seats}): {text}"
        fault = Fault(player.party.seats, code, text[:MAX_FAULT_CHARS])
        self.faults[fault.seats] = fault
        self._emit(EngineFailed(fault.seats, fault.code))

    def _stop_thinking(self, now_s: float) -> None:
        """Stop all clocks: a person's time is spent, an engine's search is cancelled and does not count."""
        for player in self.players:
            if player.party.is_engine:
                player.clock.cancel()
            else:
                player.clock.pause(in_ms(now_s))
        if self.thinking is not None:
            self._emit(SearchCancelled(self.thinking.party.seats))
            self.thinking = None

    def _emit(self, event: Event) -> None:
        self._pending.append(event)

    def _take_events(self) -> Events:
        events = tuple(self._pending)
        self._pending.clear()
        return events


def in_ms(now_s: float) -> float:
    return 1000 * now_s
