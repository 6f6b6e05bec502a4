"""Books of line-ups, and `.jql` files with one line-up.

A book has one line-up of 25 letters per line, optionally followed by `;` and a name; `#` starts a comment.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from junqi_engine.errors import JunqiError
from junqi_engine.files import write_whole
from junqi_engine.notation.lineup_files import format_jql, parse_jql
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from tools.referee.exits import RefereeError

PACKAGED = "lineups.txt"
JQL = ".jql"
TRIES_A_LINEUP = 1000


@dataclass(frozen=True)
class Book:
    """Line-ups to draw from."""

    lineups: tuple[str, ...]

    @classmethod
    def read(cls, path: str | None) -> "Book":
        """Read a book or a `.jql` file; None is the packaged book. A `RefereeError` names the illegal line."""
        try:
            if path is None:
                text = resources.files("tools.referee.schedule").joinpath(PACKAGED).read_text(encoding="utf-8")
            elif path.endswith(JQL):
                return cls((read_jql(path),))
            else:
                text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise RefereeError(f"book {path or PACKAGED}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise RefereeError(f"book {path}: not UTF-8: {error}") from error
        return cls.parse(text, path or PACKAGED)

    @classmethod
    def parse(cls, text: str, name: str) -> "Book":
        """Parse the text of a book; `name` is for messages."""
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            letters = line.partition("#")[0].partition(";")[0].strip()
            if not letters:
                continue
            try:
                lineup.check(letters)
            except JunqiError as error:
                raise RefereeError(f"book {name}, line {number}: {error}") from error
            found.append(letters)
        if not found:
            raise RefereeError(f"book {name}: there is no line-up in it")
        return cls(tuple(found))

    def draw(self, rng: random.Random, count: int) -> list[str]:
        """Draw `count` line-ups, without repetition if there are enough."""
        if count <= len(self.lineups):
            return rng.sample(self.lineups, count)
        return rng.choices(self.lineups, k=count)


def read_jql(path: str) -> str:
    """The line-up of a `.jql` file."""
    try:
        return parse_jql(Path(path).read_bytes())
    except OSError as error:
        raise RefereeError(f"line-up {path}: {error.strerror}") from error
    except JunqiError as error:
        raise RefereeError(f"line-up {path}: {error}") from error


def write_jql(path: str, letters: str) -> None:
    """Write a new `.jql` file; an existing file is not overwritten."""
    try:
        write_whole(Path(path), format_jql(letters), replaces=False)
    except OSError as error:
        raise RefereeError(f"line-up {path}: {error.strerror}") from error
    except JunqiError as error:
        raise RefereeError(f"line-up {letters!r}: {error}") from error


def named_lineups(words: Sequence[str], is_mirrored: bool) -> list[tuple[str, str]]:
    """Line-ups with their names, from letters, which have no name, and from `.jql` files, named after the files."""
    found = []
    for word in words:
        letters, name = (read_jql(word), Path(word).stem) if word.endswith(JQL) else (word, "")
        try:
            lineup.check(letters)
            letters = lineup.mirror(letters) if is_mirrored else letters
        except JunqiError as error:
            raise RefereeError(f"line-up {word[:60]!r}: {error}") from error
        found.append((letters, name))
    return found


def random_lineup(rng: random.Random) -> str:
    """A random sensible line-up."""
    return lineup_choice.sensible(rng)


def make_book(count: int, seed: int) -> str:
    """The text of a book of `count` different sensible line-ups."""
    rng = random.Random(seed)
    chosen: dict[str, None] = {}
    for _ in range(TRIES_A_LINEUP * count):
        if len(chosen) == count:
            break
        chosen[lineup_choice.sensible(rng)] = None
    lines = [f"# {count} line-ups, made by: junqi-referee book --count {count} --seed {seed}"]
    lines += [f"{letters} ; {number}" for number, letters in enumerate(chosen, 1)]
    return "\n".join(lines) + "\n"
