"""Searches until it is told to stop, whatever the limit; it solves puzzles too, and tells their positions."""

import sys

import script

PUZZLES = "klotski submarine match3 knights-tour"


class Lines:
    def __iter__(self):
        for line in sys.__stdin__:
            if line.split() in (["d"], ["legal"]):
                script.say("info string fen AB/.. goal ../AB" if line.split() == ["d"] else "info string legal")
            yield line


def greet():
    choices = " ".join(f"var {name}" for name in (*script.STEPS, *PUZZLES.split()))
    script.say("id name until_stopped", f"option name UCI_Variant type combo default siguo {choices}", "uciok")


def go(position, words):
    if words[:1] != ["setup"]:
        # The session waits for this line: everything else that is said meanwhile is read later.
        for line in sys.__stdin__:
            if line.split() == ["stop"]:
                break
    script.answer(position, words) if script.variant in script.STEPS else script.say("bestmove 0000")


sys.stdin = Lines()
script.serve(go=go, uci=greet)
