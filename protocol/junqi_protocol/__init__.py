"""The text protocol: lines in, lines out; commands, options, the session.

Importing it is cheap, so that `uci` is answered at once; the worker thread loads the game. What concerns one variant
belongs in `games`, the contest's dialect in `contest`.
"""
