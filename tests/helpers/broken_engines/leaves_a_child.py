"""Starts a child process that would outlive it, and hangs."""

import subprocess
import sys
import time

import script


def go(position, words):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", __file__])
    time.sleep(300)


script.serve(go=go)
