"""Junqi behind the protocol: the commands, carried out on a view and by a player."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

from junqi_engine.errors import Refused, expect_one_of, quoted
from junqi_engine.evaluation.evaluator import MATE, PACKAGED, WON, Evaluator
from junqi_engine.evaluation.win_chances import PERMILLE, wdl_permille
from junqi_engine.information.belief.opponents import belief, read_moves
from junqi_engine.information.view import SeatView, public_info
from junqi_engine.notation.drawing import draw_text, status
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.moves import format_code, format_move, parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.search_player import SearchPlayer, mean_evaluation
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState, ending_of
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.options import RULE_OPTIONS, Rules
from junqi_engine.rules.perft import count_leaves
from junqi_engine.rules.position import Result
from junqi_engine.rules.position_reader import GAME_OVER, why_illegal
from junqi_engine.search.root import MAX_DEPTH, Report, SearchLimits, WorldsSearch
from junqi_protocol.games.belief_lines import belief_lines
from junqi_protocol.variant_game import Control, GameSeed, GoRequest, VariantGame

MEMORY_OPTIONS = ("Hash", "Threads")
WARM_UP_POSITIONS = {
    "siguo": "startpos viewer S moves h4h5 n8o8 k12k11 f7k7 i2j3 p10o10 h14h13 e7e8 g2h3 l11k13o k11f11= d7i6o j3i2 "
    "l10l11 i13i14 e11f11 g6g7 m7m8 i16j15 k7k11 g7g6 l9m10 i14j13 f9l9",
    "luzhanqi": "startpos viewer S moves a3b3 c10d10 a6a7x e8d8 a7b7o d9c9 b3c4 a10b10 b4b3 c9b8 d4d5 d10c9 a5b5 "
    "c9c10 b5a5 b8c9 e6e7o c10d10 c6c7= c9d9 a4b5 e9e8 b5a6 d8c9",
}
"""By variant, a position in the middle of a game, as the arguments of `position`."""
WARM_UP_NODES = 2000
"""Node limit of the warm-up; `readyok` is not delayed."""
FIRST_REPORT_MS = 15
"""With a clock, iterations that end earlier are not reported."""


class JunqiVariant(VariantGame):
    """A variant of Junqi. The position is a `SeatView`, so it contains nothing that the viewer may not know."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self.board = BOARDS[variant]
        self._start: tuple[str, ...] | None = ("startpos",)
        self._moves: list[str] = []
        self._seed = GameSeed(options)
        self._rules = Rules.of_options(self.board, options)
        self._evaluator = evaluator_of(variant, options)
        self._player: SearchPlayer | None = None
        """The player that searches; it keeps its memory from move to move."""
        self._view = start_view(self.board, rules=self._rules)
        self._first_view = self._view

    def warm_up(self) -> None:
        """Search the start, and a position after battles between hidden pieces, which needs more kernels.

        The player is that of this game, because its memory has to be loaded.
        """
        other = JunqiVariant(self.variant, {**self.options, **RULE_OPTIONS, "Seed": 0})
        other._evaluator, other._player = self._evaluator, self._player
        for text in (WARM_UP_POSITIONS[self.variant], "startpos"):
            other.set_position(text.split())
            other.go(GoRequest(nodes=WARM_UP_NODES), Control(lambda line: None))
        self._player = other._player
        if self._player is not None:
            self._player.new_game()

    def new_game(self) -> None:
        self._seed.renew()
        if self._player is not None:
            self._player.new_game()

    def option_changed(self, name: str) -> None:
        if name in RULE_OPTIONS:
            self._rules = Rules.of_options(self.board, self.options)
            view = self._view.copy()
            view.change_rules(self._rules)
            self._view = view
            # The new rules might refuse the moves so far, so the next list of moves is played from the start.
            self._start, self._moves = None, []
        elif name == "EvalFile":
            self._evaluator, self._player = evaluator_of(self.variant, self.options), None
        elif name in MEMORY_OPTIONS:
            self._player = None
        elif name == "Seed":
            self._seed.renew()

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = tuple(words[:end]), words[end + 1 :]
        known = len(self._moves)
        # A client sends all moves of the game with every position. Only the new ones are played.
        continues = start == self._start and moves[:known] == self._moves
        first = self._first_view if continues else self._parse_start(start)
        view = (self._view if continues else first).copy()
        for move in moves[known:] if continues else moves:
            view.observe(parse_move(self.board, move))
        self._start, self._moves, self._first_view, self._view = start, moves, first, view

    def prepare(self, control: Control) -> None:
        if self.options["Player"] == NEWEST:
            read_moves(self._view, control.stop_flag)
            public_info(self._view)

    def go(self, request: GoRequest, control: Control) -> str:
        view, board = self._view, self.board
        if view.result != Result.ONGOING:
            raise Refused("game-over", f"{GAME_OVER}: {status(view)}")
        moves = view.legal_moves()
        if request.searchmoves:
            moves = self._only(request.searchmoves, moves)
        control.best = format_code(board, moves[0])
        version, seed = str(self.options["Player"]), self._seed.value(control)
        if version == NEWEST:
            return self._search(seed, moves, request, control)
        return self._answer_event(version, seed, moves, control)

    def _answer_event(self, version: str, seed: int, moves: Sequence[int], control: Control) -> str:
        from junqi_engine.players.events import choose_move  # its kernels are compiled on demand

        answer = choose_move(version, self._view, seed, moves)
        path = "" if answer.path is None else f" path {' '.join(self.board.names[point] for point in answer.path)}"
        control.say(f"event {answer.event}{path}")
        move = format_code(self.board, answer.move)
        control.info(f"depth 1 nodes {len(moves)} time {control.elapsed_ms()} pv {move}")
        return move

    def _search(self, seed: int, moves: Sequence[int], request: GoRequest, control: Control) -> str:
        """The best of `moves`, at least one, within the limits of `request`."""
        view, options, player = self._view, self.options, self._player
        if player is None:
            player = self._player = SearchPlayer(int(options["Hash"]), int(options["Threads"]), self._evaluator)
        limits = SearchLimits(
            depth=0 if request.depth is None else min(max(1, request.depth), MAX_DEPTH),
            nodes=0 if request.nodes is None else max(1, request.nodes),
            lines=min(int(options["MultiPV"]), len(moves)),
            clock=request.clock(team_of(view.turn), int(options["Move Overhead"])),
        )
        skill, stop = int(options["Skill Level"]), np.frombuffer(control.stop_flag, np.uint8)
        # Without a clock, the output must not depend on time, apart from the times in it.
        first_ms = 0 if limits.clock is None else FIRST_REPORT_MS
        for last in player.think(view, seed, moves, limits, stop, skill=skill, timer=control):
            control.best = format_code(self.board, last.best[0].move)
            if is_printed := control.elapsed_ms() >= first_ms:
                self._print(player.search, last, control)
        if not is_printed:
            self._print(player.search, last, control)
        return control.best

    def _print(self, search: WorldsSearch, report: Report, control: Control) -> None:
        elapsed_ms, board, shows_wdl = control.elapsed_ms(), self.board, bool(self.options["UCI_ShowWDL"])
        nps = 1000 * report.nodes // max(elapsed_ms, 1)
        for number, best in enumerate(report.best, 1):
            line = [format_code(board, best.move), *(format_move(board, seen) for seen in search.pv_after(best.move))]
            control.info(
                f"depth {report.depth} seldepth {report.seldepth} multipv {number} "
                f"score {score_text(self._view, best.score, shows_wdl)} nodes {report.nodes} "
                f"nps {nps} hashfull {report.hashfull} time {elapsed_ms} pv {' '.join(line)}"
            )

    def perft(self, depth: int, control: Control) -> None:
        view = self._view
        if not view.is_open:
            raise Refused("needs-open", "go perft counts the moves of all seats and needs viewer *")
        stop = np.frombuffer(control.stop_flag, np.uint8)
        started = time.perf_counter()
        total = 1 if depth == 0 else 0
        for move in view.legal_moves() if depth else ():
            leaves = count_leaves(self.board, view.positions, depth, stop, move)
            if control.stopped:
                control.say("perft stopped")
                return
            control.say(f"perft {format_code(self.board, move)} {leaves}")
            total += leaves
        seconds = time.perf_counter() - started
        nps = int(total / max(seconds, 1e-9))
        control.info(f"depth {depth} nodes {total} time {int(seconds * 1000)} nps {nps}")

    def setup(self, seat: str | None, control: Control) -> str:
        letter = self.board.seats[self._view.turn] if seat is None else seat
        expect_one_of("go setup:", letter, self.board.seats)
        return lineup_choice.draw(Random(f"{self._seed.value(control)} {letter}"))

    def legal(self) -> list[str]:
        return [format_code(self.board, move) for move in self._view.legal_moves()]

    def describe(self) -> list[str]:
        view = self._view
        return [*draw_text(view), f"fen {format_fen(view)}", status(view)]

    def record(self) -> list[str]:
        return [format_move(self.board, seen) for seen in self._view.record]

    def ending(self) -> list[str]:
        view = self._view
        if view.result == Result.ONGOING:
            return []
        if not view.is_open:  # a hidden flag that was captured looks like any other piece
            return [status(view)]
        state = GameState(self.board, view.rules, view.positions, record=view.record)
        flags = {seat: self._first_view.flag_point(seat) for seat in range(len(self.board.seats))}
        known = {seat: point for seat, point in flags.items() if point is not None}
        return [f"ending {ending_of(state, known)}", status(view)]

    def evaluate(self, control: Control) -> list[str]:
        team = self.board.teams[team_of(self._view.turn)]
        value = mean_evaluation(self._view, self._evaluator, belief)
        return [f"eval {value} cp for {team}, the team to move"]

    def belief(self, point: str | None) -> list[str]:
        return belief_lines(self._view, belief(self._view), point)

    def bench(self, control: Control) -> list[str]:
        from junqi_engine.players import signature  # with the kernels of other players

        stop = np.frombuffer(control.stop_flag, np.uint8)
        nodes, seconds, found, is_complete = signature.bench(self.board, str(self.options["Player"]), stop)
        nps = int(nodes / max(seconds, 1e-9))
        return [f"bench nodes {nodes} nps {nps} signature {found:016X}" if is_complete else "bench stopped"]

    def _parse_start(self, words: Sequence[str]) -> SeatView:
        if words and words[0] == "fen":
            return parse_fen(self.board, " ".join(words[1:]), self._rules)
        if not words or words[0] != "startpos":
            raise Refused("bad-argument", f"position: expected startpos or fen, not {quoted(' '.join(words[:1]))}")
        lineups: list[str] = []
        viewer: str | None = None
        index = 1
        while index < len(words):
            word = words[index]
            index += 1
            if word == "lineup" and index < len(words) and not lineups:
                while index < len(words) and ":" in words[index]:
                    lineups.append(words[index])
                    index += 1
                if not lineups:
                    raise Refused("bad-lineup", f"lineup: expected SEAT:<25 letters>, not {quoted(words[index])}")
            elif word == "viewer" and index < len(words) and viewer is None:
                viewer = words[index]
                index += 1
            else:
                fault = "is given twice" if word in words[: index - 1] else "needs a value after it"
                fault = fault if word in ("lineup", "viewer") else "is not lineup, viewer or moves"
                raise Refused("bad-argument", f"position startpos: {quoted(word)} {fault}")
        return start_view(self.board, lineups, viewer, self._rules)

    def _only(self, texts: Sequence[str], legal: Sequence[int]) -> list[int]:
        chosen = set()
        for text in dict.fromkeys(texts):
            seen = parse_move(self.board, text)
            move = seen.move
            if not seen.is_ply or not seen.omits_suffix:
                raise Refused("bad-move", f"searchmoves: {quoted(text)} is not two squares without a suffix")
            if move not in legal:
                raise Refused("illegal-move", f"searchmoves: {text}: {why_illegal(self.board, self._view, move)}")
            chosen.add(move)
        return sorted(chosen)


