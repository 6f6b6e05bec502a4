"""The rules: boards, pieces, line-ups, positions, moves, the effects of a ply, and the true game (`GameState`)."""
