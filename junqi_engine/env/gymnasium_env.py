"""Junqi for one agent, which plays one team or some of its seats against players 1.0 to 1.2: `Env` and `VectorEnv`
of Gymnasium over `Batch`.

An observation is that of the seat of the agent that is to move; at the end, that of the agent's first seat.
`space_of` and `draw_rgb` are for the environment of PettingZoo too.
Importing this module registers `junqi/siguo-v1` and the other variants, so
`gymnasium.make("junqi_engine.env.gymnasium_env:junqi/siguo-v1")` finds them.
"""

from collections.abc import Mapping
from functools import cache
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from junqi_engine.api.readable import board_of, seat_of_letter
from junqi_engine.env.batch import Batch
from junqi_engine.env.observation import Observation, Observer, check_choice
from junqi_engine.env.states import lineups_of
from junqi_engine.errors import JunqiError, expect_at_least
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seat_of
from junqi_engine.rules.pieces import LETTERS

SEED_BITS = 32
RESET_MASK = "reset_mask"
MOST_COUNT = 1000.0
"""No entry of `counts` is larger: no game has a million plies."""

CELL = 32
"""Pixels of a point in each direction."""
LETTER_SCALE = 3
"""Pixels of a pixel of `_FONT` in each direction."""
_FONT = dict(
    zip(
        LETTERS,
        (
            "0e1111111f1111", "1e11111e11111e", "0f10101010100f", "1e11111111111e", "1f10101e10101f", "1f10101e101010",
            "0f10101711110f", "1111111f111111", "0e04040404040e", "0702020202120c", "11121418141211", "1010101010101f",
        ),
        strict=True,
    )
)  # fmt: skip
"""Capital letters of the kinds: seven rows of five pixels, a byte in hexadecimal for each row."""
_BACKGROUND, _POINT, _CAMPSITE, _HEADQUARTERS = (244, 236, 216), (255, 250, 240), (216, 205, 170), (185, 166, 126)
_SEATS = ((200, 85, 61), (47, 111, 159), (60, 141, 90), (138, 90, 158))
try:
    SAME_STEP: Any = gymnasium.vector.AutoresetMode.SAME_STEP
except AttributeError:  # before Gymnasium 1.1
    SAME_STEP = "SameStep"


