"""Says that it solves puzzles, and never gets ready."""

import script

VARIANTS = "klotski submarine match3 knights-tour"


def greet():
    choices = " ".join(f"var {name}" for name in VARIANTS.split())
    script.say("id name script", f"option name UCI_Variant type combo default klotski {choices}", "uciok")


script.serve(uci=greet, isready=lambda: None)
