"""Declares that it draws a seed for each game, prints one, and always sets up the same pieces."""

import script


def greet():
    script.say("option name Seed type spin default -1 min -1 max 2147483647")
    script.greet()


def answer(position, words):
    script.say("info string seed 5")
    script.answer(position, words)


script.serve(uci=greet, go=answer)
