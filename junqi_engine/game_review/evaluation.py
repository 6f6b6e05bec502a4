"""The values of the positions of a game: fair, from what a player knows, and true, from all pieces.

A value is a *chance*: the probability to win plus half of that to draw, of the player's team. It comes from the score
of the search by the calibration that `UCI_ShowWDL` prints (`win_chances`). Worlds in which the game is won or lost by
force count as that; the mean score of the others has a chance.

The player to move gets two searches over worlds drawn from its belief. The first compares all moves. The second
compares only the best of these with the move that was played, or with the second best if the best was played, over more
and new worlds. So both values come from the same worlds at the same depth, and the best move has no advantage from
having been chosen by chance. For a player who is not to move, each of its worlds is searched alone, for the enemy: the
enemy knows its own pieces and may have other moves in each world.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.evaluation.evaluator import WON
from junqi_engine.evaluation.win_chances import chances
from junqi_engine.game_review.reviewed_game import ReviewedGame, is_battle, is_quiet
from junqi_engine.information.belief import worlds
from junqi_engine.information.view import SeatView
from junqi_engine.information.world import positions_of_world
from junqi_engine.notation.moves import OPEN_VIEWER, format_code, format_move, parse_move
from junqi_engine.players.search_player import SearchPlayer, world_count
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import are_enemies, team_of
from junqi_engine.rules.position import Result
from junqi_engine.rules.position_reader import legal_moves
from junqi_engine.search.root import SearchLimits

DUEL_NODES_PER_WORLD = 2_500
MIN_DUEL_WORLDS, MAX_DUEL_WORLDS = 16, 96
"""Two moves are compared over more worlds than all moves, since the value of a battle differs most between worlds."""
TRUE_SHARE = 0.25
"""Nodes of a search of the true world, as a share of the nodes of other searches, which have many worlds."""
MIN_NODES = 1_000


@dataclass(frozen=True)
class ReviewSettings:
    """The `nodes` of a search (`TRUE_SHARE` of them for the true position), and the `seed` of the worlds."""

    nodes: int = 200_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.nodes < MIN_NODES:
            raise ValueError(f"nodes: {self.nodes} is less than {MIN_NODES}")


@dataclass(frozen=True)
class Choice:
    """The best move and the played one, with their chances in the eyes of the player to move.

    `line` is the principal variation of the best move in one of the worlds. `glance_loss` is the loss of the played
    move by a search of one ply; only for battles, otherwise 0.
    """

    best: str
    best_chance: float
    played_chance: float
    line: tuple[str, ...]
    glance_loss: float = 0.0


@dataclass(frozen=True)
class StepValues:
    """The values of the position before a step.

    `fair` has a chance by player: always of the player to move, of the others only after a step that has shown them
    something (`needs_value`). `truth` is the chance of the first team if nothing were hidden. `choice` is None if the
    step is not a move. `turn` is the seat to move, -1 if the game is over by the rules; the chances are then the
    rewards. `nodes` are the nodes searched.
    """

    step: int
    turn: int
    fair: dict[str, float]
    truth: float
    choice: Choice | None
    nodes: int = field(default=0, compare=False)


class ReviewStopped(Exception):
    """Raised when the stop flag is set; the current step is lost."""


class StepEvaluator:
    """An evaluator of the positions of one game. It keeps the memory of a search, so each thread needs its own."""

    def __init__(self, game: ReviewedGame, settings: ReviewSettings, stop: np.ndarray | None = None) -> None:
        """Setting `stop[0]` ends a search with `ReviewStopped`."""
        self.game, self.settings = game, settings
        self._at = game.before(0)
        self._stop = np.zeros(1, np.uint8) if stop is None else stop
        player = SearchPlayer()
        self._search, self._belief = player.search, player.belief
        self._nodes = 0

    def values_before(self, step: int) -> StepValues:
        """The values before a step; `len(game.steps)` is the end. They depend only on game, settings and step."""
        game = self.game
        self._at = at = game.before(step, self._at)
        self._nodes = 0
        truth = at.state
        if truth.result != Result.ONGOING:
            rewards = {player: _reward_by_rules(game, truth.result, player) for player in game.players}
            return StepValues(step, -1, rewards, _reward_by_rules(game, truth.result, game.players[0]), None)
        seen = parse_move(game.board, game.steps[step]) if step < len(game.steps) else None
        mover, views = game.player_of(truth.turn), game.views(at)
        choice, own = self._choice(views[mover], seen if seen is not None and seen.is_ply else None)
        fair = {mover: own}
        before = truth.record[-1] if step else None
        for player in game.players:
            if player != mover and needs_value(before):
                fair[player] = self._chance_of_watcher(views[player], player)
        true_chance = self._true_chance(at.view(OPEN_VIEWER).state)
        return StepValues(step, truth.turn, fair, true_chance, choice, self._nodes)

    def _choice(self, view: SeatView, played: SeenMove | None) -> tuple[Choice | None, float]:
        """The choice of the player to move and its chance; None if the step is not a move."""
        moves = view.legal_moves()
        rng = view.generator(self.settings.seed)
        if played is None:
            only = self._run(view, rng, moves, 1)
            return None, only.chances[only.best]
        has_choice = len(moves) > 1
        first = last = self._run(view, rng, moves, min(2, len(moves)))
        if has_choice:
            # If the best move was played, its rival is the second: a search ends early without a comparison.
            rival = next(move for move in first.chances if move != first.best)
            rivals = [first.best, rival if first.best == played.move else played.move]
            last = self._run(view, rng, rivals, 2, is_duel=True)
        best, board = last.best, view.board
        line = (format_code(board, best), *(format_move(board, seen) for seen in self._search.pv_after(best)))
        glance_loss = 0.0
        if has_choice and is_battle(played):
            glance = self._run(view, view.generator(self.settings.seed), moves, len(moves), depth=1)
            glance_loss = glance.chances[glance.best] - glance.chances[played.move]
        best_chance, played_chance = last.chances[best], last.chances[played.move]
        choice = Choice(format_code(board, best), best_chance, played_chance, line, glance_loss)
        return choice, best_chance

    def _run(
        self,
        view: SeatView,
        rng: random.Random,
        moves: Sequence[int],
        lines: int,
        is_duel: bool = False,
        depth: int = 0,
    ) -> "_Scores":
        """Compare moves over new worlds, and report this many `lines`; a `depth` of 0 is no limit."""
        nodes = self.settings.nodes
        count = 1 if view.is_open else world_count(nodes)
        if is_duel and not view.is_open:
            count = max(MIN_DUEL_WORLDS, min(MAX_DUEL_WORLDS, nodes // DUEL_NODES_PER_WORLD))
        drawn = worlds.sample_worlds(view, count, rng.getrandbits(63), self._belief(view), self._stop)
        limits = SearchLimits(depth, nodes, lines)
        return self._searched(view, drawn, moves, limits)

    def _searched(self, view: SeatView, drawn: np.ndarray, moves: Sequence[int], limits: SearchLimits) -> "_Scores":
        *_, last = self._search.iterate(view, drawn, moves, limits, self._stop)
        self._nodes += self._search.nodes
        if self._stop[0]:
            raise ReviewStopped
        return _Scores({root.move: chance_of_worlds(view, self._search.world_scores(root.move)) for root in last.best})

    def _chance_of_watcher(self, view: SeatView, player: str) -> float:
        """The chance of a player who is not to move, from the scores that the enemy reaches in each of its worlds."""
        nodes = self.settings.nodes
        count = 1 if view.is_open else world_count(nodes)
        rng = view.generator(self.settings.seed)
        drawn = worlds.sample_worlds(view, count, rng.getrandbits(63), self._belief(view), self._stop)
        limits = SearchLimits(nodes=max(MIN_NODES, nodes // count))
        scores = []
        for kinds in drawn:
            moves = legal_moves(view.board, positions_of_world(view, kinds))
            if moves:
                found = self._searched(view, kinds[None], moves, limits)
                scores.append(self._search.world_scores(found.best))
        if self._stop[0]:
            raise ReviewStopped
        chance = chance_of_worlds(view, np.concatenate(scores)) if scores else 0.5
        return 1 - chance if are_enemies(view.board.seats.index(player[0]), view.turn) else chance

    def _true_chance(self, view: SeatView) -> float:
        nodes = max(MIN_NODES, int(self.settings.nodes * TRUE_SHARE))
        kinds = view.position["kind"][None]
        found = self._searched(view, kinds, view.legal_moves(), SearchLimits(nodes=nodes))
        chance = found.chances[found.best]
        return 1 - chance if team_of(view.turn) else chance


def needs_value(before: SeenMove | None) -> bool:
    """Whether a player who is not to move needs its own value: at the start, and if the last step was not quiet."""
    return before is None or not is_quiet(before)


@dataclass(frozen=True)
class _Scores:
    """The chances of the moves in the report of a search, best mean score first."""

    chances: dict[int, float]

    @property
    def best(self) -> int:
        """The move with the best chance; among equals, with the best mean score."""
        return max(self.chances, key=self.chances.__getitem__)


def chance_of_worlds(view: SeatView, scores: np.ndarray) -> float:
    """The chance of the team to move from its scores in each world: to win, plus half of that to draw.

    Wins and losses are counted, because a mean of scores would be dominated by them.
    """
    open_scores = scores[np.abs(scores) <= WON]
    sure = float(np.count_nonzero(scores > WON))
    if not len(open_scores):
        return sure / len(scores)
    win, draw, _ = chances(view.board.variant, float(open_scores.mean()), view.ply)
    return (sure + len(open_scores) * (win + draw / 2)) / len(scores)


def _reward_by_rules(game: ReviewedGame, result: Result, player: str) -> float:
    if result == Result.DRAW:
        return 0.5
    return 1.0 if game.board.teams[result - Result.TEAM_0] == game.team_of(player) else 0.0
