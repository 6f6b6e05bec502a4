"""The game at the board: the true position, the parties, their clocks, draw offers, and engines that fail.

`BoardGame` is a state machine. Every input is a method; it takes the time `now_s` (seconds, on any scale that only
moves forward). A `Refused` means that the input was refused and changed nothing. The game emits no events; callers
compare its state after each input, and `search`, the search that it wants from an engine.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from junqi_board.game.seating import Party, Seating, TimeOut
from junqi_engine.errors import EngineFault, IllegalMove, Refused, naming
from junqi_engine.rules import lineup as lineup_rules
from junqi_referee.endings import Ending
from junqi_referee.full_game import FullGame
from junqi_referee.records.replay import bare
from junqi_referee.settings.settings import Seed
from junqi_referee.time_control import Clock, go_command

NOT_LEGAL = " is not legal"
"""In the text of an `IllegalMove`, what comes before the reason that the rules give."""
RESIGN, PASS = "resign:", "pass:"
"""The start of a resignation, and of a turn that passes; the seat follows."""
PACE_MS = 400
"""The shortest time between two moves that are shown."""
BATTLE_PACE = 3
"""Factor by which a battle is shown longer than a quiet move before the engine moves next."""
HURRIED_GO = "go movetime 50"
"""The search of engines that finish a game quickly."""
MAX_FAULT_CHARS = 300
"""An engine may answer with a text of any length, which its fault quotes."""


class Phase(StrEnum):
    ARRANGING = "arranging"
    PLAYING = "playing"
    OVER = "over"


@dataclass
class Player:
    """A party in the game. `has_engine`: its engine process is ready. `last_score`, `last_chance`: what its engine last
    reported; the chance is that of a win plus half of that of a draw.
    """

    party: Party
    clock: Clock
    has_engine: bool = False
    last_score: str | None = None
    last_chance: float | None = None


@dataclass(frozen=True)
class Fault:
    """The engine of these seats has failed; the game waits until it is started again."""

    seats: str
    code: str
    text: str


@dataclass(frozen=True)
class SearchRequest:
    """A search that the engine of these seats is asked for. `question` numbers the searches of a game, so that outdated
    answers are recognised. An answer after `allowed_ms` is too late; None without clocks.
    """

    seats: str
    question: int
    position: str
    go: str
    allowed_ms: float | None


@dataclass(frozen=True)
class GameVerdict:
    """The result of a game and its reason. `result`: the seats of the winning team, `draw`, or None for a game in
    progress. `detail` explains the ending.
    """

    result: str | None
    ending: Ending
    detail: str = ""


@dataclass(frozen=True)
class Offer:
    """A draw offer: the seats of the party that made it, and the parties that have yet to answer."""

    by: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True)
class Ply:
    """A move, a resignation or a passed turn, with what the public record lacks and `take_back` needs."""

    seat: str
    time_ms: int
    score: str | None
    clocks_before_ms: tuple[float, ...]


def is_opened(moves: Sequence[str], seats: Collection[str]) -> bool:
    """True if each seat has moved once, before any resigned or passed."""
    first = moves[: len(seats)]
    return len(first) == len(seats) and not any(move.startswith((RESIGN, PASS)) for move in first)


def has_surrendered(moves: Sequence[str], seats: str) -> bool:
    """True if the player of these seats has resigned."""
    return any(RESIGN + seat in moves for seat in seats)


QUIET_PLIES = 20
"""An opponent that reports no scores accepts after this many plies without a battle."""
MAX_CHANCE = 0.6
"""A partner accepts up to this chance. From a higher one on, a draw gives away what the review calls a mistake."""


def opponent_accepts(full: FullGame, engine: Player) -> bool:
    """An opponent accepts unless its last score says that it is ahead.

    The protocol has no command for a draw, so the scores that the engine reported decide: `cp N`, `mate N` or none.
    """
    if engine.last_score is None:
        return full.view(engine.party.viewer).quiet >= QUIET_PLIES
    kind, value = engine.last_score.split()
    return int(value) <= 0 if kind == "cp" else int(value) < 0


class BoardGame:
    def __init__(self, seating: Seating, seed: Seed, drafts: Mapping[str, str]) -> None:
        """The seeds of the engines come from `seed`, `drafts` are the first line-ups shown."""
        self.number = 1
        """Number of this game since the server started."""
        self.id = ""
        """Run of the server and number at which the game began: a game that is resumed keeps it."""
        self.awaits_page = False
        """The game was resumed, and nobody has connected: no clock runs, and no engine is asked."""
        self.seating = seating
        self.seed = seed
        self.board = seating.board
        self.players = [Player(party, Clock(seating.time_control)) for party in seating.parties]
        self.drafts = dict(drafts)
        self.lineups: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """The names that persons have entered, by the seats of their parties."""
        self.is_rated = False
        """The end of the game changes the rating of the host, as soon as it `counts`."""
        self.full: FullGame | None = None
        self.history: list[Ply] = []
        self.faults: dict[str, Fault] = {}
        """By the seats of the engines that have failed and have not been started again."""
        self.offer: Offer | None = None
        self.is_hurried = False
        """The engines finish the game alone: they search shortly, and nothing waits until a move was seen."""
        self.search: SearchRequest | None = None
        """The search in progress; None if no engine is to move."""
        self._question = 0
        self._last_move_s = 0.0
        self._verdict: GameVerdict | None = None
        """An end that the rules do not give: an agreed draw, or a loss on time."""

    # State

    @property
    def phase(self) -> Phase:
        if self.full is None:
            return Phase.ARRANGING
        return Phase.PLAYING if self.result is None else Phase.OVER

    @property
    def verdict(self) -> GameVerdict:
        if self._verdict is not None:
            return self._verdict
        if self.full is None or self.full.result is None:
            return GameVerdict(None, Ending.INTERRUPTED)
        return GameVerdict(self.full.result, self.full.ending)

    @property
    def result(self) -> str | None:
        return self.verdict.result

    @property
    def moves(self) -> Sequence[str]:
        return () if self.full is None else self.full.moves

    @property
    def counts(self) -> bool:
        """The game is rated, and its end changes the rating."""
        return self.is_rated and is_opened(self.moves, self.board.seats)

    @property
    def fault(self) -> Fault | None:
        """The fault that was found first, of those that remain; the game waits until each engine is started again."""
        return next(iter(self.faults.values()), None)

    @property
    def thinking(self) -> Player | None:
        return None if self.search is None else self.find_player(self.search.seats)

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
        last = self.full.moves[-1] if self.full and self.full.moves else ""
        return self._last_move_s + (1 if last == bare(last) else BATTLE_PACE) * PACE_MS / 1000

    def time_to_flag_s(self, now_s: float) -> float | None:
        """The time until the clock of the person to move runs out; None if that clock is stopped. See `tick`."""
        for player in self.players:
            remaining_ms = player.clock.remaining_at_ms(in_ms(now_s))
            if player.clock.is_running and not player.party.is_engine and remaining_ms is not None:
                return remaining_ms / 1000
        return None

    def find_player(self, seats: str) -> Player | None:
        return next((player for player in self.players if player.party.seats == seats), None)

    def person(self, seats: str) -> Player:
        """The person with exactly these seats; `Refused` if there is none."""
        player = self.find_player(seats)
        if player is None or player.party.is_engine:
            raise Refused("no-seat", "you are watching this game and have no seat in it")
        return player

    def is_alive(self, player: Player) -> bool:
        return self.full is not None and any(seat in self.full.alive for seat in player.party.seats)

    def player_of(self, seat: str) -> Player:
        return next(player for player in self.players if seat in player.party.seats)

    def has_partner(self, player: Player) -> bool:
        """True if the partner of a player is another person."""
        team = next(team for team in self.board.teams if player.party.seats[0] in team)
        return any(one is not player and not one.party.is_engine and one.party.seats[0] in team for one in self.players)

    @property
    def may_hurry(self) -> bool:
        """Whether only engines are left in the game, without the persons who have played it."""
        persons = [player for player in self.players if not player.party.is_engine]
        return self.phase == Phase.PLAYING and bool(persons) and not any(map(self.is_alive, persons))

    def full_game_in_play(self) -> FullGame:
        """The true position; `Refused` unless the game has started and goes on."""
        if self.full is None:
            raise Refused("too-early", "the game has not started")
        if self.result is not None:
            raise Refused("game-over", "the game is over")
        return self.full

    def full_game_after(self, moves: Sequence[str]) -> FullGame:
        """The position after recorded moves from the line-ups of this game."""
        full = FullGame(self.board.variant, self.lineups, self.seating.first, self.seating.rules)
        for move in moves:
            full.play(bare(move))
        return full

    def name_of(self, party: Party) -> str:
        return self.names.get(party.seats) or party.name

    def take_back_ply(self, player: Player) -> int | None:
        """The ply to which `take_back` would return: before the player's last turn. None if it is not possible."""
        if self.full is None or self.person_count > 1:
            return None
        turns = [ply for ply, move in enumerate(self.full.moves) if not move.startswith(RESIGN)]
        return next((ply for ply in reversed(turns) if self.history[ply].seat in player.party.seats), None)

    # Inputs of persons

    def set_lineups(self, seats: str, lineups: Mapping[str, str], now_s: float) -> None:
        player = self.person(seats)
        if self.phase != Phase.ARRANGING:
            raise Refused("too-late", "the game has started: line-ups can no longer change")
        if set(lineups) != set(player.party.seats):
            raise Refused("bad-lineup", f"expected the line-ups of the seats {player.party.seats}")
        for seat, letters in lineups.items():
            with naming(f"line-up of {seat}: "):
                lineup_rules.check(letters)
        self.lineups |= lineups
        self.drafts |= lineups
        self._start_if_ready(now_s)

    def move(self, seats: str, ply: int, move: str, now_s: float) -> None:
        """A person moves; `ply` is the number of plies that its page has seen."""
        player = self.person(seats)
        full = self.full_game_in_play()
        if ply != len(full.moves):
            raise Refused("stale", "the position has changed since")
        if full.turn not in player.party.seats:
            raise Refused("not-your-turn", f"it is the turn of {full.turn}")
        if move.startswith("resign"):
            raise Refused("illegal-move", f"{move[:20]!r} is not a move")
        try:
            self._play(move, player, player.clock.elapsed_ms(in_ms(now_s)), None)
        except IllegalMove as error:
            raise Refused("illegal-move", str(error)) from None
        player.clock.stop(in_ms(now_s))
        self._finish_turn(player, now_s)

    def resign(self, seats: str, now_s: float) -> None:
        """Resign all living seats of a person in turn, until the game is over."""
        player, full = self._living_person(seats), self.full_game_in_play()
        self._stop_thinking(now_s)
        for seat in player.party.seats:
            if seat in full.alive and full.result is None:
                self._play(RESIGN + seat, player, 0, None)
        self._go_on(now_s)

    def hurry(self, seats: str, now_s: float) -> None:
        """A person whose seats are out lets the engines finish the game quickly."""
        self.person(seats)
        if not self.may_hurry:
            raise Refused("too-early", "a person is still in the game")
        self.is_hurried = True
        self._stop_thinking(now_s)
        self.resume(now_s)

    def offer_draw(self, seats: str, now_s: float) -> None:
        """Offer a draw to all others that are still in the game. Engines answer at once, persons by `answer_draw`."""
        player, full = self._living_person(seats), self.full_game_in_play()
        others = [other for other in self.players if other is not player and self.is_alive(other)]
        for other in others:
            is_partner = any(seats[0] in team and other.party.seats[0] in team for team in full.board.teams)
            if is_partner and other.party.is_engine and (other.last_chance or 0.0) > MAX_CHANCE:
                raise Refused("partner-declined", f"{other.party.name} declines the draw: its side is clearly ahead")
            if not is_partner and other.party.is_engine and not opponent_accepts(full, other):
                raise Refused("draw-declined", f"{other.party.name} declines the draw")
        self.offer = Offer(seats, tuple(other.party.seats for other in others if not other.party.is_engine))
        self._go_on(now_s)

    def answer_draw(self, seats: str, accept: bool, now_s: float) -> None:
        if self.offer is None or seats not in self.offer.waiting_for:
            raise Refused("no-offer", "no draw is offered to you")
        if accept:
            remaining = tuple(other for other in self.offer.waiting_for if other != seats)
            self.offer = replace(self.offer, waiting_for=remaining)
            self._go_on(now_s)
        else:
            self.offer = None

    def take_back(self, seats: str, now_s: float) -> None:
        """Return to the position before the last turn of the only person in the game, whether it moved or passed."""
        ply = self.take_back_ply(self.person(seats))
        if ply is None or self.full is None:
            raise Refused("no-take-back", "you have no move to take back, or another person plays")
        self._stop_thinking(now_s)
        for player, remaining_ms in zip(self.players, self.history[ply].clocks_before_ms, strict=True):
            player.clock.remaining_ms = remaining_ms
        self.history = self.history[:ply]
        self._verdict = None
        self.is_hurried = False
        self.full = self.full_game_after(self.full.moves[:ply])
        self.resume(now_s)

    def restart_engine(self, seats: str) -> None:
        if self.faults.pop(seats, None) is None:
            raise Refused("bad-setup", f"seats: the engine of {seats} has not failed")

    # Inputs of engines and of the clock

    def engine_ready(self, seats: str, lineups: Mapping[str, str], now_s: float) -> None:
        """An engine has started; before the game it has also set up its pieces."""
        self.player_of(seats[0]).has_engine = True
        self.lineups |= lineups
        if self.phase == Phase.ARRANGING:
            self._start_if_ready(now_s)
        else:
            self.resume(now_s)

    def engine_found(self, question: int, time_ms: float) -> None:
        """An engine has answered a search; its clock stands still until `engine_answered`. An old answer is ignored."""
        player = self._asked(question)
        if player is not None:
            player.clock.hold(time_ms)

    def engine_answered(
        self, question: int, text: str, time_ms: float, score: str | None, chance: float | None, now_s: float
    ) -> None:
        """An engine has answered a search. Nothing if the answer is out of date; an illegal move is a fault."""
        player = self._asked(question)
        if player is None:
            return
        player.clock.cancel()
        player.last_score, player.last_chance = score, chance
        try:
            self._play(text, player, time_ms, score)
        except IllegalMove as error:
            # Not why: that may name the kind of a piece that the pages do not see.
            text, is_not_legal, _ = str(error).partition(NOT_LEGAL)
            self._fail(player, Ending.ILLEGAL_MOVE.value, text + is_not_legal, now_s)
        else:
            player.clock.spend(time_ms)
            player.clock.add_increment()
            self._finish_turn(player, now_s)

    def search_failed(self, question: int, code: str, text: str, now_s: float) -> None:
        """An engine has failed during a search. Nothing if the search is out of date.

        With clocks, a late answer is not a fault: the clock has run out.
        """
        player = self._asked(question)
        if player is None:
            return
        if code == EngineFault.TIMEOUT and self.has_clocks:
            self._run_out_of_time(player, now_s)
        else:
            self._fail(player, code, text, now_s)

    def start_failed(self, seats: str, code: str, text: str, now_s: float) -> None:
        self._fail(self.player_of(seats[0]), code, text, now_s)

    def tick(self, now_s: float) -> None:
        """Let time go by; a person's clock may run out. Call it after `time_to_flag_s`."""
        if self.time_to_flag_s(now_s) == 0:
            self._run_out_of_time(next(player for player in self.players if player.clock.is_running), now_s)

    def welcome_page(self, now_s: float) -> None:
        """A page has connected."""
        self.awaits_page = False
        self.resume(now_s)

    def resume(self, now_s: float) -> None:
        """Let the player to move think, unless the game waits for something."""
        if self.full is None or self.result is not None or self.fault is not None or self.awaits_page:
            return
        player = self.player_of(self.full.turn)
        if not player.party.is_engine:
            player.clock.start(in_ms(now_s))
        elif player.has_engine and self.thinking is not player:
            self._question += 1
            player.clock.start(in_ms(now_s))
            position = self.full.position_line(player.party.viewer)
            allowed_ms = player.clock.allowed_ms if self.has_clocks else None
            go = HURRIED_GO if self.is_hurried else go_command(player.clock)
            self.search = SearchRequest(player.party.seats, self._question, position, go, allowed_ms)

    # Transitions

    def _asked(self, question: int) -> Player | None:
        return self.thinking if question == self._question else None

    def _living_person(self, seats: str) -> Player:
        """The person with exactly these seats, in a game in progress; `Refused` if they are eliminated."""
        player = self.person(seats)
        self.full_game_in_play()
        if not self.is_alive(player):
            raise Refused("not-your-turn", "your seats are already out")
        return player

    def _start_if_ready(self, now_s: float) -> None:
        if set(self.lineups) == set(self.board.seats) and self.fault is None:
            self.full = self.full_game_after(())
            self._last_move_s = now_s
            self.resume(now_s)

    def _play(self, text: str, player: Player, time_ms: float, score: str | None) -> None:
        """Play a move or resignation of a player; `IllegalMove` changes nothing."""
        full = self.full_game_in_play()
        seat = text.removeprefix(RESIGN) if text.startswith(RESIGN) else full.turn
        full.play(text, player.party.seats)
        self._add_ply(seat, time_ms, score)

    def _add_ply(self, seat: str, time_ms: float, score: str | None) -> None:
        clocks_ms = tuple(other.clock.remaining_ms for other in self.players)
        self.history.append(Ply(seat, round(time_ms), score, clocks_ms))

    def _finish_turn(self, player: Player, now_s: float) -> None:
        """The player has moved or passed. The next turn begins."""
        if self.seating.time_out == TimeOut.PASSES and self.has_clocks:
            player.clock.refill()
        if self.offer is not None and self.offer.by != player.party.seats:
            self.offer = None
        self.search = None
        self._last_move_s = now_s
        self._go_on(now_s)

    def _go_on(self, now_s: float) -> None:
        """The position or the draw offer has changed: the turn goes on, the next one begins, or the game is over."""
        self._follow_offer()
        if self.result is None:
            self.resume(now_s)
        else:
            self.offer = None
            self._stop_thinking(now_s)

    def _run_out_of_time(self, player: Player, now_s: float) -> None:
        """The clock of the player to move has run out: its team loses, or its turn passes."""
        full = self.full_game_in_play()
        seat = full.turn
        if self.seating.time_out == TimeOut.LOSES:
            winners = next(team for team in self.board.teams if seat not in team)
            detail = f"{self.name_of(player.party)} ({player.party.seats}) ran out of time"
            self._verdict = GameVerdict(winners, Ending.TIMEOUT, detail)
            self._go_on(now_s)
            return
        full.play(PASS + seat)
        self._add_ply(seat, player.clock.elapsed_ms(in_ms(now_s)), None)
        player.clock.cancel()
        self._finish_turn(player, now_s)

    def _follow_offer(self) -> None:
        """Withdraw the offer of a player who is out; agree on a draw if all others that remain have accepted."""
        offer = self.offer
        if offer is None or self.result is not None or not self.is_alive(self.person(offer.by)):
            self.offer = None
            return
        waiting_for = tuple(seats for seats in offer.waiting_for if self.is_alive(self.person(seats)))
        self.offer = replace(offer, waiting_for=waiting_for)
        if not waiting_for:
            self._verdict = GameVerdict("draw", Ending.AGREED)

    def _fail(self, player: Player, code: str, text: str, now_s: float) -> None:
        """The engine of a player is out of order. Its clock does not count the failed search."""
        player.has_engine = False
        self._stop_thinking(now_s)
        seats = player.party.seats
        self.faults[seats] = Fault(seats, code, f"{player.party.name} ({seats}): {text}"[:MAX_FAULT_CHARS])

    def _stop_thinking(self, now_s: float) -> None:
        """Stop all clocks: a person's time is spent, an engine's search is cancelled and does not count."""
        for player in self.players:
            if player.party.is_engine:
                player.clock.cancel()
            else:
                player.clock.pause(in_ms(now_s))
        self.search = None


def in_ms(now_s: float) -> float:
    return 1000 * now_s
