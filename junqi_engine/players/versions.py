"""The versions of the players. This module imports nothing heavy, so that `uci` is answered immediately."""

VERSIONS = ("1.0", "1.1", "1.2", "5.0")
"""Oldest first."""
NEWEST = VERSIONS[-1]
