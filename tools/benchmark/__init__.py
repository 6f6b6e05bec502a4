"""`junqi-benchmark`: one command says how good a player is, whatever it is.

`players` are the kinds of players, `playing` plays pairs of games and keeps them, `measures` computes, `report` writes.
"""
