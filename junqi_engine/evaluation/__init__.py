"""What a position is worth: the evaluator of the search, its terms, the fitted worths and the network beside them."""
