"""The steps of a check, in the order in which they are taken. Each asks one thing of the protocol: the
sentence that is its docstring.
"""

import random
import signal
import time
from contextlib import suppress

from junqi_engine.errors import JunqiError
from junqi_engine.notation.moves import format_code
from junqi_engine.rules import lineup
from junqi_engine.rules.board import Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.options import Rules
from protocol.client import EngineError
from tools.referee.check.law import MORE_STEPS
from tools.referee.check.runner import QUIET_S, Failed, Step, Subject, count_answers, ends
from tools.referee.schedule.book import random_lineup
from tools.referee.truth import IllegalMove, Truth

NODES = "go nodes 200"
PLIES = 60
GAMES = 2
LONG_LINE_BYTES = (16 << 20) + 4096
MOVETIME_MS = 200


def _start(subject: Subject) -> None:
    """`uci`: [...] `uciok`: under 0.1 s from process start, before any heavy import"""
    client = subject.launch()
    client.close()
    subject.within(subject.started_in_s, 0.1, "uciok from the start of the process")


def _identity(subject: Subject) -> None:
    """`uci`: `id name`, `id author`, every option of every variant, `info string protocol-version 1`, `uciok`"""
    identity = subject.client.identity
    if not identity.name or not identity.author:
        raise Failed("uci must bring 'id name' and 'id author'")
    if identity.protocol_version != "1":
        raise Failed("uci must bring 'info string protocol-version 1'")
    variants = identity.options.get("uci_variant", "")
    if f"var {subject.variant}" not in variants:
        raise Failed(f"option UCI_Variant must offer {subject.variant}")


def _ready(subject: Subject) -> None:
    """it answers `isready` within 1 s once warm"""
    subject.client.ready()
    began = time.monotonic()
    subject.client.ready()
    subject.within(time.monotonic() - began, 1.0, "readyok once warm")


def _spacing(subject: Subject) -> None:
    """CRLF, tabs, blank lines and lines that begin with `#` are fine"""
    heard = subject.hear_bytes(b"\r\n\n   \n\t\n# a comment\n\tisready \t\r\n")
    if heard.count("readyok") != 1:
        raise Failed("'<tab>isready <tab><CR>' was not answered by one readyok")
    if any(line.startswith("info string error") for line in heard):
        raise Failed(f"a blank line or a comment brought {heard[0]!r}")


def _leading_words(subject: Subject) -> None:
    """Unknown words before a known command are skipped"""
    if subject.hear("joho isready").count("readyok") != 1:
        raise Failed("unknown words before a command must be skipped: 'joho isready'")


def _unknown_command(subject: Subject) -> None:
    """A rejection is one line, `info string error <code> <what and where>`"""
    subject.expect_error("unknown-command", "xyzzy 1 2 3")


def _options(subject: Subject) -> None:
    """The codes: [...] `bad-number` `no-such-option` `bad-value`"""
    subject.expect_error("no-such-option", "setoption name No Such Thing value 1")
    if "seed" in subject.client.identity.options:
        subject.expect_error("bad-value", "setoption name Seed value -1")
        subject.expect_error("bad-number", "setoption name Seed value many")
        if subject.hear("setoption name sEeD value 7", "setoption name Seed value 0"):
            raise Failed("option names must be found whatever their case")


def _positions(subject: Subject) -> None:
    """a command that is rejected changes nothing"""
    board = subject.board
    ours, theirs = board.teams
    own = [f"{seat}:{lineup.DEFAULT}" for seat in ours]
    good = f"position startpos lineup {' '.join(own)} viewer {ours}"
    corner, far_corner = board.names[board.block(0)[25]], board.names[board.block(1)[25]]
    subject.tell(good)
    before = subject.fen()
    for codes, line in (
        ("bad-position", "position fen banana"),
        ("bad-position bad-argument", "position somewhere"),
        ("bad-lineup", good.replace(lineup.DEFAULT, "l" * 25, 1)),
        ("leak", good.replace("lineup", f"lineup {theirs[0]}:{lineup.DEFAULT}")),
        ("bad-move", f"{good} moves banana"),
        ("illegal-move", f"{good} moves {corner}{far_corner}"),
        ("missing-outcome", f"{good} moves {_first_battle(board)}"),
    ):
        subject.expect_error(codes, line)
        if subject.fen() != before:
            raise Failed(f"{line[:80]!r} was rejected and changed the position")


def _bad_go(subject: Subject) -> None:
    """every `go` gets exactly one `bestmove` (a rejected one `bestmove (none)`, so that no client waits for ever)"""
    for line in ("go depth banana", "go nodes -5", "go depth", "go sideways"):
        move = subject.best("position startpos", line)
        if move != "(none)":
            raise Failed(f"{line!r} must be rejected and answered by 'bestmove (none)', not {move!r}")


