"""The web board: a local page on which a person plays, watches, replays and solves, through the engine's protocol."""
