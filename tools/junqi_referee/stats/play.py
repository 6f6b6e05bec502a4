"""How games were played: line-ups, moves by kind and phase, attacks, eliminations, lengths and endings.

As counts, as text and as JSON.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from statistics import mean, median
from typing import Any

from junqi_engine.notation.moves import parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import HEADQUARTERS_INDICES, LINEUP_INDICES, Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.pieces import COUNTS, FLAG, KINDS, LETTERS, NAMES, PIECES_PER_SEAT, Outcome
from junqi_referee.records.game_record import GameRecord
from junqi_referee.stats.attacks import AttackCounts, attacks_json, attacks_text
from junqi_referee.stats.pieces import Pieces

FLAG_PLACES = tuple(LINEUP_INDICES.index(index) for index in HEADQUARTERS_INDICES)
"""The places of a line-up that are headquarters, left and right."""
NO_NAME = "?"
"""The name of an engine that the record does not name."""


class Phase(IntEnum):
    """A third of the plies of a game."""

    OPENING = 0
    MIDDLE = 1
    END = 2


class Event(IntEnum):
    """What is counted of a ply."""

    PLY = 0
    ATTACK = 1
    CAMPSITE = 2
    """The piece enters a campsite."""


class PlayCounts:
    """The counts of games of one variant.

    `plies` is by (event, phase, seat letter, kind). `places` is by kind, then by place in the line-up, 12 x 25.
    `eliminations` is by (seat letter, cause): `flag`, `no-moves` or `resigned`. `attacks` are by the engine.
    """

    def __init__(self, board: Board, is_mirrored: bool = False) -> None:
        """With `is_mirrored`, line-ups whose flag is on the right are mirrored, so that it is always on the left."""
        self.board = board
        self.is_mirrored = is_mirrored
        self.lineups = 0
        self.places = [[0] * PIECES_PER_SEAT for _ in range(KINDS)]
        self.beside_flag: Counter[int] = Counter()
        """The kind in the headquarters without the flag."""
        self.plies: Counter[tuple[Event, Phase, str, int]] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.attacks = AttackCounts()
        self.eliminations: Counter[tuple[str, str]] = Counter()
        self.passes: Counter[str] = Counter()
        self.lengths: list[int] = []
        self.longest_quiet: list[int] = []
        """By game, the longest run of plies without a battle."""
        self.endings: Counter[str] = Counter()
        self.results: Counter[str] = Counter()

    @property
    def games(self) -> int:
        return len(self.lengths)

    def add(self, game: GameRecord) -> None:
        """Count a game that follows the rules."""
        for letters in game.lineups.values():
            self._add_lineup(letters)
        seen = [parse_move(self.board, text) for text in game.moves]
        names = {seat: str(game.engine_of(seat).get("name") or NO_NAME) for seat in self.board.seats}
        self.attacks.add_game({(team, names[seat]) for team in self.board.teams for seat in team})
        self._add_moves(game.lineups, names, seen)
        self.endings[str(game.ending)] += 1
        self.results[game.result] += 1

    def total(self, event: Event, phase: Phase | None = None, seats: str | None = None, kind: int | None = None) -> int:
        """The number of events; None counts all phases, seats or kinds."""
        return sum(
            count
            for (found, found_phase, seat, found_kind), count in self.plies.items()
            if found == event
            and phase in (None, found_phase)
            and (seats is None or seat in seats)
            and kind in (None, found_kind)
        )

    def frequency(self, kind: int, place: int) -> float:
        """The share of line-ups that have a kind at a place."""
        return self.places[kind][place] / self.lineups if self.lineups else 0.0

    def in_row(self, kind: int, row: int) -> float:
        """The share of the pieces of a kind that start in a row."""
        places = [place for place, index in enumerate(LINEUP_INDICES) if index // 5 == row]
        return sum(self.frequency(kind, place) for place in places) / COUNTS[kind]

    def _add_lineup(self, letters: str) -> None:
        left, right = FLAG_PLACES
        if self.is_mirrored and letters[right] == LETTERS[FLAG]:
            letters = lineup.mirror(letters)
        self.lineups += 1
        for place, letter in enumerate(letters):
            self.places[LETTERS.index(letter)][place] += 1
        self.beside_flag[LETTERS.index(letters[left if letters[right] == LETTERS[FLAG] else right])] += 1

    def _add_moves(self, lineups: Mapping[str, str], names: Mapping[str, str], moves: Sequence[SeenMove]) -> None:
        pieces = Pieces(self.board, lineups)
        length = sum(seen.is_ply for seen in moves)
        ply = quiet = longest = 0
        for seen in moves:
            if seen.passed is not None:
                self.passes[self.board.seats[seen.passed]] += 1
            if seen.is_ply:
                piece = pieces.at(seen.from_point)
                seat, kind = piece.seat, piece.kind
                phase = Phase(len(Phase) * ply // length)
                is_attack = seen.outcome != Outcome.NO_BATTLE
                self.plies[Event.PLY, phase, seat, kind] += 1
                self.plies[Event.ATTACK, phase, seat, kind] += is_attack
                self.plies[Event.CAMPSITE, phase, seat, kind] += self.board.is_campsite(seen.to_point)
                if is_attack:
                    self.outcomes[seen.outcome] += 1
                    self.attacks.add(names[seat], piece, pieces.at(seen.to_point), seen.outcome)
                quiet = 0 if is_attack else quiet + 1
                longest = max(longest, quiet)
                ply += 1
            for seat, cause in pieces.eliminations(seen):
                self.eliminations[seat, cause] += 1
            pieces.play(seen)
        self.lengths.append(length)
        self.longest_quiet.append(longest)


CAUSES = ("flag", "no-moves", "resigned")
ROWS = range(6)
OUTCOMES = {
    Outcome.ATTACKER_WON: "attacker_won",
    Outcome.DEFENDER_WON: "defender_won",
    Outcome.BOTH_REMOVED: "both_removed",
}
_DIGITS = 4


def as_json(counts: PlayCounts) -> dict[str, Any]:
    """All counts and shares. Pieces are by letter; `places` has the 25 shares of a line-up in its order.

    `attacks_by_target` is by engine.
    """
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
        "attacks_by_target": attacks_json(counts.attacks),
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
    table = as_json(counts)
    return "\n\n".join(
        "\n".join(lines)
        for lines in (
            *(_head(counts, table), _phases(table), _seats(table), _pieces(table)),
            *attacks_text(table["attacks_by_target"]),
            *_lineups(counts, table),
        )
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
