"""The player that searches: belief, worlds, search and clock turn a view into scored moves.

The protocol, policies, reviews and self-play all use `SearchPlayer`.
"""

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from junqi_engine.evaluation.evaluator import MATE, PACKAGED, WON, Evaluator, bounded
from junqi_engine.information.belief import opponents, worlds
from junqi_engine.information.belief.marginals import Belief
from junqi_engine.information.view import SeatView, public_info
from junqi_engine.information.world import positions_of_world
from junqi_engine.rules.layout import team_of, to_point_of
from junqi_engine.search.clock import Pace, Timer, stop_in_time
from junqi_engine.search.parameters import MAX_WORLDS, MIN_WORLDS, NODES_PER_WORLD
from junqi_engine.search.root import Report, RootMove, SearchLimits, WorldsSearch

HASH_MB = 16
"""Default hash size in MB."""
FIRST_SPEED = 1700.0
"""Nodes per millisecond and thread, until the speed has been measured."""
MIN_MEASUREMENT_MS = 20
"""Shorter searches are too noisy to measure the speed."""
EVALUATED_WORLDS = 64
"""Number of worlds of `mean_evaluation`."""

FULL_SKILL = 20
WEAK_NODES, WEAK_NODES_GROWTH = 200, 1.5
"""The node limit of skill level 0, and the factor from one level to the next. `FULL_SKILL` has no limit."""
WEAK_NOISE, WEAK_LINES = 25, 8
"""Below full skill: the standard deviation of the noise on scores per missing level, in hundredths of a Lieutenant, and
the number of best moves that get noise.
"""
BEGINNERS_SKILL, BEGINNERS_NOISE, BEGINNERS_LINES = 8, 90, 4
"""For each level below this skill: more candidate moves, and noise that grows with the square. Then beginners can win
(docs/players.md, *Limited strength*).
"""
BEGINNERS_HASTE = 20_000
"""Below `BEGINNERS_SKILL`: the bonus of an attack at the limit on moves without a battle, in hundredths of a
Lieutenant. Such levels search too little to see the limit, and would lose to players who only wait.
"""


class SearchPlayer:
    """The newest player. It keeps its memory from move to move. `search` is the search of its last `think`."""

    def __init__(
        self,
        hash_mb: int = HASH_MB,
        threads: int = 1,
        evaluator: Evaluator = PACKAGED,
        belief: Belief = opponents.belief,
    ) -> None:
        self.evaluator, self.belief = evaluator, belief
        self.search = WorldsSearch(evaluator, hash_mb, threads)
        self._nodes_per_ms = FIRST_SPEED * threads

    def new_game(self) -> None:
        self.search.new_game()

    def think(
        self,
        view: SeatView,
        seed: int,
        moves: Sequence[int],
        limits: SearchLimits,
        stop: np.ndarray,
        *,
        skill: float = FULL_SKILL,
        timer: Timer | None = None,
    ) -> Iterator[Report]:
        """Compare `moves` (`layout.move_of`, at least one), deeper with each report; the last report has the choice.

        The reports depend on the view, the seed, the skill (0 to `FULL_SKILL`) and the limits alone, unless a clock
        limits the search or `stop[0]` ends it. A clock and pondering need a `timer`. Below full skill there is one
        report.
        """
        pace = None if limits.clock is None else limits.clock.pace(view.ply, len(view.board.seats))
        is_pondering, ended = timer is not None and not timer.is_released, threading.Event()
        # Pondering without another limit ends with its release.
        if timer is not None and (pace is not None or not (limits.nodes or limits.depth)):
            arguments = (timer, 0.0 if pace is None else pace.limit_ms, ended)
            threading.Thread(target=stop_in_time, args=arguments, name="clock", daemon=True).start()
        rng = view.generator(seed)
        drawn = self._worlds(view, rng.getrandbits(63), limits.nodes, pace, stop)
        weakness = None if skill >= FULL_SKILL else Weakness.of(skill, len(moves), haste_of(view))
        first: tuple[int, int] | None = None
        try:
            wanted = limits if weakness is None else weakness.limits(limits)
            for report in self.search.iterate(view, drawn, moves, wanted, stop):
                if weakness is None:
                    yield report
                if pace is None or timer is None:
                    continue
                first = first or (timer.elapsed_ms(), report.nodes)
                if timer.is_released and not pace.may_deepen(
                    timer.elapsed_ms(), report.best[0].move, report.best[0].score, report.lead
                ):
                    break
        finally:
            ended.set()
        if weakness is not None:
            yield replace(report, best=weakness.choose(report.best, view, rng)[: limits.lines])
        if first is not None and timer is not None and not is_pondering:
            self._learn_speed(timer.elapsed_ms() - first[0], self.search.nodes - first[1])

    def best_moves(
        self, view: SeatView, seed: int, moves: Sequence[int], limits: SearchLimits, stop: np.ndarray,
        skill: float = FULL_SKILL,
    ) -> list[RootMove]:  # fmt: skip
        """Search without a clock; the best moves with their scores, best first."""
        *_, last = self.think(view, seed, moves, limits, stop, skill=skill)
        return last.best

    def _worlds(self, view: SeatView, seed: int, nodes: int, pace: Pace | None, stop: np.ndarray) -> np.ndarray:
        """The worlds for a search of this many nodes, 0 for no limit; (n, 128)."""
        if not nodes and pace is not None:
            nodes = int(pace.target_ms * self._nodes_per_ms)
        count = 1 if view.is_open else world_count(nodes)
        reader = opponents.read_moves(view, stop)
        is_read = reader is None or reader.length == len(view.record)
        return worlds.sample_distinct_worlds(view, count, seed, self.belief(view) if is_read else None, stop)

    def _learn_speed(self, elapsed_ms: int, nodes: int) -> None:
        """Average the speed with a measurement since the first iteration. Earlier time depends on the position."""
        if elapsed_ms >= MIN_MEASUREMENT_MS:
            self._nodes_per_ms = (self._nodes_per_ms + nodes / elapsed_ms) / 2


