"""Writes lines without end when it is asked for a move."""

import script


def go(position, words):
    while True:
        script.say(*["info depth 1 score cp 0"] * 100)


script.serve(go=go)
