"""The tests, one file a subject."""
