"""More steps of a check: each asks for one sentence of the protocol, which is its docstring."""

import random
import re
import signal
import time
from collections.abc import Callable, Mapping

from junqi_engine.rules import lineup
from junqi_engine.rules.board import Board
from junqi_engine.rules.options import Rules
from tools.referee.check.runner import QUIET_S, Enough, Failed, Step, Subject, count_answers, ends
from tools.referee.schedule.book import random_lineup
from tools.referee.truth import Truth

NODES = "go nodes 200"
CLOCK_MS = 400
READ_LINE_BYTES = 15 << 20
BARE_MOVE = re.compile(r"[a-q]\d+[a-q]\d+")


def refused(sentence: str, codes: str, *lines: str) -> Step:
    """A step: the last of some lines is rejected with one of some codes, and the position stays."""

    def step(subject: Subject) -> None:
        subject.tell(*lines[:-1])
        before = subject.fen()
        subject.expect_error(codes, lines[-1])
        if subject.fen() != before:
            raise Failed(f"{lines[-1][:80]!r} was rejected and changed the position")

    step.__doc__ = sentence
    return step


def refused_go(sentence: str, codes: str, *lines: str) -> Step:
    """A step: lines that end in a `go` are rejected, and answered by `bestmove (none)`."""

    def step(subject: Subject) -> None:
        move = subject.best(*lines)
        if move != "(none)":
            raise Failed(f"{lines[-1][:80]!r} must be answered by 'bestmove (none)', not {move!r}")
        subject.expect_error(codes, *lines)

    step.__doc__ = sentence
    return step


def silent(sentence: str, *lines: str) -> Step:
    """A step: lines that nothing but the `readyok` behind them comes of."""

    def step(subject: Subject) -> None:
        heard = [line for line in subject.hear(*lines) if line != "readyok"]
        if heard:
            raise Failed(f"{lines[-1][:80]!r} brought {heard[0][:80]!r}")

    step.__doc__ = sentence
    return step


def says(sentence: str, pattern: str, *lines: str) -> Step:
    """A step: one of the lines that come of some lines is of a form."""

    def step(subject: Subject) -> None:

        def is_said(heard: list[str]) -> bool:
            return any(re.fullmatch(pattern, line) for line in heard)

        if not is_said(subject.hear(*lines, enough=is_said)):
            raise Failed(f"{lines[-1][:80]!r} brought no line like {pattern!r}")

    step.__doc__ = sentence
    return step


def same_position(sentence: str, first: Callable[[Board], str], second: Callable[[Board], str]) -> Step:
    """A step: two commands set up the same position."""

    def step(subject: Subject) -> None:
        found = []
        for command in (first(subject.board), second(subject.board)):
            subject.tell("position startpos", command)
            found.append(subject.fen())
        if found[0] != found[1]:
            raise Failed(f"{second(subject.board)[:80]!r} gave {found[1]!r}, not {found[0]!r}")

    step.__doc__ = sentence
    return step


def in_time(sentence: str, go: str, allowed_ms: float) -> Step:
    """A step: a `go` in the starting position is answered by a legal move in so many milliseconds."""

    def step(subject: Subject) -> None:
        subject.best("position startpos", NODES)
        answer = subject.client.ask(("position startpos", go))
        subject.within(answer.time_ms / 1000, allowed_ms / 1000, f"the answer to {go!r}")
        if not BARE_MOVE.fullmatch(answer.move):
            raise Failed(f"{go!r} was answered by {answer.move!r}")

    step.__doc__ = sentence
    return step


def during_search(sentence: str, *lines: str) -> Step:
    """A step: lines that leave a search running, which `stop` then ends with its one answer."""

    def step(subject: Subject) -> None:
        subject.client.send("position startpos", "go infinite")
        heard = subject.hear(*lines)
        if count_answers(heard):
            raise Failed(f"{lines[-1][:80]!r} ended a search")
        subject.client.ask(("stop",))

    step.__doc__ = sentence
    return step


def _default_lineups(board: Board) -> str:
    return " ".join(f"{seat}:{lineup.DEFAULT}" for seat in board.teams[0])


