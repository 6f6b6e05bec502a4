"""Self-play, data sets, fits, speeds."""
