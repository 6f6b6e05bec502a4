"""Pairs of games between the newest player with an aid and without one, and the table of what the aids are worth."""

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context

from junqi_engine.players.registry import newest_search
from junqi_engine.rules.board import BOARDS
from junqi_engine.search.root import TeamSearch
from tools.referee.statistics.elo import PAIR_SCORES, strength
from tools.training.informed import Aid, play_aided
from tools.training.knowledge_results import PairKey, PairResult

HASH_MB = 4
HEAD = (
    f"{'aid':<12}{'pairs':>6}{'score':>8}{'wins-losses-draws':>19}{'Elo, 95% interval':>25}{'its enemy':>11}"
    f"{'plain':>8}{'aided':>8}{'Elo per 0.1 nats':>18}"
)


def play_all(keys: Sequence[PairKey], processes: int) -> Iterator[PairResult]:
    """Play pairs, each in one process; the results as they come."""
    if processes == 1 or len(keys) < 2:
        yield from map(play_pair, keys)
        return
    with ProcessPoolExecutor(min(processes, len(keys)), get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play_pair, key) for key in keys]):
            yield future.result()


def play_pair(key: PairKey) -> PairResult:
    """Play both games of a pair."""
    aid, board = Aid(key.told, key.bend), BOARDS[key.variant]
    games = [play_aided(board, key.pair, team, aid, key.seed, key.nodes, _searches()) for team in range(2)]
    first, second = games
    return PairResult(
        key,
        (first.points, second.points),
        first.pieces + second.pieces,
        first.plain_nats + second.plain_nats,
        first.aided_nats + second.aided_nats,
    )


@cache
def _searches() -> tuple[TeamSearch, TeamSearch]:
    """The searches of this process, by team."""
    return newest_search().new_search(HASH_MB), newest_search().new_search(HASH_MB)


def table(results: Iterable[PairResult]) -> Iterator[str]:
    """A head and a line for each aid, in the order in which they first occur."""
    by_aid: dict[Aid, list[PairResult]] = {}
    for result in results:
        by_aid.setdefault(Aid(result.key.told, result.key.bend), []).append(result)
    yield HEAD
    for aid, group in by_aid.items():
        yield _row(aid, group)


def _row(aid: Aid, group: Sequence[PairResult]) -> str:
    scores = [sum(result.points) / 2 for result in group]
    found = strength([scores.count(score) for score in PAIR_SCORES])
    assert found.elo is not None and found.elo_low is not None and found.elo_high is not None
    points = [one for result in group for one in result.points]
    decided = f"{points.count(1)}-{points.count(0)}-{points.count(0.5)}"
    pieces = max(1, sum(result.pieces for result in group))
    plain = sum(result.plain_nats for result in group) / pieces
    aided = sum(result.aided_nats for result in group) / pieces
    per_nats = f"{found.elo * 0.1 / (plain - aided):.0f}" if plain > aided and math.isfinite(found.elo) else "-"
    return (
        f"{aid!s:<12}{len(group):>6}{found.score:>8.1%}{decided:>19}"
        f"{f'{found.elo:+.0f} [{found.elo_low:+.0f}, {found.elo_high:+.0f}]':>25}{-found.elo:>+11.0f}"
        f"{plain:>8.3f}{aided:>8.3f}{per_nats:>18}"
    )
