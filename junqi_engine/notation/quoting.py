"""Quoting text of unknown origin in messages."""

LONGEST_QUOTE = 40


def quoted(text: str) -> str:
    """The text in quotes, escaped and cut so that it fits on one line."""
    cut = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "..."
    return ascii(cut)
