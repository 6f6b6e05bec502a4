"""Generated cases: tests use a few of them, a run with `--budget` many (docs/testing.md)."""
