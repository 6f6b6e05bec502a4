"""Engines that are sound but for one fault: `broken.py FAULT ARGUMENT ...`.

By the name of the fault, `GOES`, `GREETINGS` and `READIES` have the functions that replace those of `script` for `go`,
`uci` and `isready`; `STARTS` has those that run before any input is read.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import script
from script import answer, say

PUZZLES = ("klotski", "submarine", "match3", "knights-tour")
given = sys.argv[2:]
seed = None


def greet_with(*options):
    say(*options)
    script.greet()


def before_answer(*acts):
    """Return a `go` that does something and then answers correctly."""

    def go(position, words):
        for act in acts:
            act()
        answer(position, words)

    return go


def answers_twice(position, words):
    """Answer twice in one write: a late second answer might be taken for the answer to the next `go`."""
    say(*[f"bestmove {'@' + script.LINEUP if words[:1] == ['setup'] else script.next_move(position)}"] * 2)


def closes_stdout(position, words):
    os.close(1)
    time.sleep(60)


def exits_in_mid_game(position, words):
    if len(position) > 12:
        os._exit(0)
    answer(position, words)


def floods(position, words):
    while True:
        say(*["info depth 1 score cp 0"] * 100)


def garbage(position, words):
    sys.stdout.buffer.write(bytes(range(256)) + b"\n")
    sys.stdout.flush()


def leaves_a_child(position, words):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "leaves_a_child"])
    time.sleep(300)


def levels(position, words):
    """Resign all seats once the record has more entries than the argument."""
    seats, moves = position[position.index("viewer") + 1], position[position.index("viewer") + 2 :]
    left = [f"resign:{seat}" for seat in seats if f"resign:{seat}" not in moves]
    if given and words[:1] != ["setup"] and len(moves) > int(given[0]):
        say(f"bestmove {left[0]}")
    else:
        answer(position, words)


def lineup_by_seed(position, words):
    if words[:1] == ["setup"]:
        front = random.Random(seed).sample(script.LINEUP[:5], 5)
        say(f"bestmove @{''.join(front)}{script.LINEUP[5:]}")
    else:
        answer(position, words)


def resigns_for_others(position, words):
    viewer = position[position.index("viewer") + 1]
    say(f"bestmove resign:{'S' if 'S' not in viewer else 'N' if viewer == 'S' else 'E'}")


def sets_up_then(position, words):
    (answer if words[:1] == ["setup"] else GOES.get(given[0], answer))(position, words)


def signed_scores(position, words):
    """Send scores with a sign, and between them a line that only begins like an answer."""
    if words[:1] != ["setup"]:
        script.say("info depth 1 score mate +2 pv g6h5", "bestmovexyz h1h2", "info depth 1 score cp +31 pv g6h5")
    script.say(f"bestmove {script.next_move(position)}")


def until_stopped(position, words):
    if words[:1] != ["setup"] or given:
        # The session waits for this line: everything else that is said meanwhile is read later.
        for line in sys.__stdin__:
            if line.split() == ["stop"]:
                break
    answer(position, words) if script.variant in script.STEPS else say("bestmove 0000")


GOES = {
    "answers_late": before_answer(lambda: time.sleep(1.0)),
    "answers_twice": answers_twice,
    "bad_lineup": lambda position, words: say("bestmove @" + "l" * 25),
    "closes_stdout": closes_stdout,
    "dies_on_go": lambda position, words: os._exit(3),
    "exits_in_mid_game": exits_in_mid_game,
    "floods": floods,
    "garbage": garbage,
    "odd_spaces": signed_scores,
    "hangs": lambda position, words: time.sleep(3600),
    "illegal_move": lambda position, words: say("bestmove h1h2"),
    "leaves_a_child": leaves_a_child,
    "levels": levels,
    "waits_at_isready": until_stopped,
    "lineup_by_seed": lineup_by_seed,
    "long_line": before_answer(lambda: say("info string " + "x" * (2 << 20))),
    "no_move": lambda position, words: say("bestmove banana"),
    "resigns_for_others": resigns_for_others,
    "sets_up_then": sets_up_then,
    "starts_once": lambda position, words: os._exit(3),
    "talks_of_secrets": before_answer(lambda: say("I think, therefore I move")),
    "until_stopped": until_stopped,
}


def solves_puzzles():
    choices = " ".join(f"var {name}" for name in (*script.STEPS, *PUZZLES))
    say("id name script", f"option name UCI_Variant type combo default siguo {choices}", "uciok")


def writes_down_greeting():
    """With a second argument, an option has no default."""
    default = "" if given[1:] else " default 2.0"
    greet_with(
        f"option name Player type combo{default} var 1.0 var 2.0",
        "option name Seed type spin default 0 min 0 max 2147483647",
        "option name Book type string default a min b",
    )


GREETINGS = {
    "levels": lambda: greet_with("option name Skill Level type spin default 20 min 0 max 20"),
    "lineup_by_seed": lambda: greet_with("option name Seed type spin default 0 min 0 max 2147483647"),
    "never_says_uciok": lambda: None,
    "odd_spaces": lambda: (script.say("option name Seed type spin default +3 min +3 max +5"), script.greet()),
    "until_stopped": solves_puzzles,
    "writes_down": writes_down_greeting,
}


def waits_at_isready():
    """If there is the given file, it is renamed, and `readyok` comes when the renamed one is gone."""
    begun = Path(f"{given[0]}.begun")
    if Path(given[0]).exists():
        Path(given[0]).rename(begun)
    while begun.exists():
        time.sleep(0.01)
    say("readyok")


def slow_at_isready():
    time.sleep(float(given[0]))
    say("readyok")


READIES = {
    "hangs_at_isready": lambda: None,
    "slow_at_isready": slow_at_isready,
    "waits_at_isready": waits_at_isready,
}


def dies_at_start():
    """Unless there is the file that may be given."""
    if given and Path(given[0]).exists():
        return
    print("reading the book", "no such book: moves.bin", "", sep="\n", file=sys.stderr)
    sys.exit(1)


def starts_once():
    """The file of the argument remembers that it has started."""
    if Path(given[0]).exists():
        sys.exit(1)
    Path(given[0]).touch()


def say_with_odd_spaces(*lines):
    """Print lines with white space before, between and after words, as UCI allows."""
    spaced = "".join("\t {} \t\r\n".format(line.replace(" ", " \t ")) for line in lines)
    sys.stdout.write(spaced)
    sys.stdout.flush()


STARTS = {
    "dies_at_start": dies_at_start,
    "odd_spaces": lambda: setattr(script, "say", say_with_odd_spaces),
    "noisy": lambda: print("\n".join(["ouch"] * int((given or [1])[0])), file=sys.stderr, flush=True),
    "starts_once": starts_once,
}


def lines(fault):
    """Yield the lines of the input; some faults act on them before the session."""
    global seed
    for line in sys.__stdin__:
        words = line.split()
        if words[:3] == ["setoption", "name", "Seed"]:
            seed = int(words[4])
            if fault == "odd_spaces" and not 3 <= seed <= 5:
                sys.exit(1)
        if fault == "writes_down":
            with open(given[0], "a") as file:
                file.write(line)
        if fault == "until_stopped" and words in (["d"], ["legal"]):
            say("info string fen AB/.. goal ../AB" if words == ["d"] else "info string legal")
        yield line


if __name__ == "__main__":
    fault = sys.argv[1]
    assert fault in {*GOES, *GREETINGS, *READIES, *STARTS}
    STARTS.get(fault, lambda: None)()
    behind = given[0] if fault == "sets_up_then" else fault
    sys.stdin = lines(fault)
    script.serve(
        go=GOES.get(fault, answer),
        uci=GREETINGS.get(behind, script.greet),
        isready=READIES.get(behind, script.ready),
    )
