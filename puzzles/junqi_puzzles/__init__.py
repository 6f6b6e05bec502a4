"""Grid puzzles and their exact solvers. Each is a package of its own, independent of Junqi and of the others.

base.py is the contract of all four: solving, reading, playing, drawing. difficulty.py needs nothing else. metric.py has
the metrics of sliding puzzles.
"""
