"""Writes the line of its argument, in which `\\xff` is a byte, before each `readyok`."""

import sys

import script


def ready():
    sys.stdout.buffer.write(sys.argv[1].encode().decode("unicode_escape").encode("latin-1") + b"\n")
    sys.stdout.flush()
    script.ready()


script.serve(isready=ready)
