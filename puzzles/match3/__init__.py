"""Match-3: the most points within so many swaps."""
