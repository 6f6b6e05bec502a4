"""The targets of fuzzing: readers that get any bytes, and good samples of what each of them reads.

A reader refuses its input by its own type of error with one printable line, or accepts it. An accepted value is the
same when it is written and read again; a refused input changes nothing. `Broken`, or an exception of another type, is a
fault of the reader.
"""

import io
import random
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import junqi_board.answers  # noqa: F401  the messages
from junqi_board.connection import read as read_message
from junqi_engine.api.game import Game
from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.engine_lines import LineFault, option_choices, option_name, read_info
from junqi_engine.errors import Refused
from junqi_engine.evaluation.network import MAX_BIAS, read_network
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.jgs import parse_jgs
from junqi_engine.notation.moves import format_code, format_move, parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI, Board
from junqi_engine.rules.position import Result
from junqi_protocol.catalogue import CATALOGUE, OPTIONS
from junqi_protocol.commands import COMMANDS, CommandLine, parse, parse_go
from junqi_protocol.contest import notation as contest_notation
from junqi_protocol.contest.table import ContestTable
from junqi_protocol.dispatch import load_game
from junqi_protocol.options import Options, split_setoption
from junqi_protocol.variant_game import VariantGame
from junqi_referee.cli import parse as arguments_of
from junqi_referee.exit_codes import RefereeError
from junqi_referee.playing.match import settings_of
from junqi_referee.records.conversion import game_of_jgs
from junqi_referee.records.record_file import parse_record
from junqi_referee.records.replay import verify
from junqi_referee.settings.schedule import Book
from junqi_training.selfplay.folder import FolderError, read_shard
from tests.helpers.proof import fuzz_samples as samples

CODES = frozenset(
    "unknown-command line-too-long bad-argument bad-number no-such-option bad-value bad-position impossible-position "
    "bad-lineup bad-move illegal-move missing-outcome impossible-outcome leak not-our-seat game-over needs-open "
    "not-supported too-large bad-file bad-message".split()
)
"""Every error code of the protocol except `internal`, which reports a fault of the program; the last is the board's."""
MAX_LINE = 2000
MAX_NOTE = 5000
MAX_S = 5.0
"""Limit of processor time for one input: half of the time in which `isready` must be answered."""


class Broken(AssertionError):
    """A reader broke its contract."""


def check_line(text: str) -> None:
    if not text or not text.isprintable() or len(text) > MAX_LINE:
        raise Broken(f"not one printable line: {text[:200]!r} ({len(text)} characters)")


def check_refusal(refusal: Exception) -> None:
    if isinstance(refusal, Refused) and refusal.code not in CODES:
        raise Broken(f"{refusal.code!r} is not an error code of the protocol: {refusal}")
    check_line(str(refusal))


def same(first: object, second: object, what: str) -> None:
    if first != second:
        raise Broken(f"{what}: {str(first)[:300]} became {str(second)[:300]}")


def accepted(read: Callable[[], Any], *faults: type[Exception]) -> Any:
    """The value that a reader returns; None if it refuses its input by its own error."""
    try:
        return read()
    except faults as error:
        check_refusal(error)
        return None


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


@dataclass(frozen=True)
class Target:
    """`samples` makes good inputs, `faults` are the reader's own errors. Without `write` nothing is read again."""

    samples: Callable[[], tuple[bytes, ...]]
    read: Callable[[bytes], Any]
    faults: tuple[type[Exception], ...] = ()
    write: Callable[[Any], bytes] | None = None

    def check(self, data: bytes) -> None:
        made = accepted(partial(self.read, data), *self.faults)
        if made is not None and self.write is not None:
            same(made, self.read(self.write(made)), "what was written and read again")


def run(name: str, seed: int, examples: int) -> None:
    """Run a target on its samples, and on `examples` damaged ones, which depend on `seed` alone."""
    target, rng = TARGETS[name], random.Random(seed)
    good = target.samples()
    for sample in good:  # also to load what the reader needs
        target.check(sample)
    for _ in range(examples):
        attempt(target, samples.damaged(good, rng))