def _legal(subject: Subject) -> None:
    """`legal`: `info string legal <moves>`"""
    for first in subject.board.seats[:2]:
        truth = _game(subject, random.Random(1), first)
        viewer = next(team for team in subject.board.teams if truth.turn in team)
        heard = subject.hear(truth.position_line(viewer), "legal", enough=_names_moves)
        found = sorted(word for line in heard if line.startswith("info string legal") for word in line.split()[3:])
        if found != sorted(truth.legal()):
            raise Failed(f"'legal' gave {len(found)} moves, the rules give {len(truth.legal())}, or others")


def _names_moves(heard: list[str]) -> bool:
    return any(line.startswith("info string legal") for line in heard)


def _play(subject: Subject) -> None:
    """one move list serves all four seats and is the game's record"""
    rng = random.Random(2)
    for number in range(GAMES):
        truth = _game(subject, rng, subject.board.seats[number % len(subject.board.seats)])
        subject.tell("ucinewgame")
        while truth.result is None and len(truth.moves) < PLIES:
            viewer = next(team for team in subject.board.teams if truth.turn in team)
            position = truth.position_line(viewer)
            try:
                truth.play(subject.client.ask((position, NODES)).move)
            except IllegalMove as error:
                # It may be a second answer to the last go that came too late to be seen as one.
                twice = subject.client.answers_again(QUIET_S)
                reason = "a second answer to one go" if twice else str(error)
                raise Failed(f"{reason}; {position}; {NODES}") from error


def _viewers(subject: Subject) -> None:
    """The viewer says what the engine knows and whom it plays; there is no other switch"""
    truth = _game(subject, random.Random(3), subject.board.seats[0])
    for viewer in (truth.turn, "*"):
        move = subject.best(truth.position_line(viewer), NODES)
        if move not in truth.legal():
            raise Failed(f"with viewer {viewer} it answered {move!r}, which is not legal")
    other = subject.board.seats[1]
    if subject.best(truth.position_line(other), NODES) != "(none)":
        raise Failed(f"with viewer {other} and {truth.turn} to move, 'go' must be answered by 'bestmove (none)'")
    subject.expect_error("not-our-seat", truth.position_line(other), NODES)


def _searchmoves(subject: Subject) -> None:
    """`searchmoves M...`"""
    truth = _game(subject, random.Random(4), subject.board.seats[0])
    only = truth.legal()[-1]
    move = subject.best(truth.position_line("*"), f"{NODES} searchmoves {only}")
    if move != only:
        raise Failed(f"'searchmoves {only}' was answered by {move!r}")


def _movetime(subject: Subject) -> None:
    """`movetime MS`"""
    subject.best("position startpos", NODES)
    answer = subject.client.ask(("position startpos", f"go movetime {MOVETIME_MS}"))
    subject.within(max(0.0, answer.time_ms - MOVETIME_MS) / 1000, 0.05, "what was over the movetime")


def _infinite(subject: Subject) -> None:
    """`readyok`: always, also during a search, which goes on"""
    client = subject.client
    client.send("position startpos", "go infinite")
    time.sleep(0.2)
    began = time.monotonic()
    client.ready()
    subject.within(time.monotonic() - began, 1.0, "readyok during a search")
    if count_answers(subject.listen(QUIET_S)):
        raise Failed("'go infinite' was answered before 'stop'")
    answer = client.ask(("stop",))
    subject.within(answer.time_ms / 1000, 0.1, "the answer to 'stop'")
    _one_answer(subject, "go infinite, stop", 0)


def _ponder(subject: Subject) -> None:
    """`go ponder` searches until `ponderhit` or `stop`"""
    subject.client.send("position startpos", "go ponder nodes 100")
    if count_answers(subject.listen(0.3)):
        raise Failed("'go ponder' was answered before 'ponderhit'")
    subject.client.ask(("ponderhit",))
    _one_answer(subject, "go ponder, ponderhit", 0)


def _interrupted_search(subject: Subject) -> None:
    """A `position`, `ucinewgame` or `go` that comes during a search stops it first (its `bestmove` is printed)"""
    for command in ("position startpos", "ucinewgame"):
        subject.client.send("position startpos", "go infinite")
        time.sleep(0.05)
        heard = subject.hear(command, enough=count_answers)
        if count_answers([*heard, *subject.listen(QUIET_S)]) != 1:
            raise Failed(f"{command!r} during a search must stop it: one bestmove")
    subject.client.send("position startpos", "go infinite")
    time.sleep(0.05)
    subject.client.send(NODES)
    heard = subject.hear_more([], lambda heard: count_answers(heard) == 2, 1.0)
    answers = count_answers([*heard, *subject.listen(QUIET_S)])
    if answers != 2:
        raise Failed(f"two 'go', the second during the first, were answered {answers} times")


def _idle(subject: Subject) -> None:
    """`stop`, `ponderhit`: as in UCI; ignored when idle"""
    _one_answer(
        subject, "stop, ponderhit and gameover when idle", 0, "stop", "ponderhit", "gameover win", "gameover draw"
    )


