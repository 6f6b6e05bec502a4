"""The evaluation: fits to games (`fit`, `network`), tuning by play (`tune`), and comparisons by play (`duel`).

`sides` has the words that name an evaluator, `pairs` plays two of them against each other.
"""
