"""Cases that tests take a few of, and a run with `--budget` as many as it has time for (docs/testing.md)."""
