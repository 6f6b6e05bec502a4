"""Many games at once: each step is one call of a kernel, without Python for each game."""

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from numbers import Integral
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.compiling import provide
from junqi_engine.env.frames import frame_of
from junqi_engine.env.observation import VISIBILITIES, Observation, Observer, check_choice, viewer_of
from junqi_engine.env.observing import (
    LAST_TYPE,
    POSITIONS_TYPE,
    VIEWS_TYPE,
    begin_all_views,
    begin_views,
    fill_observations,
    make_and_follow,
)
from junqi_engine.errors import BadLineup, IllegalMove, JunqiError, expect
from junqi_engine.information.knowledge import KNOWN
from junqi_engine.kernels import kernel, say_on_stderr
from junqi_engine.library.game import Game
from junqi_engine.library.position import board_of, lineups_by_seat
from junqi_engine.notation.moves import format_code
from junqi_engine.players.lineup_choice import sensible
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.copying import unpickled
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import SEATS, from_point_of, move_of, to_point_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import POSITION
from junqi_engine.rules.refusal import why_illegal
from junqi_engine.splitmix import GOLDEN, mix

STARTS = 256
"""Starting positions that are drawn in advance; each new game begins from one of them."""
COUNTS_TYPE = types.Array(types.intp, 1, "C")
SEEDS_TYPE = types.Array(types.uint64, 1, "C")
BYTES_TYPE = types.Array(types.uint8, 1, "C")
MASKS_TYPE = types.Array(types.int8, 2, "C")
FRAMES_TYPE = types.Array(types.intp, 2, "C")
STATE_TYPES = (TABLES_TYPE, POSITIONS_TYPE, POSITIONS_TYPE, SEEDS_TYPE, COUNTS_TYPE, MOVES_TYPE, COUNTS_TYPE)
"""What the kernels that begin games read and write: see `Batch.reset`. The legal moves of game g are at `g * MAX_MOVES`
in `moves`, `counts[g]` of them.
"""


@kernel(types.uint64(SEEDS_TYPE, types.intp, types.uint64), forceinline=True)
def draw(seeds, game, most):
    """A number below `most`; the seed of the game moves on."""
    seeds[game] += GOLDEN
    return (mix(seeds[game]) >> np.uint64(32)) * most >> np.uint64(32)


@kernel(types.void(*STATE_TYPES, types.intp))
def begin(tables, positions, starts, seeds, started, moves, counts, game):
    """Begin a game from one of `starts`; its number goes to `started`."""
    start = np.intp(draw(seeds, game, np.uint64(len(starts))))
    positions[game] = starts[start]
    started[game] = start
    counts[game] = generate(tables, positions[game], moves, game * MAX_MOVES) - game * MAX_MOVES


@kernel(types.void(*STATE_TYPES))
def begin_all(tables, positions, starts, seeds, started, moves, counts):
    """Begin every game."""
    for game in range(len(positions)):
        begin(tables, positions, starts, seeds, started, moves, counts, game)


