"""Sets up legal line-ups, then behaves like the broken script named by its argument."""

import importlib
import sys

import script

parts = {}
serve, script.serve = script.serve, lambda **given: parts.update(given)
importlib.import_module(sys.argv[1])
break_down = parts.pop("go", script.answer)


def go(position, words):
    (script.answer if words[:1] == ["setup"] else break_down)(position, words)


serve(go=go, **parts)
