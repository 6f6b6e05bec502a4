"""Answers correctly, and writes one line to stderr when it starts."""

import sys

import script

print("ouch", file=sys.stderr, flush=True)
script.serve()
