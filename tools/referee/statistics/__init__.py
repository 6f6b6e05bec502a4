"""Pure mathematics on the counts of pairs: Elo with its interval, and the sequential probability ratio test."""
