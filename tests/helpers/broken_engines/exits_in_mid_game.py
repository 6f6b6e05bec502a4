"""Exits with code 0 after a few moves."""

import os

import script


def go(position, words):
    if len(position) > 12:
        os._exit(0)
    script.answer(position, words)


script.serve(go=go)
