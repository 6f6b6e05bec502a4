"""Declares an Elo of 5,000 digits."""

import script


def greet():
    script.say("option name UCI_LimitStrength type check default false")
    script.say(f"option name UCI_Elo type string default min 1 max {5000 * '9'}")
    script.greet()


script.serve(uci=greet)