def evaluator_of(variant: str, options: Mapping[str, int | bool | str]) -> Evaluator:
    """The packaged evaluator, or one with the network of `EvalFile`, which a puzzle checks for any variant of Junqi."""
    path, fault = str(options["EvalFile"]), ""
    wanted = [variant] if variant in BOARDS else [*BOARDS]
    for name in dict.fromkeys([*wanted, *BOARDS] if path else []):
        try:
            found = Evaluator.of_file(BOARDS[name], Path(path))
        except (OSError, ValueError) as error:
            fault = fault or str(error.strerror if isinstance(error, OSError) else error)
            continue
        if name in wanted:
            return found
        fault = f"a network for {name}, not for {variant}"
    if path:
        raise Refused("bad-file", f"option EvalFile: {quoted(path, longest=60)}: {fault}")
    return PACKAGED


def score_text(view: SeatView, score: int, shows_wdl: bool) -> str:
    """A score as `info` has it: `cp` or `mate`, and with `shows_wdl` the chances."""
    if abs(score) <= WON:
        text, chances = f"cp {score}", wdl_permille(view.board.variant, score, view.ply) if shows_wdl else ()
    else:
        moves = -(-(MATE - abs(score)) // view.alive.bit_count())
        text, chances = f"mate {moves if score > 0 else -moves}", (PERMILLE, 0, 0) if score > 0 else (0, 0, PERMILLE)
    return " ".join([text, "wdl", *map(str, chances)]) if shows_wdl else text


GAME = JunqiVariant
