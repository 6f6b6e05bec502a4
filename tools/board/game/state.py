"""A game at the board: the truth, who plays, the clocks, the record; and what each page is told of it.

All of it happens in the event loop; engines think in threads of their own and are awaited. Whatever an engine does,
the game stays as it was: a `Fault` is shown, the game saved, and another engine can take the seats.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from junqi_engine.errors import JunqiError
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup as lineup_rules
from protocol.client import Answer
from tools.board import scenes, telling
from tools.board.chairs import Chair, Fault, Page, Ply
from tools.board.clocks import PartyClock
from tools.board.draws import engine_agrees
from tools.board.engines import Engine, Stable
from tools.board.messages import BadMessage
from tools.board.minding import EngineMinder
from tools.board.saving import SavedGame, record_of
from tools.board.seating import GUEST, ME, Party, Seating
from tools.referee.endings import Ending
from tools.referee.replay import bare
from tools.referee.truth import IllegalMove, Truth

log = logging.getLogger("junqi-board")


class Game:
    """One game, from the arranging of the line-ups to its end."""

    def __init__(self, number: int, seating: Seating, stable: Stable, folder: Path) -> None:
        self.number = number
        self.seating = seating
        self.board = seating.board
        self.chairs = [Chair(party, PartyClock(seating.base_ms, seating.increment_ms)) for party in seating.parties]
        self.watchers: list[Page] = []
        self.truth: Truth | None = None
        self.lineups: dict[str, str] = {}
        self.drafts = {seat: lineup_choice.sensible(secrets.SystemRandom()) for seat in self.board.seats}
        self.history: list[Ply] = []
        self.fault: Fault | None = None
        self.offer: tuple[Chair, list[Chair]] | None = None
        self.is_paused = False
        self.detail = ""
        self.pace_ms = seating.pace_ms
        self.seed = secrets.randbelow(2**31)
        self._agreed_draw = False
        self.is_closed = False
        self._stable = stable
        self._saved = SavedGame(folder)
        self.minder = EngineMinder(self, stable)
        self.generation = 0
        self._tasks: set[asyncio.Task] = set()
        self.shown_at = 0.0
        self.thinking: Chair | None = None

    # Who is here

    @property
    def phase(self) -> str:
        """`arranging`, `playing` or `over`."""
        if self.truth is None:
            return "arranging"
        return "playing" if self.result is None else "over"

    @property
    def result(self) -> str | None:
        if self._agreed_draw:
            return "draw"
        return None if self.truth is None else self.truth.result

    def chair_of(self, seats: str) -> Chair | None:
        """The chair whose party has exactly these seats."""
        return next((chair for chair in self.chairs if chair.party.seats == seats), None)

    def join(self, page: Page, seats: str) -> None:
        """A page has come for the seats of a party, or, without any, to watch."""
        chair = self.chair_of(seats)
        (self.watchers if chair is None else chair.pages).append(page)
        page.send({"type": "board", **scenes.board_data(self.board)})
        self.tell()

    def leave(self, page: Page) -> None:
        for pages in (self.watchers, *(chair.pages for chair in self.chairs)):
            if page in pages:
                pages.remove(page)
        if not self.is_closed:
            self.tell()

    # How it goes on

    def open(self) -> None:
        """Have the engines started and their line-ups made."""
        for chair in self.chairs:
            if chair.party.is_engine:
                self.run(self.minder.seat(chair))

    def ready(self, chair: Chair, lineups: dict[str, str]) -> None:
        """A person's line-ups are as they shall be."""
        if self.phase != "arranging":
            raise BadMessage("too-late", "the game has begun: line-ups stay as they are")
        if set(lineups) != set(chair.party.seats):
            raise BadMessage("bad-lineup", f"line-ups of the seats {chair.party.seats} are needed")
        for seat, letters in lineups.items():
            try:
                lineup_rules.check(letters)
            except JunqiError as error:
                raise BadMessage(error.code, f"{seat}'s line-up: {error}") from None
        self.lineups |= lineups
        self.drafts |= lineups
        self._begin_if_ready()

    def move(self, chair: Chair, ply: int, text: str) -> None:
        """A person moves; `ply` is the number of moves that its page has seen."""
        truth = self.truth_in_play()
        if ply != len(truth.moves):
            raise BadMessage("stale", "the position has changed meanwhile")
        if truth.turn not in chair.party.seats:
            raise BadMessage("not-your-turn", f"{truth.turn} is to move")
        if text.startswith("resign"):
            raise BadMessage("illegal-move", f"{text[:20]!r} is no move")
        self._play(chair, text, chair.clock.elapsed_ms, None)

    def resign(self, chair: Chair, detail: str = "") -> None:
        """All seats of a party give up."""
        truth = self.truth_in_play()
        seats = [seat for seat in chair.party.seats if seat in truth.alive]
        if not seats:
            raise BadMessage("not-your-turn", "your seats are out already")
        self._interrupt()
        self.detail = detail
        for seat in seats:
            if truth.result is None:
                self._enter(f"resign:{seat}", seat, True, 0, None)
        self._proceed()

    def offer_draw(self, chair: Chair) -> None:
        """Ask everyone else for a draw. An engine of the other team agrees when it does not think itself ahead."""
        truth = self.truth_in_play()
        others = [other for other in self.chairs if other is not chair and self.is_alive(other)]
        if any(other.party.is_engine and not engine_agrees(truth, chair, other) for other in others):
            raise BadMessage("draw-declined", "the engine plays on")
        self.offer = chair, [other for other in others if not other.party.is_engine]
        self._settle_offer()

    def answer_draw(self, chair: Chair, accept: bool) -> None:
        if self.offer is None or chair not in self.offer[1]:
            raise BadMessage("no-offer", "no draw has been offered to you")
        offering, waited_for = self.offer
        if accept:
            waited_for.remove(chair)
            self._settle_offer()
            return
        self.offer = None
        offering.send({"type": "notice", "code": "draw-declined", "text": "the draw was declined"})
        self.tell()

    def take_back(self, chair: Chair) -> None:
        """Back to before the last move of a person who plays engines only."""
        place = self.last_move_of(chair)
        if place is None:
            raise BadMessage("no-take-back", "there is nothing to take back, or another person plays")
        self._interrupt()
        moves = self.truth.moves[:place] if self.truth else []
        for other, left_ms in zip(self.chairs, self.history[place].clocks_before_ms, strict=True):
            other.clock.left_ms = left_ms
        self.history = self.history[:place]
        self._agreed_draw, self.detail = False, ""
        self.truth = self._new_truth()
        for move in moves:
            self.truth.play(bare(move))
        self._proceed()

    def pause(self, on: bool) -> None:
        """Stop or go on; for those who watch or play engines only."""
        if self.persons > 1:
            raise BadMessage("not-alone", "another person plays")
        self.is_paused = on
        if on:
            self._interrupt()
        self._proceed()

    async def replace_engine(self, seats: str, program: str, player: str) -> None:
        """Another engine takes the seats of one that has failed."""
        chair = self.chair_of(seats)
        found = self._stable.program(program)
        if chair is None or not chair.party.is_engine or found is None:
            raise BadMessage("bad-setup", "there is no such engine, or none has those seats")
        self._interrupt()
        if chair.engine is not None:
            chair.engine.close()
            chair.engine = None
        chair.party = Party(chair.party.who, chair.party.seats, chair.party.viewer, found, player)
        if self.fault is not None and self.fault.chair is chair:
            self.fault = None
        self.tell()
        await self.minder.seat(chair)

    def close(self) -> None:
        """The board turns to another game: save this one and let the engines go."""
        self.is_closed = True
        self._interrupt()
        if self.phase == "playing":
            self.save()
        for task in self._tasks:
            task.cancel()
        self.minder.close()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Let a coroutine run on its own; what it raises is not lost."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a task of the game broke", exc_info=error)

    def engine_seated(self, lineups: dict[str, str]) -> None:
        """An engine has sat down, and has set up its pieces if the game has not begun."""
        self.lineups |= lineups
        if self.phase == "arranging":
            self._begin_if_ready()
        else:
            self._proceed()

    def answered(self, chair: Chair, engine: Engine, answer: Answer) -> None:
        """An engine has answered in its turn; what is no legal move is a fault."""
        resigned = answer.move.removeprefix("resign:") if answer.move.startswith("resign:") else None
        try:
            if resigned is not None and resigned not in chair.party.seats:
                raise IllegalMove(f"{answer.move[:20]!r} resigns for another")
            chair.last_score = answer.score
            if chair.clock.base_ms is not None:
                chair.clock.left_ms = max(0.0, chair.clock.left_ms - answer.time_ms)
            self._play(chair, answer.move, answer.time_ms, answer.score)
        except IllegalMove as error:
            self.fail(chair, engine, Ending.ILLEGAL_MOVE.value, str(error))

    def fail(self, chair: Chair, engine: Engine | None, code: str, text: str) -> None:
        """An engine is of no more use: the game is saved, and waits for another."""
        if engine is not None:
            engine.close()
        if self.is_closed:
            return
        if chair.engine is engine:
            chair.engine = None
        self.thinking = None
        self.fault = Fault(chair, code, f"{chair.party.name} ({chair.party.seats}): {text}")
        self._halt_clocks()
        self.save()
        self.tell()

    # The rules of the table

    def _begin_if_ready(self) -> None:
        if set(self.lineups) == set(self.board.seats) and self.fault is None:
            self.truth = self._new_truth()
            self.shown_at = time.monotonic()
            self._proceed()
        else:
            self.tell()

    def _new_truth(self) -> Truth:
        return Truth(self.board.variant, self.lineups, self.seating.first, self.seating.rules)

    def _proceed(self) -> None:
        """Go on from a position that has just come about."""
        self.generation += 1
        self.thinking = None
        if self.truth is None or self.is_closed:
            self.tell()
            return
        if self.result is not None:
            self._halt_clocks()
            self.offer = None
        elif not self.is_paused and self.fault is None:
            chair = next(chair for chair in self.chairs if self.truth.turn in chair.party.seats)
            if not chair.party.is_engine:
                chair.clock.start(partial(self.out_of_time, chair))
            elif chair.engine is not None:
                self.thinking = chair
                chair.clock.start()
                self.run(self.minder.think(chair, chair.engine, self.truth.position_line(chair.party.viewer)))
        self.save()
        self.tell()

    def _play(self, chair: Chair, text: str, spent_ms: float, score: str | None) -> None:
        """A move that has been answered; `IllegalMove` if it is none."""
        truth = self.truth_in_play()
        seat = truth.turn
        try:
            self._enter(text, seat, text.startswith("resign:"), round(spent_ms), score)
        except IllegalMove as error:
            if not chair.party.is_engine:
                raise BadMessage("illegal-move", str(error)) from None
            raise
        if chair.clock.is_running:
            chair.clock.stop()
        elif chair.clock.base_ms is not None:
            chair.clock.left_ms += chair.clock.increment_ms
        if self.offer is not None and self.offer[0] is not chair:
            self.offer = None
        self.shown_at = time.monotonic()
        self._proceed()

    def _enter(self, text: str, seat: str, is_resignation: bool, time_ms: int, score: str | None) -> None:
        before = tuple(chair.clock.left_ms for chair in self.chairs)
        self.truth_in_play().play(text)
        self.history.append(Ply(seat, is_resignation, time_ms, score, before))

    def _interrupt(self) -> None:
        """Whatever is being thought about is thought about in vain."""
        self.generation += 1
        self.thinking = None
        self.minder.stop()
        for chair in self.chairs:
            chair.clock.forgive() if chair.party.is_engine else chair.clock.halt()

    def out_of_time(self, chair: Chair) -> None:
        """A party's clock has run down: its seats are out."""
        self.resign(chair, f"{chair.party.name} ({chair.party.seats}) has run out of time")

    def _halt_clocks(self) -> None:
        for chair in self.chairs:
            chair.clock.halt()

    def _settle_offer(self) -> None:
        if self.offer is not None and not self.offer[1]:
            self.offer, self._agreed_draw, self.detail = None, True, "draw agreed"
            self._interrupt()
            self._proceed()
        else:
            self.tell()

    def is_alive(self, chair: Chair) -> bool:
        """Whether a party still has a seat in the game."""
        return self.truth is not None and any(seat in self.truth.alive for seat in chair.party.seats)

    def last_move_of(self, chair: Chair) -> int | None:
        """Which entry of the history `take_back` would go back to before; None if it may not."""
        if self.persons > 1 or self.truth is None:
            return None
        places = [
            place for place, ply in enumerate(self.history) if ply.seat in chair.party.seats and not ply.is_resignation
        ]
        return places[-1] if places else None

    @property
    def persons(self) -> int:
        """How many parties are persons."""
        return sum(chair.party.who in (ME, GUEST) for chair in self.chairs)

    def truth_in_play(self) -> Truth:
        if self.truth is None:
            raise BadMessage("too-early", "the game has not begun")
        if self.result is not None:
            raise BadMessage("game-over", "the game has ended")
        return self.truth

    # What is told

    def tell(self) -> None:
        """Send everyone the state of the game as it may be seen."""
        for chair in self.chairs:
            if chair.pages:
                chair.send(telling.state(self, chair))
                self.minder.refresh_belief(chair)
        if self.watchers:
            message = telling.state(self, None)
            for page in self.watchers:
                page.send(message)

    # What is kept

    @property
    def path(self) -> Path | None:
        """The file of the game, once there is one."""
        return self._saved.path

    @property
    def ending(self) -> Ending:
        """How the game ended; `interrupted` as long as it goes on."""
        if self.truth is None or self.result is None:
            return Ending.INTERRUPTED
        return Ending.ADJUDICATED if self._agreed_draw else self.truth.ending

    def save(self) -> None:
        """Write the record; a disk that is full is told, and the game goes on."""
        if self.truth is None:
            return
        try:
            self._saved.write(record_of(self))
        except OSError as error:
            notice = {"type": "notice", "code": "not-saved", "text": f"the game cannot be saved: {error.strerror}"}
            for page in [*self.watchers, *(page for chair in self.chairs for page in chair.pages)]:
                page.send(notice)
