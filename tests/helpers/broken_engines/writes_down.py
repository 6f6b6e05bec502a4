"""Writes the lines that it is sent to the file named by its argument; with another argument, declares no default."""

import sys

import script


class Lines:
    def __iter__(self):
        for line in sys.__stdin__:
            with open(sys.argv[1], "a") as file:
                file.write(line)
            yield line


def greet():
    default = "" if sys.argv[2:] else " default 2.0"
    script.say(
        "option name Player type combo" + default + " var 1.0 var 2.0",
        "option name Seed type spin default 0 min 0 max 2147483647",
        "option name Book type string default a min b",
    )
    script.greet()


sys.stdin = Lines()
script.serve(uci=greet)
