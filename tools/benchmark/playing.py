"""Pairs of games of the player that is evaluated, each a job, and the file that keeps them."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from junqi_engine.analysis.review import review
from junqi_engine.errors import JunqiError
from junqi_engine.foreign_json import read_json
from junqi_engine.library.game import Game, View
from tools.benchmark.players import COMMAND, PLAYER, Player, Subject, hidden_points
from tools.jobs import Job
from tools.referee.exits import RefereeError

ANCHORS = ("1.0", "1.1", "1.2", "2.0")
PARTNERS = ("1.1", "1.2", "2.0")
"""The strangers of cross-play: the player and one of them against two of them."""
ALONE, BESIDE, EXPLOITED = "against", "beside", "exploited by"
EVERY_PLIES = 20
"""How often the belief is asked for."""
MOST_PAIRS = 10**6
SMALLEST = 0.01
"""A chance that is said to be less counts as this: chances come with two decimals."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What is measured, and how."""

    subject: Subject
    variant: str
    visibility: str
    nodes: int
    seed: int
    pairs: int
    luck_nodes: int
    partners: bool
    exploiter: str = ""
    """The command of an engine that looks for the player's weaknesses; empty for none."""

    def parts(self) -> list[tuple[str, str]]:
        """The kinds of pairs with the version of the others. With a stranger, everybody sees only its own pieces."""
        strangers = PARTNERS if self.partners and self.variant == "siguo" else ()
        exploiters = [self.exploiter] if self.exploiter else []
        found = {ALONE: ANCHORS, BESIDE: strangers, EXPLOITED: exploiters}
        return [(part, other) for part, others in found.items() for other in others]

    def jobs(self, known: set[tuple[str, str, int]]) -> Iterator[tuple[str, Job]]:
        """The pairs that are missing."""
        for number in range(self.pairs):
            for part, other in self.parts():
                if (part, other, number) not in known:
                    yield f"{part} {other}, pair {number + 1}", partial(play_pair, self, part, other, number)


def play_pair(plan: Plan, part: str, other: str, number: int) -> list[Row]:
    """Two games from the same line-ups, with the sides exchanged."""
    rows = []
    for side in range(2):
        start = Game(plan.variant, seed=plan.seed * MOST_PAIRS + number)
        own = start.teams[side][0] if part == BESIDE else start.teams[side]
        rows.append(
            {"part": part, "other": other, "pair": number, "side": side, **_play(plan, start, own, part, other)}
        )
    return rows


def _play(plan: Plan, game: Game, own: str, part: str, other: str) -> Row:
    """A game in which the player has the seats `own`. A player who fails loses the game by that."""
    team = next(team for team in game.teams if own[0] in team)
    is_dark = part == BESIDE or plan.visibility == "dark"
    players: dict[str, Player] = {}
    asked: list[tuple[float, bool]] = []
    fault = ""
    try:
        while not game.is_game_over():
            seat = game.turn
            viewer = seat if is_dark else next(team for team in game.teams if seat in team)
            viewer = "*" if plan.visibility == "open" and part != BESIDE else viewer
            holder = seat if viewer == "*" else viewer
            if holder not in players:
                kind = COMMAND if part == EXPLOITED else PLAYER
                subject = plan.subject if seat in own else Subject(kind, other)
                players[holder] = subject.start(plan.seed, plan.nodes)
            view = game.view(viewer)
            try:
                if seat in own and game.ply() % EVERY_PLIES < len(game.seats):
                    asked += _judged(game, view, players[holder].belief(view))
                game.push(players[holder].move(view))
            except (JunqiError, TypeError) as error:
                if seat not in own:
                    raise
                fault = f"{type(error).__name__}: {error}"
                break
    finally:
        for player in players.values():
            player.close()
    points = 0.0 if fault else (game.returns()[own[0]] + 1) / 2
    row: Row = {"points": points, "plies": game.ply(), "fault": fault, "belief": asked}
    if plan.luck_nodes and part == ALONE and not fault:
        row["luck"] = _luck(game, team, plan)
    return row


def _judged(game: Game, view: View, told: dict[str, dict[str, float]] | None) -> list[tuple[float, bool]]:
    """For each hidden piece: every chance that was told, with whether it came true."""
    if told is None:
        return []
    entries = []
    for point in hidden_points(view):
        piece = game.piece_at(point)
        for letter, chance in told.get(point, {}).items():
            entries.append((round(chance, 3), piece is not None and letter == piece.letter))
    return entries


def _luck(game: Game, team: str, plan: Plan) -> float:
    """The luck of a team in the review of a game, as half the difference from that of the enemy."""
    found = review(game, nodes=plan.luck_nodes, visibility=plan.visibility, seed=plan.seed)
    own, enemy = (
        [player.luck for player in found.players if (player.team == team) == is_own] for is_own in (True, False)
    )
    return (sum(own) / len(own) - sum(enemy) / len(enemy)) / 2


class Kept:
    """The file of finished pairs: a line with the plan, then one for each pair. More pairs continue it.

    `RefereeError` for a plan that is another otherwise.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path, self.rows = path, list[Row]()
        head = json.dumps({name: value for name, value in asdict(plan).items() if name != "pairs" and value != ""})
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{head}\n", encoding="utf-8")
        elif lines[0] != head:
            raise RefereeError(f"{path} belongs to other settings; name another folder")
        for number, line in enumerate(lines[1:], 2):
            try:
                self.rows += read_json(line)
            except ValueError as error:
                if number == len(lines):  # the run was interrupted while it was written
                    path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
                    break
                raise RefereeError(f"{path}, line {number}: {error}") from None

    @property
    def known(self) -> set[tuple[str, str, int]]:
        """The pairs that are there."""
        return {(row["part"], row["other"], row["pair"]) for row in self.rows}

    def add(self, rows: list[Row]) -> None:
        """Keep a pair."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows) + "\n")
        self.rows += rows
