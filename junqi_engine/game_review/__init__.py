"""Review: what every move of a game was worth, with skill and luck separated. docs/review.md describes it.

`reviewed_game` is what is reviewed, `evaluation` searches its positions, `surprises` finds the battles that belief did
not expect, and `review` adds up what that means. Nothing here prints or reads files.
"""
