"""Steps on the connection: start, identity, lines, options, other commands outside of a search, hostile input,
and how the process ends."""

import math
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from junqi_engine.client.engine_client import EngineError
from junqi_engine.client.engine_lines import NO_MOVE, option_choices
from junqi_referee.check.subject import NODES, Step, StepFailed, Subject, count_answers, first_move

START_S = 0.1
READY_S = 0.1
STARTS = 3
"""The fastest of so many starts counts: a busy machine delays one of them, a slow engine all."""


def starts_in_time(subject: Subject) -> None:
    """#times-and-guarantees: `uciok` within 0.1 s of the start of the process"""
    fastest_s = math.inf
    for _ in range(STARTS):
        subject.launch().close()
        fastest_s = min(fastest_s, subject.started_in_s)
        if fastest_s <= START_S:
            break
    subject.within(fastest_s, START_S, "uciok after the start of the process")


def identity(subject: Subject) -> None:
    """#commands: `uci`: `id name`, `id author`, every option, `info string protocol-version 1`, `uciok`"""
    identity = subject.client.identity
    if not identity.name or not identity.author:
        raise StepFailed("uci must bring 'id name' and 'id author'")
    if identity.protocol_version != "1":
        raise StepFailed("uci must bring 'info string protocol-version 1'")
    if subject.variant not in option_choices(identity.options.get("uci_variant", "")):
        raise StepFailed(f"option UCI_Variant must offer {subject.variant}")


def ready(subject: Subject) -> None:
    """#times-and-guarantees: `readyok` within 0.1 s, when every command before it is carried out"""
    subject.client.ready()
    began = time.monotonic()
    subject.client.ready()
    subject.within(time.monotonic() - began, READY_S, "readyok once warm")


def two_readies(subject: Subject) -> None:
    """#commands: `readyok`: always"""
    if subject.hear("isready", "isready").count("readyok") != 2:  # `hear` drops the third one, its own
        raise StepFailed("three isready in a row must bring three readyok")


def answers_before_readyok(subject: Subject) -> None:
    """#commands: While nothing is searched, `readyok` comes after the answers to all commands before it"""
    heard = subject.hear("position startpos", "eval", "d", "legal", enough=lambda heard: True)
    if not any(line.startswith("info string legal") for line in heard):
        raise StepFailed("'readyok' came before the answer to 'legal', which was sent before 'isready'")


def spacing(subject: Subject) -> None:
    """#lines: CRLF, tabs, blank lines and lines that begin with `#` are accepted"""
    heard = subject.hear_bytes(b"\r\n\n   \n\t\n# a comment\n\tisready \t\r\n")
    if heard.count("readyok") != 1:
        raise StepFailed("'<tab>isready <tab><CR>' was not answered by one readyok")
    if any(line.startswith("info string error") for line in heard):
        raise StepFailed(f"a blank line or a comment brought {heard[0]!r}")


def leading_words(subject: Subject) -> None:
    """#lines: Unknown words before a known command are skipped"""
    if subject.hear("joho isready").count("readyok") != 1:
        raise StepFailed("unknown words before a command must be skipped: 'joho isready'")


def unknown_command(subject: Subject) -> None:
    """#errors: A rejection is one line, `info string error <code> <what and where>`"""
    subject.expect_error("unknown-command", "xyzzy 1 2 3")


def options(subject: Subject) -> None:
    """#errors: The codes: [...] `bad-number` `no-such-option` `bad-value`"""
    subject.expect_error("no-such-option", "setoption name No Such Thing value 1")
    if "seed" in subject.client.identity.options:
        subject.expect_error("bad-value", "setoption name Seed value -2")
        subject.expect_error("bad-number", "setoption name Seed value many")
        if subject.hear("setoption name sEeD value 7", "setoption name Seed value 0"):
            raise StepFailed("option names must be case-insensitive")


LONG_LINE_BYTES = (16 << 20) + 4096
READ_LINE_BYTES = 15 << 20
IN_SEARCH_S = 0.1
SEARCH_MS = 300
"""After this time, a search has certainly started."""


