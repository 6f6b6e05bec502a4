"""An engine that does what a plan says: `python -S engine.py [FILE]`. Without a plan it behaves well.

A plan is a JSON object in a file. Its keys are commands (`uci`, `isready`, `setoption`, `position`, `go`, `setup` for
`go setup`, `belief`, `d`, `legal`), its values lists: what to do at the first such command, the second and so on; the
last entry is repeated. What to do is a list of acts:

| act | meaning |
|---|---|
| `["honest"]` | what a good engine does at this command |
| `["say", TEXT]` | write TEXT, each of whose characters is one byte |
| `["flood", TEXT, N]` | write TEXT N times |
| `["sleep", MS]` | wait |
| `["child", MS, TEXT]` | start a process that writes TEXT after MS, also if this one has ended |
| `["deaf"]` | read no more input, and never end |
| `["exit", CODE]` | end |
| `["close"]` | close the output |

It knows no rules: each seat steps one piece of its front row into a campsite and back, which is legal as long as nobody
else comes near.
"""

import json
import os
import sys
import time
from pathlib import Path

STEPS = {
    "siguo": {"S": ("g6h5", "h5g6"), "E": ("l7m8", "m8l7"), "N": ("k12j13", "j13k12"), "W": ("f11e10", "e10f11")},
    "luzhanqi": {"S": ("a6b5", "b5a6"), "N": ("e7d8", "d8e7")},
}
PUZZLE = {"d": "fen ABB./ABB./.... goal ..../..../.BB.", "legal": "legal Br Bd"}
LINEUP = "cbfahdehgegidcfkjkijgjhli"
DEAF_S = 3600.0


class Engine:
    """The state of one process."""

    def __init__(self, plan: dict[str, list[list[list]]]) -> None:
        self._plan = plan
        self._counts: dict[str, int] = {}
        self._variant = "siguo"
        self._position = ["startpos"]

    def serve(self) -> None:
        """Carry out commands until `quit` or the end of input."""
        for line in sys.stdin:
            words = line.split()
            if words[:3] == ["setoption", "name", "UCI_Variant"]:
                self._variant = words[4]
            elif words[:1] == ["position"]:
                self._position = words[1:]
            elif words[:1] == ["quit"]:
                return
            self._carry_out(words)

    def _carry_out(self, words: list[str]) -> None:
        word = "setup" if words[:2] == ["go", "setup"] else words[0] if words else ""
        entries = self._plan.get(word) or [[["honest"]]]
        count = self._counts[word] = self._counts.get(word, -1) + 1
        for act in entries[min(count, len(entries) - 1)]:
            self._act(act, word)

    def _act(self, act: list, word: str) -> None:
        match act:
            case ["honest"]:
                _write(self._honest(word))
            case ["say", text]:
                _write(text)
            case ["flood", text, number]:
                _write(text * number)
            case ["sleep", time_ms]:
                time.sleep(time_ms / 1000)
            case ["child", time_ms, text]:
                if os.fork() == 0:
                    time.sleep(time_ms / 1000)
                    _write(text)
                    os._exit(0)
            case ["deaf"]:
                time.sleep(DEAF_S)
            case ["exit", code]:
                os._exit(code)
            case ["close"]:
                os.close(1)

    def _honest(self, word: str) -> str:
        if word == "uci":
            variants = f"default siguo {' '.join(f'var {name}' for name in (*STEPS, 'klotski'))}"
            return f"id name planned\noption name UCI_Variant type combo {variants}\nuciok\n"
        if word == "isready":
            return "readyok\n"
        if word == "setup":
            return f"bestmove @{LINEUP}\n"
        if word in PUZZLE:
            return f"info string {PUZZLE[word]}\n"
        return f"info depth 1 score cp 0\nbestmove {self._move()}\n" if word == "go" else ""

    def _move(self) -> str:
        """The move of the seat to move."""
        position, steps = self._position, STEPS.get(self._variant, STEPS["siguo"])
        played = len(position) - position.index("moves") - 1 if "moves" in position else 0
        seats = list(steps)
        first = seats.index(position[2]) if position[0] == "fen" else 0
        return steps[seats[(first + played) % len(seats)]][played // len(seats) % 2]


def _write(text: str) -> None:
    data = text.encode("latin-1", "replace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return  # nobody reads, or the output is closed


if __name__ == "__main__":
    Engine(json.loads(Path(sys.argv[1]).read_text("utf-8")) if len(sys.argv) > 1 else {}).serve()