def _before_any_position(subject: Subject) -> None:
    """Before any `position` the variant's `startpos` stands"""
    subject.stop()
    before = subject.fen()
    subject.tell("position startpos")
    if subject.fen() != before:
        raise Failed("before any position the startpos must stand")


def _choosing_the_variant(subject: Subject) -> None:
    """choosing a variant resets to it"""
    subject.tell("position startpos")
    start = subject.fen()
    move = subject.best("position startpos", NODES)
    subject.tell(f"position startpos moves {move}", f"setoption name UCI_Variant value {subject.variant}")
    if subject.fen() != start:
        raise Failed("choosing the variant must reset to its startpos")


def _fen_reads_back(subject: Subject) -> None:
    """`d`: the position: a drawing, `fen <FEN>`, the seat to move"""
    truth = Truth(subject.variant, _lineups(subject, 7), subject.board.seats[0], Rules.of(subject.board))
    rng = random.Random(7)
    for _ in range(12):
        truth.play(rng.choice(truth.legal()))
    subject.tell(truth.position_line(subject.board.teams[0]))
    fen = subject.fen()
    subject.tell("position startpos", f"position fen {fen}")
    if subject.fen() != fen:
        raise Failed(f"the FEN of 'd' does not read back: {fen}")


def _lineups(subject: Subject, seed: int) -> dict[str, str]:
    rng = random.Random(seed)
    return {seat: random_lineup(rng) for seat in subject.board.seats}


def _impossible_position(subject: Subject) -> None:
    """`impossible-position` (parses, cannot be)"""
    subject.tell("position startpos viewer *")
    board, *rest = subject.fen().split()
    twice = re.sub(r"S[a-k]", "Sl", board)
    subject.expect_error("impossible-position", f"position fen {' '.join([twice, *rest])}")


def _fen_fields(subject: Subject) -> None:
    """FEN, six or seven fields on one line"""
    subject.tell("position startpos viewer *")
    fields = subject.fen().split()
    for wrong in (fields[:5], [*fields, "-", "-"]):
        subject.expect_error("bad-position", f"position fen {' '.join(wrong)}")


def _battle_on_nothing(subject: Subject) -> None:
    """An outcome that contradicts what is known [...] is `impossible-outcome`"""
    quiet = _quiet_move(subject)
    subject.expect_error("impossible-outcome", f"position startpos moves {quiet}x")


def _quiet_move(subject: Subject) -> str:
    """A first move onto an empty point from the built-in line-ups."""
    lineups = dict.fromkeys(subject.board.seats, lineup.DEFAULT)
    moves = Truth(subject.variant, lineups, subject.board.seats[0], Rules.of(subject.board)).legal()
    for move in moves:
        truth = Truth(subject.variant, lineups, subject.board.seats[0], Rules.of(subject.board))
        if truth.play(move) == move:
            return move
    raise AssertionError("every first move is an attack")


def _resigned(subject: Subject) -> None:
    """A seat that resigns is the token `resign:E`"""
    seat = subject.board.seats[1]
    subject.tell(f"position startpos moves resign:{seat}")
    if seat in subject.fen().split()[2]:
        raise Failed(f"after resign:{seat} the seat must be out")


def _game_over(subject: Subject) -> None:
    """The codes: [...] `game-over`"""
    resigned = " ".join(f"resign:{seat}" for seat in subject.board.teams[1])
    subject.expect_error("game-over", f"position startpos moves {resigned} {_quiet_move(subject)}")


def _bare_answer(subject: Subject) -> None:
    """`bestmove` carries no suffix, since only a referee knows it"""
    move = subject.best("position startpos viewer *", NODES)
    if not BARE_MOVE.fullmatch(move):
        raise Failed(f"the answer must be two points, not {move!r}")


def _perft(subject: Subject) -> None:
    """`info string perft <move> <count>` for each first move [...] `bestmove (none)`"""
    subject.client.send("position startpos viewer *", "go perft 1")
    is_all = _answer_and("info string legal")
    heard = [*subject.hear("legal", enough=is_all), *subject.listen(QUIET_S)]
    counted = {line.split()[3] for line in heard if line.startswith("info string perft ")}
    legal = {word for line in heard if line.startswith("info string legal") for word in line.split()[3:]}
    if counted != legal or heard.count("bestmove (none)") != 1:
        raise Failed(f"perft 1 named {len(counted)} moves, legal {len(legal)}, or not one 'bestmove (none)' came")


