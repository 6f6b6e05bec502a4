"""Steps on searches: limits, viewers, and commands during a search."""

import random
import re
import time

from junqi_engine.engines.engine_lines import NO_MOVE
from tools.referee.check.kinds import BARE_MOVE, answer_and, random_game
from tools.referee.check.subject import NODES, QUIET_S, StepFailed, Subject, count_answers
from tools.referee.truth import IllegalMove

PLIES = 60
GAMES = 2
MOVETIME_MS = 200


def bad_go(subject: Subject) -> None:
    """Every `go` gets exactly one `bestmove` (a rejected `go` gets `bestmove (none)`, [...])"""
    for line in ("go depth banana", "go nodes -5", "go depth", "go sideways"):
        move = subject.best("position startpos", line)
        if move != NO_MOVE:
            raise StepFailed(f"{line!r} must be rejected and answered by 'bestmove (none)', not {move!r}")


def plays_games(subject: Subject) -> None:
    """one move list serves all four seats and is the game's record"""
    rng = random.Random(2)
    for number in range(GAMES):
        truth = random_game(subject, rng, subject.board.seats[number % len(subject.board.seats)])
        subject.tell("ucinewgame")
        while truth.result is None and len(truth.moves) < PLIES:
            viewer = next(team for team in subject.board.teams if truth.turn in team)
            position = truth.position_line(viewer)
            try:
                truth.play(subject.client.ask((position, NODES)).move)
            except IllegalMove as error:
                # A second answer to the previous go may arrive so late that it is taken for the answer to this one.
                twice = subject.client.answers_again(QUIET_S)
                reason = "a second answer to one go" if twice else str(error)
                raise StepFailed(f"{reason}; {position}; {NODES}") from error


def viewers(subject: Subject) -> None:
    """The viewer alone determines what the engine knows and which seats it plays"""
    truth = random_game(subject, random.Random(3), subject.board.seats[0])
    for viewer in (truth.turn, "*"):
        move = subject.best(truth.position_line(viewer), NODES)
        if move not in truth.legal():
            raise StepFailed(f"with viewer {viewer} the answer {move!r} is not legal")
    other = subject.board.seats[1]
    if subject.best(truth.position_line(other), NODES) != NO_MOVE:
        raise StepFailed(f"with viewer {other} and {truth.turn} to move, 'go' must be answered by 'bestmove (none)'")
    subject.expect_error("not-our-seat", truth.position_line(other), NODES)


def searchmoves(subject: Subject) -> None:
    """`searchmoves M...`"""
    truth = random_game(subject, random.Random(4), subject.board.seats[0])
    only = truth.legal()[-1]
    move = subject.best(truth.position_line("*"), f"{NODES} searchmoves {only}")
    if move != only:
        raise StepFailed(f"'searchmoves {only}' was answered by {move!r}")


def movetime(subject: Subject) -> None:
    """`movetime MS`"""
    subject.best("position startpos", NODES)
    answer = subject.client.ask(("position startpos", f"go movetime {MOVETIME_MS}"))
    subject.within(max(0.0, answer.time_ms - MOVETIME_MS) / 1000, 0.05, "the time beyond movetime")


def infinite(subject: Subject) -> None:
    """`readyok`: always, also during a search, which continues"""
    client = subject.client
    client.send("position startpos", "go infinite")
    time.sleep(0.2)
    began = time.monotonic()
    client.ready()
    subject.within(time.monotonic() - began, 1.0, "readyok during a search")
    if count_answers(subject.listen(QUIET_S)):
        raise StepFailed("'go infinite' was answered before 'stop'")
    answer = client.ask(("stop",))
    subject.within(answer.time_ms / 1000, 0.1, "the answer to 'stop'")
    _expect_no_answer(subject, "go infinite, stop")


def ponder(subject: Subject) -> None:
    """`go ponder` searches until `ponderhit` or `stop`"""
    subject.client.send("position startpos", "go ponder nodes 100")
    if count_answers(subject.listen(0.3)):
        raise StepFailed("'go ponder' was answered before 'ponderhit'")
    subject.client.ask(("ponderhit",))
    _expect_no_answer(subject, "go ponder, ponderhit")


def ponder_without_limits(subject: Subject) -> None:
    """`go ponder` searches until `ponderhit` or `stop`"""
    subject.client.send("position startpos", "go ponder")
    if count_answers(subject.listen(0.3)):
        raise StepFailed("'go ponder' was answered before 'ponderhit'")
    answer = subject.client.ask(("ponderhit",))
    subject.within(answer.time_ms / 1000, 1.0, "the answer to 'ponderhit'")
    _expect_no_answer(subject, "go ponder, ponderhit")


