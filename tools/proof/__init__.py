"""Proofs by exhaustion: programs that run for hours and check what a test can only sample.

Each is a module to run, such as `python -m tools.proof.tour_pairs`. It prints what it has checked as it goes and exits
with 1 if anything was wrong.
"""
