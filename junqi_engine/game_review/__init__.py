"""Review: what every move of a game was worth, with skill and luck separated. docs/review.md describes it.

`reviewed_game` is what is reviewed, `evaluation` searches its positions, `secrecy` says what the players could know of
each other, and `review` adds up what that means. Nothing here prints or reads files.
"""
