"""Numbers on the command line of the training tools."""

import argparse

MOST_DIGITS = 9


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 to {10**MOST_DIGITS - 1}")
    return int(text)
