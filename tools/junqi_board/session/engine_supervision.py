"""The engine processes that play a game: started, asked for moves, stopped, started again when they fail.

An engine changes the game only through the inputs of `BoardGame`, which checks every answer.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

from junqi_board.engine_pool import EnginePool
from junqi_board.engine_programs import Program, options_of
from junqi_board.engines import BoardEngine
from junqi_board.errors import InternalErrors
from junqi_board.game.parts import EngineFailed, EngineRestarted, EngineToMove, Events, Phase, SearchCancelled
from junqi_board.game.seating import Party
from junqi_board.game.state import BoardGame
from junqi_engine.client.engine_client import EngineClient
from junqi_engine.errors import CommandRejected, EngineError, Refused
from junqi_engine.rules import lineup as lineup_rules
from junqi_referee.settings.settings import engine_seed

INTERNAL = "internal"
"""The code of the fault of an engine when the board could not handle its answer."""

Apply = Callable[[Callable[[float], Events]], None]
"""Carries out an input: calls it with the present time and hands its events to all subscribers."""
Run = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a coroutine until the game is closed."""


def rule_options(game: BoardGame) -> dict[str, str]:
    """The options that tell an engine what is played."""
    return {"UCI_Variant": game.board.variant} | game.seating.rules.as_options()


class EngineSupervision:
    """The engines of one game, by the seats of their parties."""

    def __init__(self, game: BoardGame, pool: EnginePool, apply: Apply, run: Run, errors: InternalErrors) -> None:
        self._game = game
        self._pool = pool
        self._apply = apply
        self._run = run
        self._errors = errors
        self._engines: dict[str, BoardEngine] = {}
        self._stops: dict[str, threading.Event] = {}
        """By the seats of an engine, what stops the search that it was asked for last."""
        self._is_closed = False

    def start_all(self) -> None:
        for player in self._game.players:
            if player.party.is_engine:
                self._run(self.start(player.party.seats))

    def receive(self, events: Events) -> None:
        for event in events:
            match event:
                case EngineToMove():
                    stop = self._stops[event.seats] = threading.Event()
                    self._run(self._search(self._engines[event.seats], event, stop))
                case SearchCancelled(seats):
                    self._stops[seats].set()
                case EngineFailed(seats):
                    engine = self._engines.pop(seats, None)
                    if engine is not None:
                        engine.close()
                case EngineRestarted(seats):
                    self._run(self.start(seats))

    async def start(self, seats: str) -> None:
        """Start the engine of a party; before the game, let it set up its pieces too."""
        player = self._game.find_player(seats)
        assert player is not None and player.party.program is not None
        party = player.party
        with self._errors.handled(f"the start of {party.name}", lambda text: self._start_failed(party, INTERNAL, text)):
            try:
                await self._start(party, player.party.program)
            except CommandRejected as error:
                self._start_failed(party, "option-refused", str(error))
            except Refused as error:
                self._start_failed(party, error.code, str(error))

    async def _start(self, party: Party, program: Program) -> None:
        engine = await self._pool.take(program)
        try:
            lineups = await self._prepare(engine, party)
        except BaseException:
            engine.close()
            raise
        if not self._is_wanted(party):
            self._pool.give_back(engine)
            return
        self._engines[party.seats] = engine
        self._apply(lambda now_s: self._game.engine_ready(party.seats, lineups, now_s))

    def close(self) -> None:
        self._is_closed = True
        for engine in self._engines.values():
            self._pool.give_back(engine)
        self._engines.clear()

    async def _prepare(self, engine: BoardEngine, party: Party) -> dict[str, str]:
        """Set the options; the line-ups that the engine sets up, none once the game has started."""
        # Each engine has its own seed, or it could compute what another one sets up.
        seed = engine_seed(self._game.seed, self._game.board.seats.index(party.seats[0]))
        options = rule_options(self._game) | {"Seed": str(seed)}
        options |= options_of(party.elo, self._game.board.variant)
        await engine.set_options(options)
        lineups = {}
        for seat in party.seats if self._game.phase == Phase.ARRANGING else ():
            position = f"position startpos viewer {party.viewer}"
            answer = await engine.search(position, f"go setup {seat}", patience_s=EngineClient.SETUP_S)
            lineups[seat] = answer.move.removeprefix("@")
            lineup_rules.check(lineups[seat])
        return lineups

    def _start_failed(self, party: Party, code: str, text: str) -> None:
        if self._is_wanted(party):
            self._apply(lambda now_s: self._game.start_failed(party.seats, code, text, now_s))

    def _is_wanted(self, party: Party) -> bool:
        """Whether the game still waits for the engine of this party."""
        player = self._game.find_player(party.seats)
        is_current = player is not None and player.party is party and not player.has_engine
        return is_current and not self._is_closed

    async def _search(self, engine: BoardEngine, search: EngineToMove, stop: threading.Event) -> None:
        """Let an engine search. Whatever happens, the game gets a move or a fault of the engine."""

        def fail(text: str) -> None:
            self._apply(lambda now_s: self._game.search_failed(search.question, INTERNAL, text, now_s))

        with self._errors.handled(f"a move of {engine.program.name}", fail):
            await self._answer(engine, search, stop)

    async def _answer(self, engine: BoardEngine, search: EngineToMove, stop: threading.Event) -> None:
        """Hand the answer of an engine to the game, no sooner than its pace allows."""
        game = self._game
        # In a game without clocks, later than this means that the engine hangs; anything sooner is only slow.
        move_ms = game.seating.time_control.move_ms or 0
        patience_s = move_ms / 1000 + self._pool.patience.unclocked_s
        try:
            answer = await engine.search(search.position, search.go, search.allowed_ms, patience_s, stop)
        except EngineError as error:
            code, text = error.code, str(error)
            self._apply(lambda now_s: game.search_failed(search.question, code, text, now_s))
            return
        wait_s = game.show_next_move_at_s - time.monotonic()
        if wait_s > 0 and game.has_clocks:
            self._apply(lambda now_s: game.engine_found(search.question, answer.time_ms))
        await asyncio.sleep(max(0.0, wait_s))
        self._apply(
            lambda now_s: game.engine_answered(search.question, answer.move, answer.time_ms, answer.score, now_s)
        )
