"""Writes lines endlessly at a `go`."""

import script


def go(position, words):
    while True:
        script.say(*["info depth 1 score cp 0"] * 100)


script.serve(go=go)
