"""Answers correctly, but also writes lines that do not conform to the protocol."""

import script


def go(position, words):
    script.say("I think, therefore I move")
    script.answer(position, words)


script.serve(go=go)
