"""Answers correctly, and writes one line to stderr when it starts, or as many as its argument says."""

import sys

import script

lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1
print("\n".join(["ouch"] * lines), file=sys.stderr, flush=True)
script.serve()
