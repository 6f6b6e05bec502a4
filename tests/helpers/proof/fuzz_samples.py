"""Good inputs of every kind, and random damage to them."""

import io
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from junqi_engine.api.game_record import GameRecord
from junqi_engine.evaluation.network import UNITS, row_count
from junqi_engine.information.view import redact
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.moves import format_move, parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_referee.endings import Ending
from junqi_referee.full_game import FullGame
from junqi_training.selfplay.folder import DataFolder, Origin
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import SelfPlaySettings
from tests.helpers import jgs

MAX_EDITS = 6
SIZES = (1, 1, 2, 3, 5, 8, 20, 100)
TROUBLE = (
    *("0", "-1", "1e9", "99999999999999999999", "9" * 5000, "٣", "½", "é", "司令", b"\xed\xa0\x80"),
    *("\0", "\r", "\t", "\x1b[0m", " ", "  ", "\u2028", "\ufeff", b"\xff\xfe", b"\xc3", "/", "-", "?", "!", "#"),
    *("[" * 3000, "{" * 3000, "null", "true", "[]", "{}", '""', "1.5", "NaN", "moves", "fen", "startpos", "viewer"),
    *("17", "16/", "=", "*", "S", "SENW", "Sl", "N?", "j", "resign:S", "a1", "g6g7", "!h1", "#E", "o", "x", "h17:jl"),
    *("name", "value"),
)  # fmt: skip


def damaged(samples: Sequence[bytes], rng: random.Random) -> bytes:
    """A sample with up to `MAX_EDITS` changes."""
    data = rng.choice(samples)
    for _ in range(rng.randint(0, MAX_EDITS)):
        data = _edited(data, rng, samples)
    return data


