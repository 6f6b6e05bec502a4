"""A function or class of Python as an engine of the protocol: `python -m junqi_referee.benchmark.python_engine NAME`.

NAME is `module:name`, found from the current folder: a function `choose(view) -> move`, or a class or object with
`move(view)` and, if it has one, `belief(view)`, which gives for each point the chance of each letter. What it raises
ends the process.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from junqi_engine.api.game import View
from junqi_engine.rules.board import BOARDS

Chances = dict[str, dict[str, float]]


class PythonPlayer:
    """The player of a name; ImportError or AttributeError if there is none."""

    def __init__(self, name: str) -> None:
        module, _, member = name.partition(":")
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        found: Any = getattr(import_module(module), member)
        made = found() if isinstance(found, type) else found
        self.move: Callable[[View], str] = getattr(made, "move", made)
        self.belief: Callable[[View], Chances] | None = getattr(made, "belief", None)


def serve(player: PythonPlayer, name: str) -> None:
    variant, view = "siguo", None
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                variants = " ".join(f"var {known}" for known in BOARDS)
                print(f"id name {name}", f"option name UCI_Variant type combo default {variant} {variants}", sep="\n")
                print("uciok")
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "UCI_Variant", "value", variant]:
                pass
            case ["position", *words]:
                view = _view(variant, words)
            case ["belief"] if view is not None and player.belief is not None:
                for point, chances in player.belief(view).items():
                    print("info belief", point, *(f"{letter}:{chance:.3f}" for letter, chance in chances.items()))
            case ["go", *_] if view is not None:
                print(f"bestmove {player.move(view)}")
            case ["quit"]:
                return
        sys.stdout.flush()


def _view(variant: str, words: list[str]) -> View:
    """The view of a `position` command of the referee."""
    end = words.index("moves") if "moves" in words else len(words)
    if words[0] == "fen":
        view = View.from_fen(" ".join(words[1:end]), variant=variant)
    else:
        lineups = dict(word.split(":") for word in words[:end] if ":" in word)
        view = View(variant, words[end - 1], lineups)
    for move in words[end + 1 :]:
        view.push(move)
    return view


if __name__ == "__main__":
    serve(PythonPlayer(sys.argv[1]), sys.argv[1])