def clock_has_run_out(subject: Subject) -> None:
    """`wtime/btime/winc/binc MS`"""
    for clock in ("wtime 0 btime 0", "wtime -100 btime -100", "time -1 inc 0"):
        answer = subject.client.ask(("position startpos", f"go {clock}"))
        if not BARE_MOVE.fullmatch(answer.move):
            raise StepFailed(f"'go {clock}' must be answered by a move at once, not {answer.move!r}")
        subject.within(answer.time_ms / 1000, 0.1, f"the answer to 'go {clock}'")


def interrupted_search(subject: Subject) -> None:
    """A `position`, `ucinewgame` or `go` received during a search first stops the search (its `bestmove` is printed)"""
    for command in ("position startpos", "ucinewgame"):
        subject.client.send("position startpos", "go infinite")
        time.sleep(0.05)
        heard = subject.hear(command, enough=count_answers)
        if count_answers([*heard, *subject.listen(QUIET_S)]) != 1:
            raise StepFailed(f"{command!r} during a search must stop it: one bestmove")
    subject.client.send("position startpos", "go infinite")
    time.sleep(0.05)
    subject.client.send(NODES)
    heard = subject.hear_more([], lambda heard: count_answers(heard) == 2, 1.0)
    answers = count_answers([*heard, *subject.listen(QUIET_S)])
    if answers != 2:
        raise StepFailed(f"a 'go' during a search: both together brought {answers} answers, not two")


def idle(subject: Subject) -> None:
    """`stop`, `ponderhit`: as in UCI; ignored when idle"""
    _expect_no_answer(
        subject, "stop, ponderhit and gameover when idle", "stop", "ponderhit", "gameover win", "gameover draw"
    )


def option_waits(subject: Subject) -> None:
    """A `setoption` received during a search waits until after the `bestmove`"""
    subject.client.send("position startpos", "go infinite", "setoption name No Such Thing value 1")
    heard = [*subject.hear("stop", enough=answer_and("info string error")), *subject.listen(QUIET_S)]
    words = [line.split()[0:3] for line in heard if line.startswith(("bestmove", "info string error"))]
    if [first[0] for first in words] != ["bestmove", "info"]:
        raise StepFailed("a setoption during a search must be carried out after its bestmove")


def finished(subject: Subject) -> None:
    """Every `go` gets exactly one `bestmove` [...] `game-over`"""
    truth = random_game(subject, random.Random(5), subject.board.seats[0])
    for seat in subject.board.teams[0]:
        truth.play(f"resign:{seat}")
    if subject.best(truth.position_line("*"), NODES) != NO_MOVE:
        raise StepFailed("'go' in a finished game must be answered by 'bestmove (none)'")


def bare_answer(subject: Subject) -> None:
    """`bestmove` has no suffix, because only a referee knows it"""
    move = subject.best("position startpos viewer *", NODES)
    if not BARE_MOVE.fullmatch(move):
        raise StepFailed(f"the answer must be two points, not {move!r}")


def shows_chances(subject: Subject) -> None:
    """`UCI_ShowWDL` (`wdl W D L` in permille in `info` lines)"""
    if "uci_showwdl" not in subject.client.identity.options:
        return
    for value in ("true", "false"):
        heard = subject.hear(
            f"setoption name UCI_ShowWDL value {value}", "position startpos", NODES, enough=count_answers
        )
        scored = [line for line in heard if re.search(r" score (cp|mate) ", line)]
        found = [re.search(r" score (?:cp|mate) -?\d+ wdl (\d+) (\d+) (\d+)(?: |$)", line) for line in scored]
        if value == "false" and any(found):
            raise StepFailed("without UCI_ShowWDL there must be no wdl")
        if value == "true" and not (found and all(match and sum(map(int, match.groups())) == 1000 for match in found)):
            raise StepFailed("with UCI_ShowWDL, each score must be followed by 'wdl W D L', whose sum is 1000")


def limits_strength(subject: Subject) -> None:
    """`UCI_LimitStrength` and `UCI_Elo`"""
    declared = subject.client.identity.options
    bounds = re.search(r" min (\d+) max (\d+)", declared.get("uci_elo", ""))
    if bounds is None or "uci_limitstrength" not in declared:
        return
    for elo in bounds.groups():
        subject.tell("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
        move = subject.best("position startpos", NODES)
        if not BARE_MOVE.fullmatch(move):
            raise StepFailed(f"with UCI_Elo {elo} the answer is {move!r}")
    subject.expect_error("bad-value", f"setoption name UCI_Elo value {int(bounds[2]) + 1}")
    subject.tell("setoption name UCI_LimitStrength value false")


def _expect_no_answer(subject: Subject, what: str, *lines: str) -> None:
    answers = count_answers(subject.hear(*lines))
    if answers:
        raise StepFailed(f"{what}: {answers} answers too many")
