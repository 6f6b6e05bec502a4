"""Finding and checking the numbers that players use. Each command has `--help`:

- `python -m tools.training.calibration`: how well belief predicts hidden pieces; `--fit` fits its tables
- `python -m tools.training.lineup_worth`: the value of each piece in each place of a line-up, fitted to game results

`games` plays and reads the games, `samples` takes hidden pieces out of them, `belief_fit` fits the tables of belief.
"""
