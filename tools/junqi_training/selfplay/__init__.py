"""Self-play: games of players against each other, read_styles as moves, to learn from (docs/training.md).

`python -m junqi_training selfplay FOLDER` plays games into a data folder; `--help` lists the options.

- `settings`: what determines the games of a run, and the revision
- `folder`: shards of games
- `quick`, `guess`: whole games in one kernel
- `run`: one game, and the command: games as jobs (`tools/junqi_referee/jobs.py`), from the settings to the full folder
"""
