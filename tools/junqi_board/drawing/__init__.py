"""Positions as data for a page to draw: Junqi boards and puzzles. A page knows no rules, so legal moves come along."""
