"""The board's game as a state machine: inputs are method calls that carry the time, outputs are events.

Nothing here opens a socket, a file or a process, or reads a clock.
"""
