"""Hostile engines against the referee: `python -m tools.proof.hostile`.

`engine` answers wrongly in every way it can, by a seed. `runs` plays it against a sound engine in matches
of the protocol and of the contest's dialect, and tests it with `check`.
"""
