"""Files of games: records of the referee, one game per line, and `.jgs` files of QQ, one game each."""

from collections.abc import Iterator
from pathlib import Path

from junqi_engine.api.game import Game
from junqi_engine.errors import Refused, naming
from junqi_engine.foreign_json import MAX_CHARS
from junqi_engine.notation.jgs import parse_jgs
from junqi_engine.notation.jgs_events import replay
from junqi_engine.rules.board import SIGUO

JGS_SUFFIX = ".jgs"


def read_games(path: str | Path) -> Iterator[Game]:
    """The games of a file: records, as `junqi-referee` and `Game.record` write them, or a `.jgs` file, by its name.

    Every move is checked against the rules. A game that ended by agreement, or was interrupted, is not over. A last
    line that was cut off, because the referee was killed, is skipped. `Refused` names the file and the line of a game
    that is wrong or too long, and ends the reading. OSError if the file cannot be read.

    >>> import tempfile
    >>> from junqi_engine import Game, read_games
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(f"{folder}/games.jsonl", "w") as file:
    ...         print(Game(seed=1).record(), Game("luzhanqi", seed=2).record(), sep="\\n", file=file)
    ...     [game.variant for game in read_games(f"{folder}/games.jsonl")]
    ['siguo', 'luzhanqi']
    """
    path = Path(path)
    return _read_jgs(path) if path.suffix.lower() == JGS_SUFFIX else _read_record(path)


def _read_record(path: Path) -> Iterator[Game]:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MAX_CHARS + 2), ""), 1):
            if line.strip():
                try:
                    with naming(f"{path}, line {number}: "):
                        game = Game.from_record(line)
                except Refused as error:
                    is_last = len(line) <= MAX_CHARS + 1 and not line.endswith("\n")
                    if number > 1 and error.code == "bad-file" and is_last:
                        return
                    raise
                yield game


def _read_jgs(path: Path) -> Iterator[Game]:
    try:
        file = parse_jgs(path.read_bytes())
        game = Game(SIGUO.variant, dict(zip(SIGUO.seats, file.lineups, strict=True)), first=SIGUO.seats[file.first])
        replay(file.events, game, game.push)
    except ValueError as error:
        raise Refused("bad-file", f"{path}: {error}") from error
    yield game
