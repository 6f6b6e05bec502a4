"""The results in words and in JSON."""

from collections.abc import Sequence
from typing import Any

from tools.referee.results.standings import Standing, Standings, elo_text, finite
from tools.referee.statistics.sprt import Sprt, Verdict


def summary(standings: Standings) -> str:
    """All there is to say of a match or tournament, for people."""
    blocks = []
    if len(standings.engines) > 2:
        blocks.append(crosstable(standings))
    for (one, other), standing in standings.by_pairing.items():
        title = f"{standings.engines[one]} against {standings.engines[other]}"
        blocks.append("\n".join([title, *(f"  {line}" for line in pairing_lines(standing))]))
    if standings.sprt is not None:
        blocks[-1] += "\n  " + sprt_line(standings.sprt, standings.llr, standings.verdict)
    return "\n\n".join(blocks)


def pairing_lines(standing: Standing) -> list[str]:
    """The figures of one pairing, in lines."""
    strength = standing.strength
    results = f"{standing.wins} wins, {standing.losses} losses, {standing.draws} draws"
    score = "-" if standing.score is None else f"{100 * standing.score:.2f} %"
    los = "-" if strength.los is None else f"{100 * strength.los:.2f} %"
    draws = f"{100 * standing.draws / standing.games:.2f} %" if standing.games else "-"
    elo = f"{elo_text(strength.elo)} +/- {elo_text(strength.elo_error)}"
    interval = f"95%: {elo_text(strength.elo_low)} to {elo_text(strength.elo_high)}"
    return [
        f"games {standing.games}: {results}; score {score}",
        f"Elo {elo} ({interval}), nElo {elo_text(strength.nelo)} +/- {elo_text(strength.nelo_error)}",
        f"LOS {los}, draw ratio {draws}, pairs {standing.pairs}, pentanomial (0-2) {standing.pentanomial}",
        "endings: " + (", ".join(f"{name} {count}" for name, count in standing.endings.most_common()) or "-"),
    ]


def sprt_line(sprt: Sprt, llr: float, verdict: Verdict) -> str:
    """The state of a sequential test."""
    accepted = "" if verdict == Verdict.CONTINUE else f": {verdict} accepted"
    bounds = f"({sprt.lower:.2f}, {sprt.upper:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model}"
    return f"LLR {llr:.2f} {bounds}{accepted}"


def crosstable(standings: Standings) -> str:
    """Engines by points, each with its score against each other one."""
    rows = cross_rows(standings)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].rjust(widths[0]), row[1].ljust(widths[1])]
        cells += [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def cross_rows(standings: Standings) -> list[list[str]]:
    """The crosstable as cells, its heading first."""
    engines = standings.engines
    totals = [standings.total(index) for index in range(len(engines))]
    order = sorted(range(len(engines)), key=lambda index: (-(totals[index].score or 0), index))
    rows = [["", "engine", "games", "points", "score", "Elo", "+/-", *(engines[index] for index in order)]]
    for place, index in enumerate(order, 1):
        total = totals[index]
        points = total.wins + total.draws / 2
        cells = [str(place), engines[index], str(total.games), f"{points:g}"]
        cells.append("-" if total.score is None else f"{100 * total.score:.1f}%")
        cells += [elo_text(total.strength.elo), elo_text(total.strength.elo_error)]
        for other in order:
            against = standings.between(engines[index], engines[other]) if other != index else Standing()
            cells.append(f"{against.wins}-{against.losses}-{against.draws}" if against.games else "")
        rows.append(cells)
    return rows


def as_json(standings: Standings) -> dict[str, Any]:
    """The one object that `--json` ends with."""
    pairings = [
        pairing_json([standings.engines[one], standings.engines[other]], standing, standings)
        for (one, other), standing in standings.by_pairing.items()
    ]
    if len(pairings) == 1:
        return pairings[0]
    return {
        "engines": list(standings.engines),
        "games": standings.games,
        "endings": {str(name): count for name, count in sorted(standings.endings.items())},
        "pairings": pairings,
    }


def pairing_json(engines: Sequence[str], standing: Standing, standings: Standings) -> dict[str, Any]:
    """One pairing, from the first engine's side; null where a figure is infinite or not to be had."""
    strength = standing.strength
    sprt = standings.sprt
    return {
        "engines": list(engines),
        "games": standing.games,
        "pairs": standing.pairs,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
        "score": finite(standing.score),
        "draw_ratio": finite(standing.draws / standing.games if standing.games else None),
        "pentanomial": standing.pentanomial,
        "elo": finite(strength.elo),
        "elo_error": finite(strength.elo_error),
        "elo_interval": [finite(strength.elo_low), finite(strength.elo_high)],
        "nelo": finite(strength.nelo),
        "nelo_error": finite(strength.nelo_error),
        "los": finite(strength.los),
        "endings": {str(name): count for name, count in sorted(standing.endings.items())},
        "sprt": None if sprt is None else sprt_json(sprt, standings.llr, standings.verdict),
    }


def sprt_json(sprt: Sprt, llr: float, verdict: Verdict) -> dict[str, Any]:
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "model": str(sprt.model),
        "llr": finite(llr),
        "lower": finite(sprt.lower),
        "upper": finite(sprt.upper),
        "verdict": str(verdict),
    }
