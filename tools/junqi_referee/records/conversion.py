"""Games from files of every format (records, contest records, `.jgs` files, folders of these), written in another.

A `.jgs` file holds the line-ups, the moves and the result of a game of Siguo with its default rules. It does not hold
seed, times, scores and engines. The players' names are kept only on request.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from junqi_engine.files import write_whole
from junqi_engine.notation.jgs import (
    EVENTS_OFFSET,
    Elimination,
    End,
    Event,
    GameFile,
    MoveEvent,
    Pass,
    Reason,
    format_jgs,
    parse_jgs,
)
from junqi_engine.notation.jgs_events import replay
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import LINEUP_INDICES, SIGUO
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError, file_error, report
from junqi_referee.records.contest import VISIBILITY, chosen, contest_texts, games_of, record_of
from junqi_referee.records.game_record import DRAW, FROM_FEN, GameRecord, games_in
from junqi_referee.records.replay import bare, begin, verify
from junqi_referee.truth import Truth

NO_NAMES = ("",) * len(SIGUO.seats)


def game_of_jgs(file: GameFile, number: int) -> GameRecord:
    """The game of a `.jgs` file; ValueError if it breaks the rules.

    A draw that the rules do not give is `agreed`. A file without an end is an interrupted game.
    """
    lineups = dict(zip(SIGUO.seats, file.lineups, strict=True))
    truth = Truth(SIGUO.variant, lineups, SIGUO.seats[file.first], Rules.of(SIGUO))
    end = replay(file.events, truth, truth.play)
    result = truth.result
    ending = truth.ending if result is not None else Ending.INTERRUPTED if end is None else Ending.AGREED
    return record_of(truth, number, _players(file.names), result or DRAW, ending)


def jgs_of(game: GameRecord, with_names: bool = False) -> GameFile:
    """The `.jgs` file of a game; ValueError if the format cannot express it."""
    if game.variant != SIGUO.variant:
        raise ValueError(f"variant {game.variant} has no .jgs files, only {SIGUO.variant} has")
    if game.fen:
        raise ValueError(FROM_FEN)
    if game.ending == Ending.MAX_PLIES:
        raise ValueError("ended by max-plies; a .jgs file has no limit of plies")
    if _ending_in_file(game).breaks_off and _ending_in_file(game) not in (Ending.INTERRUPTED, Ending.AGREED):
        raise ValueError(f"{game.result} by {game.ending}; a .jgs file cannot express this ending")
    fault = verify(game)
    if fault is not None:
        raise ValueError(f"breaks the rules: {fault}")
    events = _events(game)
    if game.ending != Ending.INTERRUPTED:
        events.append(End(game.result == DRAW))
    has_names = with_names and game.engines != _players(NO_NAMES)
    names = tuple(str(game.engine_of(seat).get("name", "")) if has_names else "" for seat in SIGUO.seats)
    lineups = tuple(game.lineups[seat] for seat in SIGUO.seats)
    file = GameFile(lineups, tuple(events), SIGUO.seats.index(game.first), names)
    _check_reads_back(game, file)
    return file


def losses(game: GameRecord) -> list[str]:
    """What the `.jgs` file of a game does not tell that changes how the game was played, as sentences."""
    changed = {"visibility": (game.visibility, VISIBILITY), "the ending": (game.ending, _ending_in_file(game))}
    return [
        f"a .jgs file does not hold {what} {kept}; it reads back as {read}"
        for what, (kept, read) in changed.items()
        if kept != read
    ]


def _ending_in_file(game: GameRecord) -> Ending:
    """The ending that a game reads back with: every draw that the rules do not give reads back as agreed."""
    return Ending.AGREED if game.ending == Ending.ADJUDICATED and game.result == DRAW else game.ending


def _events(game: GameRecord) -> list[Event]:
    """The events of a record that has been verified, without the end."""
    truth = begin(game, f"game {game.game}")
    events: list[Event] = []
    for text in game.moves:
        seat = SIGUO.seats.index(truth.turn)
        truth.play(bare(text))
        seen = parse_move(SIGUO, text)
        gone = list(seen.eliminated)
        if seen.resigned is not None:
            events.append(Elimination(seen.resigned, Reason.RESIGNED))
            gone = [seat for seat in gone if seat != seen.resigned]
        elif seen.passed is not None:
            events.append(Pass(seen.passed))
        else:
            events.append(MoveEvent(seat, seen.from_point, seen.to_point, seen.outcome, seen.shown_flags))
        events += [Elimination(seat, _reason(game, seen, seat)) for seat in gone]
    return events


def _reason(game: GameRecord, seen: SeenMove, seat: int) -> Reason:
    """Why the rules eliminated a seat in a ply."""
    flag = SIGUO.block(seat)[LINEUP_INDICES[game.lineups[SIGUO.seats[seat]].index("l")]]
    return Reason.FLAG if seen.to_point == flag else Reason.NO_MOVES


def _check_reads_back(game: GameRecord, file: GameFile) -> None:
    """ValueError if the file reads back as another game: it holds no rules, so the game must have had the default."""
    try:
        again = game_of_jgs(file, game.game)
    except ValueError as error:
        raise ValueError(f"the game differs under the default rules, which a .jgs file implies: {error}") from error
    if (again.moves, again.result, again.ending) != (game.moves, game.result, _ending_in_file(game)):
        limit = Rules.of(SIGUO).no_contact
        told = f"{game.result} by {game.ending} would read back as {again.result} by {again.ending}"
        raise ValueError(f"{told}: a .jgs file implies the default rules, with a no-contact limit of {limit}")


def _players(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The entry `engines` of a record: by team, or by seat if there are names."""
    if not any(names):
        return {team: {"name": team} for team in SIGUO.teams}
    return {seat: {"name": name} for seat, name in zip(SIGUO.seats, names, strict=True)}


