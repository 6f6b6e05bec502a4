"""The loop of a GUI: a game of luzhanqi between an engine as North and a person as South, here played by a script.

    python gui_loop.py
    python gui_loop.py "python own_engine.py"

The GUI talks to the engine in lines of text and keeps the list of moves. The library's `Game` is its referee: it checks
each move and adds what everyone saw.
"""

import shlex
import subprocess
import sys

import junqi_engine as junqi

command = shlex.split(sys.argv[1] if len(sys.argv) > 1 else "junqi-engine")
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
assert engine.stdin and engine.stdout


def tell(line: str) -> None:
    print(line, file=engine.stdin)


def ask(line: str, last: str) -> str:
    """Send a line; returns the answer that begins with the word `last`. What comes before it is shown."""
    tell(line)
    for answer in engine.stdout or []:
        if answer.split()[:1] == [last]:
            return answer.strip()
        print("   ", answer.strip())
    raise SystemExit(f"{command[0]} ended without {last}")


def person(view: junqi.View) -> str:
    """The script in place of a person: the first attack, else a legal move that changes from turn to turn."""
    moves = view.legal_moves
    attacks = [move for move in moves if view.piece_at(move.to_point)]
    return attacks[0] if attacks else moves[7 * view.ply() % len(moves)]


ask("uci", "uciok")
tell("setoption name UCI_Variant value luzhanqi")
ask("isready", "readyok")
tell("ucinewgame")
lineup = ask("go setup N", "bestmove").split()[1].removeprefix("@")
game = junqi.Game("luzhanqi", {"N": lineup}, seed=1)  # South's line-up is drawn
while not game.is_game_over():
    if game.turn == "S":
        move = game.push(person(game.view("S")))
    else:
        tell(f"position startpos lineup N:{lineup} viewer N moves {' '.join(game.move_stack)}")
        move = game.push(ask("go movetime 100", "bestmove").split()[1])
    print(f"{game.ply()}. {move}")
print(game)
print(f"{game.result} by {game.ending}")
tell("quit")
engine.wait()
