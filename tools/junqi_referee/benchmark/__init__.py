"""`junqi-benchmark`: one command says how good a player is, whatever it is.

`playing` has the kinds of players, plays pairs of games and keeps them; `run` computes and writes.
"""