def _answer_and(beginning: str) -> Enough:
    """Whether a `bestmove` and a line with that beginning came, in any order."""
    return lambda heard: count_answers(heard) > 0 and any(line.startswith(beginning) for line in heard)


def _own_setup(subject: Subject) -> None:
    """the engine's own line-up for that seat, by default the one to move"""
    first, second = (subject.best("position startpos", f"go setup{word}") for word in ("", " S"))
    if first != second:
        raise Failed(f"'go setup' gave {first!r}, 'go setup S' {second!r}, with S to move")


def _debug(subject: Subject) -> None:
    """`debug on`: each received command echoed as `info string`"""

    def is_echoed(heard: list[str]) -> bool:
        return any(line.startswith("info string") and "'legal'" in line for line in heard)

    if not is_echoed(subject.hear("debug on", "legal", "debug off", enough=is_echoed)):
        raise Failed("with 'debug on' the command 'legal' was not echoed")


def _two_readies(subject: Subject) -> None:
    """`readyok`: always"""
    if subject.hear("isready", "isready").count("readyok") != 2:  # `hear` keeps its own to itself
        raise Failed("three isready in a row must bring three readyok")


def _option_waits(subject: Subject) -> None:
    """a `setoption` then waits until after the `bestmove`"""
    subject.client.send("position startpos", "go infinite", "setoption name No Such Thing value 1")
    heard = [*subject.hear("stop", enough=_answer_and("info string error")), *subject.listen(QUIET_S)]
    words = [line.split()[0:3] for line in heard if line.startswith(("bestmove", "info string error"))]
    if [first[0] for first in words] != ["bestmove", "info"]:
        raise Failed("a setoption during a search must be carried out after its bestmove")


