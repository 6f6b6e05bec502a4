"""One game on the board, with its engines, its file, its clock, its pages and their adviser.

The game declares the state it wants; `follow` reconciles the rest with it after each input. All of it happens in the
event loop; engines search in threads of their own and are awaited.

After each input every page gets the whole state from the point of view of its seats. What depends on hidden pieces is
made from the `SeatView` of these seats, which does not contain what they may not know.
"""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from msgspec import convert
from msgspec.structs import asdict

from junqi_board import styles
from junqi_board.advisers import Adviser
from junqi_board.chat import Chat
from junqi_board.engines import PATIENCE, BoardEngine, Engines, level_of, options_of
from junqi_board.errors import InternalErrors
from junqi_board.game.game import BoardGame, Fault, Phase, Player, SearchRequest, has_surrendered
from junqi_board.game.record import rule_options
from junqi_board.game.seating import Party, Seating
from junqi_board.ladder import Ladder
from junqi_board.messages import Sent
from junqi_board.messages import game as messages
from junqi_board.messages.connection import Notice
from junqi_board.messages.game import EngineFailure, FaceUp, GameState, Permissions, RatingChange, SeatState
from junqi_board.partner import EVERY_PLIES, QUICK, quick_word
from junqi_board.saving import SavedGame
from junqi_board.scenes import junqi
from junqi_board.scenes.story import Story, final_pieces
from junqi_board.store import EVENING, Store
from junqi_engine.client.engine_client import EngineClient
from junqi_engine.errors import EngineError, Refused
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup as lineup_rules
from junqi_engine.rules.visibility import Visibility
from junqi_referee.settings.settings import engine_seed, new_secret

FIELD_MARSHAL = "a"


Send = Callable[[Sent], None]
"""Sends a message to a page."""


class TableHost(Protocol):
    """The part of the host that a table needs."""

    engines: Engines
    folder: Path
    errors: InternalErrors
    ladder: Ladder
    store: Store

    def pages_of(self, table: "Table") -> Iterable[tuple[str, Send]]:
        """The pages that show the game, with their seats; none for a host that only watches."""

    async def recover(self, table: "Table") -> None:
        """Go on after an internal error in an input: the game may be half changed, its file is not."""


