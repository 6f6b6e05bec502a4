"""Tours between all pairs of squares: `python -m tools.proof.tour_pairs`. `check` checks one board."""
