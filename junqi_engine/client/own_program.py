"""Starts the programs of this package, whatever the current folder holds.

`python -m junqi_protocol` would run a file of that name in the current folder. With `-P` Python does not look there,
but then it may find another installation of this package. So `own_command` gives Python this file, which names its own
packages.

    python -P .../junqi_engine/client/own_program.py MODULE ARGUMENT ...
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN_MODULE = "junqi_protocol"
PACKAGES = ("protocol/junqi_protocol", "puzzles/junqi_puzzles", "tools/junqi_referee")
"""In a checkout, one package of each source root; installed, all are beside each other."""


def source_roots(root: str = ROOT) -> list[str]:
    """The folders that hold the packages of a checkout or of an installation."""
    return [
        root,
        *(os.path.join(root, os.path.dirname(one)) for one in PACKAGES if os.path.isdir(os.path.join(root, one))),
    ]


def own_command(module: str = OWN_MODULE, *arguments: str) -> list[str]:
    """The command line that runs a module of this package as `python -m` does; by default, the engine."""
    return [sys.executable, "-P", os.path.abspath(__file__), module, *arguments]


if __name__ == "__main__":
    import runpy

    sys.path[:0] = [folder for folder in source_roots() if folder not in sys.path]
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
