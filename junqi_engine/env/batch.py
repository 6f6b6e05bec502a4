"""Many games at once: a step is a few calls of kernels, with no Python code per game."""

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from junqi_engine.api.readable import board_of
from junqi_engine.compiling import compile_missing
from junqi_engine.env.observation import Observation, Observer, frame_of
from junqi_engine.env.observing import SUBJECT, begin_views, fill_observations, play_all_views
from junqi_engine.env.starts import starts_of
from junqi_engine.env.stepping import GAME, begin_games, draw_actions, fill_masks, translate
from junqi_engine.errors import IllegalMove, expect_at_least, expect_one_of
from junqi_engine.information.deduction import KNOWN
from junqi_engine.kernels import say_on_stderr
from junqi_engine.notation.moves import format_code
from junqi_engine.rules.board import viewer_seats
from junqi_engine.rules.effects import UNDO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import piece_of, team_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT
from junqi_engine.rules.position import copied
from junqi_engine.rules.position_reader import why_illegal
from junqi_engine.rules.visibility import Visibility

KERNELS = (
    begin_games, translate, draw_actions, fill_masks, begin_views, play_all_views, fill_observations,
)  # fmt: skip
REWARDS = np.array([0, 1, -1, 0], np.float32)
"""The reward of South's team by `Result`."""


@dataclass(frozen=True, eq=False)
class Ended:
    """The games that ended in a step: their indices, (k,), results, (k,), and the last observation of each seat.

    The arrays of `observation` are (k, seats, ...), without a mask, which would be empty.
    """

    games: np.ndarray
    results: np.ndarray
    observation: Observation


