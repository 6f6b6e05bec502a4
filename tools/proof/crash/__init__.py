"""The referee killed at random moments: `python -m tools.proof.crash`.

`runs` says what is run and what must be on disk afterwards, `killing` starts and kills it, and `deaf_engine` is an
engine that does not notice the end of its input.
"""
