"""Answers after its time has run out."""

import time

import script


def go(position, words):
    time.sleep(1.0)
    script.answer(position, words)


script.serve(go=go)