def attempt(target: Target, data: bytes) -> None:
    """Check one input and the time that it takes. An exception gets the input as a note."""
    started = time.process_time()
    try:
        target.check(data)
        seconds = time.process_time() - started
        if seconds > MAX_S:
            raise Broken(f"it took {seconds:.1f} s")
    except BaseException as error:
        error.add_note(f"the input: {data[:MAX_NOTE]!r}")
        raise


# The protocol


def read_grammar(data: bytes) -> None:
    """Each line is a command, a fault or empty; arguments are read too."""
    for command in map(parse, data.split(b"\n")):
        if command is not None and command.fault is not None:
            check_refusal(command.fault)
        elif command is not None:
            _read_arguments(command)


def _read_arguments(command: CommandLine) -> None:
    if command.name not in COMMANDS:
        raise Broken(f"{command.name!r} is not a command")
    if command.name == "go":
        accepted(lambda: parse_go(command.arguments), Refused)
    elif command.name == "setoption":
        name, text = accepted(lambda: split_setoption(text_of(command.arguments).split()), Refused) or ("", None)
        option = accepted(lambda: _options().find(name), Refused)
        if option is not None and text is not None:
            accepted(lambda: option.parse(text), Refused)


def _options() -> Options:
    return Options(OPTIONS)


@cache
def _game(variant: str) -> VariantGame:
    entry = next(entry for entry in CATALOGUE if entry.variant == variant)
    options = _options()
    options["UCI_Variant"] = variant
    return load_game(entry, options, lambda text: None)


def read_position(variant: str, data: bytes) -> None:
    """`position` is refused and changes nothing, or the FEN of the new position reads back as the same FEN."""
    game = _game(variant)
    before = game.describe()
    try:
        game.set_position(text_of(data).split())
    except Refused:
        same(before, game.describe(), "a refused position")
        raise
    drawn = game.describe()
    for line in drawn:
        check_line(line)
    accepted(game.legal, Refused)
    if not any(line.startswith("result") for line in drawn):
        fen = _fen_of(game)
        game.set_position(["fen", *fen.split()])
        same(fen, _fen_of(game), "a FEN that was read back")
    game.set_position(["startpos"])


def _fen_of(game: VariantGame) -> str:
    return next(line.removeprefix("fen ") for line in game.describe() if line.startswith("fen "))


# Views and moves


def read_fen(board: Board, data: bytes) -> str:
    view = parse_fen(board, text_of(data))
    for move in accepted(view.legal_moves, Refused) or ():
        written = format_move(board, parse_move(board, format_code(board, move)))
        same(move, parse_move(board, written).move, "a legal move")
    return format_fen(view)


def read_moves(board: Board, data: bytes) -> None:
    """Each word is refused, or is a move that is written as it was read. The view accepts it or does not change."""
    view = start_view(board, viewer="S")
    for word in text_of(data).split()[:40]:
        before = _all_of(view)
        try:
            seen = parse_move(board, word)
            same(seen, parse_move(board, format_move(board, seen)), "a move that was read back")
            view.observe(seen)
        except Refused as error:
            check_refusal(error)
            same(before, _all_of(view), "a view after a refused move")
        if view.result != Result.ONGOING:
            return


def _all_of(view: SeatView) -> list[object]:
    """The whole state of a view, as lists."""
    fields = [view.position[name].tolist() for name in view.position.dtype.names or ()]
    known = [view.masks.tolist(), list(view.revealed_flags), view.relations.tolist(), view.known["is_stale"]]
    return [fields, known, len(view.record)]


# The contest's dialect, records, files


def read_contest(data: bytes) -> None:
    """`GO` and `RESULT` are read or refused, and the table has a position after any of them."""
    table = ContestTable(lineup.DEFAULT)
    for line in text_of(data).splitlines()[:12]:
        accepted(partial(_tell, table, line), ValueError)
    for words in table.positions():
        accepted(partial(_game("luzhanqi").set_position, words), Refused)


