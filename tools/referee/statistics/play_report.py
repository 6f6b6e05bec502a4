"""How games were played, as text and as JSON."""

from collections.abc import Iterable, Mapping
from statistics import mean, median
from typing import Any

from junqi_engine.rules.board import LINEUP_INDICES
from junqi_engine.rules.pieces import KINDS, LETTERS, NAMES, Outcome
from tools.referee.statistics.play import Event, Phase, PlayCounts

CAUSES = ("flag", "no-moves", "resigned")
ROWS = range(6)
OUTCOMES = {
    Outcome.ATTACKER_WON: "attacker_won",
    Outcome.DEFENDER_WON: "defender_won",
    Outcome.BOTH_REMOVED: "both_removed",
}
_DIGITS = 4


def as_json(counts: PlayCounts) -> dict[str, Any]:
    """All counts and shares. Pieces are by letter; `places` has the 25 shares of a line-up in its order."""
    seats = (*counts.board.seats, *(team for team in counts.board.teams if len(team) > 1))
    plies = counts.total(Event.PLY)
    return {
        "games": counts.games,
        "length": _length(counts),
        "endings": _shares(counts.endings),
        "results": _shares(counts.results),
        "plies": plies,
        "outcomes": _shares({name: counts.outcomes[outcome] for outcome, name in OUTCOMES.items()}),
        "all": _activity(counts),
        "phases": {phase.name.lower(): _activity(counts, phase) for phase in Phase},
        "seats": {seat: _activity(counts, seats=seat) | _fate(counts, seat) for seat in seats},
        "pieces": {
            LETTERS[kind]: _activity(counts, kind=kind)
            | {
                "share_of_plies": {
                    "all": _share(counts.total(Event.PLY, kind=kind), plies),
                    **{
                        phase.name.lower(): _share(
                            counts.total(Event.PLY, phase, kind=kind), counts.total(Event.PLY, phase)
                        )
                        for phase in Phase
                    },
                }
            }
            for kind in _movable()
        },
        "lineups": {
            "count": counts.lineups,
            "mirrored": counts.is_mirrored,
            "places": {
                LETTERS[kind]: [round(counts.frequency(kind, place), _DIGITS) for place in range(len(LINEUP_INDICES))]
                for kind in range(KINDS)
            },
            "rows": {
                LETTERS[kind]: [round(counts.in_row(kind, row), _DIGITS) for row in ROWS] for kind in range(KINDS)
            },
            "headquarters_without_flag": _shares(
                {LETTERS[kind]: count for kind, count in sorted(counts.beside_flag.items())}
            ),
        },
    }


def as_text(counts: PlayCounts) -> str:
    """Plain tables."""
    table = as_json(counts)
    return "\n\n".join(
        "\n".join(lines)
        for lines in (_head(counts, table), _phases(table), _seats(table), _pieces(table), *_lineups(counts, table))
    )


def _movable() -> list[int]:
    return [kind for kind in range(KINDS) if LETTERS[kind] not in "jl"]


def _share(part: int, whole: int) -> float:
    return round(part / whole, _DIGITS) if whole else 0.0


def _shares(counts: Mapping[str, int]) -> dict[str, dict[str, float]]:
    whole = sum(counts.values())
    return {name: {"count": count, "share": _share(count, whole)} for name, count in counts.items()}


def _length(counts: PlayCounts) -> dict[str, float]:
    lengths = counts.lengths or [0]
    return {
        "mean": round(mean(lengths), 1),
        "median": median(lengths),
        "min": min(lengths),
        "max": max(lengths),
        "longest_quiet": max(counts.longest_quiet, default=0),
    }


def _activity(
    counts: PlayCounts, phase: Phase | None = None, seats: str | None = None, kind: int | None = None
) -> dict[str, float]:
    plies, attacks, campsites = (counts.total(event, phase, seats, kind) for event in Event)
    return {"plies": plies, "attacks": _share(attacks, plies), "campsite_entries": _share(campsites, plies)}


