"""The names of the versions. This module imports nothing heavy, so that `uci` can be answered at once."""

VERSIONS = ("1.0", "1.1", "1.2", "4.4")
"""Oldest first."""
NEWEST = VERSIONS[-1]
