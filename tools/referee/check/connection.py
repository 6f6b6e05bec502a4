"""Steps on the connection: start, identity, lines, options, and other commands outside of a search."""

import time

from tools.referee.check.subject import StepFailed, Subject


def starts_in_time(subject: Subject) -> None:
    """`uci`: [...] `uciok`: less than 0.1 s after process start, before any heavy import"""
    client = subject.launch()
    client.close()
    subject.within(subject.started_in_s, 0.1, "uciok after the start of the process")


def identity(subject: Subject) -> None:
    """`uci`: `id name`, `id author`, every option of every variant, `info string protocol-version 1`, `uciok`"""
    identity = subject.client.identity
    if not identity.name or not identity.author:
        raise StepFailed("uci must bring 'id name' and 'id author'")
    if identity.protocol_version != "1":
        raise StepFailed("uci must bring 'info string protocol-version 1'")
    variants = identity.options.get("uci_variant", "")
    if f"var {subject.variant}" not in variants:
        raise StepFailed(f"option UCI_Variant must offer {subject.variant}")


def ready(subject: Subject) -> None:
    """It answers `isready` within 1 s once warm"""
    subject.client.ready()
    began = time.monotonic()
    subject.client.ready()
    subject.within(time.monotonic() - began, 1.0, "readyok once warm")


def two_readies(subject: Subject) -> None:
    """`readyok`: always"""
    if subject.hear("isready", "isready").count("readyok") != 2:  # `hear` drops the third one, its own
        raise StepFailed("three isready in a row must bring three readyok")


def spacing(subject: Subject) -> None:
    """CRLF, tabs, blank lines and lines that begin with `#` are accepted"""
    heard = subject.hear_bytes(b"\r\n\n   \n\t\n# a comment\n\tisready \t\r\n")
    if heard.count("readyok") != 1:
        raise StepFailed("'<tab>isready <tab><CR>' was not answered by one readyok")
    if any(line.startswith("info string error") for line in heard):
        raise StepFailed(f"a blank line or a comment brought {heard[0]!r}")


def leading_words(subject: Subject) -> None:
    """Unknown words before a known command are skipped"""
    if subject.hear("joho isready").count("readyok") != 1:
        raise StepFailed("unknown words before a command must be skipped: 'joho isready'")


def unknown_command(subject: Subject) -> None:
    """A rejection is one line, `info string error <code> <what and where>`"""
    subject.expect_error("unknown-command", "xyzzy 1 2 3")


def options(subject: Subject) -> None:
    """The codes: [...] `bad-number` `no-such-option` `bad-value`"""
    subject.expect_error("no-such-option", "setoption name No Such Thing value 1")
    if "seed" in subject.client.identity.options:
        subject.expect_error("bad-value", "setoption name Seed value -2")
        subject.expect_error("bad-number", "setoption name Seed value many")
        if subject.hear("setoption name sEeD value 7", "setoption name Seed value 0"):
            raise StepFailed("option names must be case-insensitive")


def debug(subject: Subject) -> None:
    """`debug on/off`: when on, each received command is echoed as `info string`"""

    def is_echoed(heard: list[str]) -> bool:
        return any(line.startswith("info string") and "'legal'" in line for line in heard)

    if not is_echoed(subject.hear("debug on", "legal", "debug off", enough=is_echoed)):
        raise StepFailed("with 'debug on' the command 'legal' was not echoed")
