"""Benchmarks: every figure that the project states, measured again by `python -m junqi_speed [SECTION ...]`.

A section is a function `measure_SECTION(report)`. It reports figures and ratios, never a verdict. The other modules are
`report`, which prints figures, `against`, which compares with another git revision, and
`instant_engine`, an engine that costs nothing.
"""

SECTIONS = {
    "junqi": ("junqi", "perft, random play-outs, one choice of each simple player"),
    "start": (
        "start",
        "the first search, first and later readyok of each variant, where the time goes, compiling, help texts",
    ),
    "signatures": (
        "engine",
        "the protocol's `bench` command: speed and signature of every player in both variants",
    ),
    "search": ("engine", "player 2.0: positions per second, lateness at a fixed time per move, answer to `stop`"),
    "depth": ("engine", "player 2.0: time to depth 6 in 60 positions of each Junqi variant"),
    "worlds": ("junqi", "worlds drawn per second, deduction per ply"),
    "env": ("junqi", "1,024 games at once, with and without observations, beside random play-outs"),
    "klotski": ("puzzles", "sliding blocks: time to solve, time and memory per state"),
    "submarine": ("puzzles", "Submarine Adventure: slowest level, all set-ups of the box"),
    "match3": ("puzzles", "match-3: best of 5, 7 and 9 swaps, speed of plain backtracking"),
    "knights_tour": ("puzzles", "knight's tours: small boards, 10,000 x 10,000 next to numpy's fill"),
    "generate": ("puzzles", "new puzzles an hour by kind and level"),
    "referee": ("board", "the referee's own plies per second"),
    "board": ("board", "the web board: from the command to the first move"),
}
"""By section, in the order in which they run: its module, and what it measures."""
