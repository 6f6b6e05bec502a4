"""Finding and checking the numbers that players use: `python -m junqi_training COMMAND ...`.

A command is a function `work` that takes its parsed arguments; `__main__` has those of all. `games` reads the games of
records.
"""
