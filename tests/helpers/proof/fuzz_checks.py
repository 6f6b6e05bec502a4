"""One check for each reader, to be called with any bytes.

A reader either refuses its input, by its own type of error with one printable line, or accepts it. Accepted input is
written and read back without change; refused input changes nothing. A check raises `Broken`, or passes on an
unexpected exception of the reader.
"""

import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import TypeVar

import numpy as np

from junqi_board.errors import RequestError
from junqi_board.messages import check as message_shape
from junqi_board.messages import parse as message_of
from junqi_board.views.registry import SHAPES
from junqi_engine.api.game import Game as LibraryGame
from junqi_engine.client.engine_lines import LineFault, best_score, option_choices, option_name, read_info, spin_bounds
from junqi_engine.errors import JunqiError
from junqi_engine.evaluation.network import LARGEST_BIAS, read_network
from junqi_engine.information.view import SeatView
from junqi_engine.notation import lineup_files
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.jgs import format_jgs, parse_jgs
from junqi_engine.notation.moves import format_code, format_move, parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI
from junqi_engine.rules.position import Result
from junqi_protocol.catalogue import CATALOGUE, Entry, declared_options
from junqi_protocol.commands import COMMANDS, CommandLine, MalformedCommand, parse, parse_go
from junqi_protocol.contest import notation as contest_notation
from junqi_protocol.contest.table import ContestTable
from junqi_protocol.dispatch import load_game
from junqi_protocol.options import Options, split_setoption
from junqi_protocol.streams import MAX_LINE_BYTES, InputLine, LineSplitter
from junqi_protocol.variant_game import Control, Rejection, VariantGame
from junqi_referee.exits import RefereeError
from junqi_referee.records.contest import contest_of, game_of, parse_contest
from junqi_referee.records.conversion import game_of_jgs, jgs_of
from junqi_referee.records.game_record import GameRecord, parse_record
from junqi_referee.records.replay import verify
from junqi_referee.settings.readers import read_tables
from junqi_referee.settings.schedule import Book
from junqi_referee.settings.settings import MatchSettings
from junqi_training.selfplay.folder import FolderError, ReplayError, check_game, read_shard

CODES = frozenset(
    "unknown-command line-too-long bad-argument bad-number no-such-option bad-value bad-position impossible-position "
    "bad-lineup bad-move illegal-move missing-outcome impossible-outcome leak not-our-seat game-over needs-open "
    "not-supported too-large bad-file".split()
)
"""Every error code of the protocol except `internal`, which reports a fault of the program."""

LONGEST_LINE = 2000
OPTION_READERS = (option_name, option_choices, spin_bounds)
T = TypeVar("T")


class Broken(AssertionError):
    """A reader broke its contract."""


def check_refusal(code: str, text: str) -> None:
    if code not in CODES:
        raise Broken(f"{code!r} is not an error code of the protocol: {text}")
    check_line(text)


def check_line(text: str) -> None:
    if not text or not text.isprintable() or len(text) > LONGEST_LINE:
        raise Broken(f"not one printable line: {text[:200]!r} ({len(text)} characters)")


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def accepted(read: Callable[[], T], *faults: type[Exception]) -> T | None:
    """What a reader makes of its input; None if it refuses it, by its own error."""
    try:
        return read()
    except faults as error:
        if isinstance(error, JunqiError | Rejection):
            check_refusal(error.code, str(error))
        else:
            check_line(str(error))
        return None


def same(first: object, second: object, what: str) -> None:
    if first != second:
        raise Broken(f"{what}: {str(first)[:300]} became {str(second)[:300]}")


# The shell of the protocol


def check_grammar(data: bytes) -> None:
    """Lines do not depend on how the bytes arrive; each is a command, a fault or empty; a `go` is read or refused."""
    whole = LineSplitter()
    lines = [*whole.feed(data), *whole.end()]
    pieces = LineSplitter()
    rng = random.Random(len(data))
    cut = 0
    arrived: list[InputLine] = []
    while cut < len(data):
        size = rng.choice((1, 2, 7, 100, MAX_LINE_BYTES))
        arrived += pieces.feed(data[cut : cut + size])
        cut += size
    same(lines, [*arrived, *pieces.end()], "lines that came in pieces")
    for line in lines:
        command = parse(line)
        if isinstance(command, MalformedCommand):
            check_refusal(command.code, command.text)
        elif command is not None:
            _check_command(command)


