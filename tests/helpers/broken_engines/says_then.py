"""Writes the line of its argument, in which `\\xff` is a byte, before each answer."""

import sys

import script


def go(position, words):
    if words[:1] != ["setup"]:
        sys.stdout.buffer.write(sys.argv[1].encode().decode("unicode_escape").encode("latin-1") + b"\n")
        sys.stdout.flush()
    script.answer(position, words)


script.serve(go=go)
