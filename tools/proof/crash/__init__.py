"""The referee killed at random moments: `python -m tools.proof.crash`.

`runs` says what is run and what must be on disk afterwards, and `killing` starts and kills it. The engines do not
notice the end of their input.
"""