class Table:
    def __init__(self, game: BoardGame, host: TableHost, path: Path | None = None) -> None:
        """`path` is the file of a game that is resumed; any other game gets a new file in the folder of the host."""
        self.game = game
        self.saved = SavedGame(game, host.folder, path)
        self.chat = Chat()
        if path is not None:
            self.chat.restore(host.store.facts.get(EVENING, {}).get(game.id))
        self.adviser = Adviser(game, host.engines, self.send_host, self.run)
        self._host = host
        self._rating_change: RatingChange | None = None
        """The change of the host's rating, once the game has counted."""
        self._is_scored = False
        self._is_practice = (path is not None or bool(game.history)) and not game.is_rated
        self._engines: dict[str, BoardEngine] = {}
        """By the seats of their parties."""
        self._starting: set[str] = set()
        """The parties whose engines are not ready yet."""
        self._asked: SearchRequest | None = None
        self._stop = threading.Event()
        """Set to stop the last requested search."""
        self._seen: set[str] = set()
        """The seats of the persons who have been here."""
        self._spoke_at: dict[str, int] = {}
        """By the seats of engines, the ply of their last word to their partner."""
        self._stories: dict[str, Story] = {}
        self._tasks: set[asyncio.Task] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._is_closed = False

    def do(self, action: Callable[..., None], *arguments: object) -> None:
        """Call an input of the game with the present time at last, then follow the game. Once closed, nothing happens.

        A `Refused` has changed nothing and passes through; so does an internal error.
        """
        if self._is_closed:
            return
        try:
            action(*arguments, time.monotonic())
        except Refused:
            raise
        except Exception:
            if self.saved.path is not None:
                self._is_closed = True
                self.run(self._host.recover(self))
            raise
        self.follow()

    def follow(self) -> None:
        """Reconcile engines, file, clock and pages with the game; an internal error in one part does not stop the
        others.
        """
        # The file comes before the pages: they show its name.
        parts = (self._follow_engines, self._follow_file, self._follow_clock, self._follow_end, self._follow_pages)
        for part in () if self._is_closed else parts:
            with self._host.errors.handled("what follows the game", self._tell):
                part()

    def practise(self) -> None:
        """The game does not count any more."""
        if self.game.result is None and not self._is_closed:
            self.game.is_rated = False
            self._is_practice = True
            self._follow_file()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def close(self) -> None:
        """Save the game and stop its engines: the board turns to another game."""
        # After an internal error the file keeps what it has.
        if not self._is_closed:
            self.saved.close()
        self._is_closed = True
        for timer in self._timers:
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        for engine in self._engines.values():
            engine.close()
        self.adviser.close()

    # What follows the game

    def _follow_engines(self) -> None:
        for player in self.game.players:
            seats = player.party.seats
            if not player.party.is_engine or player.has_engine or seats in self._starting:
                continue
            if seats in self._engines:
                self._engines.pop(seats).close()
            if seats not in self.game.faults:
                self._starting.add(seats)
                self.run(self._start(player.party))
        wanted = self.game.search
        if wanted != self._asked:
            self._stop.set()
            self._asked = wanted
            if wanted is not None:
                self._stop = threading.Event()
                self.run(self._search(self._engines[wanted.seats], wanted, self._stop))

    def _follow_file(self) -> None:
        if self.saved.follow():
            self.send_notice("not-saved", str(self.saved.failure))

    def _follow_clock(self) -> None:
        for timer in self._timers:
            timer.cancel()
        now_s, loop = time.monotonic(), asyncio.get_running_loop()
        flag_s = self.game.time_to_flag_s(now_s)
        self._timers = [] if flag_s is None else [loop.call_later(flag_s, self._tick)]

    def _follow_end(self) -> None:
        game, result = self.game, self.game.result
        if result is not None and not self._is_scored:
            self._is_scored = True
            won = {team: 0.5 if result == "draw" else float(result == team) for team in game.board.teams}
            self.chat.score = {team: self.chat.score.get(team, 0.0) + points for team, points in won.items()}
            self.keep_chat()
        if result is None or self._rating_change is not None or not game.counts:
            return
        mine, elo = game.seating.host_seats, next(one.party.elo for one in game.players if one.party.is_engine)
        score = 0.0 if has_surrendered(game.moves, mine) else 0.5 if result == "draw" else float(mine[0] in result)
        change = self._host.ladder.count(game.board.variant, elo, score, self._marshals_taken())
        self._rating_change = RatingChange(*change)

    def _follow_pages(self) -> None:
        self.send_state()
        if self._has_host:
            self.adviser.follow()

    def _tick(self) -> None:
        with self._host.errors.handled("the end of a clock", self._tell):
            self.do(self.game.tick)

    def _task_ended(self, task: asyncio.Task) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            with self._host.errors.handled("a task of the game", self._tell):
                task.result()

    def _tell(self, text: str) -> None:
        self.send_notice("internal", text)

    # Engines: they change the game only through its inputs, which check every answer

    async def _start(self, party: Party) -> None:
        """Start the engine of a party; before the game, let it set up its pieces too, at a level in the style of it."""
        game, seats, lineups = self.game, party.seats, {}
        # Each engine has its own seed, or it could compute what another one sets up.
        seed = engine_seed(game.seed, game.board.seats.index(seats[0]))
        options = rule_options(game) | options_of(party.elo, game.board.variant)
        options |= {"Seed": str(seed), "UCI_ShowWDL": "true"}
        try:
            assert party.program is not None
            engine = self._engines[seats] = await self._host.engines.take(party.program)
            await engine.set_options(options)
            for seat in seats if game.phase == Phase.ARRANGING else "":
                if party.elo is not None:
                    style = styles.OF_LEVELS[game.board.variant][level_of(party.elo)]
                    lineups[seat] = styles.draw(secrets.SystemRandom(), style)
                    continue
                position = f"position startpos viewer {party.viewer}"
                answer = await engine.search(position, f"go setup {seat}", patience_s=EngineClient.SETUP_S)
                lineups[seat] = answer.move.removeprefix("@")
                lineup_rules.check(lineups[seat])
        except Refused as error:
            self._starting.discard(seats)
            self.do(game.start_failed, seats, error.code, str(error))
        else:
            self._starting.discard(seats)
            self.do(game.engine_ready, seats, lineups)

    async def _search(self, engine: BoardEngine, search: SearchRequest, stop: threading.Event) -> None:
        """Let an engine search. Whatever it does, the game gets a move or a fault of the engine."""
        game = self.game
        # In a game without clocks, later than this means that the engine hangs; anything sooner is only slow.
        patience_s = (game.seating.time_control.move_ms or 0) / 1000 + PATIENCE.unclocked_s
        try:
            answer = await engine.search(search.position, search.go, search.allowed_ms, patience_s, stop)
        except EngineError as error:
            self.do(game.search_failed, search.question, error.code, str(error))
            return
        # No sooner than people can follow.
        wait_s = game.show_next_move_at_s - time.monotonic()
        if wait_s > 0 and game.has_clocks:
            self.do(lambda now_s: game.engine_found(search.question, answer.time_ms))
        await asyncio.sleep(max(0.0, wait_s))
        ply, word = len(game.history), self._partner_word(engine, search, answer.move)
        wdl = answer.info.wdl
        chance = None if wdl is None else (wdl[0] + wdl[1] / 2) / 1000
        self.do(game.engine_answered, search.question, answer.move, answer.time_ms, answer.score, chance)
        if word and len(game.history) > ply:
            self._spoke_at[search.seats] = ply
            self.say(search.seats, QUICK + word, to_all=False)

    def _partner_word(self, engine: BoardEngine, search: SearchRequest, move: str) -> str:
        """The quick word of an engine to a person who is its partner; empty for none."""
        game, player = self.game, self.game.player_of(search.seats[0])
        ply = len(game.history)
        is_due = abs(ply - self._spoke_at.get(search.seats, -EVERY_PLIES)) >= EVERY_PLIES
        may_speak = game.search == search and game.has_partner(player) and not game.is_hurried
        if game.full is None or not is_due or not may_speak or game.seating.visibility == Visibility.DARK:
            return ""
        lines = [report.pv for report in engine.reports if report.multipv == 1 and report.pv[:1] == (move,)]
        return quick_word(game.full.view(player.party.viewer), lines[-1] if lines else (move,))

    # Pages

    def show(self, send: Send, seats: str) -> None:
        send(junqi.board_data(self.game.board))
        send(self.chat.as_message(seats))
        send(self._state(seats))

    def send_host(self, message: Sent) -> None:
        self._send(message, self.game.seating.host_seats)

    def send_state(self) -> None:
        for seats in {seats for seats, _ in self._host.pages_of(self)}:
            self._send(self._state(seats), seats)

    def keep_people(self, before: "Table") -> None:
        """Keep names, chat and score of the same persons in the game before."""
        self.game.names |= before.game.names
        self.chat.keep(before.chat)
        self.keep_chat()

    def keep_chat(self) -> None:
        """Keep the chat and the score for the next start, with the id of the game."""
        with suppress(Refused):  # the disk refuses: the page says so when the game is saved
            self._host.store.add(EVENING, self.game.id, self.chat.as_kept())

    def send_chat(self, team: str = "") -> None:
        """Send the chat to the pages of a team, or to all."""
        for seats, send in self._host.pages_of(self):
            if not team or (seats and seats[0] in team):
                send(self.chat.as_message(seats))

    def say(self, seats: str, words: str, to_all: bool) -> None:
        """Add a line of a player to the chat."""
        team = "" if to_all else self._team_of(seats)
        self.chat.add(seats, team, self.game.names.get(seats, ""), words)
        self.keep_chat()
        self.send_chat(team)

    def send_ping(self, seats: str, point: int) -> None:
        """Show a point to the pages of a team."""
        for mine, send in self._host.pages_of(self):
            if mine and mine[0] in self._team_of(seats):
                send(messages.Ping(seats, point))

    def send_notice(self, code: str, text: str, seats: str | None = None, about: str = "") -> None:
        self._send(Notice(code, text, about), seats)

    def send_others(self, code: str, text: str, seats: str) -> None:
        """Send a notice about a person to the others."""
        for mine in {mine for mine, _ in self._host.pages_of(self)} - {seats}:
            self.send_notice(code, text, mine, seats)

    def _team_of(self, seats: str) -> str:
        return next(team for team in self.game.board.teams if seats[0] in team)

    def story(self, seats: str) -> Story:
        """The game as the pages of a party may see it."""
        return self._story(self._viewer(seats))

    def seen_by(self, seats: str) -> str:
        """The seats whose pieces the pages of a party see."""
        viewer = self._viewer(seats)
        return self.game.board.seats if viewer == OPEN_VIEWER else viewer

    def _send(self, message: Sent, seats: str | None = None) -> None:
        for mine, send in self._host.pages_of(self):
            if seats in (None, mine):
                send(message)

    @property
    def _has_host(self) -> bool:
        return self._is_here(self.game.seating.host_seats)

    def _is_here(self, seats: str) -> bool:
        return any(mine == seats for mine, _ in self._host.pages_of(self))

    def _viewer(self, seats: str) -> str:
        player = self.game.find_player(seats)
        return self.game.seating.host_viewer if player is None else player.party.viewer

    def _story(self, viewer: str) -> Story:
        if self.game.full is None:
            raise Refused("too-early", "the game has not started")
        found = self._stories.setdefault(viewer, Story(viewer))
        found.follow(self.game.full)
        return found

    def _state(self, seats: str) -> GameState:
        game = self.game
        player = game.find_player(seats)
        viewer = self._viewer(seats)
        is_host = seats in ("", game.seating.host_seats)
        mine = "" if player is None else seats
        now_ms = 1000 * time.monotonic()
        rules, offer = game.seating.rules, game.offer
        scene = junqi.hidden_scene(game.board) if game.full is None else self._story(viewer).scenes[-1]
        state = GameState(
            **asdict(scene),
            game=game.id,
            phase=game.phase.value,
            mine=mine,
            viewer=viewer,
            seats={seat: self._seat(other, seat, now_ms) for other in game.players for seat in other.party.seats},
            limits=messages.Limits(rules.no_contact, bool(rules.no_contact_loses), rules.max_plies),
            fault=None if game.fault is None else self._fault(game.fault, is_host),
            result=game.result,
            ending=None if game.result is None else game.verdict.ending.value,
            saved=str(self.saved.path) if is_host and self.saved.path else None,
            unsaved=self.saved.failure if is_host else None,
            rematch="".join(sorted(self.chat.wants_rematch)),
            score=self.chat.score,
            ladder=convert(self._host.ladder.table, messages.Ladder) if is_host else None,
            rating_change=self._rating_change if is_host else None,
            practice=self._is_practice,
            short=game.is_rated and not game.counts,
            surrendered=has_surrendered(game.moves, mine),
            offer=None
            if offer is None
            else messages.DrawOffer(offer.by, seats in offer.waiting_for, "".join(offer.waiting_for)),
            may=Permissions(
                take_back=player is not None and game.take_back_ply(player) is not None,
                hurry=player is not None and game.may_hurry and not game.is_hurried,
                be_helped=game.person_count <= 1,
                tell_partner=player is not None and game.has_partner(player),
                resign=player is not None and game.phase == Phase.PLAYING and game.is_alive(player),
            ),
        )
        if game.full is None:
            state.places = {seat: junqi.lineup_points(game.board, seat) for seat in mine}
            state.drafts = {seat: game.drafts[seat] for seat in mine}
            state.allowed = junqi.allowed_places()
            return state
        state.moves, state.targets = list(game.full.moves), {}
        if game.result is not None:
            state.face_up = self._face_up()
        else:
            view = game.full.view(viewer)
            state.targets, state.premoves = junqi.targets(view, mine), junqi.premoves(view, mine)
        return state

    def _face_up(self) -> FaceUp:
        scenes = self._story(OPEN_VIEWER).scenes
        return FaceUp(final_pieces(scenes), scenes[-1].removed)

    def _marshals_taken(self) -> int:
        """The number of Field Marshals that the host's pieces have removed."""
        mine, removed = self.game.seating.host_seats, self._story(OPEN_VIEWER).scenes[-1].removed
        return sum(one.may == FIELD_MARSHAL and one.seat not in mine and one.by in [*mine] for one in removed)

    def _fault(self, fault: Fault, is_host: bool) -> EngineFailure:
        """A fault. Its text may show commands and folders of the host's machine, which are not for guests."""
        name = self.game.player_of(fault.seats[0]).party.name
        text = fault.text if is_host else f"{name} ({fault.seats}): {fault.code}"
        return EngineFailure(fault.seats, fault.code, text)

    def _seat(self, player: Player, seat: str, now_ms: float) -> SeatState:
        game, party = self.game, player.party
        is_here = player.has_engine if party.is_engine else self._is_here(party.seats)
        if is_here:
            self._seen.add(party.seats)
        return SeatState(
            who=party.who,
            name=game.name_of(party),
            is_named=bool(game.names.get(party.seats)),
            elo=party.elo,
            ready=seat in game.lineups,
            is_here=is_here,
            was_here=game.full is not None or party.seats in self._seen,
            is_thinking=game.thinking is player and game.full is not None and game.full.turn == seat,
            remaining_ms=player.clock.remaining_at_ms(now_ms),
            is_running=player.clock.is_running,
        )


def new_game(seating: Seating) -> BoardGame:
    drafts = {seat: lineup_choice.sensible(secrets.SystemRandom()) for seat in seating.board.seats}
    return BoardGame(seating, new_secret(), drafts)