def _edited(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """One random change: a part removed, repeated or taken from another input, or an awkward string inserted."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice(SIZES))
    kind = rng.randrange(7)
    if kind == 0:
        return data[:start] + data[end:]
    if kind == 1:
        return data[:end] + data[start:end] * rng.choice((1, 1, 2, 40)) + data[end:]
    if kind == 2:
        return data[:start] + bytes([rng.randrange(256)]) + data[end:]
    if kind == 3:
        return data[:start]
    if kind == 4:
        other = rng.choice(others)
        cut = rng.randrange(len(other) + 1)
        return data[:start] + other[cut : cut + rng.choice(SIZES)] + data[end:]
    trouble = rng.choice(TROUBLE)
    piece = trouble if isinstance(trouble, bytes) else trouble.encode()
    # Whole words are replaced as often as parts of them, so that other words stay valid.
    if kind == 5:
        words = data.split(b" ")
        words[rng.randrange(len(words))] = piece
        return b" ".join(words)
    return data[:start] + piece + data[end:]


@cache
def _played(variant: str, seed: int, plies: int) -> GameState:
    """A random game with many battles; callers must not change it."""
    board, rng = BOARDS[variant], random.Random(seed)
    game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
    while game.result == Result.ONGOING and game.ply < plies:
        moves = game.legal_moves()
        attacks = [move for move in moves if game.position["board"][to_point_of(move)]]
        game.play(rng.choice(attacks or moves))
    return game


def view_fens(board: Board) -> tuple[bytes, ...]:
    everybody = range(len(board.seats))
    views = [
        redact(_played(board.variant, seed, 10 + 25 * seed), seats)
        for seed in range(6)
        for seats in ((0,), everybody, everybody[::2])
    ]
    return tuple(format_fen(view).encode() for view in views)


def move_lists(board: Board) -> tuple[bytes, ...]:
    games = [_played(board.variant, seed, 40) for seed in range(4)]
    return tuple(" ".join(format_move(board, seen) for seen in game.record).encode() for game in games)


@cache
def positions(variant: str) -> tuple[bytes, ...]:
    if variant not in BOARDS:
        return tuple(text.encode() for text in PUZZLE_POSITIONS[variant])
    board = BOARDS[variant]
    starts = [f"startpos viewer {board.teams[0]}", f"startpos lineup S:{lineup.DEFAULT} viewer S", "startpos viewer *"]
    lists = [b"startpos viewer * moves g6g7", b"startpos moves " + move_lists(board)[0]]
    return (*(text.encode() for text in starts), *lists, *(b"fen " + fen for fen in view_fens(board)))


PUZZLE_POSITIONS: Mapping[str, Sequence[str]] = {
    "klotski": (
        "startpos",
        "fen ABBC/ABBC/DEEF/DGHF/I..J goal ..../..../..../.BB./.BB.",
        "fen ABBC/ABBC/DEEF/DGHF/I..J goal ..../..../..../.BB./.BB. moves Gd Hd",
        "fen A=B/#.#/... goal .../.../A.. gates b3",
        "fen oooooooAAooooooooooooooooooooooooooo",
        "fen abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA.",
    ),
    "submarine": ("startpos", "startpos moves b2b1 a2b2", "fen m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne"),
    "match3": (
        "startpos",
        "startpos moves b4b5",
        "fen 3343/3233/2434/1343/3311/3433/1443/1232",
        "fen 12a/.z1/921 moves a1a2",
    ),
    "knights-tour": (
        "startpos",
        "fen 8x8 start a1 end b1 moves a1b3 b3c5",
        "fen 5x6 closed",
        "fen 1000x3 start zz1",
        "fen 10000x10000 closed",
    ),
}

GRAMMAR = (
    b"uci\nisready\nsetoption name Move Overhead value 30\nposition startpos moves g6g7\n",
    b"go depth 3 searchmoves a1a2\n",
    b"\tjoho debug on\r\n# a comment\ngo wtime 1000 btime 900 winc 10 binc 9 movestogo 4\nstop\nponderhit\nquit",
    b"go nodes 5 movetime 7\ngo perft 3\ngo setup S\ngo infinite ponder\ngo time 1 inc 2\n",
    b"setoption name Scoring value 1/3/10\nsetoption name UCI_Variant value klotski\n",
)
ENGINE_LINES = (
    b"info depth 3 seldepth 4 multipv 1 score cp 31 wdl 500 300 200 nodes 9 time 7 nps 1285 hashfull 3 pv a1a2 b1b2",
    b"info depth 1 score mate -4",
    b"info string a text",
    b"option name Hash type spin default 16 min 1 max 1024",
    b"option name Player type combo default 2.0 var 1.0 var 2.0",
)
MESSAGES = (
    b'{"type":"move","ply":0,"move":"g6g7","id":3}',
    b'{"type":"new_game","variant":"siguo","visibility":"dark","seats":{"S":{"who":"me","program":"","elo":null}},'
    b'"clock":{"base_s":60,"increment_s":1},"time_out":"loses"}',
    b'{"type":"teaser_show","variant":"klotski","position":"startpos","moves":""}',
)
CONTEST = (
    b"GO 0000 0 00\nBESTMOVE G0F0\nRESULT 3 00\nGO F0G0 1 00\n",
    b"GO E1F1 3 00\nBESTMOVE G4F4\nRESULT 0 A1\nGO F4G4 2 A3\nBESTMOVE H0G0\nRESULT 2 00\n",
)
SETTINGS = (
    b"--variant siguo --rounds 3 --seed 1\n--sprt elo0=0 elo1=25 model=normalized --resign movecount=3 score=400\n"
    b'--each tc=1:30+0.5 margin=20 # for both\n--engine name=a "cmd=x y" option.Player=1.2\n\n'
    b'--engine name=b cmd="x y" nodes=5\n',
    b"--visibility dark\n--max-plies 70\n--engine cmd=x st=0.1\n--engine cmd=y name=y depth=3\n",
)


def _draw(board: Board, moves: list[str], **more: Any) -> GameRecord:
    return GameRecord(1, board.variant, "partner", seed=0, moves=moves, times_ms=[1] * len(moves), **more)


@cache
def records() -> tuple[bytes, ...]:
    """A record of each variant, and one of both games."""
    samples = []
    for board in BOARDS.values():
        game = _played(board.variant, 3, 60)
        moves = [format_move(board, seen) for seen in game.record]
        record = _draw(
            board,
            moves,
            engines={"SN": {"name": "a"}},
            rules={"no_contact": 70, "no_contact_loses": False, "max_plies": game.ply},
            lineups=dict(zip(board.seats, game.lineups.values(), strict=True)),
            first="S",
            scores=["cp 3"] * len(moves),
            ending=Ending.MAX_PLIES,
        )
        samples.append(record.as_line().encode() + b"\n")
    return (*samples, b"".join(samples).replace(b'"game":1', b'"game":2', 1))


def game_files() -> tuple[bytes, ...]:
    """`.jgs` files of games with names, a passed turn and a resignation."""
    samples = []
    for seed in range(4):
        rng = random.Random(seed)
        lineups = {letter: lineup_choice.sensible(rng) for letter in SIGUO.seats}
        full = FullGame(SIGUO.variant, lineups, "S", Rules.of(SIGUO))
        events = []
        for _ in range(25 * seed):
            seen = parse_move(SIGUO, full.play(rng.choice(full.legal())))
            points = [SIGUO.names[point] for point in (seen.from_point, seen.to_point)]
            events.append(jgs.move(*points, seen.outcome, *(SIGUO.names[point] for point in seen.revealed_flags)))
        slot = jgs.SLOTS[full.turn]
        events += [jgs.event(0xF5, 2, slot), jgs.event(0xF5, 3, slot, 4)]
        names = (b"a", b"", "司令".encode("gb18030"), b"x" * 19)
        samples.append(jgs.game_file(*events, lineups=list(lineups.values()), names=names))
    return tuple(samples)


def networks() -> tuple[bytes, ...]:
    """Files of a network of Luzhanqi, packed and not."""
    biases = np.arange(UNITS, dtype=np.int16)
    found = []
    for save in (np.savez_compressed, np.savez):
        data = io.BytesIO()
        save(data, rows=np.zeros((row_count(LUZHANQI), UNITS), np.int16), bias=biases, output=biases)
        found.append(data.getvalue())
    return tuple(found)


def stored_games() -> tuple[bytes, ...]:
    """Shards of self-play, a short one and a longer one."""
    samples = []
    for variant, plies in zip(BOARDS, (60, 4), strict=True):
        settings = SelfPlaySettings(variant, 20, max_plies=plies, shard=2)
        generator = Generator(settings)
        with TemporaryDirectory() as folder, DataFolder(Path(folder), Origin("1", "unknown", settings)) as data:
            samples.append(data.add([generator.play(number) for number in range(2)]).read_bytes())
    return tuple(samples)