def _tell(table: ContestTable, line: str) -> None:
    name, *words = line.split() or [""]
    if name == "GO":
        report = contest_notation.parse_go(words)
        table.opponent_moved(report)
        table.positions()
    elif name == "RESULT":
        table.add_result(contest_notation.parse_result(words))
    elif name == "BESTMOVE" and words:
        squares = contest_notation.parse_move(words[0])
        if squares is not None:
            table.we_moved(*squares)


def read_games(data: bytes) -> list[GameRecord]:
    games, _ = parse_record(data, "fuzz")
    for game in games:
        fault = verify(game)
        if fault is not None:
            check_line(fault)
    return games


def read_jgs_game(data: bytes) -> GameRecord:
    game = game_of_jgs(parse_jgs(data), 1, with_names=True)
    same(None, verify(game), "the fault of a game from a .jgs file")
    return game


def read_network_file(data: bytes) -> None:
    """The numbers of an accepted file are small enough for a search to add them up."""
    network = _from_file("network.npz", data, partial(read_network, LUZHANQI))
    same(True, bool((np.abs(network.record["bias"]) <= MAX_BIAS).all()), "the bias of a network")


def read_shard_of_games(data: bytes) -> None:
    """The line-ups are legal: each game can begin."""
    for game in _from_file("games-000000000.npz", data, read_shard)[1]:
        game.start()


def _from_file(name: str, data: bytes, read: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return read(path)


def read_arguments(path: Path) -> None:
    with suppress(SystemExit), redirect_stdout(io.StringIO()):  # after --help
        settings_of(arguments_of(["tournament", f"@{path}"]))


def read_book(data: bytes) -> None:
    for letters in Book.parse(text_of(data), "fuzz").lineups:
        lineup.check(letters)


def read_engine_line(data: bytes) -> None:
    """A line of an engine is read, ignored or reported."""
    with suppress(LineFault):
        read_info(data)
    for read in (option_name, option_choices):
        read(text_of(data))


BOOK = f"{lineup.DEFAULT} ; a name\n# a comment\n{lineup.DEFAULT}\n".encode()
RECORD = Target(
    samples.records,
    read_games,
    (RefereeError,),
    lambda games: "".join(f"{game.as_line()}\n" for game in games).encode(),
)
TARGETS: Mapping[str, Target] = {
    "grammar": Target(lambda: samples.GRAMMAR, read_grammar),
    "contest": Target(lambda: samples.CONTEST, read_contest),
    "jgs": Target(samples.game_files, parse_jgs, (Refused,)),
    "jgs-game": Target(samples.game_files, read_jgs_game, (Refused, ValueError)),
    "games": Target(samples.stored_games, read_shard_of_games, (FolderError,)),
    "book": Target(lambda: (BOOK,), read_book, (RefereeError,)),
    "record": RECORD,
    "library-record": Target(
        samples.records, lambda data: Game.from_record(text_of(data)).record(), (Refused,), str.encode
    ),
    "settings": Target(
        lambda: samples.SETTINGS, lambda data: _from_file("arguments", data, read_arguments), (RefereeError,)
    ),
    "engine-line": Target(lambda: samples.ENGINE_LINES, read_engine_line),
    "message": Target(lambda: samples.MESSAGES, read_message, (Refused,)),
    "network": Target(samples.networks, read_network_file, (ValueError, OSError)),
    **{
        f"position-{entry.variant}": Target(
            partial(samples.positions, entry.variant), partial(read_position, entry.variant), (Refused,)
        )
        for entry in CATALOGUE
    },
    **{
        f"fen-{board.variant}": Target(
            partial(samples.view_fens, board), partial(read_fen, board), (Refused,), str.encode
        )
        for board in BOARDS.values()
    },
    **{
        f"moves-{board.variant}": Target(partial(samples.move_lists, board), partial(read_moves, board))
        for board in BOARDS.values()
    },
}
