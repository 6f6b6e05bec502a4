"""An engine that answers at once and knows no rules: each seat moves a piece of its front row forward and back again,
which is legal from any line-up.
"""

import sys

STEPS = (("g6g7", "g7g6"), ("l7k7", "k7l7"), ("k12k11", "k11k12"), ("f11g11", "g11f11"))

if __name__ == "__main__":
    first = played = 0
    for line in sys.stdin:
        if line.startswith("position"):
            head, _, moves = line.partition(" moves ")
            first = "SENW".index(head.split()[3]) if " fen " in head else 0
            played = len(moves.split())
        elif line.startswith("go"):
            print("bestmove", STEPS[(first + played) % 4][played // 4 % 2], flush=True)
        elif line.startswith("isready"):
            print("readyok", flush=True)
        elif line == "uci\n":
            print("uciok", flush=True)
        elif line == "quit\n":
            break
