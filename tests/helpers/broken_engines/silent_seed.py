"""Declares that it draws a seed for each game, and does not print it."""

import script


def greet():
    script.say("option name Seed type spin default -1 min -1 max 2147483647")
    script.greet()


script.serve(uci=greet)
