"""Junqi as a PettingZoo AEC environment: the seats act in turn."""

import random
from collections.abc import Mapping
from copy import deepcopy
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from junqi_engine.api.game import Game, View
from junqi_engine.api.readable import board_of, lineups_by_seat, seat_of_letter
from junqi_engine.env.observation import Observation, Observer
from junqi_engine.errors import IllegalMove, expect_at_least, expect_one_of
from junqi_engine.notation.drawing import draw_svg, draw_text
from junqi_engine.notation.moves import format_code, format_viewer, parse_move
from junqi_engine.players.lineup_choice import sensible
from junqi_engine.rules.board import viewer_seats
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position_reader import why_illegal
from junqi_engine.rules.visibility import Visibility

PETTINGZOO_TESTS = "options"
"""An option of `reset` that PettingZoo's own tests pass."""
MAX_COUNT = 1000.0
"""Upper bound of the entries of `counts`, since no game has a million plies."""


def aec(variant: str = "siguo", visibility: str = "partner", **settings: Any) -> AECEnv:
    """A `JunqiEnv` in PettingZoo's wrappers, which check the order of calls; `settings` are its other arguments."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(JunqiEnv(variant, visibility, **settings)))


class JunqiEnv(AECEnv):
    """The environment without wrappers; `game` is the true game.

    `visibility`: a seat sees its own pieces (`dark`), also its partner's (`partner`), or all (`open`). The agents are
    the seats. An eliminated seat stays an agent, without turns, because it shares the result of its team. The reward is
    1 for a win, -1 for a loss, 0 for a draw, once, at the end. After `max_cycles` moves of every seat the game is
    truncated. `history` is as in `Observer`. `Refused` for an unknown variant, visibility or mode.

    `render` returns text (`ansi`) or SVG (`svg`), or prints the text (`human`). `reset` takes the option `lineups`, by
    seat; missing ones are drawn from the seed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "junqi_v1",
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        variant: str = "siguo",
        visibility: str = "partner",
        *,
        rules: Rules | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        history: int | None = None,
    ) -> None:
        super().__init__()
        self.board = board_of(variant)
        expect_one_of("visibility", visibility, Visibility)
        expect_one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.visibility, self.rules = visibility, Rules.of(self.board, rules)
        if max_cycles is not None:
            expect_at_least(1, "max_cycles", max_cycles)
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.possible_agents = list(self.board.seats)
        self.agents = list(self.possible_agents)
        self.observer = Observer(variant, history)
        self._rng = random.Random()
        space, points = space_of(self.observer), len(self.board.points)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(points * points) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. `BadLineup` for a line-up that is not legal, `Refused` for an unknown option."""
        for name in options or {}:
            expect_one_of("option", name, ("lineups", PETTINGZOO_TESTS))
        lineups = lineups_by_seat(self.board, (options or {}).get("lineups"))
        if seed is not None:
            self._rng = random.Random(index(seed))
        for seat in self.possible_agents:
            drawn = sensible(self._rng)
            lineups.setdefault(seat, drawn)
        self.game = Game(self.board.variant, lineups, rules=self.rules)
        self._cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.game.turn
        self._tell_masks()

    def action_mask(self, agent: str) -> np.ndarray:
        """The legal actions of an agent, as in its observation, (actions,) of int8."""
        frame = self.observer.frame(seat_of_letter(self.board, agent, "agent"))
        mask = np.zeros(frame.actions, np.int8)
        if agent == self.game.turn and not self.game.is_game_over():
            mask[[frame.action_of(move) for move in self.game.state.legal_moves()]] = 1
        return mask

    def _tell_masks(self) -> None:
        """Publish the masks in `infos` too, for wrappers that read them there."""
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self.action_mask(self.agent_selection)}

    def view(self, agent: str) -> View:
        """The view of an agent now, for policies."""
        viewer = viewer_seats(self.board, self.visibility, seat_of_letter(self.board, agent, "agent"))
        return self.game.view(format_viewer(self.board, viewer))

    def observe(self, agent: str) -> Observation:
        return self.observer.observe(self.view(agent), agent)

    def action_of(self, agent: str, move: str) -> int:
        """The action of an agent's move."""
        frame = self.observer.frame(seat_of_letter(self.board, agent, "agent"))
        return frame.action_of(parse_move(self.board, move).move)

    def step(self, action: int | None) -> None:
        """Act as the selected agent. `IllegalMove` if the action is not in its mask, TypeError if it is not a whole
        number; then nothing changes.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove("illegal-move", f"{agent} must move: None is for agents whose game has ended")
        frame, number = self.observer.frame(self.board.seats.index(agent)), index(action)
        move = frame.move_of(number) if 0 <= number < frame.actions else None
        legal = self.game.state.legal_moves()
        if move is None:
            raise IllegalMove("illegal-move", f"action {action} of {agent} is not from 0 to {frame.actions - 1}")
        if move not in legal:
            text = f"{format_code(self.board, move)}: {why_illegal(self.board, self.game.state, move)}"
            raise IllegalMove("illegal-move", f"action {action} of {agent}, {text}")
        self.game.push(format_code(self.board, move))
        self._cycles += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.is_game_over():
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = self.game.returns()
        elif self.max_cycles is not None and self._cycles >= self.max_cycles * len(self.possible_agents):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.game.turn
        self._tell_masks()
        self._accumulate_rewards()

    def render(self) -> str | None:
        drawing = "\n".join(draw_text(self.game.state))
        if self.render_mode == "human":
            print(drawing)
            return None
        if self.render_mode == "ansi":
            return drawing
        return draw_svg(self.game.state) if self.render_mode == "svg" else None

    def __copy__(self) -> "JunqiEnv":
        return deepcopy(self)

    def close(self) -> None:
        """Do nothing: the environment has no open resources."""


def space_of(observer: Observer) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, observer.shape, np.uint8),
            "counts": spaces.Box(0, MAX_COUNT, (observer.count_entries,), np.float32),
            "action_mask": spaces.Box(0, 1, (observer.frame(0).actions,), np.int8),
        }
    )
