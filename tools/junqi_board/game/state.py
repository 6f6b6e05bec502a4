"""The game at the board: the true position, the parties, their clocks, draw offers, and engines that fail.

`BoardGame` is a state machine. Every input is a method; it takes the time `now_s` (seconds, on any scale that only
moves forward) and returns the events that it caused. A `RequestError` means that the input was refused and changed
nothing.
"""

from collections.abc import Mapping
from dataclasses import replace

from junqi_board.errors import RequestError
from junqi_board.game.parts import DrawDeclined, EngineRestarted, Events, Happened, Offer, Phase, engine_accepts
from junqi_board.game.turns import Turns, in_ms
from junqi_engine.errors import EngineFault, IllegalMove, Refused
from junqi_engine.rules import lineup as lineup_rules
from junqi_referee.endings import Ending

NOT_LEGAL = " is not legal"
"""In the text of an `IllegalMove`, what comes before the reason that the rules give."""


class BoardGame(Turns):
    # Inputs of persons

    def set_lineups(self, seats: str, lineups: Mapping[str, str], now_s: float) -> Events:
        """A person's line-ups are final."""
        player = self.person(seats)
        if self.phase != Phase.ARRANGING:
            raise RequestError("too-late", "the game has started: line-ups can no longer change")
        if set(lineups) != set(player.party.seats):
            raise RequestError("bad-lineup", f"expected the line-ups of the seats {player.party.seats}")
        for seat, letters in lineups.items():
            try:
                lineup_rules.check(letters)
            except Refused as error:
                raise RequestError(error.code, f"line-up of {seat}: {error}") from None
        self.lineups |= lineups
        self.drafts |= lineups
        self._emit(Happened(f"{seats} set"))
        self._start_if_ready(now_s)
        return self._take_events()

    def move(self, seats: str, ply: int, move: str, now_s: float) -> Events:
        """A person moves; `ply` is the number of plies that its page has seen."""
        player = self.person(seats)
        truth = self.truth_in_play()
        if self.is_paused:
            raise RequestError("paused", "the game is paused")
        if ply != len(truth.moves):
            raise RequestError("stale", "the position has changed since")
        if truth.turn not in player.party.seats:
            raise RequestError("not-your-turn", f"it is the turn of {truth.turn}")
        if move.startswith("resign"):
            raise RequestError("illegal-move", f"{move[:20]!r} is not a move")
        try:
            self._play(move, player, player.clock.elapsed_ms(in_ms(now_s)), None)
        except IllegalMove as error:
            raise RequestError("illegal-move", str(error)) from None
        player.clock.stop(in_ms(now_s))
        self._finish_turn(player, now_s)
        return self._take_events()

    def resign(self, seats: str, now_s: float) -> Events:
        player = self.person(seats)
        self.truth_in_play()
        if not self.is_alive(player):
            raise RequestError("not-your-turn", "your seats are already out")
        self._resign_all(player, now_s)
        return self._take_events()

    def hurry(self, seats: str, now_s: float) -> Events:
        """A person whose seats are out lets the engines finish the game quickly."""
        self.person(seats)
        self.truth_in_play()
        if not self.may_hurry:
            raise RequestError("too-early", "a person is still in the game")
        self.is_hurried, self.is_paused = True, False
        self._stop_thinking(now_s)
        self._emit(Happened("hurried"))
        self._continue(now_s)
        return self._take_events()

    def offer_draw(self, seats: str, now_s: float) -> Events:
        """Offer a draw to all others that are still in the game. Engines answer at once, persons by `answer_draw`."""
        player = self.person(seats)
        truth = self.truth_in_play()
        if not self.is_alive(player):
            raise RequestError("not-your-turn", "your seats are already out")
        others = [other for other in self.players if other is not player and self.is_alive(other)]
        for other in others:
            if other.party.is_engine and not engine_accepts(truth, player.party, other.party, other.last_score):
                raise RequestError("draw-declined", f"{other.party.name} declines the draw")
        self.offer = Offer(seats, tuple(other.party.seats for other in others if not other.party.is_engine))
        self._emit(Happened(f"{seats} offer to {','.join(self.offer.waiting_for)}"))
        self._settle_offer(now_s)
        return self._take_events()

    def answer_draw(self, seats: str, accept: bool, now_s: float) -> Events:
        if self.offer is None or seats not in self.offer.waiting_for:
            raise RequestError("no-offer", "no draw is offered to you")
        if accept:
            remaining = tuple(other for other in self.offer.waiting_for if other != seats)
            self.offer = replace(self.offer, waiting_for=remaining)
            self._emit(Happened(f"{seats} accept {self.offer.by}"))
            self._settle_offer(now_s)
        else:
            self._emit(DrawDeclined(self.offer.by, seats))
            self.offer = None
        return self._take_events()

    def take_back(self, seats: str, now_s: float) -> Events:
        """Return to the position before the last turn of the only person in the game, whether it moved or passed."""
        ply = self.take_back_ply(self.person(seats))
        if ply is None or self.truth is None:
            raise RequestError("no-take-back", "you have no move to take back, or another person plays")
        self._stop_thinking(now_s)
        moves = self.truth.moves[:ply]
        for player, remaining_ms in zip(self.players, self.history[ply].clocks_before_ms, strict=True):
            player.clock.remaining_ms = remaining_ms
        self.history = self.history[:ply]
        self._verdict = None
        self.is_hurried = False
        self.truth = self.truth_after(moves)
        self._emit(Happened(f"back to {ply}", changes_record=True))
        self._continue(now_s)
        return self._take_events()

    def set_paused(self, is_paused: bool, now_s: float) -> Events:
        """Pause or go on. A game of several persons cannot be paused; it is paused only when it is resumed."""
        if not self.may_pause or (is_paused and self.person_count > 1):
            raise RequestError("not-alone", "only a game with at most one person can be paused")
        self.is_paused = is_paused
        if is_paused:
            self._stop_thinking(now_s)
        self._emit(Happened("paused" if is_paused else "resumed"))
        self._continue(now_s)
        return self._take_events()

    def restart_engine(self, seats: str) -> Events:
        """The engine of these seats has failed and is to be started again."""
        self._engine(seats)
        if self.faults.pop(seats, None) is None:
            raise RequestError("bad-setup", f"seats: the engine of {seats} has not failed")
        self._emit(EngineRestarted(seats))
        return self._take_events()

    # Inputs of engines and of the clock

    def engine_ready(self, seats: str, lineups: Mapping[str, str], now_s: float) -> Events:
        """An engine has started; before the game it has also set up its pieces."""
        self._engine(seats).has_engine = True
        self.lineups |= lineups
        self._emit(Happened(f"{seats} ready", changes_record=True))
        if self.phase == Phase.ARRANGING:
            self._start_if_ready(now_s)
        else:
            self._continue(now_s)
        return self._take_events()

    def engine_found(self, question: int, time_ms: float) -> Events:
        """An engine has answered a search; its clock stands still until `engine_answered`. No events if out of date."""
        player = self.thinking
        if player is None or question != self._question:
            return ()
        player.clock.hold(time_ms)
        self._emit(Happened(f"{player.party.seats} found"))
        return self._take_events()

    def engine_answered(self, question: int, text: str, time_ms: float, score: str | None, now_s: float) -> Events:
        """An engine has answered a search. No events if the answer is out of date; an illegal move is a fault."""
        player = self.thinking
        if player is None or question != self._question:
            return ()
        player.clock.cancel()
        player.last_score = score
        try:
            self._play(text, player, time_ms, score)
        except IllegalMove as error:
            # Not why: that may name the kind of a piece that the pages do not see.
            told, is_not_legal, _ = str(error).partition(NOT_LEGAL)
            self._fail(player, Ending.ILLEGAL_MOVE.value, told + is_not_legal, now_s)
        else:
            player.clock.spend(time_ms)
            player.clock.add_increment()
            self._finish_turn(player, now_s)
        return self._take_events()

    def search_failed(self, question: int, code: str, text: str, now_s: float) -> Events:
        """An engine has failed during a search. No events if the search is out of date.

        With clocks, a late answer is not a fault: the clock has run out.
        """
        player = self.thinking
        if player is None or question != self._question:
            return ()
        if code == EngineFault.TIMEOUT and self.has_clocks:
            self._run_out_of_time(player, now_s)
        else:
            self._fail(player, code, text, now_s)
        return self._take_events()

    def start_failed(self, seats: str, code: str, text: str, now_s: float) -> Events:
        self._fail(self._engine(seats), code, text, now_s)
        return self._take_events()

    def tick(self, now_s: float) -> Events:
        """Let time go by; a person's clock may run out. Call it after `time_to_flag_s`."""
        if self.time_to_flag_s(now_s) == 0:
            self._run_out_of_time(next(player for player in self.players if player.clock.is_running), now_s)
        return self._take_events()
