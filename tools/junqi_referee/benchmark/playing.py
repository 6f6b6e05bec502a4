"""What can be evaluated (an engine's command, a player of this package, a function of Python), and its games.

Pairs of games are jobs; a file keeps them.
"""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from junqi_engine.api.game import Game, View
from junqi_engine.client.engine import Engine
from junqi_engine.env.policies import policy
from junqi_engine.errors import JunqiError
from junqi_engine.files import write_whole
from junqi_engine.foreign_json import read_json
from junqi_engine.game_review.review import review
from junqi_referee.exits import RefereeError
from junqi_referee.jobs import Job
from junqi_referee.settings.settings import Seed, engine_seed, is_secret, new_secret, stream

COMMAND, PLAYER, PYTHON = "command", "player", "python"
Chances = dict[str, dict[str, float]]
"""By point: the chance of each letter."""


@dataclass(frozen=True)
class Subject:
    """A player by its kind: a command with words NAME=VALUE for options, a version, or `module:name`."""

    kind: str
    text: str

    def start(self, seed: int, nodes: int) -> "Player":
        """The player, ready for games. `RefereeError` if there is none."""
        try:
            return {COMMAND: _EnginePlayer, PLAYER: _VersionPlayer, PYTHON: _FunctionPlayer}[self.kind](
                self.text, seed, nodes
            )
        except (JunqiError, ImportError, AttributeError) as error:
            raise RefereeError(f"{self.text}: {error}") from None


class Player:
    """Plays a seat. `view` is what the seat may know."""

    def move(self, view: View) -> str:
        raise NotImplementedError

    def belief(self, view: View) -> Chances | None:
        """The chances of the hidden pieces on the board; None if it has no belief."""
        return None

    def close(self) -> None:
        """End what it has started."""


class _VersionPlayer(Player):
    def __init__(self, version: str, seed: int, nodes: int) -> None:
        self._policy = policy(version, seed, nodes)
        self._has_belief = self._policy.version not in ("1.0", "1.1", "1.2")

    def move(self, view: View) -> str:
        return self._policy.move(view)

    def belief(self, view: View) -> Chances | None:
        return {point: view.belief(point) for point in hidden_points(view)} if self._has_belief else None


class _EnginePlayer(Player):
    def __init__(self, command: str, seed: int, nodes: int) -> None:
        words, self._nodes, self._has_belief = shlex.split(command), nodes, True
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        self._engine = Engine([word for word in words if word not in {f"{k}={v}" for k, v in options.items()}])
        for name, value in options.items():
            self._engine.configure({name: value})
        if "Seed" in self._engine.options and "Seed" not in options:
            self._engine.configure({"Seed": seed})

    def move(self, view: View) -> str:
        result = self._engine.play(view, nodes=self._nodes)
        if result.move is None:
            raise JunqiError("no-move", result.reason)
        return result.move

    def belief(self, view: View) -> Chances | None:
        if not self._has_belief:
            return None
        try:
            lines = self._engine.consult(
                f"setoption name UCI_Variant value {view.variant}", view.position_line(), "belief"
            )
        except JunqiError:
            lines = []
        told = [line.split()[2:] for line in lines if line.startswith("info belief ")]
        found = {words[0]: {word[0]: float(word[2:]) for word in words[1:]} for words in told}
        self._has_belief = bool(found)
        return found or None

    def close(self) -> None:
        self._engine.close()


class _FunctionPlayer(Player):
    """`name` is a function `choose(view) -> move`, or a class or function without arguments that gives an object with
    `move(view)` and, if it has one, `belief(view)`.
    """

    def __init__(self, text: str, seed: int, nodes: int) -> None:
        module, _, name = text.partition(":")
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        found: Any = getattr(import_module(module), name)
        made = found() if isinstance(found, type) else found
        self._choose: Callable[[View], str] = getattr(made, "move", made)
        self._belief: Callable[[View], Chances] | None = getattr(made, "belief", None)

    def move(self, view: View) -> str:
        return self._choose(view)

    def belief(self, view: View) -> Chances | None:
        return self._belief(view) if self._belief is not None else None


