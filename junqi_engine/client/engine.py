"""`Engine`: an engine process for users of the library. Calls wait for the answer.

`Engine` uses `EngineClient`, as the referee and the board do, and adds views, results and errors as objects. Nothing
heavy is imported before the first view is passed.
"""

import threading
import weakref
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from junqi_engine.client.engine_client import NO_DEADLINE_S, EngineClient, Patience, Reply
from junqi_engine.client.engine_lines import SIGUO_TEAMS, Info, option_choices
from junqi_engine.client.line_process import own_command, split_command
from junqi_engine.client.results import Analysis, Limit, PlayResult
from junqi_engine.errors import CommandRejected, EngineError, EngineFault, Refused, quoted
from junqi_engine.protocol_words import NO_MOVE_TEXT

if TYPE_CHECKING:
    from junqi_engine.api.game import View
    from junqi_engine.api.move import Move

OWN_ENGINE = "junqi-engine"
ERROR, GAME_OVER = "error ", "error game-over "
VARIANT, MULTI_PV = "UCI_Variant", "MultiPV"
LOADING_OPTIONS = {VARIANT.lower(), "player"}
"""Options, by lower-case name, that may make the engine load or compile."""
CLOSED = "the engine has been closed"


class Engine:
    """An engine process, started and ready. A call returns within its deadline or raises `EngineError`.

    `command` is a program as a `Path`, or a program and its arguments, as a list or as a shell splits a text;
    `junqi-engine` is the engine of this package. `options` are set at the start. `folder` is where the program runs,
    `patience` how long it may be silent.

    >>> from junqi_engine import Engine, Game
    >>> game = Game("luzhanqi", seed=1)
    >>> with Engine("junqi-engine", options={"Player": "1.2", "Seed": 1}) as engine:
    ...     while not game.is_game_over() and game.ply() < 10:
    ...         move = game.push(engine.play(game.view(game.turn)).move)
    >>> game.ply()
    10

    Leaving the `with` block, or `close`, ends the process and everything that it has started. An engine takes one call
    at a time; during a call, another thread may call `stop` and `kill`.
    """

    def __init__(
        self,
        command: str | Path | Sequence[str | Path] = OWN_ENGINE,
        *,
        options: Mapping[str, bool | int | str] | None = None,
        folder: str | Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        try:
            given = split_command(command) if isinstance(command, str) else command
        except ValueError as error:
            raise EngineError(EngineFault.NO_START, f"the command {command!r}: {error}") from None
        given = [given] if isinstance(given, Path) else given
        words = [str(word) for word in given]
        self.name = Path(words[0]).name if words else ""
        if words[:1] == [OWN_ENGINE]:
            words[:1] = own_command()
        self._stop = threading.Event()
        self._running: Generator[Info, None, Reply] | None = None
        self._failure: EngineError | None = None
        self._values: dict[str, str | None] = {}
        """The values of options that were set, by lower-case name; None if `consult` may have set another value."""
        self._multi_pv = "1"
        try:
            self._client = EngineClient(words, folder=None if folder is None else str(folder), patience=patience)
        except EngineError as error:
            raise self._named(error) from error
        self._end = weakref.finalize(self, EngineClient.close, self._client)
        try:
            with self._guarded():
                self._client.start()
                self._client.ready()
            self.configure(options or {})
        except BaseException:
            self.close()
            raise

    @property
    def id(self) -> dict[str, str]:
        return {"name": self._client.identity.name, "author": self._client.identity.author}

    @property
    def options(self) -> dict[str, str]:
        """The declarations `option name ...` of the engine, by lower-case name."""
        return dict(self._client.identity.options)

    def configure(self, options: Mapping[str, bool | int | str]) -> None:
        """Set options. `CommandRejected` if the engine rejects one or does not declare it."""
        given = _texts(options)
        self._finish_analysis()
        self._set(given)
        self._multi_pv = next((given[name] for name in given if name.lower() == MULTI_PV.lower()), self._multi_pv)

    def new_game(self) -> None:
        """Send `ucinewgame`: the next position is of another game."""
        self.consult("ucinewgame")

    def ping(self) -> None:
        """Wait until the engine has carried out all commands; `EngineError` if it does not answer in time."""
        self.consult()

    def consult(self, *lines: str) -> list[str]:
        """Send commands that do not search, such as `d`, and return the answer as lines.

        `CommandRejected` if the engine rejects a command.

        >>> from junqi_engine import Engine
        >>> with Engine() as engine:
        ...     engine.consult("setoption name UCI_Variant value klotski", "position startpos", "legal")
        ['info string legal Gd Gdr Hdl Hd Ir Irr Jll Jl']
        """
        self._finish_analysis()
        for line in lines:
            self._values |= dict.fromkeys(_names_set_by(line))
        return self._consult(*lines)

    def play(
        self,
        position: "View | str",
        limit: Limit | None = None,
        *,
        searchmoves: Iterable[str] = (),
        timeout_s: float | None = None,
        **limits: Any,
    ) -> PlayResult:
        """The engine's move. The limits are those of `go`, as a `Limit` or by name, such as `movetime_ms=100`; without
        a limit, the engine chooses its own.

        `position` is a view whose seats are to move, or the text after `position` for a game that this package does not
        know. `timeout_s` limits the wait for the answer; by default the limits and the patience do.

        The move is None if the engine has none. `CommandRejected` if it refuses the position or does not play the
        variant, `EngineError` if it dies, is silent, breaks the protocol or answers an illegal move.
        """
        chosen = _limit(limit, limits)
        patience_s = chosen.patience_s(self._client.patience) if timeout_s is None else timeout_s
        reports = self._analysis(position, chosen.go(searchmoves), patience_s, self._multi_pv)
        best = reports.wait()
        assert reports.reply is not None
        move = self._checked(position, reports.reply.move)
        return PlayResult(move, reports.last if move is None else best, reports.reply.time_ms)

    def analyse(
        self,
        position: "View | str",
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[str] = (),
        **limits: Any,
    ) -> Any:
        """Search to the limit and return the last report about the best line, an `Info`; with `multipv` a list of the
        last report about each line, the best first. `Refused` without a limit: the search would never end.
        """
        if not _limit(limit, limits).is_limited:
            raise Refused("bad-argument", "analyse needs a limit, such as movetime_ms; `analysis` does not")
        with self.analysis(position, limit, multipv=multipv or 1, searchmoves=searchmoves, **limits) as reports:
            best = reports.wait()
        return best if multipv is None else reports.multipv

    def analysis(
        self,
        position: "View | str",
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Iterable[str] = (),
        **limits: Any,
    ) -> Analysis:
        """The reports of a search as it deepens. Without a limit, the search continues until it is stopped.

        The search begins with the loop, and the loop raises the errors of `play`. The search stops when the loop is
        left, by the next command, or by `stop` from another thread.
        """
        chosen = _limit(limit, limits)
        patience_s = chosen.patience_s(self._client.patience) if chosen.is_limited else NO_DEADLINE_S
        return self._analysis(position, chosen.go(searchmoves, "infinite"), patience_s, str(int(multipv)))

    def setup(self, seat: str = "S", variant: str = "siguo") -> str:
        """The line-up that the engine chooses for a seat, as 25 letters. `EngineError` if it is not legal."""
        from junqi_engine.api.readable import board_of
        from junqi_engine.rules import lineup

        board = board_of(variant)
        viewer = next((team for team in board.teams if seat in team), seat)
        self._finish_analysis()
        self._stop = stop = threading.Event()
        self._set_variant(variant)
        position, go = f"startpos viewer {viewer}", f"go setup {seat}"
        reports = self._analysis(position, go, EngineClient.SETUP_S, self._multi_pv, stop)
        reports.wait()
        answer = "" if reports.reply is None else reports.reply.move
        try:
            lineup.check(answer.removeprefix("@"))
        except ValueError as error:
            text = f"the line-up {quoted(answer)} for {seat}: {error}"
            raise self._named(EngineError(EngineFault.BAD_LINEUP, text)) from None
        return answer.removeprefix("@")

    def stop(self) -> None:
        """Stop the running search; its answer follows soon. If the engine still loads, the search stops as soon as it
        begins. May be called from another thread.
        """
        self._stop.set()

    def kill(self) -> None:
        """Kill the process; a waiting call raises `EngineError`. May be called from another thread."""
        self._client.kill()

    def close(self) -> None:
        """End the process and everything that it has started. A closed engine may be closed again."""
        self._end()
        self._failure = self._failure or EngineError(EngineFault.DISCONNECT, CLOSED)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.name}: an Engine is a process, which cannot be copied or pickled; start another one")

    def __repr__(self) -> str:
        return f"<Engine: {self.name}, {self._failure or 'running'}>"

    def _finish_analysis(self) -> None:
        """Stop a running analysis and read its answer; the next call raises its error."""
        running, self._running = self._running, None
        if running is not None:
            self._stop.set()
            with suppress(EngineError), self._guarded():
                for _ in running:
                    continue

    # Commands

    def _consult(self, *lines: str) -> list[str]:
        may_load = any(not LOADING_OPTIONS.isdisjoint(_names_set_by(line)) for line in lines)
        with self._guarded():
            self._client.send(*lines)
            answer = self._client.ready(may_load)
        for line in answer:
            words = line.split(maxsplit=2)
            if words[:2] == ["info", "string"]:
                self._refuse_error("".join(words[2:]))
        return answer

    def _set(self, options: Mapping[str, str]) -> None:
        for name, value in options.items():
            if self._values.get(name.lower()) == value:
                continue
            if name.lower() not in self._client.identity.options:
                raise self._rejected(f"no-such-option {name}: the engine does not declare it")
            self._consult(f"setoption name {name} value {value}")
            self._values[name.lower()] = value

    def _set_variant(self, variant: str) -> None:
        if variant not in option_choices(self._client.identity.options.get(VARIANT.lower(), "")):
            raise self._rejected(f"not-supported {variant}: the engine does not declare it as a {VARIANT}")
        self._set({VARIANT: variant})

    def _send_position(self, position: "View | str", multi_pv: str) -> None:
        if isinstance(position, str):
            line = f"position {position}"
        elif hasattr(position, "position_line"):
            from junqi_engine.rules.options import RULE_OPTIONS, match_options

            self._set_variant(position.variant)
            rules = RULE_OPTIONS | match_options(position.variant, position.rules)
            declared = self._client.identity.options
            known = {name.lower(): value for name, value in RULE_OPTIONS.items()} | self._values
            self._set({name: rules[name] for name in RULE_OPTIONS if name.lower() in declared
                       and known[name.lower()] != rules[name]})  # fmt: skip
            line = position.position_line()
        else:
            raise TypeError(f"{position!r} is not a View or a text; an engine gets the view of a game, game.view(...)")
        if multi_pv != self._values.get(MULTI_PV.lower(), "1"):
            self._set({MULTI_PV: multi_pv})
        self._consult(line)

    def _analysis(
        self, position: "View | str", go: str, patience_s: float, multi_pv: str, stop: threading.Event | None = None
    ) -> Analysis:
        stop = stop or threading.Event()
        return Analysis(self._search(position, go, patience_s, multi_pv, stop), stop.set)

    def _search(
        self, position: "View | str", go: str, patience_s: float, multi_pv: str, stop: threading.Event
    ) -> Generator[Info, None, Reply | None]:
        """The reports of a search, and its reply as the return value; None if another command has ended it."""
        self._finish_analysis()
        self._stop = stop
        self._send_position(position, multi_pv)
        self._client.point_of_view = ("", SIGUO_TEAMS) if isinstance(position, str) else (position.turn, position.teams)
        self._running = search = self._client.search((go,), None, patience_s, stop.is_set)
        refusal = ""
        try:
            with self._guarded():
                while True:
                    try:
                        info = next(search)
                    except StopIteration as end:
                        reply: Reply | None = end.value
                        break
                    if info.string.startswith(ERROR) and not info.string.startswith(GAME_OVER):
                        refusal = refusal or info.string
                    else:
                        yield info
        finally:
            if self._running is search:
                self._finish_analysis()
        self._refuse_error(refusal)
        return reply

    # Errors

    def _checked(self, position: "View | str", answer: str) -> "Move | str | None":
        """The move of an answer, None if there is none to play; `EngineError` for an illegal move."""
        if answer == NO_MOVE_TEXT and (isinstance(position, str) or not position.legal_moves):
            return None
        if isinstance(position, str):
            return answer
        for move in position.legal_moves:
            if move == answer:
                return move
        own = [seat for seat in position.alive if position.viewer == "*" or seat in position.viewer]
        if answer in [f"resign:{seat}" for seat in own]:
            from junqi_engine.api.move import Move

            return Move(answer)
        text = f"the answer {quoted(answer)} is not a legal move at ply {position.ply()}"
        raise self._named(EngineError(EngineFault.ILLEGAL_MOVE, text))

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        if self._failure is not None:
            before = "" if str(self._failure) == CLOSED else "it has failed before: "
            raise self._named(EngineError(self._failure.fault, f"{before}{self._failure}"))
        try:
            yield
        except EngineError as error:
            self._failure = error
            self._end()
            raise self._named(error) from error

    def _named(self, error: EngineError) -> EngineError:
        return EngineError(error.fault, f"{self.name}: {error}")

    def _refuse_error(self, text: str) -> None:
        if text.startswith(ERROR):
            raise self._rejected(text.removeprefix(ERROR))

    def _rejected(self, text: str) -> CommandRejected:
        return CommandRejected(text.partition(" ")[0], f"{self.name}: {text}")


def _limit(limit: Limit | None, words: Mapping[str, Any]) -> Limit:
    if limit is not None and words:
        raise TypeError(f"limit and {', '.join(words)} are both given; a search takes one of them")
    return Limit(**words) if limit is None else limit


def _texts(options: Mapping[str, bool | int | str]) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in options.items()}


def _names_set_by(line: str) -> list[str]:
    """The lower-case name of the option in a `setoption` line; empty for any other line."""
    words = line.lower().split()
    if words[:2] != ["setoption", "name"]:
        return []
    return [" ".join(words[2 : words.index("value") if "value" in words else None])]
