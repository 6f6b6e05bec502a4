"""Closes its output and keeps running."""

import os
import time

import script


def go(position, words):
    os.close(1)
    time.sleep(60)


script.serve(go=go)