def hidden_points(view: View) -> list[str]:
    """The points of the pieces whose kind is not certain."""
    return [point for point in view.piece_map() if len(view.possible(point)) > 1]


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
    seed: Seed
    pairs: int
    luck_nodes: int
    partners: bool
    exploiter: str = ""
    """The command of an engine that looks for the player's weaknesses; empty for none."""
    against: str = ""
    """The only anchor; empty for all."""

    def deal(self, number: int) -> int:
        """The seed of the line-ups of a pair."""
        if isinstance(self.seed, int):
            return self.seed * MOST_PAIRS + number
        return stream(self.seed, number).getrandbits(128)

    def seed_of(self, seat: str) -> int:
        """The seed that the player in a seat is told; of a secret, it says nothing of line-ups and other players."""
        return self.seed if isinstance(self.seed, int) else engine_seed(self.seed, MOST_PAIRS, ord(seat))

    def parts(self) -> list[tuple[str, str]]:
        """The kinds of pairs with the version of the others. With a stranger, everybody sees only its own pieces."""
        strangers = PARTNERS if self.partners and self.variant == "siguo" else ()
        exploiters = [self.exploiter] if self.exploiter else []
        anchors = (self.against,) if self.against else ANCHORS
        found = {ALONE: anchors, BESIDE: strangers, EXPLOITED: exploiters}
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
        start = Game(plan.variant, seed=plan.deal(number))
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
                players[holder] = subject.start(plan.seed_of(holder[0]), plan.nodes)
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
        row["attack_luck"] = _attack_luck(game, team, plan)
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


def _attack_luck(game: Game, team: str, plan: Plan) -> list[float]:
    """The luck of a team in the battles that it began, in its own eyes, and that of the enemy in its battles."""
    found = review(game, nodes=plan.luck_nodes, visibility=plan.visibility, seed=plan.seed_of("*"))
    luck = [0.0, 0.0]
    for step in found.steps:
        if step.is_battle:
            luck[step.seat not in team] += step.luck[step.player]
    return luck


def seed_in(path: Path) -> Seed:
    """The seed of the run whose pairs a file has; a new secret if there is none."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = read_json(path.read_text(encoding="utf-8-sig").partition("\n")[0])["seed"]
        if isinstance(found, int) or is_secret(found):
            return found
    return new_secret()


def _rows_of(line: str) -> list[Row]:
    """The games of a pair; ValueError if the line has none."""
    rows = read_json(line)
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and {"part", "other", "pair"} <= row.keys() for row in rows
    ):
        raise ValueError("not the games of a pair")
    return rows


BEGIN = '{"subject": '
"""How the file of pairs begins."""


class Kept:
    """The file of finished pairs: a line with the plan, then one for each pair. More pairs continue it.

    `RefereeError` for a plan that is another otherwise.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path, self.rows = path, list[Row]()
        head = json.dumps({name: value for name, value in asdict(plan).items() if name != "pairs" and value != ""})
        *lines, cut = path.read_text(encoding="utf-8-sig").split("\n") if path.exists() else [""]
        if not lines and (cut.startswith(BEGIN) or BEGIN.startswith(cut)):
            lines = [head]
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not lines or lines[0].rstrip() != head:
            raise RefereeError(f"{path} belongs to other settings; name another folder")
        for number, line in enumerate(lines[1:], 2):
            try:
                self.rows += _rows_of(line)
            except ValueError as error:
                raise RefereeError(f"{path}, line {number}: {error}") from None
        if cut or len(lines) == 1:  # the run was interrupted while a line was written
            write_whole(path, "".join(f"{line}\n" for line in lines).encode(), replaces=True)

    @property
    def known(self) -> set[tuple[str, str, int]]:
        """The pairs that are there."""
        return {(row["part"], row["other"], row["pair"]) for row in self.rows}

    def add(self, rows: list[Row]) -> None:
        """Keep a pair."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows) + "\n")
        self.rows += rows