@kernel(types.intp(POSITIONS_TYPE, COUNTS_TYPE, FRAMES_TYPE, MOVES_TYPE, COUNTS_TYPE, MOVES_TYPE))
def translate(positions, actions, absolute, moves, counts, chosen):
    """Make moves of the actions; returns the first game whose action is not legal, -1 if there is none."""
    points = absolute.shape[1]
    for game in range(len(positions)):
        action = actions[game]
        if action < 0 or action >= points * points:
            return game
        seat = np.intp(positions[game].turn)
        move = np.uint16(move_of(absolute[seat, action // points], absolute[seat, action % points]))
        is_legal = False
        for i in range(game * MAX_MOVES, game * MAX_MOVES + counts[game]):
            is_legal |= moves[i] == move
        if not is_legal:
            return game
        chosen[game] = move
    return -1


@kernel(types.boolean(*STATE_TYPES, BYTES_TYPE, types.intp), forceinline=True)
def go_on(tables, positions, starts, seeds, started, moves, counts, results, game):
    """After a ply: list the legal moves, or begin the next game, with the result of this one in `results`.

    Whether a game began.
    """
    position = positions[game]
    first = game * MAX_MOVES
    counts[game] = generate(tables, position, moves, first) - first
    results[game] = 0
    if counts[game]:
        return False
    results[game] = position.result
    begin(tables, positions, starts, seeds, started, moves, counts, game)
    return True


@kernel(types.void(*STATE_TYPES, MOVES_TYPE, BYTES_TYPE, UNDO_TYPE))
def step_all(tables, positions, starts, seeds, started, moves, counts, chosen, results, undo):
    """Play a move in every game. `results` has the result of a game that ended; the next one has begun."""
    for game in range(len(positions)):
        make(tables, positions[game], chosen[game], undo)
        go_on(tables, positions, starts, seeds, started, moves, counts, results, game)


@kernel(types.void(*STATE_TYPES, MOVES_TYPE, BYTES_TYPE, UNDO_TYPE, VIEWS_TYPE, LAST_TYPE))
def step_all_views(
    tables, positions, starts, seeds, started, moves, counts, chosen, results, undo, views, last
):  # fmt: skip
    """As `step_all`; the views of every game follow."""
    for game in range(len(positions)):
        make_and_follow(tables, positions, chosen[game], undo, views, last, game)
        if go_on(tables, positions, starts, seeds, started, moves, counts, results, game):
            begin_views(positions, views, last, game)


@kernel(types.void(POSITIONS_TYPE, SEEDS_TYPE, FRAMES_TYPE, MOVES_TYPE, COUNTS_TYPE, COUNTS_TYPE))
def draw_actions(positions, seeds, relative, moves, counts, actions):
    """A random legal action for every game."""
    points = relative.shape[1]
    for game in range(len(positions)):
        move = moves[game * MAX_MOVES + np.intp(draw(seeds, game, np.uint64(counts[game])))]
        seat = np.intp(positions[game].turn)
        actions[game] = relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]


@kernel(types.void(POSITIONS_TYPE, FRAMES_TYPE, MOVES_TYPE, COUNTS_TYPE, MASKS_TYPE))
def fill_masks(positions, relative, moves, counts, masks):
    """`masks`, (games, actions): 1 for the legal actions."""
    points = relative.shape[1]
    for game in range(len(positions)):
        for action in range(masks.shape[1]):
            masks[game, action] = 0
        seat = np.intp(positions[game].turn)
        for i in range(game * MAX_MOVES, game * MAX_MOVES + counts[game]):
            move = moves[i]
            masks[game, relative[seat, from_point_of(move)] * points + relative[seat, to_point_of(move)]] = 1


KERNELS = (begin_all, translate, step_all, draw_actions, fill_masks)
VIEW_KERNELS = (begin_all_views, step_all_views, fill_observations)


class Batch:
    """`n` games of one variant. Actions, frames and observations are those of `aec`; everything depends on the seed.

    A game that ends is replaced in the same step by a new one from one of the starting positions. `visibility` is that
    of `observe`; with None, a batch makes no observations and is several times as fast. `JunqiError` for an unknown
    variant or visibility, and if `n` is below 1.
    """

    def __init__(
        self,
        n: int,
        variant: str = "siguo",
        visibility: str | None = "partner",
        *,
        rules: Rules | None = None,
        seed: int = 0,
    ) -> None:
        board = board_of(variant)
        check_choice("visibility", visibility, (*VISIBILITIES, None))
        expect(Integral, "n", n)
        if n < 1:
            raise JunqiError("bad-argument", f"n {n!r} is not at least 1")
        self.variant, self.visibility, self.rules, self.seats = (
            variant,
            visibility,
            Rules.of(board, rules),
            board.seats,
        )
        self._tables = board.tables
        frames = [frame_of(variant, seat) for seat in range(len(board.seats))]
        self._absolute = np.array([frame.absolute for frame in frames], np.intp)
        self._relative = np.array([frame.relative for frame in frames], np.intp)
        self._positions = np.zeros(n, POSITION)
        self._moves, self._counts = np.zeros(n * MAX_MOVES, np.uint16), np.zeros(n, np.intp)
        self._chosen, self._actions = np.zeros(n, np.uint16), np.zeros(n, np.intp)
        self._results, self._started = np.zeros(n, np.uint8), np.zeros(n, np.intp)
        self._undo = np.zeros(1, UNDO)[0]
        self._set_up_views()
        needed = KERNELS if visibility is None else (*KERNELS, *VIEW_KERNELS)
        provide("junqi_engine", needed, "the environments", say_on_stderr)
        self.reset(seed)

    def _set_up_views(self) -> None:
        """A view for each different viewer; those of a game follow each other."""
        board = board_of(self.variant)
        viewers = [viewer_of(board, self.visibility, seat) for seat in range(len(board.seats)) if self.visibility]
        different = sorted(set(viewers))
        self._view_of = np.array([different.index(viewer) for viewer in viewers], np.intp)
        self._views = np.zeros(len(self._positions) * len(different), KNOWN)
        hidden = [board.all_alive & ~viewer for viewer in different]
        self._views["hidden_seats"] = np.tile(np.array(hidden, np.uint8), len(self._positions))
        self._last = np.zeros((len(self._positions), SEATS), np.uint16)

    def reset(self, seed: int = 0, lineups: Sequence[Mapping[str, str]] = (), games: Sequence[Game] = ()) -> None:
        """Begin every game anew, each from one of the starting positions.

        `lineups` has the line-ups of each starting position, by seat; missing ones are drawn. `games` are starting
        positions of their own, such as those of `View.sample`; in the middle of a game, only a batch takes them whose
        visibility is None or `open`. With neither, `STARTS` starting positions are drawn. `BadLineup` or `JunqiError`
        if one of them is not fit; then nothing changes.
        """
        rng, board = random.Random(seed), board_of(self.variant)
        if games:
            states = [self._checked(number, game) for number, game in enumerate(games)]
        else:
            chosen = [
                lineups_by_seat(board, own) | {seat: sensible(rng) for seat in self.seats if seat not in own}
                for own in lineups or [{}] * STARTS
            ]
            try:
                states = [GameState.start(board, each, self.rules) for each in chosen]
            except JunqiError as error:
                raise BadLineup(error.code, str(error)) from None
        self._lineups = [{self.seats[seat]: each for seat, each in state.lineups.items()} for state in states]
        self._starts = np.array([state.position for state in states], POSITION)
        self._seeds = np.array([rng.getrandbits(64) for _ in self._positions], np.uint64)
        begin_all(self._tables, self._positions, self._starts, self._seeds, self._started, self._moves, self._counts)
        if self.visibility is not None:
            begin_all_views(self._positions, self._views, self._last)

    def _checked(self, number: int, game: Game) -> GameState:
        expect(Game, f"game {number}", game)
        is_begun = bool(game.move_stack) or not game.lineups
        if (game.variant, game.rules) != (self.variant, self.rules):
            text = f"it is {game.variant} with {game.rules}, expected {self.variant} with {self.rules}"
        elif game.is_game_over():
            text = "it has ended"
        elif is_begun and self.visibility not in (None, "open"):
            text = f"it has begun, and a batch with the visibility {self.visibility} follows games from their start"
        else:
            return game.state
        raise JunqiError("bad-argument", f"game {number}: {text}")

    @property
    def turns(self) -> np.ndarray:
        """(n,) of uint8: the seat to move."""
        return self._positions["turn"].copy()

    @property
    def plies(self) -> np.ndarray:
        """(n,) of uint32: the plies played."""
        return self._positions["ply"].copy()

    def lineups(self, game: int) -> dict[str, str]:
        """The line-ups of a game, by seat."""
        return dict(self._lineups[self._started[game]])

    def observe(self, out: Observation | None = None) -> Observation:
        """What the seat to move of each game observes: the arrays of `aec`, each with n in front of its shape.

        They are written into the arrays of an earlier call if these are given as `out`; ValueError if they do not
        fit. `JunqiError` if the batch has no visibility.
        """
        if self.visibility is None:
            raise JunqiError("bad-argument", "a batch whose visibility is None makes no observations")
        n, points, observer = len(self._positions), self._absolute.shape[1], Observer(self.variant)
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observation": ((n, points, observer.channels), np.uint8),
            "counts": ((n, observer.count_entries), np.float32),
            "action_mask": ((n, points * points), np.int8),
        }
        out = {key: np.empty(*form) for key, form in shapes.items()} if out is None else out
        for key, (shape, kind) in shapes.items():
            array = out.get(key)
            if array is None or array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
                raise ValueError(f"out: {key!r} is not an array of an earlier observation of this batch")
        fill_observations(
            self._positions, self._views, self._view_of, self._last, self._absolute, self._relative,
            out["observation"], out["counts"],
        )  # fmt: skip
        fill_masks(self._positions, self._relative, self._moves, self._counts, out["action_mask"])
        return out

    def legal_mask(self) -> np.ndarray:
        """(n, points * points) of int8: 1 for the legal actions of the seat to move."""
        points = self._absolute.shape[1]
        masks = np.empty((len(self._positions), points * points), np.int8)
        fill_masks(self._positions, self._relative, self._moves, self._counts, masks)
        return masks

    def random_actions(self) -> np.ndarray:
        """(n,): a legal action for every game, each equally likely."""
        draw_actions(self._positions, self._seeds, self._relative, self._moves, self._counts, self._actions)
        return self._actions.copy()

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Act in every game; (n,) of uint8, a `Result`: 0 where the game goes on, else how it ended.

        `IllegalMove` names the first game whose action is not legal; then nothing changes. ValueError if there is not
        one action for each game.
        """
        actions = np.ascontiguousarray(actions, np.intp)
        if actions.shape != self._actions.shape:
            raise ValueError(f"actions: shape {actions.shape}, expected {self._actions.shape}")
        wrong = translate(self._positions, actions, self._absolute, self._moves, self._counts, self._chosen)
        if wrong >= 0:
            raise IllegalMove("illegal-move", f"game {wrong}: {self._why_illegal(wrong, int(actions[wrong]))}")
        state = (self._tables, self._positions, self._starts, self._seeds, self._started, self._moves, self._counts)
        if self.visibility is None:
            step_all(*state, self._chosen, self._results, self._undo)
        else:
            step_all_views(*state, self._chosen, self._results, self._undo, self._views, self._last)
        return self._results.copy()

    def _why_illegal(self, game: int, action: int) -> str:
        board = board_of(self.variant)
        state = GameState(board, self.rules, self._positions[game])
        frame = frame_of(self.variant, state.turn)
        if not 0 <= action < frame.actions:
            return f"action {action} is not legal: it is not from 0 to {frame.actions - 1}"
        move = frame.move_of(action)
        return f"action {action} is not legal: {format_code(board, move)}: {why_illegal(board, state, move)}"

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(unpickled(state))

    def __copy__(self) -> "Batch":
        return deepcopy(self)