def _check_command(command: CommandLine) -> None:
    if command.name not in COMMANDS:
        raise Broken(f"{command.name!r} is not a command")
    if command.name == "go":
        accepted(lambda: parse_go(command.arguments), Rejection)
    elif command.name == "setoption":
        name, text = accepted(lambda: split_setoption(command.words), Rejection) or ("", None)
        option = accepted(lambda: _options().find(name), Rejection)
        if option is not None and text is not None:
            accepted(lambda: option.parse(text), Rejection)


def _options() -> Options:
    return Options(declared_options(CATALOGUE))


# Games behind the protocol


@cache
def _game(variant: str) -> VariantGame:
    entry: Entry = next(entry for entry in CATALOGUE if entry.variant == variant)
    options = _options()
    options.set(options.find("UCI_Variant"), variant)
    return load_game(entry, options, Control(lambda line: None))


def position_check(variant: str) -> Callable[[bytes], None]:
    """`position` is refused and changes nothing, or the FEN of the new position reads back as the same FEN."""

    game = _game(variant)  # loading it does not count as time of the first input

    def check(data: bytes) -> None:
        before = game.describe()
        try:
            game.set_position(text_of(data).split())
        except Rejection as rejection:
            check_refusal(rejection.code, str(rejection))
            same(before, game.describe(), "a refused position")
            return
        drawn = game.describe()
        for line in drawn:
            check_line(line)
        accepted(game.legal, Rejection)
        fen = next(line.removeprefix("fen ") for line in drawn if line.startswith("fen "))
        if not any(line.startswith("result") for line in drawn):
            game.set_position(["fen", *fen.split()])
            fen_again = next(line.removeprefix("fen ") for line in game.describe() if line.startswith("fen "))
            same(fen, fen_again, "a FEN that was read back")
        game.set_position(["startpos"])

    return check


def fen_check(variant: str) -> Callable[[bytes], None]:
    """A FEN is refused, or the FEN of the resulting view reads back as the same FEN."""
    board = BOARDS[variant]

    def check(data: bytes) -> None:
        view = accepted(lambda: parse_fen(board, text_of(data)), JunqiError)
        if view is None:
            return
        text = format_fen(view)
        same(text, format_fen(parse_fen(board, text)), "a FEN that was read back")
        for move in accepted(view.legal_moves, JunqiError) or ():
            written = format_move(board, parse_move(board, format_code(board, move)))
            same(move, parse_move(board, written).move, "a legal move")

    return check


def moves_check(variant: str) -> Callable[[bytes], None]:
    """Each word is refused, or is a move that is written as it was read. The view accepts it or does not change."""
    board = BOARDS[variant]

    def check(data: bytes) -> None:
        view = start_view(board, viewer="S")
        for word in text_of(data).split()[:40]:
            before = _all_of(view)
            try:
                seen = parse_move(board, word)
                same(seen, parse_move(board, format_move(board, seen)), "a move that was read back")
                view.observe(seen)
            except JunqiError as error:
                check_refusal(error.code, str(error))
                same(before, _all_of(view), "a view after a refused move")
            if view.result != Result.ONGOING:
                return

    return check


def _all_of(view: SeatView) -> list[object]:
    """The whole state of a view, as lists."""
    fields = [view.position[name].tolist() for name in view.position.dtype.names or ()]
    known = [view.masks.tolist(), list(view.shown_flags), view.relations.tolist(), view.known["is_stale"]]
    return [fields, known, len(view.record)]


# The contest's dialect, line-ups, records, settings