def _setup(subject: Subject) -> None:
    """`go setup [SEAT]`: `bestmove @<25 letters>`"""
    for seat in subject.board.seats:
        answer = subject.best("position startpos", f"go setup {seat}")
        try:
            lineup.check(answer.removeprefix("@"))
        except JunqiError as error:
            raise Failed(f"'go setup {seat}' was answered by {answer[:40]!r}: {error}") from error
        if not answer.startswith("@"):
            raise Failed(f"'go setup {seat}' was answered by {answer[:40]!r}, without @")


def _finished(subject: Subject) -> None:
    """every `go` gets exactly one `bestmove` [...] `game-over`"""
    truth = _game(subject, random.Random(5), subject.board.seats[0])
    for seat in subject.board.teams[0]:
        truth.play(f"resign:{seat}")
    if subject.best(truth.position_line("*"), NODES) != "(none)":
        raise Failed("'go' in a finished game must be answered by 'bestmove (none)'")


def _long_line(subject: Subject) -> None:
    """Lines up to 16 MiB are read, longer ones dropped to their end"""
    subject.client.send_bytes(b"position startpos moves " + b"g6g7 " * (LONG_LINE_BYTES // 5) + b"\n")
    heard = subject.hear("d")
    if not any(line.startswith("info string error line-too-long") for line in heard):
        raise Failed("a line of over 16 MiB must be dropped with 'info string error line-too-long ...'")


def _hostile(subject: Subject) -> None:
    """For any stream of bytes: the process does not die before `quit` or end of input"""
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
            raise Failed(f"{data[:40]!r} brought a bestmove")
    move = subject.best("position startpos", "go depth " + "9" * 400)
    if move != "(none)":
        raise Failed("a depth of 400 digits must be rejected and answered by 'bestmove (none)'")
    subject.best("position startpos", NODES)


def _quit(subject: Subject) -> None:
    """`quit`, end of input: [...] exit 0 within 1 s"""
    client = subject.client
    client.send("quit")
    ends(subject, 0, "quit")


def _end_of_input(subject: Subject) -> None:
    """`quit`, end of input: stops the search (its `bestmove` is printed), exit 0 within 1 s"""
    client = subject.client
    client.send("position startpos", "go infinite")
    time.sleep(0.1)
    client.end_input()
    answers = count_answers(subject.listen(1.0 * subject.slack))
    ends(subject, 0, "the end of its input")
    if answers != 1:
        raise Failed(f"the end of input during a search must stop it: one bestmove, not {answers}")


def _closed_output(subject: Subject) -> None:
    """A closed stdout ends the process with exit 1"""
    client = subject.client
    client.close_stdout()
    with suppress(EngineError):  # it may be gone already, which is what is asked for
        client.send("isready", "isready")
    ends(subject, 1, "its output being closed")


def _sigterm(subject: Subject) -> None:
    """SIGTERM with 0, SIGINT with 130, each within 1 s"""
    subject.client.signal(signal.SIGTERM)
    ends(subject, 0, "SIGTERM")


def _sigint(subject: Subject) -> None:
    """SIGTERM with 0, SIGINT with 130, each within 1 s"""
    subject.client.signal(signal.SIGINT)
    ends(subject, 130, "SIGINT")


def _one_answer(subject: Subject, what: str, expected: int, *lines: str) -> None:
    answers = count_answers(subject.hear(*lines))
    if answers != expected:
        raise Failed(f"{what}: {answers} answers too many")


def _first_battle(board: Board) -> str:
    """A first move onto an enemy, without what comes of it."""
    game = GameState.start(board)
    return next(format_code(board, move) for move in game.legal_moves() if game.position["board"][move & 255])


def _game(subject: Subject, rng: random.Random, first: str) -> Truth:
    lineups = {seat: random_lineup(rng) for seat in subject.board.seats}
    return Truth(subject.variant, lineups, first, Rules.of(subject.board))


STEPS: dict[str, Step] = {
    "uciok in time": _start,
    "identity and options": _identity,
    "readyok": _ready,
    "blank lines, comments, tabs and CR": _spacing,
    "unknown words before a command": _leading_words,
    "unknown command": _unknown_command,
    "options": _options,
    "positions that are rejected": _positions,
    "a go that is rejected": _bad_go,
    "legal moves": _legal,
    "a game in partner visibility": _play,
    "dark and open viewers": _viewers,
    "searchmoves": _searchmoves,
    "movetime": _movetime,
    "infinite, isready, stop": _infinite,
    "ponder": _ponder,
    "commands during a search": _interrupted_search,
    "stop, ponderhit and gameover when idle": _idle,
    "line-ups": _setup,
    "a finished game": _finished,
    "a line that is too long": _long_line,
    "hostile input": _hostile,
    **MORE_STEPS,
    "quit": _quit,
    "end of input": _end_of_input,
    "closed output": _closed_output,
    "SIGTERM": _sigterm,
    "SIGINT": _sigint,
}
