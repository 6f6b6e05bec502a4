"""The puzzles: solvers, generators, playing."""
