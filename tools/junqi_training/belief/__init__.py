"""Belief about hidden pieces: styles of line-ups, policies, and measures of their accuracy."""
