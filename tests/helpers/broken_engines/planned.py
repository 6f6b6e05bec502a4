"""An engine that fails at random: `planned.py [SEED]`. Without a seed it behaves well.

The seed chooses some commands, and how often it answers these as a good engine does. After that it does hostile acts
there, often with the honest answer somewhere among them.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "proof"))
import plans
import script

PROTOCOL = ("uci", "isready", "setoption", "position", "go", "go", "setup")
CONTEST = ("INFO", "START", "GO")
CONTEST_STEPS = ("G0H1", "H1G0")
DEAF_S = 3600.0
BIG = 2_000_000


class Engine:
    """The state of one process."""

    def __init__(self, rng: random.Random | None) -> None:
        self._rng = rng
        chosen = [*rng.sample(PROTOCOL, rng.choice((1, 1, 2, 3))), rng.choice(CONTEST)] if rng else ()
        self._left = {word: rng.choice((0, 0, 1, 5, 9)) for word in chosen}
        """The number of honest answers before it fails, by command."""
        self._position = ["startpos"]
        self._played = 0

    def serve(self) -> None:
        """Carry out commands until `quit` or the end of input."""
        for line in sys.stdin:
            words = line.split() or [""]
            if words[:3] == ["setoption", "name", "UCI_Variant"] and words[4] in script.STEPS:
                script.variant = words[4]
            elif words[0] == "position":
                self._position = words[1:]
            elif words[0] == "quit":
                return
            word = "setup" if words[:2] == ["go", "setup"] else words[0]
            self._left[word] = self._left.get(word, sys.maxsize) - 1
            if self._left[word] >= 0:
                _write(self._honest(word))
            else:
                self._fail(word, self._rng)

    def _fail(self, word: str, rng: random.Random) -> None:
        acts = rng.choice((0, 1, 1, 2, 3))
        honest_at = rng.randint(0, acts) if rng.random() < 0.6 else None
        for number in range(acts + 1):
            if number == honest_at:
                answer = self._honest(word)
                _write(answer[: rng.choice((None, None, 3, -1))])
            elif number < acts:
                _act(rng)

    def _honest(self, word: str) -> str:
        match word:
            case "uci":
                variants = f"default siguo {' '.join(f'var {name}' for name in script.STEPS)}"
                seed = "option name Seed type spin default 0 min 0 max 99"
                return f"id name planned\noption name UCI_Variant type combo {variants}\n{seed}\nuciok\n"
            case "isready":
                return "readyok\n"
            case "setup":
                return f"bestmove @{script.LINEUP}\n"
            case "go":
                return f"info depth 1 score cp 0\nbestmove {script.next_move(self._position)}\n"
            case "INFO":
                return "NAME planned\n"
            case "START":
                self._played = 0
                return f"ARRAY {script.LINEUP}\n"
            case "GO":
                self._played += 1
                return f"BESTMOVE {CONTEST_STEPS[(self._played - 1) % 2]}\n"
        return ""


def _act(rng: random.Random) -> None:
    acts = {
        lambda: _write(plans.line(rng) + "\n"): 10,
        lambda: _write(plans.line(rng)): 2,
        lambda: _write(plans.noise(rng, 300) + "\n"): 2,
        lambda: _write(rng.choice(("x", "1", "\0", "info ")) * rng.choice((4_000, BIG))): 1,
        lambda: _write((plans.line(rng)[:200] + "\n") * rng.choice((50, 20_000))): 2,
        lambda: time.sleep(rng.choice((0.001, 0.03, 0.2, 0.6))): 2,
        lambda: _child(rng): 2,
        lambda: time.sleep(DEAF_S): 1,
        lambda: os._exit(rng.choice((0, 1, 77))): 1,
        lambda: os.close(rng.choice((0, 1, 1))): 1,
        lambda: os.kill(os.getpid(), rng.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM))): 1,
    }
    [act] = rng.choices(list(acts), list(acts.values()))
    act()


def _child(rng: random.Random) -> None:
    """A process that writes a line later, also if this one has ended."""
    later_s, text = rng.choice((0.001, 0.1, 2.0)), plans.line(rng)
    if os.fork() == 0:
        time.sleep(later_s)
        _write(text + "\n")
        os._exit(0)


def _write(text: str) -> None:
    data = text.encode("latin-1", "replace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return  # nobody reads, or the output is closed


if __name__ == "__main__":
    try:
        Engine(random.Random(int(sys.argv[1])) if len(sys.argv) > 1 else None).serve()
    except OSError:  # the input is closed
        sys.exit(1)
