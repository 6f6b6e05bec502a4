"""What the puzzles share: their one error and the names of squares."""

import re


class PuzzleError(ValueError):
    """A position, move or request that can't be: one of the protocol's error codes, and what is wrong where."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def square_name(file: int, rank: int) -> str:
    """The name of a square, a1 to aa1 and on: `file` from the left and `rank` from the bottom, both from 0."""
    letters = ""
    number = file + 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rank + 1}"


def parse_square(text: str) -> tuple[int, int]:
    """The (file, rank) of a square's name, both from 0; a ValueError if it is none."""
    match = re.fullmatch(r"([a-z]{1,3})([0-9]{1,4})", text)
    if not match or match[2].startswith("0"):
        raise ValueError(f"'{text}' is no square")
    file = 0
    for letter in match[1]:
        file = 26 * file + ord(letter) - ord("a") + 1
    return file - 1, int(match[2]) - 1
