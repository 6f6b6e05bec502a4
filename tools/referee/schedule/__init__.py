"""Which games are played, and from which line-ups; decided before the first game begins."""