def check_contest(data: bytes) -> None:
    """`GO` and `RESULT` are read or refused, and the table has a position after any of them."""
    table = ContestTable(lineup.DEFAULT)
    for line in text_of(data).splitlines()[:12]:
        name, *words = line.split() or [""]
        try:
            if name == "GO":
                report = contest_notation.parse_go(words)
                if not (table.lacks_result or table.is_repeated(report) or table.is_impossible(report)):
                    table.opponent_moved(report)
                    list(table.positions())
            elif name == "RESULT":
                table.told(contest_notation.parse_result(words))
            elif name == "BESTMOVE" and words and not table.lacks_result:
                squares = contest_notation.parse_move(words[0])
                if squares is not None:
                    table.we_moved(*squares)
        except ValueError as error:
            check_line(str(error))
    for words in table.positions():
        words = words[1:] if words[:1] == ["position"] else words
        accepted(partial(_game("luzhanqi").set_position, words), Rejection)


def check_contest_record(data: bytes) -> None:
    """A record is refused, or its games can be converted and converted back."""
    records = accepted(lambda: list(parse_contest(text_of(data))), ValueError, RefereeError) or ()
    for number, record in enumerate(records, 1):
        game = accepted(partial(game_of, record, number), ValueError, RefereeError)
        back = game and accepted(partial(contest_of, game, "S"), ValueError, RefereeError)
        if back:
            same(record.lineups, back.lineups, "line-ups of a record")


def check_jql(data: bytes) -> None:
    letters = accepted(lambda: lineup_files.parse_jql(data), JunqiError)
    if letters is not None:
        same(data, lineup_files.format_jql(letters), "a .jql file")


def check_jgs(data: bytes) -> None:
    """A `.jgs` file is refused, or written as it was read. Its game is refused, or survives the way there and back."""
    file = accepted(lambda: parse_jgs(data, with_names=True), JunqiError)
    if file is None:
        return
    same(file, parse_jgs(format_jgs(file), with_names=True), "a .jgs file")
    game = accepted(lambda: game_of_jgs(file, 1), ValueError)
    if game is not None:
        same(None, verify(game), "the fault of a game from a .jgs file")
        same(game, game_of_jgs(jgs_of(game, with_names=True), 1), "a game that went through a .jgs file")


def check_network(data: bytes) -> None:
    """A file of a network is refused in one line, or has the numbers that a search can add up."""
    with NamedTemporaryFile(suffix=".npz") as file:
        file.write(data)
        file.flush()
        network = accepted(lambda: read_network(LUZHANQI, Path(file.name)), ValueError, OSError)
    if network is not None:
        same(True, bool((np.abs(network.record["bias"]) <= LARGEST_BIAS).all()), "the bias of a network")


def check_games(data: bytes) -> None:
    """A shard of games is refused, or read. Each game is refused by replay, or follows the rules."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games-000000000.npz"
        path.write_bytes(data)
        shard = accepted(lambda: read_shard(path), FolderError)
    for game in shard[1] if shard else ():
        accepted(partial(check_game, game), ReplayError)


def check_book(data: bytes) -> None:
    book = accepted(lambda: Book.parse(text_of(data), "fuzz"), RefereeError)
    for letters in book.lineups if book else ():
        lineup.check(letters)


def check_record(data: bytes) -> None:
    """A record is refused, or each of its games is written as it was read, and verified without an exception."""
    games, _ = accepted(lambda: parse_record(data, "fuzz"), RefereeError) or ((), 0)
    for game in games:
        same(game, GameRecord.from_line(game.as_line()), "a game that was read back")
        fault = verify(game)
        if fault is not None:
            check_line(fault)


def check_library_record(data: bytes) -> None:
    """`Game.from_record` refuses a record, or makes a game whose record reads back."""
    game = accepted(lambda: LibraryGame.from_record(text_of(data)), JunqiError)
    if game is not None:
        same(game.record(), LibraryGame.from_record(game.record()).record(), "a game that was read back")


def check_engine_line(data: bytes) -> None:
    """A line of an engine is read, passed over or reported."""
    text = text_of(data)
    for read, line in ((read_info, data), (best_score, data), *((read, text) for read in OPTION_READERS)):
        accepted(partial(read, line), LineFault)


def check_message(data: bytes) -> None:
    """A frame of a page is a message, or refused."""
    accepted(lambda: message_shape(message_of(data), SHAPES), RequestError)


def check_settings(data: bytes) -> None:
    accepted(lambda: MatchSettings.read(read_tables(data, "fuzz"), "fuzz"), RefereeError)