def long_line(subject: Subject) -> None:
    """#lines: Lines of up to 16 MiB are read; a longer line is discarded up to its end"""
    subject.client.send_bytes(b"position startpos moves " + b"g6g7 " * (LONG_LINE_BYTES // 5) + b"\n")
    heard = subject.hear("d")
    if not any(line.startswith("info string error line-too-long") for line in heard):
        raise StepFailed("a line of over 16 MiB must be dropped with 'info string error line-too-long ...'")


def long_line_is_read(subject: Subject) -> None:
    """#lines: Lines of up to 16 MiB are read"""
    move = first_move(subject).encode()
    data = b"position startpos moves " + (move + b" ") * (READ_LINE_BYTES // (len(move) + 1)) + b"\n"
    subject.client.send_bytes(data)
    # A `readyok` is not waited for: a list of a million moves takes longer than one may take.

    def is_refusal(line: bytes) -> bool:
        return line.startswith(b"info string error illegal-move")

    subject.client.wait_for(is_refusal, subject.slack, "error illegal-move")


def hostile(subject: Subject) -> None:
    """#times-and-guarantees: For any stream of bytes: [...] The process keeps running until `quit` or end of input"""
    rng = random.Random(6)
    noise = bytes(rng.choice([byte for byte in range(256) if byte != 10]) for _ in range(4096))
    number = b"9" * 400
    for data in (
        b"\x00\x00\x00\n",
        noise + b"\n",
        b"\xff\xfe\xfd setoption name \xff value \xfe\n",
        b"setoption\nsetoption name\nsetoption name Hash value\nsetoption value 3\n",
        b"position\nposition fen\nposition startpos moves\nposition startpos lineup\n",
        b"setoption name Hash value " + number + b"\n",
        b"position startpos viewer QX\n",
        b"debug maybe\n" + b"\n" * 5000,
    ):
        heard = subject.hear_bytes(data)
        if count_answers(heard):
            raise StepFailed(f"{data[:40]!r} brought a bestmove")
    move = subject.best("position startpos", "go depth " + "9" * 400)
    if move != NO_MOVE:
        raise StepFailed("a depth of 400 digits must be rejected and answered by 'bestmove (none)'")
    subject.best("position startpos", NODES)


def quit_idle(subject: Subject) -> None:
    """#commands: `quit`, end of input: [...] exits with status 0 within 1 s"""
    client = subject.client
    client.send("quit")
    subject.expect_exit(0, "quit")


def quit_in_search(subject: Subject) -> None:
    """#commands: `quit` [...] stops the search (its `bestmove` is printed) and exits with status 0 within 1 s"""
    _end_in_search(subject, lambda: subject.client.send("quit"), "quit")


def end_of_input(subject: Subject) -> None:
    """#commands: at the end of input a `go infinite` is answered as after `stop`; then exit with status 0 within 1 s"""
    _end_in_search(subject, subject.client.end_input, "the end of input")


def end_of_input_after_searches(subject: Subject) -> None:
    """#commands: at the end of input everything that was read is carried out: each search to its limit"""
    subject.client.send(*["position startpos", f"go movetime {SEARCH_MS}"] * 2, "d")
    began = time.monotonic()
    subject.client.end_input()
    heard = subject.listen(2 * SEARCH_MS / 1000 + 1.0 * subject.slack)
    elapsed_ms = 1000 * (time.monotonic() - began)
    subject.expect_exit(0, "the end of input")
    if count_answers(heard) != 2 or not any(line.startswith("info string fen ") for line in heard):
        raise StepFailed(f"two searches and 'd' before the end of input brought {count_answers(heard)} answers")
    if elapsed_ms < SEARCH_MS:
        raise StepFailed(f"two searches of {SEARCH_MS} ms ended {elapsed_ms:.0f} ms after the end of input")


def _end_in_search(subject: Subject, end: Callable[[], None], what: str) -> None:
    """End the process by `end` during a search: one answer and exit code 0 are expected."""
    subject.client.send("position startpos", "go infinite")
    time.sleep(IN_SEARCH_S)
    end()
    answers = count_answers(subject.listen(1.0 * subject.slack))
    subject.expect_exit(0, what)
    if answers != 1:
        raise StepFailed(f"{what} during a search brought {answers} answers, not one")


def closed_output(subject: Subject) -> None:
    """#times-and-guarantees: On a closed stdout the process exits with status 1 and one line on stderr"""
    client = subject.client
    client.close_stdout()
    with suppress(EngineError):  # the process may have ended already, as it should
        client.send("isready", "isready")
    subject.expect_exit(1, "its output being closed")


def signalled(number: signal.Signals, code: int, in_search: bool = False) -> Step:
    """A signal ends the process, with an exit code."""

    def step(subject: Subject) -> None:
        if in_search:
            subject.client.send("position startpos", "go infinite")
            time.sleep(IN_SEARCH_S)
        subject.client.signal(number)
        subject.expect_exit(code, number.name)

    step.__doc__ = "#times-and-guarantees: on SIGTERM with 0, on SIGINT with 130; each within 1 s"
    return step
