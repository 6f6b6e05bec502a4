"""Hangs at the first `go`: neither answers nor reads its input."""

import time

import script


def go(position, words):
    while True:
        time.sleep(60)


script.serve(go=go)
