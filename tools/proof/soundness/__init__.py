"""Soundness of deduction: `python -m tools.proof.soundness`. `check` plays and checks one game."""
