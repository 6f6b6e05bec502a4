"""Answers a `go` with bytes that are not text, and never with a move."""

import sys

import script


def go(position, words):
    sys.stdout.buffer.write(bytes(range(256)) + b"\n")
    sys.stdout.flush()


script.serve(go=go)