def _fate(counts: PlayCounts, seats: str) -> dict[str, float]:
    """What became of some seats; wins are those of their team."""
    eliminated = {cause: sum(counts.eliminations[seat, cause] for seat in seats) for cause in CAUSES}
    wins = sum(count for result, count in counts.results.items() if seats in result or result in seats)
    return eliminated | {"passes": sum(counts.passes[seat] for seat in seats), "wins": _share(wins, counts.games)}


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _columns(title: str, names: Iterable[str], width: int = 10) -> str:
    return f"{title:<22}" + "".join(f"{name:>{width}}" for name in names)


def _head(counts: PlayCounts, table: dict[str, Any]) -> list[str]:
    length = table["length"]

    def shares(name: str) -> str:
        found = sorted(table[name].items(), key=lambda item: (-item[1]["count"], item[0]))
        return ", ".join(f"{key.replace('_', ' ')} {_percent(value['share'])}" for key, value in found)

    return [
        f"{counts.board.variant}: games {table['games']}, plies {table['plies']}, line-ups {table['lineups']['count']}",
        f"length     median {length['median']:g}, mean {length['mean']:g}, {length['min']} to {length['max']} plies; "
        f"longest run without a battle {length['longest_quiet']}",
        f"results    {shares('results')}",
        f"endings    {shares('endings')}",
        f"battles    {shares('outcomes')}",
    ]


def _phases(table: dict[str, Any]) -> list[str]:
    parts = {"all": table["all"], **table["phases"]}
    return [
        _columns("thirds of a game", parts),
        _columns("plies", (str(part["plies"]) for part in parts.values())),
        _columns("attacks", (_percent(part["attacks"]) for part in parts.values())),
        _columns("campsite entries", (_percent(part["campsite_entries"]) for part in parts.values())),
    ]


def _seats(table: dict[str, Any]) -> list[str]:
    seats = table["seats"]
    lines = [_columns("seats and teams", seats)]
    for key in ("plies", *CAUSES, "passes"):
        title = key if key in ("plies", "passes") else f"eliminated: {key}"
        lines.append(_columns(title, (str(seat[key]) for seat in seats.values())))
    for key in ("attacks", "campsite_entries", "wins"):
        lines.append(_columns(key.replace("_", " "), (_percent(seat[key]) for seat in seats.values())))
    return lines


def _pieces(table: dict[str, Any]) -> list[str]:
    lines = [_columns("share of plies", ("all", *(phase.name.lower() for phase in Phase), "attacks", "campsites"))]
    for letter, piece in table["pieces"].items():
        shares = [*piece["share_of_plies"].values(), piece["attacks"], piece["campsite_entries"]]
        lines.append(_columns(_name(letter), map(_percent, shares)))
    return lines


def _lineups(counts: PlayCounts, table: dict[str, Any]) -> list[list[str]]:
    lineups = table["lineups"]
    rows = [_columns("starts in", (f"row {row}" for row in ROWS))]
    rows += [_columns(_name(letter), map(_percent, shares)) for letter, shares in lineups["rows"].items()]
    mirrored = ", mirrored so that the flag is on the left" if counts.is_mirrored else ""
    places = [f"% of line-ups with the piece at a place (row, then column){mirrored}"]
    row_of = [index // 5 for index in LINEUP_INDICES]
    heads = ["".join(f"{index % 5:>4}" for index in LINEUP_INDICES if index // 5 == row) for row in ROWS]
    places.append(f"{'column':<16}" + " |".join(heads))
    for letter, shares in lineups["places"].items():
        cells = [
            "".join(f"{100 * share:>4.0f}" for share, found in zip(shares, row_of, strict=True) if found == row)
            for row in ROWS
        ]
        places.append(f"{_name(letter):<16}" + " |".join(cells))
    beside = ", ".join(
        f"{_name(letter)} {_percent(found['share'])}" for letter, found in lineups["headquarters_without_flag"].items()
    )
    return [rows, places, [f"in the headquarters without the flag: {beside}"]]


def _name(letter: str) -> str:
    return NAMES[LETTERS.index(letter)].rpartition(" ")[0]
