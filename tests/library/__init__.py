"""The public library and its client of engines."""
