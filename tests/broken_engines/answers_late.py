"""Takes more time than it has."""

import time

import script


def go(position, words):
    time.sleep(0.5)
    script.answer(position, words)


script.serve(go=go)
