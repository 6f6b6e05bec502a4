"""Checks that run for hours. Each is a command with `--help`:

- `python -m tools.proof.fuzz`: hostile input for everything that reads text
- `python -m tools.proof.hostile`: hostile engines against the referee, in the protocol and in the contest's dialect
- `python -m tools.proof.crash`: the referee, killed at random moments
- `python -m tools.proof.board`: hostile engines against the web board, the board killed at random moments,
  and many games at the same time on one board
- `python -m tools.proof.law`: hostile conversations with the engine, which must keep every guarantee of the protocol
- `python -m tools.proof.soak`: thousands of games with bounds checks, tens of thousands of commands to one process

Other checks are tests with more seeds: `python -m pytest --budget 100 tests/test_deduction.py`.
"""
