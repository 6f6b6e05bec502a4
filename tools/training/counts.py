"""Numbers on the command line of the training tools."""

import argparse

MOST_DIGITS = 9
MOST = 10**6


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 to {10**MOST_DIGITS - 1}")
    return int(text)


def positive(text: str) -> float:
    """A number above 0, and up to a million."""
    value = _number(text)
    if not 0 < value <= MOST:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number above 0, and up to {MOST}")
    return value


def rate(text: str) -> float:
    """A number from 0 to a million; with 0, nothing is learned."""
    value = _number(text)
    if not 0 <= value <= MOST:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 0 to {MOST}")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
