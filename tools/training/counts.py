"""Numbers on the command line of the training tools."""

import argparse

LARGEST = 999_999_999


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdecimal() or not 0 < int(text[:10]) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 to {LARGEST}")
    return int(text)
