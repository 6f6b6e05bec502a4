"""The engines of a game: started and seated, asked for moves and advice, and let go when they fail.

An engine never changes the game by itself: what it answers is checked by the game, what goes wrong is a `Fault`.
"""

import asyncio
import time
from typing import TYPE_CHECKING

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup as lineup_rules
from protocol.client import EngineError, Fault
from tools.board.adviser import Adviser
from tools.board.chairs import Chair
from tools.board.engines import Engine, Refused, Stable
from tools.referee.limits import MARGIN_MS

if TYPE_CHECKING:
    from tools.board.game import Game

SETUP_PATIENCE_S = 30.0


class EngineMinder:
    """Minds the engines of one game."""

    def __init__(self, game: "Game", stable: Stable) -> None:
        self._game = game
        self._stable = stable

    async def seat(self, chair: Chair) -> None:
        """Start an engine for a chair, and let it set up its pieces if that is still to do."""
        game, party = self._game, chair.party
        assert party.program is not None
        engine = None
        lineups = {}
        try:
            engine = await self._stable.take(party.program)
            options = self._options() | {"Seed": str(game.seed)} | ({"Player": party.player} if party.player else {})
            await engine.set_options(options)
            for seat in party.seats if game.phase == "arranging" else ():
                position = f"position startpos viewer {party.viewer}"
                answer = await engine.search(position, f"go setup {seat}", patience_s=SETUP_PATIENCE_S)
                lineups[seat] = answer.move.removeprefix("@")
                lineup_rules.check(lineups[seat])
        except EngineError as error:
            game.fail(chair, engine, error.fault.value, str(error))
        except Refused as error:
            game.fail(chair, engine, "option-refused", str(error))
        except JunqiError as error:
            game.fail(chair, engine, error.code, str(error))
        else:
            if game.is_closed or chair.engine is not None:
                self._stable.give_back(engine)
                return
            chair.engine = engine
            engine.listener = lambda lines: self._show_lines(chair, lines)
            game.engine_seated(lineups)

    async def think(self, chair: Chair, engine: Engine, position: str) -> None:
        """Have an engine move, unless the game has gone another way by the time it answers."""
        game, clock = self._game, chair.clock
        generation = game.generation
        allowed_ms = None
        if clock.base_ms is None:
            go = f"go movetime {game.seating.move_ms}"
        else:
            go = f"go time {int(clock.left_ms)} inc {clock.increment_ms}"
            allowed_ms = int(clock.left_ms) + MARGIN_MS
        # Where no clock runs, what comes later than this has hung, and what comes sooner is only slow.
        patience_s = game.seating.move_ms / 1000 + self._stable.patience.unclocked_s
        try:
            answer = await engine.search(position, go, allowed_ms, patience_s)
        except EngineError as error:
            if generation != game.generation:
                return
            if error.fault == Fault.TIMEOUT and clock.base_ms is not None:
                game.out_of_time(chair)
            else:
                clock.forgive()
                game.fail(chair, engine, error.fault.value, str(error))
            return
        await asyncio.sleep(max(0.0, game.shown_at + game.pace_ms / 1000 - time.monotonic()))
        if generation == game.generation:
            clock.forgive()
            game.answered(chair, engine, answer)

    async def advise(self, chair: Chair, move_ms: int) -> None:
        """Ask the adviser of a person what it would play."""
        truth, viewer = self._game.truth_in_play(), chair.party.viewer
        await self._adviser(chair).advise(truth.position_line(viewer), truth.view(viewer), chair.party.seats, move_ms)

    def stop_advice(self, chair: Chair) -> None:
        if chair.adviser is not None:
            chair.adviser.stop()

    def show_belief(self, chair: Chair, on: bool) -> None:
        """Show, or show no longer, at every position what the adviser of a person believes."""
        self._adviser(chair).shows_belief = on
        self.refresh_belief(chair)

    def refresh_belief(self, chair: Chair) -> None:
        """Show the belief in the present position, if it is wanted."""
        truth = self._game.truth
        if chair.adviser is not None and chair.adviser.shows_belief and truth is not None:
            self._game.run(chair.adviser.believe(truth.position_line(chair.party.viewer)))

    def stop(self) -> None:
        """Whatever is being thought about is thought about in vain."""
        for chair in self._game.chairs:
            if chair.engine is not None:
                chair.engine.stop()

    def close(self) -> None:
        """Let all engines go."""
        for chair in self._game.chairs:
            if chair.engine is not None:
                self._stable.give_back(chair.engine)
                chair.engine = None
            if chair.adviser is not None:
                chair.adviser.close()

    def _adviser(self, chair: Chair) -> Adviser:
        if chair.adviser is None:
            chair.adviser = Adviser(self._game.board, self._options(), self._stable, chair.send)
        return chair.adviser

    def _options(self) -> dict[str, str]:
        rules = self._game.seating.rules
        return {
            "UCI_Variant": self._game.board.variant,
            "NoContactLimit": str(rules.no_contact),
            "NoContactResult": "loss" if rules.no_contact_loses else "draw",
            "MaxPlies": str(rules.max_plies),
        }

    def _show_lines(self, chair: Chair, lines: list[str]) -> None:
        """Info lines go to pages that see all that the engine sees, and to no others: a line of play tells much."""
        message = {"type": "info", "name": chair.party.name, "seats": chair.party.seats, "lines": lines}
        for other in self._game.chairs:
            if other.party.viewer in (chair.party.viewer, "*"):
                other.send(message)
        for page in self._game.watchers:
            page.send(message)
