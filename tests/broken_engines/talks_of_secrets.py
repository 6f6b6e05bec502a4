"""Answers well, but writes lines that are not of the protocol."""

import script


def go(position, words):
    script.say("I think, therefore I move")
    script.answer(position, words)


script.serve(go=go)
