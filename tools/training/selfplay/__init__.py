"""Self-play: games of players against each other, stored as moves, to learn from (docs/training.md).

`python -m tools.training.selfplay FOLDER` plays games into a data folder; `--help` lists the options. Others read
the games by `data_folder.read_folder`, and their positions by `positions.positions`.

- `settings`: what determines the games of a run: the players and how often each of them plays, the revision
- `play`: one game, and when it ends early
- `game_file`: the bytes of games; `data_folder`: shards of games, and the manifest
- `run`: games as jobs (`tools/jobs.py`), from the settings to the full folder
- `positions`: the positions of a stored game, with what each team sees of them
"""
