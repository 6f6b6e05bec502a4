"""Moves its flag."""

import script

script.serve(go=lambda position, words: script.say("bestmove h1h2"))