def _long_line_is_read(subject: Subject) -> None:
    """Lines up to 16 MiB are read"""
    move = _quiet_move(subject).encode()
    data = b"position startpos moves " + (move + b" ") * (READ_LINE_BYTES // (len(move) + 1)) + b"\n"
    subject.client.send_bytes(data)

    def is_refusal(line: bytes) -> bool:
        return line.startswith(b"info string error illegal-move")

    # Not up to a `readyok`, which may well come before a list of a million moves has been looked at.
    subject.client.wait_for(is_refusal, subject.slack, "what is wrong in it")


def _quit_in_search(subject: Subject) -> None:
    """`quit` [...] stops the search (its `bestmove` is printed), exit 0 within 1 s"""
    subject.client.send("position startpos", "go infinite")
    time.sleep(0.1)
    subject.client.send("quit")
    answers = count_answers(subject.listen(1.0 * subject.slack))
    ends(subject, 0, "quit")
    if answers != 1:
        raise Failed(f"quit during a search: {answers} answers, not one")


def _signal_in_search(number: signal.Signals, code: int) -> Step:
    def step(subject: Subject) -> None:
        subject.client.send("position startpos", "go infinite")
        time.sleep(0.1)
        subject.client.signal(number)
        ends(subject, code, f"{number.name} during a search")

    step.__doc__ = "SIGTERM with 0, SIGINT with 130, each within 1 s"
    return step


MORE_STEPS: Mapping[str, Step] = {
    "debug": _debug,
    "debug with another word": refused("debug on/off", "bad-argument", "debug maybe"),
    "isready three times": _two_readies,
    "a comment with a command in it": silent("lines that begin with `#` are fine", "# go", "#quit"),
    "option names with spaces": silent(
        "names and values are case-insensitive and may hold spaces", "setoption name mOVE oVERHEAD value 30"
    ),
    "options of other variants": silent(
        "An option of another variant may be set at any time", "setoption name Metric value move"
    ),
    "too many threads": refused(
        "A version, thread count or size that is not to be had is refused", "bad-value",
        "setoption name Threads value 100000",
    ),
    "a version that is not there": refused(
        "A version, thread count or size that is not to be had is refused", "bad-value",
        "setoption name Player value 0.0.0",
    ),
    "a variant that is not there": refused(
        "combo `siguo` `luzhanqi` ...", "bad-value", "setoption name UCI_Variant value chess"
    ),
    "an option without a value": refused("setoption name X [value Y]", "bad-argument", "setoption name Seed"),
    "the position before any position": _before_any_position,
    "choosing the variant": _choosing_the_variant,
    "a FEN that reads back": _fen_reads_back,
    "the number of fields of a FEN": _fen_fields,
    "a position that cannot be": _impossible_position,
    "the viewer by default": same_position(
        "without both, `SN` (luzhanqi `S`)",
        lambda board: "position startpos", lambda board: f"position startpos viewer {board.teams[0]}",
    ),
    "the viewer by the line-ups": same_position(
        "Without `viewer` it is the seats whose line-ups are given",
        lambda board: f"position startpos lineup {_default_lineups(board)}",
        lambda board: f"position startpos lineup {_default_lineups(board)} viewer {board.teams[0]}",
    ),
    "the built-in line-up": same_position(
        "Without any `lineup` the viewer's seats have the built-in one",
        lambda board: f"position startpos viewer {board.teams[0]}",
        lambda board: f"position startpos lineup {_default_lineups(board)} viewer {board.teams[0]}",
    ),
    "an unknown viewer": refused("viewer: one seat or one team, or `*`", "bad-position", "position startpos viewer SX"),
    "an outcome that cannot be": _battle_on_nothing,
    "resignation": _resigned,
    "a move after the end": _game_over,
    "bestmove without a suffix": _bare_answer,
    "go depth": in_time("`go` + `depth N`", "go depth 1", 1000),
    "go without a limit": in_time("With no limit at all `go` searches 1 s in Junqi", "go", 1100),
    "the teams' clocks": in_time(
        "`wtime/winc` are the clock of South's team", f"go wtime {CLOCK_MS} btime 9000 winc 0 binc 0", CLOCK_MS
    ),
    "the mover's clock": in_time(
        "`time/inc`, when given, the mover's", f"go time {CLOCK_MS} inc 0 wtime 90000 btime 90000", CLOCK_MS
    ),
    "movestogo": in_time("`movestogo N`", f"go wtime {CLOCK_MS} btime {CLOCK_MS} movestogo 1", CLOCK_MS),
    "searchmoves that are illegal": refused_go(
        "every `go` gets exactly one `bestmove` (a rejected one `bestmove (none)`", "illegal-move bad-move",
        "position startpos", "go searchmoves h1h2",
    ),
    "perft": _perft,
    "perft of what is hidden": refused_go(
        "in Junqi it needs viewer `*`", "needs-open", "position startpos viewer S", "go perft 1"
    ),
    "a line-up for the mover": _own_setup,
    "a line-up for nobody": refused_go("`go setup [SEAT]`", "bad-argument", "position startpos", "go setup X"),
    "d says who is to move": says("the seat to move", r"info string .*\bS\b.*", "position startpos", "d"),
    "eval": says("`eval`: the static evaluation", r"info string .*\d.*", "position startpos", "eval"),
    "belief": says(
        "`info belief <point> a:0.01 b:0.02 ...`", r"info belief [a-q]\d+( [a-l]:[01]\.\d+)+", "position startpos",
        "belief",
    ),
    "belief of an empty point": refused("belief [POINT]", "bad-argument", "position startpos", "belief z99"),
    "gameover with another word": refused("`gameover win/loss/draw`", "bad-argument", "gameover tie"),
    "help and version": says("`help`, `version`: for people", "info string .+", "help", "version"),
    "ponderhit does not end an infinite search": during_search("`ponderhit`: as in UCI", "ponderhit"),
    "d and legal during a search": during_search("`isready` [...] also during a search, which goes on", "d", "legal"),
    "nonsense during a search": during_search("a command that is rejected changes nothing", "xyzzy", "position_"),
    "setoption during a search": _option_waits,
    "a long line that is read": _long_line_is_read,
    "quit during a search": _quit_in_search,
    "SIGTERM during a search": _signal_in_search(signal.SIGTERM, 0),
    "SIGINT during a search": _signal_in_search(signal.SIGINT, 130),
}  # fmt: skip
