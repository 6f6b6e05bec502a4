"""A small complete engine; the broken engines use it and change one thing.

It knows no rules: each seat steps one piece of its front row into a campsite and back again, which is legal from any
line-up as long as nobody else comes near. So two of these end by the no-contact limit.
"""

import sys

STEPS = {
    "siguo": {"S": ("g6h5", "h5g6"), "E": ("l7m8", "m8l7"), "N": ("k12j13", "j13k12"), "W": ("f11e10", "e10f11")},
    "luzhanqi": {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")},
}
variant = "siguo"
LINEUP = "cbfahdehgegidcfkjkijgjhli"


def say(*lines):
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def next_move(position):
    """The move of the seat to move, from the words of `position`."""
    played = len(position) - position.index("moves") - 1 if "moves" in position else 0
    steps = STEPS[variant]
    seats = list(steps)
    first = seats.index(position[2]) if position[:1] == ["fen"] else 0
    return steps[seats[(first + played) % len(seats)]][played // len(seats) % 2]


def answer(position, words):
    """The `bestmove` line for a `go` in a position."""
    if words[:1] == ["setup"]:
        say(f"bestmove @{LINEUP}")
    else:
        say("info depth 1 score cp 0", f"bestmove {next_move(position)}")


def greet():
    option = f"option name UCI_Variant type combo default siguo {' '.join(f'var {name}' for name in STEPS)}"
    say("id name script", "id author nobody", option, "info string protocol-version 1", "uciok")


def ready():
    say("readyok")


def serve(go=answer, uci=greet, isready=ready):
    """Answer commands until `quit`."""
    global variant
    position = ["startpos"]
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            uci()
        elif words[0] == "isready":
            isready()
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            variant = words[4]
        elif words[0] == "position":
            position = words[1:]
        elif words[0] == "go":
            go(position, words[1:])
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    serve()
