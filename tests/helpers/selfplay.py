"""Short games of self-play for tests."""

import struct
from dataclasses import replace
from pathlib import Path

from junqi_engine.rules.board import LUZHANQI, Board
from junqi_engine.rules.pieces import LETTERS
from junqi_training.selfplay import run as command
from junqi_training.selfplay.game_file import GameFile, StoredGame
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import Mixture, Player, Settings

QUICK = Settings("luzhanqi", "1.2:1", max_plies=60, shard=2)
"""Games that take no time."""
QUICK_PLAYERS = "quick@50"
WEAK = Player("2.0", 200)
LIEUTENANT = LETTERS.index("h")
CODE = struct.Struct(">BB")


def point(name: str) -> int:
    return LUZHANQI.point_named[name]


def move(text: str) -> int:
    """A move such as `a1b2`, as in the file: from-point, to-point."""
    squares = text[: text.index("-")], text[text.index("-") + 1 :]
    (number,) = struct.unpack(">H", CODE.pack(*map(point, squares)))
    return number


def small_file() -> GameFile:
    """A file of one short game of luzhanqi that a limit of plies ends."""
    settings = replace(QUICK, max_plies=3)
    game = Generator(settings).play(7)
    return file_of(settings, game)


def file_of(settings: Settings, *games: StoredGame, has_scores: bool = True) -> GameFile:
    players = Mixture.parse(settings.mixture).players
    return GameFile(settings.board, settings.rules, settings.seed, players, has_scores, games)


def quick_games(board: Board, count: int, max_plies: int = 200) -> GameFile:
    """Games of quick players."""
    settings = Settings(board.variant, QUICK_PLAYERS, max_plies=max_plies)
    generator = Generator(settings)
    return file_of(settings, *(generator.play(number) for number in range(count)))


def played_folder(folder: Path, variant: str, games: int) -> Path:
    """A folder of this many games of quick players."""
    words = ["--variant", variant, "--mixture", QUICK_PLAYERS, "--games", str(games), "--shard", str(games)]
    assert command.main([str(folder), *words]) == 0
    return folder
