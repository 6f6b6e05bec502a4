"""Gives two answers to one `go`."""

import script


def go(position, words):
    script.answer(position, words)
    script.answer(position, words)


script.serve(go=go)
