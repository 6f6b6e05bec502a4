"""The tutorial: positions of real games, and what each legal move in them leads to, all worked out in advance.

So the page teaches without an engine, also while the engine still compiles. `scenes.py` has the lessons, and plays
their moves by the rules. `python -m junqi_board.lessons` writes `page/lessons.json` and `page/boards.json`.
"""
