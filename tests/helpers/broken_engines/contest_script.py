"""A small engine of the contest's dialect; its argument breaks it in one place.

It knows no rules: a piece of its front row steps into a campsite and back again.
"""

import sys

LINEUP = "cbfahdehgegidcfkjkijgjhli"
STEPS = ("G0H1", "H1G0")


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def answer(fault, played):
    move = "L1L0" if fault == "illegal" else STEPS[played % 2]
    say("\n".join([f"BESTMOVE {move}"] * (2 if fault == "twice" else 1)))


def serve(fault):
    played = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "INFO":
            say("NAME script")
        elif words[0] == "START":
            played = 0
            say("ARRAY " + ("l" * 25 if fault == "lineup" else LINEUP))
        elif words[0] == "GO":
            answer(fault, played)
            played += 1


serve(sys.argv[1] if len(sys.argv) > 1 else "")
