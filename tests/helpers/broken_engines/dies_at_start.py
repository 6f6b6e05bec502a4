"""Ends before it says anything on stdout; stderr says why."""

import sys

print("reading the book", "no such book: moves.bin", "", sep="\n", file=sys.stderr)
sys.exit(1)
