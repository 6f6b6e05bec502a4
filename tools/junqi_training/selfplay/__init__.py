"""Self-play: games of players against each other, stored as moves, to learn from (docs/training.md).

`python -m junqi_training.selfplay FOLDER` plays games into a data folder; `--help` lists the options.

- `settings`: what determines the games of a run: the players and how often each of them plays, the revision
- `folder`: shards of games, and their positions with what each team sees
- `quick`, `guess`: whole games in one kernel
- `run`: one game, and the command: games as jobs (`tools/junqi_referee/jobs.py`), from the settings to the full folder
"""
