"""The results so far (wins, losses, draws and pairs, by pairing of engines), as text and JSON."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from junqi_engine.api.game_record import GameRecord
from junqi_engine.rules.board import BOARDS
from junqi_referee.endings import Ending
from junqi_referee.settings.schedule import Pairing, PlannedGame
from junqi_referee.sprt import Sprt, SprtVerdict, Strength, score_interval, strength


@dataclass
class SprtState:
    """A sequential test: its counts of pairs so far, their log-likelihood ratio, and its decision."""

    sprt: Sprt
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    llr: float = 0.0
    verdict: SprtVerdict = SprtVerdict.CONTINUE

    def add(self, half_points: int) -> None:
        """Count a pair."""
        self.pentanomial[half_points] += 1
        self.llr = self.sprt.llr(self.pentanomial)
        self.verdict = self.sprt.verdict(self.llr)

    def __str__(self) -> str:
        """The state in one line."""
        sprt, accepted = self.sprt, "" if self.verdict == SprtVerdict.CONTINUE else f": {self.verdict} accepted"
        limits = f"({sprt.lower:.2f}, {sprt.upper:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}]"
        return f"LLR {self.llr:.2f} {limits} {sprt.model}{accepted}"

    def as_json(self) -> dict[str, Any]:
        bounds = {"llr": finite(self.llr), "lower": finite(self.sprt.lower), "upper": finite(self.sprt.upper)}
        return {**asdict(self.sprt), **bounds, "verdict": str(self.verdict)}


@dataclass
class PairingResults:
    """The results of one engine against another, from the point of view of the first.

    `pentanomial` counts finished pairs by the first engine's points: entry n counts pairs with n half points, 0 to 4.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    endings: Counter[Ending] = field(default_factory=Counter)
    faults: Counter[tuple[int, Ending]] = field(default_factory=Counter)
    """Numbers of games by the engine, as its index, that ended them by a fault."""

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def pairs(self) -> int:
        return sum(self.pentanomial)

    @property
    def score(self) -> float | None:
        """Points per game, with a draw as half a point; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def draw_ratio(self) -> float | None:
        """The share of pairs in which both engines got half the points, as in fastchess; None before the first pair."""
        return self.pentanomial[2] / self.pairs if self.pairs else None

    @property
    def pairs_ratio(self) -> float | None:
        """The ratio of pairs won to pairs lost, as in fastchess; None without either, infinite if none was lost."""
        won, lost = sum(self.pentanomial[3:]), sum(self.pentanomial[:2])
        return won / lost if lost else math.inf if won else None

    @property
    def strength(self) -> Strength:
        return strength(self.pentanomial)

    def reversed(self) -> "PairingResults":
        """These results from the other engine's point of view."""
        return replace(self, wins=self.losses, losses=self.wins, pentanomial=self.pentanomial[::-1])

    def plus(self, other: "PairingResults") -> "PairingResults":
        """The sum of both."""
        return PairingResults(
            self.wins + other.wins,
            self.losses + other.losses,
            self.draws + other.draws,
            [a + b for a, b in zip(self.pentanomial, other.pentanomial, strict=True)],
            self.endings + other.endings,
            self.faults + other.faults,
        )


