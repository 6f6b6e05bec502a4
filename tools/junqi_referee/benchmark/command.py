"""What `junqi-referee benchmark` does: matches of the referee, whose records are continued, and what they say.

A player is an engine's command, a player of this package, or a function of Python. Beliefs and the luck of finished
games are found afterwards, and kept beside the records.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from junqi_engine.api.game import Game
from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.line_process import own_command
from junqi_engine.errors import EngineError
from junqi_engine.files import write_whole
from junqi_engine.foreign_json import read_json
from junqi_engine.game_review.review import review
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.pieces import LETTERS, letters_of
from junqi_referee.benchmark.measures import ALONE, BESIDE, EXPLOITED, Row, lines_of, measure
from junqi_referee.benchmark.python_engine import PythonPlayer
from junqi_referee.exits import ExitCode, Interrupted, RefereeError
from junqi_referee.jobs import Job, LineProgress, workers
from junqi_referee.playing.tournament import Tournament, progress_for
from junqi_referee.records.game_record import DRAW, GameRecord
from junqi_referee.records.replay import bare, begin
from junqi_referee.settings.engine import COMMAND, EngineSettings, Program, read_program
from junqi_referee.settings.settings import Format, Lineups, MatchSettings, Visibility
from junqi_referee.time_control import TimeControl

ANCHORS = ("1.0", "1.1", "1.2")
ELOS = {
    ("luzhanqi", "partner"): {"1.0": 876, "1.1": 951, "1.2": 1000},
    ("siguo", "partner"): {"1.0": 697, "1.1": 964, "1.2": 1000},
    ("siguo", "dark"): {"1.0": 784, "1.1": 967, "1.2": 1000},
}
"""The anchors at 1,000 nodes, as docs/environments.md has them; 1.2 has 1000. Another visibility has those of
`partner`.
"""
PARTNERS = ("1.1", "1.2")
"""The strangers of cross-play: the player and one of them against two of them."""
SUBJECT = "player"
EVERY_PLIES = 20
"""How often the belief is asked for."""
GAMES_A_JOB = 10
VALUES = "values.jsonl"


@dataclass(frozen=True)
class Part:
    """A match of the benchmark, its record, and whether the player has only one seat of its team."""

    settings: MatchSettings
    record: Path
    is_beside: bool = False

    def kind_of(self, other: str) -> str:
        return BESIDE if self.is_beside else ALONE if other in ANCHORS else EXPLOITED


def benchmark(asked: argparse.Namespace) -> ExitCode:
    subject = _subject(asked)
    asked.folder.mkdir(parents=True, exist_ok=True)
    games: dict[tuple[str, str], list[tuple[Row, Row]]] = {}
    try:
        for part in _parts(asked, subject):
            tournament = Tournament(part.settings)
            with progress_for() as progress:
                tournament.run(progress, resume=part.record.exists())
            if tournament.failed:
                raise RefereeError(f"{len(tournament.failed)} games have no result; begin again", ExitCode.INTERNAL)
            games |= _pairs(part, tournament, _values(part, tournament, asked))
    except (Interrupted, KeyboardInterrupt):
        raise Interrupted("interrupted; the same command continues") from None
    elos = ELOS.get((asked.variant, asked.visibility), ELOS[asked.variant, "partner"])
    about = {"subject": subject.program.name, "variant": asked.variant, "visibility": asked.visibility}
    table = {**about, "nodes": asked.nodes, "pairs": asked.pairs, "anchors": elos, **measure(games, elos)}
    write_whole(asked.folder / "report.json", (json.dumps(table, indent=1) + "\n").encode(), replaces=True)
    print("\n".join(lines_of(table)))
    return ExitCode.DONE


def _subject(asked: argparse.Namespace) -> EngineSettings:
    if asked.player is not None:
        return replace(_anchor(asked.player, asked.nodes), name=SUBJECT)
    if asked.python is not None:
        try:
            PythonPlayer(asked.python)
        except (ImportError, AttributeError, ValueError) as error:
            raise RefereeError(f"{asked.python}: {error}") from None
        command = own_command("junqi_referee.benchmark.python_engine", asked.python)
        return _engine(SUBJECT, Program(asked.python, tuple(command)), {}, asked.nodes)
    return _engine_of_command(SUBJECT, asked.engine, asked.nodes)


def _engine_of_command(name: str, command: str, nodes: int) -> EngineSettings:
    """The engine of a command; words NAME=VALUE in it are options."""
    first, *words = read_program({COMMAND: command}, "benchmark").command
    options = dict(word.split("=", 1) for word in words if "=" in word)
    return _engine(name, Program(command, (first, *(word for word in words if "=" not in word))), options, nodes)


def _anchor(version: str, nodes: int) -> EngineSettings:
    return _engine(version, Program(version, tuple(own_command())), {"Player": version}, nodes)


def _engine(name: str, program: Program, options: Mapping[str, str], nodes: int) -> EngineSettings:
    return EngineSettings(name, program, tuple(options.items()), TimeControl(nodes=nodes))


def _parts(asked: argparse.Namespace, subject: EngineSettings) -> Iterator[Part]:
    """The matches. With a stranger, everybody sees only its own pieces."""

    def part(
        others: Sequence[EngineSettings], first: EngineSettings, visibility: Visibility, name: str, is_beside: bool
    ) -> Part:
        record = asked.folder / f"{name}.jsonl"
        settings = MatchSettings(
            (first, *others), asked.variant, visibility, Format.GAUNTLET, asked.pairs, asked.concurrency, asked.seed,
            Lineups.RANDOM, record=str(record),
        )  # fmt: skip
        return Part(settings, record, is_beside)

    others = [_anchor(version, asked.nodes) for version in ((asked.against,) if asked.against else ANCHORS)]
    if asked.exploiter:
        others.append(_engine_of_command(asked.exploiter, asked.exploiter, asked.nodes))
    yield part(others, subject, Visibility(asked.visibility), "games", False)
    for version in PARTNERS if asked.variant == "siguo" and not asked.no_partners else ():
        other = _anchor(version, asked.nodes)
        beside = replace(subject, partner=replace(other, name=f"{version} as partner"))
        yield part([other], beside, Visibility.DARK, f"beside-{version}", True)


def _pairs(
    part: Part, tournament: Tournament, values: Mapping[int, Row]
) -> dict[tuple[str, str], list[tuple[Row, Row]]]:
    """The pairs of a match, by what they are."""
    found: dict[tuple[str, str], dict[int, list[Row]]] = {}
    for number, game in sorted(tournament.finished.items()):
        plan = tournament.schedule.plan(number)
        team = BOARDS[game.variant].teams[plan.teams.index(0)]
        points = 0.5 if game.result == DRAW else float(game.result == team)
        other = tournament.standings.engines[max(plan.teams)]
        row = {"points": points, "fault": game.ending.is_fault and not points, **values[number]}
        found.setdefault((part.kind_of(other), other), {}).setdefault(min(number, plan.other), []).append(row)
    return {kind: [(pair[0], pair[1]) for pair in pairs.values()] for kind, pairs in found.items()}


def _values(part: Part, tournament: Tournament, asked: argparse.Namespace) -> dict[int, Row]:
    """The belief and the luck of each game, by its number; those that are missing are found now, and kept."""
    path, found = part.record.with_name(f"{part.record.stem}.{VALUES}"), dict[int, Row]()
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = read_json(line)
            if row["luck_nodes"] == asked.luck:
                found[row["game"]] = {"belief": row["belief"], "attack_luck": row["attack_luck"]}
        except (ValueError, KeyError, TypeError):
            continue  # cut off by an interruption
    missing = [number for number in sorted(tournament.finished) if number not in found]
    luck_nodes = 0 if part.is_beside else asked.luck

    def jobs() -> Iterator[tuple[str, Job]]:
        for first in range(0, len(missing), GAMES_A_JOB):
            batch = [
                (tournament.finished[number], _own_seats(part, tournament, number))
                for number in missing[first:][:GAMES_A_JOB]
            ]
            yield f"game {missing[first]}", partial(_values_of, part.settings.engines[0], batch, luck_nodes)

    with (
        LineProgress(sys.stderr, len(tournament.finished), len(found), "games") as progress,
        workers(asked.concurrency) as hired,
        path.open("a", encoding="utf-8") as file,
    ):
        for rows in hired.results(jobs()):
            for number, row in rows.items():
                found[number] = row
                file.write(json.dumps({"game": number, "luck_nodes": asked.luck, **row}) + "\n")
            file.flush()
            progress.count(len(rows))
    return found


def _own_seats(part: Part, tournament: Tournament, number: int) -> str:
    team = BOARDS[part.settings.variant].teams[tournament.schedule.plan(number).teams.index(0)]
    return team[:1] if part.is_beside else team


def _values_of(engine: EngineSettings, games: Sequence[tuple[GameRecord, str]], luck_nodes: int) -> dict[int, Row]:
    """The job: what the player believed in some games, and the luck in them."""
    client = EngineClient(engine.program.start_command)
    found = {}
    try:
        client.start()
        client.send(*(f"setoption name {name} value {value}" for name, value in engine.options))
        for game, seats in games:
            has_luck = luck_nodes > 0 and not game.ending.breaks_off
            luck = _attack_luck(game, seats, luck_nodes) if has_luck else None
            found[game.game] = {"belief": list(_believed(client, game, seats)), "attack_luck": luck}
    finally:
        client.close()
    return found


def _believed(client: EngineClient, game: GameRecord, seats: str) -> Iterator[tuple[float, bool]]:
    """For each hidden piece: every chance that the player tells, with whether it came true; none without a belief."""
    truth = begin(game, f"game {game.game}")
    client.send(f"setoption name UCI_Variant value {game.variant}")
    for move in game.moves:
        if truth.turn in seats and truth.ply % EVERY_PLIES < len(truth.board.seats):
            viewer = {Visibility.DARK: truth.turn, Visibility.OPEN: OPEN_VIEWER}.get(Visibility(game.visibility), seats)
            client.send(truth.position_line(viewer), "belief")
            try:
                told = [line.split()[2:] for line in client.ready() if line.startswith("info belief ")]
            except EngineError as error:
                raise RefereeError(f"{client.identity.name}: belief: {error}", ExitCode.FAILED) from error
            view, all_seen = truth.view(viewer), truth.view(OPEN_VIEWER)
            for name, *chances in told:
                point = truth.board.point_named[name]
                piece = all_seen.piece_at(point)
                if piece is None or len(letters_of(view.mask_at(point))) == 1:
                    continue
                letter = LETTERS[int(all_seen.position["kind"][piece])]
                yield from ((round(float(one[2:]), 3), one[0] == letter) for one in chances)
        truth.play(bare(move))


def _attack_luck(game: GameRecord, seats: str, nodes: int) -> list[float]:
    """The luck of a team in the battles that it began, in its own eyes, and that of the enemy in its battles."""
    found = review(Game.from_record(game.as_line()), nodes=nodes, visibility=game.visibility)
    luck = [0.0, 0.0]
    for step in found.steps:
        if step.is_battle:
            luck[step.seat not in seats] += step.luck[step.player]
    return luck