def world_count(nodes: int) -> int:
    """The number of worlds for a search of this many nodes, 0 for no limit."""
    worlds = nodes // NODES_PER_WORLD if nodes else MAX_WORLDS
    return max(MIN_WORLDS, min(MAX_WORLDS, worlds))


def mean_evaluation(view: SeatView, evaluator: Evaluator, belief: Belief) -> int:
    """The mean evaluation over worlds sampled from a belief, for the team to move; of a finished game too."""
    sampled = worlds.sample_worlds(view, 1 if view.is_open else EVALUATED_WORLDS, 0, belief(view))
    public, evaluation, total = public_info(view), evaluator.new(1)[0], 0
    for kinds in sampled:
        evaluator.refresh(view.board, positions_of_world(view, kinds)[0], public, evaluation)
        total += bounded(int(evaluation["scores"][0] + evaluation["network"]["scores"][0]))
    return round((-total if team_of(view.turn) else total) / len(sampled))


def haste_of(view: SeatView) -> float:
    """How near the limit on moves without a battle is: 0 up to half of it, then rising to 1."""
    limit = view.rules.no_contact
    return max(0.0, 2 * view.quiet / limit - 1) if limit else 0.0


@dataclass(frozen=True)
class Weakness:
    """A level below full skill: its node limit, noise on the scores of the best `lines` moves, a bonus for attacks."""

    nodes: int
    lines: int
    noise: float
    bonus: float

    @classmethod
    def of(cls, skill: float, moves: int, haste: float) -> "Weakness":
        missing = max(0.0, BEGINNERS_SKILL - skill)
        haste = haste if missing else 0.0
        return cls(
            nodes=int(WEAK_NODES * WEAK_NODES_GROWTH**skill),
            lines=moves if haste else min(moves, WEAK_LINES + int(BEGINNERS_LINES * missing)),
            noise=(1 - haste) * (WEAK_NOISE * (FULL_SKILL - skill) + BEGINNERS_NOISE * missing**2),
            bonus=haste * BEGINNERS_HASTE,
        )

    def limits(self, limits: SearchLimits) -> SearchLimits:
        return replace(limits, nodes=min(limits.nodes or self.nodes, self.nodes), lines=max(limits.lines, self.lines))

    def choose(self, found: list[RootMove], view: SeatView, rng: random.Random) -> list[RootMove]:
        """The moves in the order in which this level likes them. It does not put off a win that it sees."""

        def value(candidate: RootMove) -> float:
            if candidate.score > WON:
                return candidate.score + MATE
            is_attack = view.piece_at(to_point_of(candidate.move)) is not None
            return candidate.score + self.bonus * is_attack + rng.gauss(0.0, self.noise)

        return sorted(found, key=value, reverse=True)
