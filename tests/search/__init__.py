"""The search and its time."""
