"""An engine that plays given moves, and expects a line that depends on all that it was told: in its next turn it enters
a headquarters of East, or before that East takes its flag.
"""

import re
import sys
import zlib

import script

LINEUP, FLAG, *MOVES = sys.argv[1:]


def answer(position, words):
    if words[:1] == ["setup"]:
        script.say(f"bestmove @{LINEUP}")
        return
    move = MOVES[len(position) - position.index("moves") - 1]
    checksum = zlib.crc32(" ".join(position).encode())
    expected = [f"q8{FLAG}", *["i9i9"] * 2, f"{re.findall('[a-q][0-9]+', move)[1]}q8"]
    script.say(f"info depth 5 score cp 0 pv {move} {' '.join(expected[checksum % 2 :])}", f"bestmove {move}")


if __name__ == "__main__":
    script.serve(go=answer)
