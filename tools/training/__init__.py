"""Finding and checking the numbers that players use. Each command has `--help`:

- `python -m tools.training.calibration`: how well belief predicts hidden pieces; `--fit` fits its tables
- `python -m tools.training.lineup_worth`: the value of each piece in each place of a line-up, fitted to game results
- `python -m tools.training.wdl_fit`: the chances of a win, a draw and a loss behind a score, fitted to game results
- `python -m tools.training.elo_scale`: the Elo of the levels of `Skill Level`, measured by matches
- `python -m tools.training.selfplay`: games of players against each other, stored as moves, to learn from

`games` plays and reads the games, `samples` takes hidden pieces out of them, `belief_fit` fits the tables of belief.
"""