class Batch:
    """`n` games of one variant. Actions, frames and observations are those of `aec`. All random choices depend on the
    seed.

    | argument | meaning |
    |---|---|
    | `visibility` | which pieces a seat sees, as in `aec` |
    | `auto_reset` | a new game replaces a game that ends, in the same step; otherwise it stays until `begin` |
    | `history` | the number of last moves in observations, as in `Observer` |

    `Refused` for an unknown variant or visibility, and if `n` is below 1.
    """

    def __init__(
        self,
        n: int,
        variant: str = "siguo",
        visibility: str = "partner",
        *,
        rules: Rules | None = None,
        seed: int = 0,
        auto_reset: bool = True,
        history: int | None = None,
    ) -> None:
        board = board_of(variant)
        expect_one_of("visibility", visibility, Visibility)
        expect_at_least(1, "n", n)
        self.variant, self.visibility, self.rules = variant, visibility, Rules.of(board, rules)
        self.seats, self.auto_reset, self.observer = board.seats, auto_reset, Observer(variant, history)
        self._all = np.arange(n)
        frames = [frame_of(variant, seat) for seat in range(len(board.seats))]
        self._absolute = np.array([frame.absolute for frame in frames], np.intp)
        self._relative = np.array([frame.relative for frame in frames], np.intp)
        self._games, self._undos = np.zeros(n, GAME), np.zeros(1, UNDO)
        self._actions = np.zeros(n, np.intp)
        self._set_up_views()
        compile_missing("junqi_engine", KERNELS, "the environments", say_on_stderr)
        self.reset(seed)

    def _set_up_views(self) -> None:
        """Make a view for each different viewer of each game; the views of a game are adjacent."""
        board, seats = board_of(self.variant), range(len(self.seats))
        viewers = [viewer_seats(board, self.visibility, seat) for seat in seats]
        self._viewers = sorted(set(viewers))
        self._view_of = np.array([self._viewers.index(viewer) for viewer in viewers], np.intp)
        self._views = np.zeros((len(self._games), len(self._viewers)), KNOWN)

    def reset(self, seed: int = 0, lineups: Sequence[Mapping[str, str]] = ()) -> None:
        """Begin all games, each from one of the `lineups`, which are by seat. Missing ones are drawn for each game from
        a pool of `starts.POOL`, which depends on the seed. `BadLineup` or `Refused` for wrong line-ups; then nothing
        changes.
        """
        rng = random.Random(index(seed))
        self._starts = starts_of(board_of(self.variant), self.rules, self._viewers, lineups, rng)
        self.begin(seed=seed)
        self.ended = self._ended(self._all[:0])

    def begin(self, games: Sequence[int] | np.ndarray | None = None, seed: int | None = None) -> None:
        """Begin some games, by default all, each from one of the starting positions of the last `reset`.

        With a `seed`, their random choices depend on it and on the pool of the last `reset` alone.
        """
        chosen = self._numbers(games)
        if seed is not None:
            rng = random.Random(index(seed))
            self._games["seed"][chosen] = [rng.getrandbits(64) for _ in chosen]
        begin_games(
            board_of(self.variant).tables, self._games, self._starts.positions, self._starts.drawn,
            self._starts.pool, chosen,
        )  # fmt: skip
        begin_views(self._games, self._views.ravel(), self._starts.views.ravel(), self._starts.drawn, chosen)

    @property
    def turns(self) -> np.ndarray:
        """The seat to move, (n,) of uint8."""
        return self._games["position"]["turn"].copy()

    @property
    def plies(self) -> np.ndarray:
        """The plies played, (n,) of uint32."""
        return self._games["position"]["ply"].copy()

    @property
    def results(self) -> np.ndarray:
        """The `Result` of each game, (n,) of uint8."""
        return self._games["position"]["result"].copy()

    @property
    def rewards(self) -> np.ndarray:
        """The rewards of the last step, (n, seats) of float32: 1, -1 or 0 in games that ended in it, 0 in others."""
        rewards = np.zeros((len(self._games), len(self.seats)), np.float32)
        sign = np.array([1 - 2 * team_of(seat) for seat in range(len(self.seats))], np.float32)
        rewards[self.ended.games] = REWARDS[self.ended.results, None] * sign
        return rewards

    def lineups(self, game: int) -> dict[str, str]:
        """The line-ups of a game, by seat."""
        kinds, slots = self._games["position"]["kind"][game], range(PIECES_PER_SEAT)
        return {
            letter: "".join(LETTERS[kinds[piece_of(seat, slot)]] for slot in slots)
            for seat, letter in enumerate(self.seats)
        }

    def observe(self, out: Observation | None = None, seats: Sequence[int] | np.ndarray | None = None) -> Observation:
        """The observation of a seat of each game, by default the seat to move: the arrays of `aec`, with n in front of
        each shape. `seats` are (n,) numbers; a seat that is not to move has an empty mask.

        With `out`, the arrays of an earlier call are filled again; ValueError if they do not fit.
        """
        turns = self._games["position"]["turn"].astype(np.intp)
        observers = turns if seats is None else _whole_numbers("seats", seats)
        if observers.shape != turns.shape or not ((observers >= 0) & (observers < len(self.seats))).all():
            raise ValueError(f"seats: expected {len(turns)} numbers below {len(self.seats)}")
        actions = self._absolute.shape[1] ** 2
        shapes = self._shapes(len(turns)) | {"action_mask": ((len(turns), actions), np.int8)}
        out = {key: np.empty(*form) for key, form in shapes.items()} if out is None else out
        for key, (shape, kind) in shapes.items():
            array = out.get(key)
            if array is None or array.shape != shape or array.dtype != kind or not array.flags.c_contiguous:
                raise ValueError(f"out: {key!r} is not an array of an earlier observation of this batch")
        self._fill(out, self._all, observers)
        fill_masks(self._games, self._relative, out["action_mask"])
        out["action_mask"][observers != turns] = 0
        return out

    def legal_mask(self) -> np.ndarray:
        """The legal actions of the seat to move, (n, points * points) of int8: 1 for a legal one."""
        masks = np.empty((len(self._games), self._absolute.shape[1] ** 2), np.int8)
        fill_masks(self._games, self._relative, masks)
        return masks

    def random_actions(self) -> np.ndarray:
        """A uniformly random legal action for every game, (n,); 0 for a game that has ended."""
        draw_actions(self._games, self._relative, self._actions)
        return self._actions.copy()

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Act in every game, and return the results, (n,) of uint8; 0 while a game continues.

        `actions` are (n,), or (n, 2) with separate from-points and to-points. Actions of ended games are ignored.
        `IllegalMove` names the first game whose action is not legal; then nothing changes. ValueError for another
        shape, TypeError for anything but whole numbers.
        """
        actions, points = _whole_numbers("actions", actions), self._absolute.shape[1]
        if actions.shape == (len(self._games), 2):
            is_inside = ((actions >= 0) & (actions < points)).all(axis=1)
            actions = np.where(is_inside, actions[:, 0] * points + actions[:, 1], -1)
        if actions.shape != self._actions.shape:
            raise ValueError(f"actions: shape {actions.shape}, expected {self._actions.shape} or (n, 2)")
        wrong = translate(self._games, actions, self._absolute)
        if wrong >= 0:
            raise IllegalMove("illegal-move", f"game {wrong}: {self._why_illegal(wrong, int(actions[wrong]))}")
        before = self.results
        play_all_views(board_of(self.variant).tables, self._games, self._undos[0], self._views.ravel())
        results = self.results
        self.ended = self._ended(np.flatnonzero(results != before))
        if self.auto_reset and len(self.ended.games):
            self.begin(self.ended.games)
        return results

    def _ended(self, games: np.ndarray) -> Ended:
        count = len(self.seats)
        arrays = {key: np.empty(*form) for key, form in self._shapes(count * len(games)).items()}
        self._fill(arrays, np.repeat(games, count), np.tile(np.arange(count), len(games)))
        observation = {key: array.reshape(len(games), count, *array.shape[1:]) for key, array in arrays.items()}
        return Ended(games, self._games["position"]["result"][games], observation)

    def _shapes(self, count: int) -> dict[str, tuple[tuple[int, ...], Any]]:
        """Shape and dtype of each array for this many observations, masks excluded."""
        return {
            "observation": ((count, *self.observer.shape), np.uint8),
            "counts": ((count, self.observer.count_entries), np.float32),
        }

    def _fill(self, arrays: Observation, games: np.ndarray, observers: np.ndarray) -> None:
        subjects = np.zeros(len(games), SUBJECT)
        subjects["seat"], subjects["game_index"] = observers, games
        subjects["view_index"] = games * len(self._viewers) + self._view_of[observers]
        fill_observations(
            self._games, self._views.ravel(), subjects, self._relative, arrays["observation"], arrays["counts"]
        )

    def _numbers(self, games: Sequence[int] | np.ndarray | None) -> np.ndarray:
        """The indices of games; IndexError for one out of range."""
        return self._all if games is None else np.atleast_1d(self._all[_whole_numbers("games", games)])

    def _why_illegal(self, game: int, action: int) -> str:
        board = board_of(self.variant)
        state = GameState(board, self.rules, copied(self._games["position"][game : game + 1]))
        frame = frame_of(self.variant, state.turn)
        if not 0 <= action < frame.actions:
            return f"action {action} is not legal: it is not from 0 to {frame.actions - 1}"
        move = frame.move_of(action)
        return f"action {action} is not legal: {format_code(board, move)}: {why_illegal(board, state, move)}"

    def __copy__(self) -> "Batch":
        return deepcopy(self)


def _whole_numbers(what: str, values: object) -> np.ndarray:
    """An argument as an array of whole numbers. TypeError for another one, a mask too: pass its `np.flatnonzero`."""
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"{what}: expected whole numbers, not {given.dtype}")
    return np.require(given, np.intp, ["C", "W"])  # kernels take no array that cannot be written
