"""Writes one line of two MiB before its move."""

import script


def go(position, words):
    script.say("info string " + "x" * (2 << 20))
    script.answer(position, words)


script.serve(go=go)
