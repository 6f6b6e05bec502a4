"""One game: the engine processes that play it, the arbiter that asks them in turn, and adjudication by scores."""