class Standings:
    """The results of all pairings of a schedule.

    With a `sprt`, pairs count in the order of their numbers, up to the deciding pair. The decision therefore does not
    depend on which of several simultaneous games ends first, and a resumed match decides at the same pair as one that
    was not interrupted. A pair in which a game has no result is skipped.
    """

    def __init__(self, engines: Sequence[str], pairings: Iterable[Pairing], sprt: Sprt | None = None) -> None:
        self.engines = engines
        self.by_pairing = {pairing: PairingResults() for pairing in pairings}
        self.test = None if sprt is None else SprtState(sprt)
        self._games: dict[int, tuple[PlannedGame, int, Ending]] = {}
        self._failed: set[int] = set()
        self._tested = 0

    def add(self, plan: PlannedGame, result: str, ending: Ending, teams: tuple[str, str]) -> None:
        """Count a finished game. `result` is one of the variant's `teams`, the winner, or `draw`."""
        winner = teams.index(result) if result in teams else None
        points = 1 if winner is None else 2 * (plan.teams[winner] == plan.pairing[0])
        self._games[plan.game] = (plan, points, ending)
        if self.test is not None:
            self._test(self.test)
            return
        standing = self._count(plan.game)
        if plan.other in self._games:
            standing.pentanomial[points + self._games[plan.other][1]] += 1

    def pass_over(self, game: int) -> None:
        """Skip a game that has failed and gets no result."""
        self._failed.add(game)
        if self.test is not None:
            self._test(self.test)

    @property
    def is_decided(self) -> bool:
        """True if there is a sequential test and it has accepted a hypothesis."""
        return self.test is not None and self.test.verdict != SprtVerdict.CONTINUE

    @property
    def endings(self) -> Counter[Ending]:
        return sum((standing.endings for standing in self.by_pairing.values()), Counter())

    @property
    def games(self) -> int:
        return sum(standing.games for standing in self.by_pairing.values())

    @property
    def faults(self) -> dict[str, dict[str, int]]:
        """The numbers of games by engine and fault; engines without faults are left out."""
        counts = sum((standing.faults for standing in self.by_pairing.values()), Counter())
        found: dict[str, dict[str, int]] = {}
        for (engine, ending), count in sorted(counts.items()):
            found.setdefault(self.engines[engine], {})[str(ending)] = count
        return found

    def total(self, engine: int) -> PairingResults:
        """The results of one engine against all others."""
        total = PairingResults()
        for (one, other), standing in self.by_pairing.items():
            if engine == one:
                total = total.plus(standing)
            elif engine == other:
                total = total.plus(standing.reversed())
        return total

    def between(self, engine: str, against: str) -> PairingResults:
        """The results of `engine` against `against`, by name; empty if the two never meet."""
        one, other = self.engines.index(engine), self.engines.index(against)
        return self.by_pairing.get((one, other)) or self.by_pairing.get((other, one), PairingResults()).reversed()

    def _count(self, game: int) -> PairingResults:
        plan, points, ending = self._games[game]
        standing = self.by_pairing[plan.pairing]
        standing.wins += points == 2
        standing.losses += points == 0
        standing.draws += points == 1
        standing.endings[ending] += 1
        if ending.is_fault:  # the loser is at fault
            standing.faults[plan.pairing[0 if points == 0 else 1], ending] += 1
        return standing

    def _test(self, test: SprtState) -> None:
        while not self.is_decided:
            pair = {2 * self._tested + 1, 2 * self._tested + 2}
            has_failed = not self._failed.isdisjoint(pair)
            if not has_failed and not self._games.keys() >= pair:
                return
            self._tested += 1
            if not has_failed:
                half_points = sum(self._games[game][1] for game in pair)
                standing, _ = map(self._count, sorted(pair))
                standing.pentanomial[half_points] += 1
                test.add(half_points)


def standings_of(records: Iterable[Iterable[GameRecord]]) -> tuple[Standings, int]:
    """The results of finished games, by the names of the engines; of each record, games 2k - 1 and 2k are a pair.

    Games whose teams have one name are left out; the second value is their number.
    """
    names: dict[str, int] = {}
    games, before, ambiguous = [], 0, 0
    for record in records:
        last = before
        for game in record:
            by_team = [
                " + ".join(
                    dict.fromkeys(each["name"] for seats, each in game.engines.items() if set(seats) <= set(team))
                )
                for team in BOARDS[game.variant].teams
            ]
            number = before + game.game
            last = max(last, number + number % 2)
            if game.ending != Ending.INTERRUPTED and by_team[0] == by_team[1]:
                ambiguous += 1
            elif game.ending != Ending.INTERRUPTED:
                one, other = (names.setdefault(name, len(names)) for name in by_team)
                pairing = (min(one, other), max(one, other))
                games.append((PlannedGame(number, pairing, (one, other), game.first, None, game.seed), game))
        before = last
    standings = Standings(list(names), dict.fromkeys(plan.pairing for plan, _ in games))
    for plan, game in games:
        standings.add(plan, game.result, Ending.of(game), BOARDS[game.variant].teams)
    return standings, ambiguous


def elo_text(value: float | None, missing: str = "-") -> str:
    """An Elo number as text; infinities are `inf` and `-inf`."""
    if value is None or math.isnan(value):
        return missing
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value + 0.0:.2f}"


def with_error(value: float | None, error: float | None) -> str:
    """An Elo number with its error, which is left out while it is infinite or unknown."""
    is_known = error is not None and math.isfinite(error)
    return f"{elo_text(value)} +/- {elo_text(error)}" if is_known else elo_text(value)


def finite(value: Any, digits: int = 4) -> Any:
    """A figure for JSON: rounded; None if it is infinite."""
    if isinstance(value, list):
        return [finite(each, digits) for each in value]
    if isinstance(value, float):
        return round(value, digits) + 0.0 if math.isfinite(value) else None
    return value


