"""Accepts only the seeds 3 to 5, and exits at any other."""

import sys

import script


def greet():
    script.say("option name Seed type spin default 3 min 3 max 5")
    script.greet()


def bounded(lines):
    for line in lines:
        words = line.split()
        if words[:3] == ["setoption", "name", "Seed"] and not 3 <= int(words[4]) <= 5:
            sys.exit(1)
        yield line


sys.stdin = bounded(sys.stdin)
script.serve(uci=greet)
