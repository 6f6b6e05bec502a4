"""Grid puzzles and their exact solvers. Each is a package of its own, independent of Junqi and of the others.

base.py defines the contract that all four solvers implement; metric.py the metrics of sliding puzzles.
"""
