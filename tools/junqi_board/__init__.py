"""The web board: a local page for playing, watching, replaying and solving, served to a browser on the same machine.

A message of a page goes from `connection.py` to its function in `answers/`, an input of the game from there to
`table.py`, which has one game with all that follows it, and to `game/`, the game as a state machine. `scenes/` turns
positions into what a page draws, `page/` is the page itself.
"""
