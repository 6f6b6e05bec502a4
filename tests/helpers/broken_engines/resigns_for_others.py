"""Resigns a seat of the other team."""

import script


def resign(position, words):
    viewer = position[position.index("viewer") + 1]
    script.say(f"bestmove resign:{'S' if 'S' not in viewer else 'N' if viewer == 'S' else 'E'}")


script.serve(go=resign)
