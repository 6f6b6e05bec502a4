"""Answers with a word that is no move."""

import script

script.serve(go=lambda position, words: script.say("bestmove banana"))
