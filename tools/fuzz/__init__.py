"""Hostile input for everything that reads: `python -m tools.fuzz`."""
