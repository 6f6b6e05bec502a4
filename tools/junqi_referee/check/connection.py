"""Steps on the connection: start, identity, lines, and how the process ends."""

import math
import time
from collections.abc import Callable

from junqi_engine.client.engine_lines import option_choices
from junqi_referee.check.subject import StepFailed, Subject, count_answers

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
    """#commands: `uci`: `id name`, `id author`, every option, `info string protocol-version 2`, `uciok`"""
    identity = subject.client.identity
    if not identity.name or not identity.author:
        raise StepFailed("uci must bring 'id name' and 'id author'")
    if identity.protocol_version not in ("1", "2"):
        raise StepFailed("uci must bring 'info string protocol-version 2'")
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


def spacing(subject: Subject) -> None:
    """#lines: CRLF, tabs, blank lines and lines that begin with `#` are accepted"""
    heard = subject.hear_bytes(b"\r\n\n   \n\t\n# a comment\n\tisready \t\r\n")
    if heard.count("readyok") != 1:
        raise StepFailed("'<tab>isready <tab><CR>' was not answered by one readyok")
    if any(line.startswith("info string error") for line in heard):
        raise StepFailed(f"a blank line or a comment brought {heard[0]!r}")


def comments(subject: Subject) -> None:
    """#lines: lines that begin with `#` are accepted"""
    if heard := [line for line in subject.hear("# go", "#quit") if line != "readyok"]:
        raise StepFailed(f"'#quit' brought {heard[0][:80]!r}")


IN_SEARCH_S = 0.1


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


def _end_in_search(subject: Subject, end: Callable[[], None], what: str) -> None:
    """End the process by `end` during a search: one answer and exit code 0 are expected."""
    subject.client.send("position startpos", "go infinite")
    time.sleep(IN_SEARCH_S)
    end()
    answers = count_answers(subject.listen(1.0 * subject.slack))
    subject.expect_exit(0, what)
    if answers != 1:
        raise StepFailed(f"{what} during a search brought {answers} answers, not one")