def summary(standings: Standings) -> str:
    """All results of a match or tournament, as text."""
    blocks = []
    if len(standings.engines) > 2:
        blocks.append(crosstable(standings))
    for (one, other), standing in standings.by_pairing.items():
        title = f"{standings.engines[one]} against {standings.engines[other]}"
        blocks.append("\n".join([title, *(f"  {line}" for line in pairing_lines(standing))]))
    if standings.test is not None:
        blocks[-1] += f"\n  {standings.test}"
    return "\n\n".join(blocks)


FIGURES = ("games", "pairs", "wins", "losses", "draws", "score", "draw_ratio", "pairs_ratio", "pentanomial")


def figures(standing: PairingResults) -> dict[str, Any]:
    """All figures of a pairing, by their names in JSON, for the first engine; None if undefined."""
    strength = asdict(standing.strength)
    interval = [strength.pop("elo_low"), strength.pop("elo_high")]
    return strength | {"elo_interval": interval} | {name: getattr(standing, name) for name in FIGURES}


def percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f} %"


def pairing_lines(standing: PairingResults) -> list[str]:
    """The results of one pairing, as lines of text."""
    found = figures(standing)
    low, high = score_interval(standing.pentanomial)
    interval = f" (95%: {100 * low:.1f} to {100 * high:.1f})" if standing.pairs else ""
    elo, nelo = (with_error(found[name], found[f"{name}_error"]) for name in ("elo", "nelo"))
    elo_low, elo_high = map(elo_text, found["elo_interval"])
    los, drawn = percent(found["los"]), percent(found["draw_ratio"])
    return [
        f"games {standing.games}: {standing.wins} wins, {standing.losses} losses, {standing.draws} draws; "
        f"score {percent(found['score'])}{interval}",
        f"Elo {elo} (95%: {elo_low} to {elo_high}), nElo {nelo}",
        f"LOS {los}, DrawRatio {drawn}, PairsRatio {elo_text(found['pairs_ratio'])}, "
        f"pairs {standing.pairs}, pentanomial (0-2) {standing.pentanomial}",
        "endings: " + (", ".join(f"{name} {count}" for name, count in standing.endings.most_common()) or "-"),
    ]


def faults_text(standings: Standings) -> str:
    """The engines that ended games by faults, in one line; empty without any."""
    faults = standings.faults
    parts = [
        f"{name} {sum(counts.values())} ({', '.join(f'{ending} {count}' for ending, count in counts.items())})"
        for name, counts in faults.items()
    ]
    lost = sum(sum(counts.values()) for counts in faults.values())
    text = f"FAULTS {lost} of {standings.games} games were lost by an engine's fault: {', '.join(parts)}"
    return text if parts else ""


def crosstable(standings: Standings) -> str:
    """A table of the engines, ordered by points, with the results of each against each other one."""
    engines = standings.engines
    totals = [standings.total(index) for index in range(len(engines))]
    order = sorted(range(len(engines)), key=lambda index: (-(totals[index].score or 0), index))
    rows = [["", "engine", "games", "points", "score", "Elo", "+/-", *(engines[index] for index in order)]]
    for place, index in enumerate(order, 1):
        total = totals[index]
        cells = [str(place), engines[index], str(total.games), f"{total.wins + total.draws / 2:g}"]
        cells.append("-" if total.score is None else f"{100 * total.score:.1f}%")
        elo, _, error = with_error(total.strength.elo, total.strength.elo_error).partition(" +/- ")
        cells += [elo, error or "-"]
        for other in order:
            against = standings.between(engines[index], engines[other]) if other != index else PairingResults()
            cells.append(f"{against.wins}-{against.losses}-{against.draws}" if against.games else "")
        rows.append(cells)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[1] = row[1].ljust(widths[1])
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def as_json(standings: Standings) -> dict[str, Any]:
    """The object that `--json` prints."""
    return {
        "engines": list(standings.engines),
        "games": standings.games,
        "endings": _counts(standings.endings),
        "faults": standings.faults,
        "pairings": [
            {
                "engines": [standings.engines[one], standings.engines[other]],
                **{name: finite(value) for name, value in figures(standing).items()},
                "endings": _counts(standing.endings),
            }
            for (one, other), standing in standings.by_pairing.items()
        ],
        "sprt": None if standings.test is None else standings.test.as_json(),
    }


def _counts(endings: Counter[Ending]) -> dict[str, int]:
    return {str(name): count for name, count in sorted(endings.items())}
