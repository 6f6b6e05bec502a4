"""The board's game as a state machine: inputs are method calls that carry the time.

Nothing here opens a socket, a file or a process, or reads a clock.
"""