JGS_SUFFIX = ".jgs"
BYTE_ORDER_MARK_AND_SPACE = b"\xef\xbb\xbf \t\r\n"


class Format(Enum):
    RECORD = auto()
    """The referee's: a JSON object in each line."""
    CONTEST = auto()
    JGS = auto()


@dataclass(frozen=True)
class Games:
    """The games of some files, the formats of these, and an error for each file that could not be read."""

    games: tuple[GameRecord, ...]
    formats: frozenset[Format]
    errors: tuple[RefereeError, ...]


def read_games(paths: Sequence[str], number: int | None = None, with_names: bool = False) -> Games:
    """The games of files and folders, or only the game `number` of a single file.

    Of a folder, the `.jgs` files in it and in its folders are read, ordered by name. Games of several files are
    numbered anew, from 1. Names of players are read from `.jgs` files on request only.
    """
    files = [file for path in paths for file in _files(path)]
    if number is not None and len(files) > 1:
        raise RefereeError(f"the number of a game, {number}, requires a single file; there are {len(files)}")
    games: list[GameRecord] = []
    formats: set[Format] = set()
    errors: list[RefereeError] = []
    for file in files:
        try:
            file_format, found = _read(file, number, with_names)
        except RefereeError as error:
            errors.append(error)
        else:
            formats.add(file_format)
            games += found
    if len(files) > 1:
        games = [replace(game, game=count) for count, game in enumerate(games, 1)]
    return Games(tuple(games), frozenset(formats), tuple(errors))


def _files(path: str) -> Sequence[str]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    found = [file for file in folder.rglob("*") if file.suffix.lower() == JGS_SUFFIX and file.is_file()]
    if not found:
        raise RefereeError(f"folder {path}: it has no {JGS_SUFFIX} files")
    return [str(file) for file in sorted(found)]


def _read(path: str, number: int | None, with_names: bool) -> tuple[Format, Sequence[GameRecord]]:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise file_error(f"record {path}", error) from error
    file_format = _format_of(path, data)
    try:
        if file_format == Format.CONTEST:
            return file_format, games_of(data, number)
        is_jgs = file_format == Format.JGS
        games = [game_of_jgs(parse_jgs(data, with_names), 1)] if is_jgs else games_in(data, path)
        return file_format, [game for _, game in chosen([(game.game, game) for game in games], number)]
    except ValueError as error:
        raise RefereeError(f"record {path}: {error}", ExitCode.FAILED) from error


