"""What the puzzles share: their error, and the names of squares."""

import re

LONGEST_WORD = 200


class PuzzleError(ValueError):
    """Something a puzzle can't do: `code` is the protocol's word for it, the text says what is wrong and where.

    A word of the input can be as long as a line; of one that is quoted in the text the beginning is shown.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(re.sub(rf"(\S{{{LONGEST_WORD}}})\S+", r"\1...", text))
        self.code = code


def square_name(file: int, rank: int) -> str:
    """The name of a square, both counted from 0 at the lower left: (0, 0) is `a1`, (26, 0) is `aa1`."""
    letters = ""
    file += 1
    while file:
        file, letter = divmod(file - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rank + 1}"


def parse_square(text: str) -> tuple[int, int]:
    """File and rank from 0 of a square's name; `PuzzleError` bad-move if it is none."""
    match = re.fullmatch(r"([a-z]{1,7})([1-9][0-9]{0,9})", text)
    if match is None:
        raise PuzzleError("bad-move", f"{text[:40]!r} is no square, such as a1")
    file = 0
    for letter in match[1]:
        file = 26 * file + ord(letter) - ord("a") + 1
    return file - 1, int(match[2]) - 1
