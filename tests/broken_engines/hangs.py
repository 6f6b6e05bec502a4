"""Never answers a `go`, nor listens again."""

import time

import script


def go(position, words):
    while True:
        time.sleep(60)


script.serve(go=go)