def space_of(observer: Observer) -> gymnasium.spaces.Dict:
    """The space of the observations of a seat."""
    actions = observer.frame(0).actions
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0, 1, observer.shape, np.uint8),
            "counts": gymnasium.spaces.Box(0, MOST_COUNT, (observer.count_entries,), np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def draw_rgb(game: GameState) -> np.ndarray:
    """The board, (32 * height, 32 * width, 3) of uint8, the highest rank at the top.

    A piece has the colour of its seat and the letter of its kind.
    """
    board = game.board
    picture = np.empty((board.height * CELL, board.width * CELL, 3), np.uint8)
    picture[:] = _BACKGROUND
    for point, (file, rank) in enumerate(board.squares):
        top, left = (board.height - 1 - rank) * CELL, file * CELL
        cell = picture[top + 1 : top + CELL - 1, left + 1 : left + CELL - 1]
        piece = game.piece_at(point)
        if piece is None:
            cell[:] = (
                _CAMPSITE if board.is_campsite(point) else _HEADQUARTERS if board.is_headquarters(point) else _POINT
            )
            continue
        cell[:] = _SEATS[seat_of(piece)]
        letter = _glyph(LETTERS[int(game.position["kind"][piece])])
        height, width = letter.shape
        low, start = (CELL - 2 - height) // 2, (CELL - 2 - width) // 2
        cell[low : low + height, start : start + width][letter] = 255
    return picture


@cache
def _glyph(letter: str) -> np.ndarray:
    """Where a letter is drawn, (21, 15) of bool."""
    rows = np.frombuffer(bytes.fromhex(_FONT[letter]), np.uint8)
    bits = np.unpackbits(rows[:, None], axis=1)[:, -5:].astype(bool)
    return np.kron(bits, np.ones((LETTER_SCALE, LETTER_SCALE), bool))


def _batch(
    n: int,
    auto_reset: bool,
    variant: str,
    visibility: str,
    seats: str | None,
    opponent: str,
    options: Mapping[str, Any],
) -> tuple[Batch, int]:
    """The games, and the first seat of the agent."""
    board = board_of(variant)
    own = board.teams[0] if seats is None else seats
    numbers = [seat_of_letter(board, letter, "seat") for letter in own]
    if not numbers or not {*own} <= {*board.teams[numbers[0] % 2]}:
        raise JunqiError("bad-argument", f"seats {own!r} are not of one team")
    others = {letter: opponent for letter in board.seats if letter not in own}
    batch = Batch(n, variant, visibility, auto_reset=auto_reset, opponents=others, **options)
    return batch, numbers[0]


class GymEnv(gymnasium.Env[Observation, np.int64]):
    """One game. `seats` are those of the agent, by default the first team; `opponent` plays all others.

    The other arguments are those of `Batch`; `illegal="replace"` lets actions be drawn without the mask. `render`
    gives an RGB array of the true game. `JunqiError` for seats of two teams or another mode, and as `Batch`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        variant: str = "siguo",
        visibility: str = "partner",
        *,
        seats: str | None = None,
        opponent: str = "1.0",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.batch, self._seat = _batch(1, False, variant, visibility, seats, opponent, options)
        self.render_mode = render_mode
        self.observation_space = space_of(self.batch.observer)  # type: ignore[assignment]
        self.action_space = gymnasium.spaces.Discrete(self.batch.observer.frame(0).actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict]:
        """Begin a game. The option `lineups` has line-ups by seat; `JunqiError` for another."""
        lineups = lineups_of(options)
        super().reset(seed=None if seed is None else index(seed))
        self.batch.reset(int(self.np_random.integers(1 << SEED_BITS)), [lineups] if lineups else ())
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict]:
        """`IllegalMove` if the action is not in the mask, unless it is replaced; nothing changes."""
        has_ended = bool(self.batch.step(np.array([action]))[0])
        return self._observe(), float(self.batch.rewards[0, self._seat]), has_ended, False, {}

    def action_masks(self) -> np.ndarray:
        """(actions,) of bool: the legal actions, under the name by which sb3-contrib asks for them."""
        return self.batch.legal_mask()[0].astype(bool)

    def render(self) -> np.ndarray | None:
        board = board_of(self.batch.variant)
        game = GameState(board, self.batch.rules, self.batch.states().positions[0])
        return draw_rgb(game) if self.render_mode == "rgb_array" else None

    def _observe(self) -> Observation:
        seats = [self._seat] if self.batch.results[0] else None
        return {key: array[0] for key, array in self.batch.observe(seats=seats).items()}


class GymVectorEnv(gymnasium.vector.VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Many games, with the arguments of `GymEnv`. A game that ends is replaced in the same step; `final_obs` in the
    infos has the last observation of the agent's first seat.

    After `max_episode_steps` of the agent a game is truncated and replaced too; its last observation is that of the
    seat to move.
    """

    metadata = {"autoreset_mode": SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        variant: str = "siguo",
        visibility: str = "partner",
        *,
        seats: str | None = None,
        opponent: str = "1.0",
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        if max_episode_steps is not None:
            expect_at_least(1, "max_episode_steps", max_episode_steps)
        self.batch, self._seat = _batch(num_envs, True, variant, visibility, seats, opponent, options)
        self.num_envs, self._most_steps = int(num_envs), max_episode_steps
        self._steps = np.zeros(num_envs, np.intp)
        self.single_observation_space = space_of(self.batch.observer)
        self.single_action_space = gymnasium.spaces.Discrete(self.batch.observer.frame(0).actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict]:
        """Begin every game. The option `lineups` has line-ups by seat; or `reset_mask`, (n,) of bool, has the games
        that begin anew, while the others go on. `JunqiError` for another option, or for both.
        """
        lineups, chosen = lineups_of(options, RESET_MASK), (options or {}).get(RESET_MASK)
        if chosen is not None:
            chosen = np.asarray(chosen)
            if lineups:
                raise JunqiError("bad-argument", f"options: lineups are for all games, {RESET_MASK} is for some")
            if chosen.shape != (self.num_envs,) or chosen.dtype != bool:
                raise JunqiError("bad-argument", f"options: {RESET_MASK} is not an array of {self.num_envs} bool")
        super().reset(seed=None if seed is None else index(seed))
        number = int(self.np_random.integers(1 << SEED_BITS))
        if chosen is None:
            self.batch.reset(number, [lineups] if lineups else ())
        else:
            self.batch.begin(np.flatnonzero(chosen), None if seed is None else number)
        self._steps[... if chosen is None else chosen] = 0
        return self.batch.observe(), {}

    def step(self, actions: np.ndarray) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict]:
        """`IllegalMove` if an action is not in its mask, unless they are replaced; nothing changes."""
        has_ended = self.batch.step(actions) > 0
        self._steps += 1
        is_cut = np.zeros_like(has_ended) if self._most_steps is None else self._steps >= self._most_steps
        is_cut &= ~has_ended
        is_over = has_ended | is_cut
        seen, infos = self.batch.observe(), dict[str, Any]()
        if is_over.any():
            final = {key: np.zeros_like(array) for key, array in seen.items()}
            for key, array in self.batch.ended.observation.items():
                final[key][has_ended] = array[:, self._seat]
            for key, array in seen.items():
                final[key][is_cut] = array[is_cut]
            infos = {"final_obs": final, "_final_obs": is_over}
            self._steps[is_over] = 0
        if is_cut.any():
            self.batch.begin(np.flatnonzero(is_cut))
            self.batch.observe(out=seen)
        return seen, self.batch.rewards[:, self._seat], has_ended, is_cut, infos

    def action_masks(self) -> np.ndarray:
        """(n, actions) of bool: the legal actions of each game."""
        return self.batch.legal_mask().astype(bool)


for _variant in BOARDS:
    gymnasium.register(
        f"junqi/{_variant}-v1",
        entry_point="junqi_engine.env:GymEnv",
        vector_entry_point="junqi_engine.env:GymVectorEnv",
        kwargs={"variant": _variant},
    )
