"""Files of stored games, `.jqg`: line-ups, moves and scores. What a move shows follows from the line-ups, by replay.

All numbers are little endian, except that a move is its from-point and then its to-point. The head:

| offset | bytes | contents |
|---|---|---|
| 0 | 8 | `JQGAMES` and a zero byte |
| 8 | 1 | the version of the format, 1 |
| 9 | 1 | the variant: 0 siguo, 1 luzhanqi |
| 10 | 1 | the version of the rules |
| 11 | 1 | 1 if too many plies without a battle lose, 0 if they draw |
| 12 | 4 | the limit of plies without a battle, 0 = none |
| 16 | 4 | the limit of plies, 0 = none |
| 20 | 8 | the seed of the run |
| 28 | 4 | the number of games |
| 32 | 1 | 1 if games have scores, else 0 |
| 33 | 1 | the number of players, at least 1 |
| 34 | 12 each | the players, each once: the limit of nodes, 4 bytes; the version as text and zero bytes, 8 bytes |

Each game, one after the other, by ascending number:

| bytes | contents |
|---|---|
| 4 | the number of the game; with the seed it determines the game |
| 1 + 1 | the players of South's team and of the other team, by their places in the head |
| 1 | the result: 1 South's team won, 2 the other team won, 3 draw |
| 1 | how it ended, `ENDINGS` |
| 2 | the number of plies, n |
| 25 each | the line-ups of South, East, North, West, or of the two seats, as letters |
| 2n | the moves |
| 2n | the scores, if there are any: of the position before the move, for its team; `NO_SCORE` without a search |

Scores are in hundredths of a Lieutenant, as `junqi_engine.search.scores` defines them. A file ends with its last game.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from junqi_engine.errors import JunqiError, ParseError
from junqi_engine.information.view import SeatView
from junqi_engine.rules import lineup
from junqi_engine.rules.board import LUZHANQI, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import from_point_of, team_of, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import Result, winner_of
from junqi_referee.endings import Ending
from junqi_referee.truth import ending_of
from junqi_training.games import team_view
from junqi_training.selfplay.settings import Player

MAGIC = b"JQGAMES\0"
VERSION = 1
VARIANTS = (SIGUO, LUZHANQI)
ENDINGS = (Ending.FLAG, Ending.NO_MOVES, Ending.NO_CONTACT, Ending.MAX_PLIES, Ending.ADJUDICATED)
NO_SCORE = -32_768
LARGEST_SCORE = 32_767
LARGEST_FILE = 1 << 28
"""Bytes. `parse_games` refuses more."""

_HEAD = struct.Struct("<8sBBBBIIQIBB")
_PLAYER = struct.Struct("<I8s")
_GAME = struct.Struct("<IBBBBH")


class GameFileError(ParseError):
    """Bytes that are not a file of games, or a damaged one. `offset` is the byte where it was noticed."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__("bad-file", f"byte {offset:#x}: {text}")
        self.offset = offset


@dataclass(frozen=True)
class StoredGame:
    """A game: `players` by team, `lineups` by seat, `moves` as numbers (`layout.move_of`), and the score before each
    move for its team, None without a search. `scores` is None if no game of the file has scores.
    """

    number: int
    players: tuple[Player, Player]
    lineups: tuple[str, ...]
    result: Result
    ending: Ending
    moves: tuple[int, ...]
    scores: tuple[int | None, ...] | None


@dataclass(frozen=True)
class GameFile:
    """The games of a file, and what they have in common. `players` are those that may occur, each once."""

    board: Board
    rules: Rules
    seed: int
    players: tuple[Player, ...]
    has_scores: bool
    games: tuple[StoredGame, ...]


def format_games(file: GameFile) -> bytes:
    """The bytes of a file, the inverse of `parse_games`."""
    rules = file.rules
    head = _HEAD.pack(
        MAGIC, VERSION, VARIANTS.index(file.board), rules.version, rules.no_contact_loses, rules.no_contact,
        rules.max_plies, file.seed, len(file.games), file.has_scores, len(file.players),
    )  # fmt: skip
    players = [_PLAYER.pack(player.nodes, player.version.encode()) for player in file.players]
    return b"".join((head, *players, *(_game_bytes(file, game) for game in file.games)))


def _game_bytes(file: GameFile, game: StoredGame) -> bytes:
    first, second = (file.players.index(player) for player in game.players)
    head = _GAME.pack(game.number, first, second, game.result, ENDINGS.index(game.ending), len(game.moves))
    scores = [NO_SCORE if score is None else score for score in game.scores or ()]
    parts = np.array(game.moves, ">u2").tobytes(), np.array(scores, "<i2").tobytes()
    return b"".join((head, *(letters.encode() for letters in game.lineups), *parts))


def parse_games(data: bytes) -> GameFile:
    """The games of a file. `GameFileError` says what is wrong, and at which byte.

    A game that is read has legal line-ups, and its moves are between points of the board. Whether they are legal, and
    lead to the result, is found by replay (`check_game`).
    """
    if len(data) > LARGEST_FILE:
        raise GameFileError(LARGEST_FILE, f"a file has at most {LARGEST_FILE} bytes; this one has {len(data)}")
    reader = _Reader(data)
    magic, version, variant, *numbers = reader.take(_HEAD, "its head")
    rules_version, loses, no_contact, max_plies, seed, count, has_scores, players = numbers
    if magic != MAGIC:
        raise GameFileError(0, "it does not begin with JQGAMES: not a file of games")
    if version != VERSION:
        raise GameFileError(8, f"the version of the format is {version}; this program reads {VERSION}")
    if variant >= len(VARIANTS):
        raise GameFileError(9, f"the variant is {variant}; expected 0 or 1")
    for offset, name, flag in ((11, "the flag of lost limits", loses), (32, "the flag of scores", has_scores)):
        if flag > 1:
            raise GameFileError(offset, f"{name} is {flag}; expected 0 or 1")
    try:
        rules = Rules(no_contact, bool(loses), max_plies, rules_version)
    except ValueError as error:
        raise GameFileError(10, f"the rules: {error}") from None
    if not players:
        raise GameFileError(33, "there are no players; expected at least 1")
    file = GameFile(VARIANTS[variant], rules, seed, _read_players(reader, players), bool(has_scores), ())
    games: list[StoredGame] = []
    for _ in range(count):
        games.append(_read_game(reader, file, games[-1].number if games else -1))
    if reader.offset < len(data):
        raise GameFileError(reader.offset, f"{len(data) - reader.offset} bytes follow the last game")
    return GameFile(file.board, rules, seed, file.players, file.has_scores, tuple(games))


class _Reader:
    """Takes fields from bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.offset = data, 0

    def take(self, layout: struct.Struct, what: str) -> tuple:
        return layout.unpack(self.bytes(layout.size, what))

    def bytes(self, size: int, what: str) -> bytes:
        found = self.data[self.offset : self.offset + size]
        if len(found) < size:
            raise GameFileError(len(self.data), f"the file ends within {what}")
        self.offset += size
        return found


def _read_players(reader: _Reader, count: int) -> tuple[Player, ...]:
    players: list[Player] = []
    for number in range(count):
        offset = reader.offset
        nodes, version = reader.take(_PLAYER, f"player {number}")
        try:
            player = Player(version.rstrip(b"\0").decode("ascii", "replace"), nodes)
        except ValueError as error:
            raise GameFileError(offset, f"player {number}: {error}") from None
        if player in players:
            raise GameFileError(offset, f"player {number}: {player} appears twice")
        players.append(player)
    return tuple(players)


def _read_game(reader: _Reader, file: GameFile, last: int) -> StoredGame:
    """The next game; `last` is the number of the one before it, -1 for the first."""
    offset = reader.offset
    number, first, second, result, ending, plies = reader.take(_GAME, f"the game after game {last}")
    what = f"game {number}"
    if number <= last:
        raise GameFileError(offset, f"{what} follows game {last}; the numbers must ascend")
    for place, index in ((4, first), (5, second)):
        if index >= len(file.players):
            raise GameFileError(offset + place, f"{what}: player {index}; there are {len(file.players)}")
    if result not in (Result.TEAM_0, Result.TEAM_1, Result.DRAW):
        raise GameFileError(offset + 6, f"{what}: the result is {result}; expected 1, 2 or 3")
    if ending >= len(ENDINGS):
        raise GameFileError(offset + 7, f"{what}: the ending is {ending}; expected 0 to {len(ENDINGS) - 1}")
    lineups = tuple(_read_lineup(reader, f"{what}, line-up of {seat}") for seat in file.board.seats)
    moves = _read_moves(reader, file.board, plies, what)
    scores = None
    if file.has_scores:
        read = np.frombuffer(reader.bytes(2 * plies, f"the scores of {what}"), "<i2").tolist()
        scores = tuple(None if score == NO_SCORE else score for score in read)
    players = file.players[first], file.players[second]
    return StoredGame(number, players, lineups, Result(result), ENDINGS[ending], moves, scores)


def _read_lineup(reader: _Reader, what: str) -> str:
    offset = reader.offset
    letters = reader.bytes(PIECES_PER_SEAT, what).decode("latin-1")
    try:
        lineup.check(letters)
    except JunqiError as error:
        raise GameFileError(offset, f"{what}: {error}") from None
    return letters


def _read_moves(reader: _Reader, board: Board, plies: int, what: str) -> tuple[int, ...]:
    offset = reader.offset
    moves = tuple(np.frombuffer(reader.bytes(2 * plies, f"the moves of {what}"), ">u2").tolist())
    points = len(board.names)
    for ply, move in enumerate(moves):
        if from_point_of(move) >= points or to_point_of(move) >= points:
            raise GameFileError(offset + 2 * ply, f"{what}, ply {ply}: a point is not on the board")
    return moves


def count_positions(games: Sequence[StoredGame]) -> int:
    """The positions in which a move was played."""
    return sum(len(game.moves) for game in games)


class ReplayError(JunqiError):
    """A stored game that the rules contradict; the text names game and ply."""

    def __init__(self, game: StoredGame, text: str) -> None:
        super().__init__("bad-file", f"game {game.number}, {text}")


@dataclass(frozen=True)
class Position:
    """A position in which `move` was played, after `ply` plies.

    `truth` is the position with all pieces, `views` what each team sees of it; both change with the next position, so
    copy what you keep. `views` is empty if it was not asked for. `score` is that of the search, for the team to move,
    None without a search. `result` is 1 if this team won the game, -1 if it lost, 0 for a draw.
    """

    game: StoredGame
    ply: int
    truth: GameState
    views: tuple[SeatView, ...]
    move: int
    score: int | None
    result: int


def positions(file: GameFile, game: StoredGame, with_views: bool = True) -> Iterator[Position]:
    """The positions of a game, in their order. `ReplayError` at a move that is not legal."""
    truth = _start(file, game)
    views = tuple(team_view(truth, team) for team in range(2)) if with_views else ()
    winner = winner_of(game.result)
    for ply, move in enumerate(game.moves):
        result = 0 if winner is None else 1 if winner == team_of(truth.turn) else -1
        yield Position(game, ply, truth, views, move, game.scores[ply] if game.scores else None, result)
        try:
            seen = truth.play(move)
            for view in views:
                view.observe(seen)
        except JunqiError as error:
            raise ReplayError(game, f"ply {ply}: {error}") from None


def check_game(file: GameFile, game: StoredGame) -> None:
    """Replay a game. `ReplayError` if a move is not legal, or if its result or ending is another one."""
    truth = _start(file, game)
    for ply, move in enumerate(game.moves):
        try:
            truth.play(move)
        except JunqiError as error:
            raise ReplayError(game, f"ply {ply}: {error}") from None
    if truth.result == Result.ONGOING:
        if game.ending != Ending.ADJUDICATED:
            raise ReplayError(game, f"ply {truth.ply}: it has not ended, but its ending is {game.ending}")
        return
    found = truth.result, ending_of(truth, _lineups(file, game))
    if found != (game.result, game.ending):
        names = [f"{result.name}, {ending}" for result, ending in (found, (game.result, game.ending))]
        raise ReplayError(game, f"ply {truth.ply}: it ends with {names[0]}; the file says {names[1]}")


def _lineups(file: GameFile, game: StoredGame) -> dict[str, str]:
    """The line-ups by seat letter."""
    return dict(zip(file.board.seats, game.lineups, strict=True))


def _start(file: GameFile, game: StoredGame) -> GameState:
    return GameState.start(file.board, _lineups(file, game), file.rules)
