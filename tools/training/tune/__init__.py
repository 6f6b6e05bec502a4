"""Tunes the direct worths of the learned evaluator by play: SPSA over pairs of quick games."""
