"""The evaluation: the evaluator of the search, the hand-written terms, the linear evaluation and the network."""
