"""A small engine of the contest's dialect; its argument breaks it in one place.

It knows no rules: a piece of its front row steps into a campsite and back again.
"""

import sys
import time

LINEUP = "cbfahdehgegidcfkjkijgjhli"
STEPS = ("G0H1", "H1G0")


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def answer(fault, played):
    if fault == "hangs":
        time.sleep(600)
    elif fault == "late":
        time.sleep(1.2)
    elif fault == "dies":
        sys.exit(3)
    if fault == "illegal":
        say("BESTMOVE L1L0")
    elif fault == "no-move":
        say("BESTMOVE banana")
    elif fault == "passes":
        say("BESTMOVE 0000")
    else:
        say(f"BESTMOVE {STEPS[played % 2]}")
    if fault == "twice":
        say(f"BESTMOVE {STEPS[played % 2]}")


def serve(fault):
    played = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "INFO":
            if fault == "silent":
                time.sleep(600)
            say("NAME script")
        elif words[0] == "START":
            played = 0
            say("ARRAY " + ("l" * 25 if fault == "lineup" else LINEUP))
        elif words[0] == "GO":
            answer(fault, played)
            played += 1


serve(sys.argv[1] if len(sys.argv) > 1 else "")
