"""`python -m tests.helpers.faulty_engine`: the engine with a game that is made for the tests, and fails in every way.

Loading waits for the file that the environment variable `GATE` names, if it is set, and removes it.
"""

import os
import time
from pathlib import Path
from typing import NoReturn

from junqi_engine.errors import Refused
from junqi_protocol import catalogue
from junqi_protocol.variant_game import Control, GoRequest, VariantGame

GATE = "JUNQI_GATE"


class FaultyGame(VariantGame):
    """`stop` ends `go infinite`, `go movetime` and `eval`; `nodes` is in the move of a `go`. `moves` fails."""

    searches_to_evaluate = True

    def warm_up(self) -> None:
        gate = os.environ.get(GATE)
        while gate and not Path(gate).exists():
            time.sleep(0.001)
        if gate:
            Path(gate).unlink()

    def set_position(self, words: list[str]) -> None:
        if words == ["nowhere"]:
            raise Refused("bad-argument", "nowhere")
        time.sleep(0.01 * len(words))

    def go(self, request: GoRequest, control: Control) -> str:
        if request.depth == 1:
            raise RuntimeError("an error\nof two lines")
        if request.depth == 2:
            raise MemoryError
        control.info("depth 1")
        if request.depth == 3:  # it does not see `stop`
            control.best = "a1a9"
            time.sleep(3600)
        while not control.stopped and (request.infinite or request.movetime_ms):
            time.sleep(0.001)
        return f"a1a{2 + (request.nodes or 0)}"

    def evaluate(self, control: Control) -> list[str]:
        control.info("depth 1")
        while not control.stopped:
            time.sleep(0.001)
        return ["eval stopped"]

    def legal(self) -> list[str]:
        return ["b1b2"]

    def record(self) -> list[str]:
        raise KeyError("moves")

    def describe(self) -> list[str]:
        return ["a drawing"]


GAME = FaultyGame
ENTRY = catalogue.Entry("faulty", "tests.helpers.faulty_engine", "junqi_puzzles.submarine", catalogue.JUNQI)


def main() -> NoReturn:
    catalogue.CATALOGUE, catalogue.OPTIONS = (ENTRY,), catalogue.declared_options((ENTRY,))
    from junqi_protocol.__main__ import main

    main()


if __name__ == "__main__":
    main()
