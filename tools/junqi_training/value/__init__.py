"""Evaluation: the linear evaluation and the network."""
