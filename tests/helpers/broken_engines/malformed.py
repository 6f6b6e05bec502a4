"""Writes one malformed line, the one that its argument names, and otherwise answers correctly."""

import sys

import script

LINES = {
    "malformed_score": "info score cp --5",
    "long_score": f"info score cp {'9' * 5000}",
    "malformed_option": "option name Seed type spin min 5 max 4",
}
line = LINES[sys.argv[1]]


def go(position, words):
    if words[:1] != ["setup"] and line.startswith("info"):
        script.say(line)
    script.answer(position, words)


def greet():
    if line.startswith("option"):
        script.say(line)
    script.greet()


script.serve(go=go, uci=greet)
