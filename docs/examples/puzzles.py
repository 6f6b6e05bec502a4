"""A puzzle played to its end by hints: any puzzle of the protocol, with any program that speaks it.

    python puzzles.py klotski
    python puzzles.py match3 "junqi-engine"

Each move is the engine's `hint`. A person would choose one of the moves that `legal` lists.
"""

import shlex
import subprocess
import sys

variant = sys.argv[1] if len(sys.argv) > 1 else "submarine"
command = shlex.split(sys.argv[2] if len(sys.argv) > 2 else "junqi-engine")
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
assert engine.stdin and engine.stdout


def ask(last: str, *lines: str) -> list[str]:
    """Send lines; the answer up to the line that begins with the word `last`. An error ends the program."""
    print(*lines, sep="\n", file=engine.stdin)
    answer: list[str] = []
    for line in engine.stdout or []:
        answer.append(line.strip().removeprefix("info string "))
        if answer[-1].startswith("error "):
            raise SystemExit(answer[-1])
        if answer[-1].split(" ")[0] == last:
            return answer
    raise SystemExit(f"{command[0]} ended without {last}")


ask("readyok", f"setoption name UCI_Variant value {variant}", "isready")
moves: list[str] = []
while True:
    print(*ask("readyok", f"position startpos moves {' '.join(moves)}", "d", "isready")[:-1], sep="\n")
    hint = ask("bestmove", f"go hint depth {3 - len(moves)}" if variant == "match3" else "go hint")
    move = hint[-1].split()[1]
    if move == "(none)" or (variant == "match3" and len(moves) == 3):  # of match-3 three swaps are played
        break
    moves.append(move)
    print(f"{len(moves)}. {move}  ({hint[-3]})")
print("moves", *moves)
