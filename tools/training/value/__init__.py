"""Fits the network of the learned evaluator (`junqi_engine/evaluation/learned.py`) to stored games."""
