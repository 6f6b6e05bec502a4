"""Answers a `go` with a word that is not a move."""

import script

script.serve(go=lambda position, words: script.say("bestmove banana"))