def _format_of(path: str, data: bytes) -> Format:
    """The format, by the name of the file or how it begins: text has no zero bytes, the head of a `.jgs` file many."""
    if path.lower().endswith(JGS_SUFFIX):
        return Format.JGS
    begin = data.lstrip(BYTE_ORDER_MARK_AND_SPACE)[:1]
    if begin == b"(":
        return Format.CONTEST
    return Format.JGS if begin != b"{" and b"\0" in data[:EVENTS_OFFSET] else Format.RECORD


RECORD_SUFFIXES = (".jsonl", ".json")


def game_of_paths(paths: Sequence[str]) -> tuple[list[str], int | None]:
    """The words FILE|FOLDER|N of a command line: the paths, and the number of the only game, None for all games."""
    if len(paths) > 1 and paths[-1].isdecimal():
        return list(paths[:-1]), int(paths[-1])
    return list(paths), None


def convert(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `convert`. A file or game at fault does not stop the others.

    The target of `--write` determines the format. Without one, records become contest records, and everything else a
    record.
    """
    paths, number = game_of_paths(parsed.paths)
    read = read_games(paths, number, parsed.names)
    if not read.games:
        return report(read.errors)
    if parsed.write is not None and _is_jgs_target(parsed.write):
        return _write_jgs(read, Path(parsed.write), parsed.names, parsed.overwrite)
    try:
        contents = _text(read, parsed.write, parsed.side, parsed.encoding)
    except ValueError as error:
        raise RefereeError(f"record {paths[0]}: {error}", ExitCode.FAILED) from error
    if parsed.write is None:
        sys.stdout.buffer.write(contents)
        sys.stdout.flush()
    else:
        write_file(Path(parsed.write), contents, parsed.overwrite)
    return report(read.errors)


def write_file(path: Path, contents: bytes, replaces: bool) -> None:
    """Write a file as a whole. A file that exists is replaced only if `replaces`; RefereeError otherwise."""
    if not replaces:
        check_is_new(path)
    try:
        write_whole(path, contents, replaces)
    except OSError as error:
        raise file_error(path, error) from error


def check_is_new(path: Path) -> None:
    if os.path.lexists(path):
        raise RefereeError(f"{path} exists; --overwrite replaces it")


def _is_jgs_target(target: str) -> bool:
    return target.lower().endswith(JGS_SUFFIX) or target.endswith(os.sep) or Path(target).is_dir()


def _text(read: Games, target: str | None, side: str, encoding: str) -> bytes:
    is_record = target is not None and target.lower().endswith(RECORD_SUFFIXES)
    if is_record or read.formats != {Format.RECORD}:
        return "".join(f"{game.as_line()}\n" for game in read.games).encode()
    try:
        texts = contest_texts(read.games, side)
    except ValueError as error:
        is_siguo = any(game.variant == SIGUO.variant for game in read.games)
        hint = f"; use --write FILE{JGS_SUFFIX} or --write FOLDER/" if is_siguo else ""
        raise ValueError(f"{error}{hint}") from error
    return "".join(f"{text}\n" for text in texts).encode(encoding)


def _write_jgs(read: Games, target: Path, with_names: bool, replaces: bool) -> ExitCode:
    errors, notes = list(read.errors), list[str]()
    contents: dict[int, bytes] = {}
    for game in read.games:
        try:
            contents[game.game] = format_jgs(jgs_of(game, with_names))
        except ValueError as error:
            errors.append(RefereeError(f"game {game.game}: {error}", ExitCode.FAILED))
        else:
            notes += [f"game {game.game}: {loss}" for loss in losses(game)]
    is_file = target.suffix.lower() == JGS_SUFFIX and not target.is_dir()
    if is_file and len(read.games) > 1:
        raise RefereeError(
            f"{target}: a {JGS_SUFFIX} file holds one game, and there are {len(read.games)}; "
            "add the number of a game, or use --write FOLDER/"
        )
    names = {number: target if is_file else target / f"game-{number:04}{JGS_SUFFIX}" for number in contents}
    if not replaces:
        for path in names.values():
            check_is_new(path)
    if contents and not is_file:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(f"folder {target}", error) from error
    for number, data in contents.items():
        write_file(names[number], data, replaces)
    return report(errors, notes)
