"""A whole engine in a few lines, for engines that are broken on purpose to be broken in one place.

It knows no rules: each seat steps one piece of its front row out and back again, which is legal from any line-up as
long as nobody else comes near. So two of these draw by the no-contact limit.
"""

import sys

SEATS = "SENW"
STEPS = {"S": ("g6g7", "g7g6"), "E": ("l7k7", "k7l7"), "N": ("k12k11", "k11k12"), "W": ("f11g11", "g11f11")}
LINEUP = "cbfahdehgegidcfkjkijgjhli"


def say(*lines):
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def next_move(position):
    """What the seat to move plays, from the words of `position`."""
    played = len(position) - position.index("moves") - 1 if "moves" in position else 0
    first = SEATS.index(position[2]) if position[:1] == ["fen"] else 0
    return STEPS[SEATS[(first + played) % 4]][played // 4 % 2]


def answer(position, words):
    """A `bestmove` for a `go` in a position."""
    if words[:1] == ["setup"]:
        say(f"bestmove @{LINEUP}")
    else:
        say("info depth 1 score cp 0", f"bestmove {next_move(position)}")


def greet():
    say("id name script", "id author nobody", "info string protocol-version 1", "uciok")


def ready():
    say("readyok")


def serve(go=answer, uci=greet, isready=ready):
    """Answer commands until `quit`."""
    position = ["startpos"]
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            uci()
        elif words[0] == "isready":
            isready()
        elif words[0] == "position":
            position = words[1:]
        elif words[0] == "go":
            go(position, words[1:])
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    serve()
