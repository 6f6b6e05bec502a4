"""Starts the programs of this package, whatever the current folder holds.

`python -m protocol` would run a file of that name in the current folder. With `-P` Python does not look there, but then
it may find another installation of this package. So `own_command` gives Python this file, which names its own package.

    python -P .../junqi_engine/engines/own_program.py MODULE ARGUMENT ...
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def own_command(module: str = "protocol", *arguments: str) -> list[str]:
    """The command line that runs a module of this package as `python -m` does; by default, the engine."""
    return [sys.executable, "-P", os.path.abspath(__file__), module, *arguments]


if __name__ == "__main__":
    import runpy

    if ROOT not in sys.path:
        sys.path.insert(0, ROOT)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
