"""Positions of a game as somebody saw them: of the game that the page shows, and of a record, which the rules check."""

import asyncio
import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated

from msgspec.structs import replace

from junqi_board.answers.study import targets_of
from junqi_board.connection import Connection, Count, LongText, answers, chars
from junqi_board.game.game import Phase, has_surrendered
from junqi_board.game.record import check, check_length, host_seats, public_record_of, record_of
from junqi_board.messages import records
from junqi_board.messages.records import PastTargets, RecordLine, RecordLines, Replay
from junqi_board.messages.scenes import Scene
from junqi_board.scenes import junqi
from junqi_board.scenes.story import Story
from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.jgs import parse_jgs
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules.board import BOARDS
from junqi_referee.exit_codes import RefereeError
from junqi_referee.records.conversion import game_of_jgs, read_games
from junqi_referee.records.record_file import read_line
from junqi_referee.records.replay import bare, begin

MAX_NAME_CHARS = 60

Viewer = Annotated[str, chars(8)]


@answers()
async def record(connection: Connection) -> RecordLine:
    """The record contains all line-ups, so a page gets it only after the game; a guest's lacks commands."""
    game = connection.table.game
    if game.phase != Phase.OVER:
        raise Refused("too-early", "the record is available when the game is over")
    found = record_of(game) if connection.access.is_host else public_record_of(game)
    return RecordLine(await asyncio.to_thread(found.as_line))


@answers(is_slow=True)
async def scene(connection: Connection, ply: Count, viewer: Viewer) -> Scene:
    """The position after some moves: of the game as the page sees it, or of its open record as `viewer` saw it. That of
    a record can be studied: it has its FEN, and the legal moves.
    """
    scenes = (await _story(connection, viewer)).scenes
    expect_ply(ply, len(scenes) - 1)
    if not viewer or connection.record is None:
        return scenes[ply]
    view = await asyncio.to_thread(_view_of, connection.record.record, ply, viewer)
    return replace(scenes[ply], fen=format_fen(view), targets=targets_of(view))


def _view_of(record: GameRecord, ply: int, viewer: str) -> SeatView:
    full = begin(record, "the record")
    for move in record.moves[:ply]:
        full.play(bare(move))
    return full.view(viewer)


@answers(is_slow=True)
async def story(connection: Connection, viewer: Viewer) -> records.Story:
    return records.Story((await _story(connection, viewer)).entries)


@answers(is_slow=True)
async def past_targets(connection: Connection, ply: Count) -> PastTargets:
    """The person's legal moves at an earlier position of a finished game."""
    game, seats, story = connection.table.game, connection.seats_at(connection.table), await _story(connection, "")
    if game.full is None or game.phase != Phase.OVER:
        raise Refused("too-early", "what could have been played is told when the game is over")
    expect_ply(ply, len(game.full.moves))
    full = await asyncio.to_thread(game.full_game_after, game.full.moves[:ply])
    return PastTargets(junqi.targets(full.view(story.viewer), seats))


async def _story(connection: Connection, viewer: str) -> Story:
    if not viewer:
        return connection.table.story(connection.seats_at(connection.table))
    opened: OpenRecord | None = connection.record
    if opened is None:
        raise Refused("no-record", "open a record first")
    async with opened.lock:
        if viewer != opened.story.viewer:
            story, start = Story(viewer), begin(opened.record, "the record")
            await asyncio.to_thread(story.replay, start, opened.record.moves)
            opened.story = story
        _refuse_running_game(connection, opened.record)
        return opened.story


def expect_ply(ply: int, most: int) -> None:
    if ply > most:
        raise Refused("bad-ply", f"ply: expected at most {most}, got {ply}")


@dataclass
class OpenRecord:
    """A record that a page has open, with what its last viewer saw of it."""

    record: GameRecord
    story: Story = field(default_factory=lambda: Story(""))
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@answers(is_slow=True)
async def replay_open(connection: Connection, line: LongText) -> Replay:
    """`viewers` are those to whom the record can be shown; `mine` are the seats of the person who played it here."""
    record = await read_record(connection, line)
    connection.record, board = OpenRecord(record), BOARDS[record.variant]
    mine = host_seats(record) if connection.access.is_host else ""
    connection.send(junqi.board_data(board))
    return Replay(
        variant=record.variant,
        mine=mine,
        surrendered=has_surrendered(record.moves, mine),
        names={seat: record.engine_of(seat).get("name", "")[:MAX_NAME_CHARS] for seat in board.seats},
        moves=record.moves,
        result=record.result,
        ending=record.ending,
        viewers=[OPEN_VIEWER, *(board.teams if len(board.seats) > 2 else ()), *board.seats],
    )


@answers(host_only=True, is_slow=True)
async def replay_given(connection: Connection) -> RecordLines:
    """The records of the file with which the board was started, of any format that the referee reads."""
    paths = [] if connection.host.games is None else [str(connection.host.games)]
    found = await asyncio.to_thread(read_games, paths, with_names=True)
    if not found.games:
        raise Refused("bad-record", str(next(iter(found.errors), "there are no games")))
    return RecordLines([record.as_line() for record in found.games])


@answers(is_slow=True)
async def replay_convert(connection: Connection, data: LongText) -> RecordLine:
    """A `.jgs` file in base64 as a record."""
    return RecordLine(await asyncio.to_thread(_converted, data))


async def read_record(connection: Connection, line: str) -> GameRecord:
    """The game in a line of a record; `Refused` unless the rules allow it, and the page may see it."""
    record = await asyncio.to_thread(read_game, line)
    _refuse_running_game(connection, record)
    return record


def _refuse_running_game(connection: Connection, record: GameRecord) -> None:
    """Refuse a record that may be of a game that the page's person plays or watches now: it shows all pieces.

    Only the line-ups that the person sees are compared. If hidden ones were, the answer would tell whether a guess of
    them is right.
    """
    table = connection.host.table_of(connection.access)
    if table is None or table.game.phase != Phase.PLAYING:
        return
    game, seen = table.game, table.seen_by(connection.seats_at(table))
    is_alike = all(record.lineups.get(seat) == game.lineups[seat] for seat in seen)
    if is_alike and record.variant == game.board.variant:
        text = "you are playing with these line-ups; a record with them can be opened after that game"
        raise Refused("same-lineups", text)


@contextmanager
def _reading(what: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, RefereeError) as error:
        raise Refused("bad-record", f"{what}: {error}") from None


def read_game(line: str) -> GameRecord:
    """The game in a line of a record; `Refused` unless the rules allow it."""
    with _reading("this is not a recorded game"):
        record = read_line(line)
        begin(record, "the record")
    check(record)
    return record


def _converted(data: str) -> str:
    with _reading("the .jgs file cannot be read"):
        file = parse_jgs(base64.b64decode(data, validate=True))
        check_length(len(file.events))
        return game_of_jgs(file, 1, with_names=True).as_line()
