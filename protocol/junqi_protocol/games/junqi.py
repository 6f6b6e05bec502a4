"""Junqi behind the protocol: from text to views and players, and back."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.drawing import draw_text, status
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.moves import format_code, format_move, parse_move
from junqi_engine.players import lineup_choice, signature
from junqi_engine.players.events import EventMove
from junqi_engine.players.registry import RECIPES, Recipe, explaining_recipe
from junqi_engine.players.search_player import SearchRecipe
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.game_state import GameState, ending_of
from junqi_engine.rules.layout import contains, seat_of, slot_of, team_of
from junqi_engine.rules.options import RULE_OPTIONS, Rules
from junqi_engine.rules.perft import count_leaves
from junqi_engine.rules.pieces import KINDS, LETTERS
from junqi_engine.rules.position import Result
from junqi_engine.rules.standing import GAME_OVER, why_illegal
from junqi_protocol.options import quoted
from junqi_protocol.search_session import SearchSession
from junqi_protocol.variant_game import Control, GameSeed, GoRequest, VariantGame

MEMORY_OPTIONS = ("Hash", "Threads")
PLAYER_OPTIONS = ("Player", "EvalFile")
REHEARSED_PLIES, REHEARSED_NODES = 24, 2000
"""Enough that a rehearsal reads moves and battles, and few enough that it does not delay `readyok`."""


class JunqiVariant(VariantGame):
    """A variant of Junqi. The position is a `SeatView`, so nothing here holds what the viewer may not know."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self.board = BOARDS[variant]
        self._start: tuple[str, ...] | None = ("startpos",)
        self._moves: list[str] = []
        self._seed = GameSeed(options)
        self._recipe = self._chosen_recipe()
        self._search = SearchSession(options)
        self._view = start_view(self.board, rules=self._rules())
        self._flags = _flags_of(self._view)

    def rehearse(self) -> None:
        """Search a position in the middle of a game and the first one, with the memory of this game's searches: where
        hidden pieces fought each other, worlds are drawn in another way.
        """
        options: dict[str, int | bool | str] = {**self.options, **RULE_OPTIONS, "Seed": 0}
        other = JunqiVariant(self.variant, options)
        other._search, other._recipe = self._search, self._recipe
        for words in (_words_of_a_game(self.board), ["startpos"]):
            other.set_position(words)
            other.go(GoRequest(nodes=REHEARSED_NODES), Control(lambda line: None))
        self._search.new_game()

    def new_game(self) -> None:
        self._seed.renew()
        self._search.new_game()

    def option_changed(self, name: str) -> None:
        if name in RULE_OPTIONS:
            view = self._view.copy()
            view.change_rules(self._rules())
            self._view = view
            # These rules might refuse the moves so far, so the next list of moves is played from the start.
            self._start, self._moves = None, []
        elif name in PLAYER_OPTIONS:
            self._recipe = self._chosen_recipe()
        elif name in MEMORY_OPTIONS:
            self._search.release_memory()
        elif name == "Seed":
            self._seed.renew()

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = tuple(words[:end]), words[end + 1 :]
        known = len(self._moves)
        # A client sends all moves of the game with every position; only the new ones are played.
        continues = start == self._start and moves[:known] == self._moves and self._view.rules == self._rules()
        view = self._view.copy() if continues else self._parse_start(start)
        flags = self._flags if continues else _flags_of(view)
        for move in moves[known:] if continues else moves:
            self._observe(view, move)
        self._start, self._moves, self._view, self._flags = start, moves, view, flags

    def go(self, request: GoRequest, control: Control) -> str:
        view, board = self._view, self.board
        if view.result != Result.ONGOING:
            raise Refused("game-over", f"{GAME_OVER}: {status(view)}")
        moves = view.legal_moves()
        if request.searchmoves:
            moves = self._only(request.searchmoves, moves)
        control.best = format_code(board, moves[0])
        recipe, seed = self._recipe, self._seed.value(control)
        if isinstance(recipe, SearchRecipe):
            return format_code(board, self._search.best(recipe, view, seed, moves, request, control))
        answer = recipe.choose(view, seed, moves)
        control.say(self._explain(answer))
        move = format_code(board, answer.move)
        control.info(f"depth 1 nodes {len(moves)} time {control.elapsed_ms()} pv {move}")
        return move

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
        if len(letter) != 1 or letter not in self.board.seats:
            raise Refused("bad-argument", f"go setup: {quoted(letter)} is not one of {', '.join(self.board.seats)}")
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
        if not view.is_open:  # a captured flag that is hidden is no different from other pieces
            return [status(view)]
        state = GameState(self.board, view.rules, view.positions, record=view.record)
        return [f"ending {ending_of(state, self._flags)}", status(view)]

    def evaluate(self, control: Control) -> list[str]:
        recipe = explaining_recipe(self._recipe)
        team = self.board.teams[team_of(self._view.turn)]
        value = recipe.evaluator.mean_value(self._view, recipe.belief)
        return [f"eval {value} cp for {team}, the team to move"]

    def belief(self, point: str | None) -> list[str]:
        view = self._view
        found = explaining_recipe(self._recipe).belief(view)
        chances = {seat: table for seat, table in found.items() if view.is_alive(seat)}
        if point is not None:
            place = view.board.point_named.get(point)
            if place is None or view.piece_at(place) is None:
                raise Refused("bad-argument", f"belief: no piece stands on {quoted(point)}")
            return [self._belief_line(place, chances)]
        hidden = [seat for seat in chances if not view.sees(seat)]
        places = [place for place in view.board.points if self._owner(place) in hidden]
        counts = [self._counts_line(seat, chances[seat]) for seat in hidden]
        return counts + [self._belief_line(place, chances) for place in places]

    def bench(self, control: Control) -> list[str]:
        stop = np.frombuffer(control.stop_flag, np.uint8)
        nodes, seconds, found, is_complete = signature.bench(self.board, str(self.options["Player"]), stop)
        nps = int(nodes / max(seconds, 1e-9))
        return [f"bench nodes {nodes} nps {nps} signature {found:016X}" if is_complete else "bench stopped"]

    def _chosen_recipe(self) -> Recipe:
        """The recipe of the option `Player`, with the network of `EvalFile`."""
        recipe, path = RECIPES[str(self.options["Player"])], str(self.options["EvalFile"])
        if not path or not isinstance(recipe, SearchRecipe):
            return recipe
        try:
            return recipe.with_weights(self.board, Path(path))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Refused("bad-file", f"option EvalFile: {quoted(path)}: {reason}") from error

    def _rules(self) -> Rules:
        return Rules.of_options(self.board, self.options)

    def _parse_start(self, words: Sequence[str]) -> SeatView:
        if words and words[0] == "fen":
            return parse_fen(self.board, " ".join(words[1:]), self._rules())
        if not words or words[0] != "startpos":
            raise Refused("bad-argument", "position: startpos or fen must follow")
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
                    raise Refused("bad-lineup", f"{quoted(words[index])}: SEAT:<25 letters> must follow lineup")
            elif word == "viewer" and index < len(words) and viewer is None:
                viewer = words[index]
                index += 1
            else:
                fault = "is given twice" if word in words[: index - 1] else "needs a value after it"
                fault = fault if word in ("lineup", "viewer") else "is not lineup, viewer or moves"
                raise Refused("bad-argument", f"position startpos: {quoted(word)} {fault}")
        return start_view(self.board, lineups, viewer, self._rules())

    def _observe(self, view: SeatView, move: str) -> None:
        view.observe(parse_move(self.board, move))

    def _only(self, texts: Sequence[str], legal: Sequence[int]) -> list[int]:
        chosen = set()
        for text in dict.fromkeys(texts):
            seen = parse_move(self.board, text)
            move = seen.move
            if not seen.is_ply or not seen.is_bare:
                raise Refused("bad-move", f"searchmoves: {quoted(text)} is not two squares without a suffix")
            if move not in legal:
                raise Refused("illegal-move", f"searchmoves: {text}: {why_illegal(self.board, self._view, move)}")
            chosen.add(move)
        return sorted(chosen)

    def _explain(self, answer: EventMove) -> str:
        if answer.path is None:
            return f"event {answer.event}"
        return f"event {answer.event} path {' '.join(self.board.names[point] for point in answer.path)}"

    def _owner(self, point: int) -> int | None:
        piece = self._view.piece_at(point)
        return None if piece is None else seat_of(piece)

    def _belief_line(self, point: int, chances: Mapping[int, np.ndarray]) -> str:
        piece = self._view.piece_at(point) or 0
        mask, row = int(self._view.masks[piece]), chances[seat_of(piece)][slot_of(piece)]
        entries = " ".join(f"{LETTERS[kind]}:{row[kind]:.2f}" for kind in range(KINDS) if contains(mask, kind))
        return f"belief {self.board.names[point]} {entries}"

    def _counts_line(self, seat: int, chances: np.ndarray) -> str:
        """The unidentified pieces of a seat on the board: their number, and how many of each kind are expected."""
        pieces = [self._view.piece_at(point) or 0 for point in self._view.points_of(seat)]
        open_slots = [slot_of(piece) for piece in pieces if int(self._view.masks[piece]).bit_count() > 1]
        expected = chances[open_slots].sum(axis=0)
        kinds = " ".join(f"{LETTERS[kind]}:{expected[kind]:.2f}" for kind in range(KINDS) if expected[kind] > 0)
        return f"string {self.board.seats[seat]} unidentified {len(open_slots)} expected {kinds}".rstrip()


GAME = JunqiVariant


def _flags_of(view: SeatView) -> dict[int, int]:
    """The points of the flags that a view knows, by seat."""
    points = {seat: view.flag_point(seat) for seat in range(len(view.board.seats))}
    return {seat: point for seat, point in points.items() if point is not None}


def _words_of_a_game(board: Board) -> list[str]:
    """The arguments of `position` for some random plies of a game, as its first seat sees it."""
    game, rng, letter = GameState.start(board), Random(0), board.seats[0]
    moves = [format_move(board, game.play(rng.choice(game.legal_moves()))) for _ in range(REHEARSED_PLIES)]
    return ["startpos", "lineup", f"{letter}:{game.lineups[0]}", "viewer", letter, "moves", *moves]
