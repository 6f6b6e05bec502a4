"""Benchmarks: every figure that the project states, measured again by `python -m tools.bench [SECTION ...]`.

A section is one module with a function `measure(report)`. It reports figures and ratios, never a verdict. The other
modules are not sections: `report` prints figures, `against` compares with another git revision, `record` keeps the
figures of revisions, and `instant_engine` is an engine that costs nothing.
"""

SECTIONS = {
    "junqi": "perft, random play-outs, one choice of each simple player",
    "start": "the first search, first and later readyok of each variant, where the time goes, compiling, help texts",
    "signatures": "the protocol's `bench` command: speed and signature of every player in both Junqi variants",
    "search": "player 2.0: positions per second, lateness at a fixed time per move, answer to `stop`",
    "depth": "player 2.0: time to depth 6 in 60 positions of each Junqi variant",
    "worlds": "worlds drawn per second, deduction per ply",
    "env": "1,024 games at once, with and without observations, beside random play-outs",
    "klotski": "sliding blocks: time to solve, time and memory per state",
    "submarine": "Submarine Adventure: slowest level, all set-ups of the box",
    "match3": "match-3: best of 5, 7 and 9 swaps, speed of plain backtracking",
    "knights_tour": "knight's tours: small boards, 10,000 x 10,000 next to numpy's fill",
    "referee": "the referee's own plies per second",
    "board": "the web board: from the command to the first move",
    "board_page": "the page of the web board: clicks, animations, doing nothing",
}
"""What each section measures, in the order in which they run."""
