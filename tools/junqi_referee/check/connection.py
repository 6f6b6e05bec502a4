"""Steps on the connection: start, identity, lines, and how the process ends."""

import math

from junqi_engine.client.engine_lines import option_choices
from junqi_referee.check.subject import StepFailed, Subject

START_S = 0.1
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
    subject.expect_ready("readyok once warm")


def two_readies(subject: Subject) -> None:
    """#commands: `readyok`: always"""
    subject.expect_readies(2, b"isready\nisready\n")


def spacing(subject: Subject) -> None:
    """#lines: CRLF, tabs, blank lines and lines that begin with `#` are accepted"""
    subject.expect_readies(1, b"\r\n\n   \n\t\n# a comment\n\tisready \t\r\n")


def comments(subject: Subject) -> None:
    """#lines: lines that begin with `#` are accepted"""
    subject.expect_readies(0, b"# go\n#quit\n")


IN_SEARCH_S = 0.1


def quit_idle(subject: Subject) -> None:
    """#commands: `quit`, end of input: [...] exits with status 0 within 1 s"""
    subject.client.send("quit")
    subject.expect_exit("quit")


def quit_in_search(subject: Subject) -> None:
    """#commands: `quit` [...] stops the search (its `bestmove` is printed) and exits with status 0 within 1 s"""
    subject.search_for(IN_SEARCH_S)
    subject.client.send("quit")
    subject.expect_exit("quit during a search", answers=1)


def end_of_input(subject: Subject) -> None:
    """#commands: at the end of input a `go infinite` is answered as after `stop`; then exit with status 0 within 1 s"""
    subject.search_for(IN_SEARCH_S)
    subject.client.end_input()
    subject.expect_exit("the end of input during a search", answers=1)
