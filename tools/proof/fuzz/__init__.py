"""Hostile input for everything that reads: `python -m tools.proof.fuzz`."""
