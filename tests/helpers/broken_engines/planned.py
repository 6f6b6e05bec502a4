"""An engine that does what a plan says: `planned.py [FILE]`. Without a plan it behaves well.

A plan is a JSON object in a file. Its keys are commands (`uci`, `isready`, `setoption`, `position`, `go`, `setup` for
`go setup`, `belief`, `d`, `legal`; `INFO`, `START`, `GO` of the contest's dialect), its values lists: what to do at the
first such command, the second and so on; the last entry is repeated. What to do is a list of acts:

| act | meaning |
|---|---|
| `["honest"]` | what a good engine does at this command |
| `["halves"]` | the same in two pieces |
| `["cut"]` | the same without its last byte |
| `["orphan"]` | the same by a child, after this process has ended |
| `["say", TEXT]` | write TEXT, each of whose characters is one byte |
| `["flood", TEXT, N]` | write TEXT N times |
| `["sleep", MS]` | wait |
| `["child", MS, TEXT]` | start a process that writes TEXT after MS, also if this one has ended |
| `["deaf"]` | read no more input, and never end |
| `["exit", CODE]` | end |
| `["kill", NUMBER]` | send a signal to itself |
| `["close", FILE]` | close input (0) or output (1) |
"""

import json
import os
import sys
import time
from pathlib import Path

import script

PUZZLE = {"d": "fen ABB./ABB./.... goal ..../..../.BB.", "legal": "legal Br Bd"}
CONTEST_STEPS = ("G0H1", "H1G0")
DEAF_S = 3600.0


class Engine:
    """The state of one process."""

    def __init__(self, plan: dict[str, list[list[list]]]) -> None:
        self._plan = plan
        self._counts: dict[str, int] = {}
        self._position = ["startpos"]
        self._played = 0

    def serve(self) -> None:
        """Carry out commands until `quit` or the end of input."""
        for line in sys.stdin:
            words = line.split()
            if words[:3] == ["setoption", "name", "UCI_Variant"] and words[4] in script.STEPS:
                script.variant = words[4]
            elif words[:1] == ["position"]:
                self._position = words[1:]
            elif words[:1] == ["START"]:
                self._played = 0
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
            case ["halves"]:
                answer = self._honest(word)
                _write(answer[:3])
                time.sleep(0.005)
                _write(answer[3:])
            case ["cut"]:
                _write(self._honest(word)[:-1])
            case ["orphan"]:
                if os.fork():
                    os._exit(0)
                time.sleep(0.02)
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
            case ["kill", number]:
                os.kill(os.getpid(), number)
            case ["close", file]:
                os.close(file)

    def _honest(self, word: str) -> str:
        if word == "uci":
            variants = f"default siguo {' '.join(f'var {name}' for name in (*script.STEPS, 'klotski'))}"
            seed = "option name Seed type spin default 0 min 0 max 99"
            return f"id name planned\noption name UCI_Variant type combo {variants}\n{seed}\nuciok\n"
        if word == "isready":
            return "readyok\n"
        if word == "setup":
            return f"bestmove @{script.LINEUP}\n"
        if word in PUZZLE:
            return f"info string {PUZZLE[word]}\n"
        if word == "INFO":
            return "NAME planned\n"
        if word == "START":
            return f"ARRAY {script.LINEUP}\n"
        if word == "GO":
            self._played += 1
            return f"BESTMOVE {CONTEST_STEPS[(self._played - 1) % 2]}\n"
        return f"info depth 1 score cp 0\nbestmove {script.next_move(self._position)}\n" if word == "go" else ""


def _write(text: str) -> None:
    data = text.encode("latin-1", "replace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return  # nobody reads, or the output is closed


if __name__ == "__main__":
    try:
        Engine(json.loads(Path(sys.argv[1]).read_text("utf-8")) if len(sys.argv) > 1 else {}).serve()
    except OSError:  # the input is closed
        sys.exit(1)
