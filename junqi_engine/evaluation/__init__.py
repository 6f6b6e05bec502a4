"""What a position is worth: the interface that the search uses, and the evaluators that implement it."""
