"""Games between the newest player with an aid and without one. The aid is knowledge that no player may have.

The told kinds enter through a second view of the same game, in which they are certain. Only the masks of that view are
used, to draw worlds. The search itself gets the view that the rules allow, and the other side is the plain player.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from junqi_engine.information import worlds
from junqi_engine.information.belief import scale_to_counts
from junqi_engine.information.view import SeatView
from junqi_engine.players.randomness import random_of
from junqi_engine.rules.board import Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import seat_of, slice_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import points_of
from junqi_engine.search.root import Limits, TeamSearch
from tools.training.belief_quality import log_loss
from tools.training.games import play_out, searcher, sensible_lineups, team_view
from tools.training.samples import allowed_kinds, asked_pieces, hidden_seats_alive

MAX_PLIES = 600


@dataclass(frozen=True)
class Aid:
    """What the aided side gets.

    Each hidden enemy piece is told with probability `told`, once for the whole game. `bend` is added to the logarithm
    of the weight that belief gives to the true kind of each piece.
    """

    told: float = 0.0
    bend: float = 0.0

    def __str__(self) -> str:
        words = [f"told {self.told:g}"] if self.told else []
        words += [f"bend {self.bend:g}"] if self.bend else []
        return ", ".join(words) or "no aid"


@dataclass(frozen=True)
class AidedGame:
    """The points of the aided side (1, 0.5 or 0), and its belief over all its positions.

    `pieces` counts the living enemy pieces of all positions that are not certain without the aid. The others are sums
    over these pieces of -ln(probability of the true kind), in nats, without and with the aid.
    """

    points: float
    pieces: int
    plain_nats: float
    aided_nats: float


class AidedPlayer:
    """The newest player with an aid, as a `games.Choose`. It must be made at the start of the game."""

    def __init__(
        self, start: GameState, team: int, aid: Aid, rng: random.Random, team_search: TeamSearch, seed: int, nodes: int
    ) -> None:
        """`rng` draws which pieces are told."""
        self._kinds = start.position["kind"].astype(int)
        self._informed = informed_view(start, team, aid.told, rng)
        self._bend = aid.bend * (self._kinds[:, None] == np.arange(KINDS))
        self._search, self._seed = team_search, seed
        self._limits, self._running = Limits(nodes=nodes), np.zeros(1, np.uint8)
        self._plain: list[np.ndarray] = []
        self._aided: list[np.ndarray] = []
        self._truth: list[np.ndarray] = []
        self._asked: list[np.ndarray] = []

    def __call__(self, view: SeatView, moves: Sequence[int]) -> int:
        for seen in view.record[len(self._informed.record) :]:
            self._informed.observe(seen)
        weights = self._search.belief(view)
        bent = weights + self._bend
        self._note(view, weights, bent)
        # As `search_player.think`, with other masks and weights.
        count = self._search.parameters.world_count(self._limits.nodes)
        drawn = worlds.draw(self._informed, count, random_of(view, self._seed).getrandbits(63), bent)
        return self._search.run(view, drawn, moves, self._limits, self._running)[0].move

    def _note(self, view: SeatView, weights: np.ndarray, bent: np.ndarray) -> None:
        """Keep what both beliefs say of a position; scaling them all at once is fast."""
        for seat in hidden_seats_alive(view):
            is_asked = asked_pieces(view, seat)
            if is_asked.any():
                own = slice_of(seat, PIECES_PER_SEAT)
                self._plain.append(allowed_kinds(view, seat) * np.exp(weights[own]))
                self._aided.append(allowed_kinds(self._informed, seat) * np.exp(bent[own]))
                self._truth.append(self._kinds[own])
                self._asked.append(is_asked)

    def belief(self) -> tuple[int, float, float]:
        """The number of pieces that were not certain without the aid, and the sums of nats, without and with it."""
        if not self._asked:
            return 0, 0.0, 0.0
        truth, is_asked = np.stack(self._truth), np.stack(self._asked)
        pieces = int(is_asked.sum())
        plain, aided = (
            pieces * log_loss(scale_to_counts(np.stack(beliefs)), truth, is_asked)
            for beliefs in (self._plain, self._aided)
        )
        return pieces, plain + 0.0, aided + 0.0  # no -0.0


def informed_view(start: GameState, team: int, told: float, rng: random.Random) -> SeatView:
    """The view of a team at the start that knows each enemy piece with probability `told`, and what follows from it.

    The same `rng` tells all that it tells at a lower probability, and more.
    """
    view = team_view(start, team)
    for piece in np.flatnonzero(view.masks).tolist():
        if not view.sees(seat_of(piece)) and rng.random() < told:
            view.known.narrow(piece, 1 << int(start.position["kind"][piece]))
    if not view.known.deduce():
        raise AssertionError("the true kinds contradict each other")
    view.refresh()
    return view


def play_aided(
    board: Board, pair: int, team: int, aid: Aid, seed: int, nodes: int, searches: Sequence[TeamSearch]
) -> AidedGame:
    """Play one game of a pair; `team` gets the aid. The line-ups depend on the seed and the number of the pair alone,
    so both games of a pair, and the pairs of all aids, have the same.
    """
    lineups = sensible_lineups(board, random.Random(f"{seed} {pair}"))
    truth = GameState.start(board, lineups, replace(Rules.of(board), max_plies=MAX_PLIES))
    aided = AidedPlayer(truth, team, aid, random.Random(f"{seed} {pair} {team}"), searches[team], seed, nodes)
    play_out(truth, [aided if other == team else searcher(searches[other], seed, nodes) for other in range(2)])
    points = points_of(truth.result, team)
    return AidedGame(points, *aided.belief())
