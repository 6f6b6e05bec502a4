"""Steps on positions, moves, line-ups and searches: limits, viewers, and commands during a search."""

import random
import re
from collections.abc import Mapping
from importlib import resources

from junqi_engine.errors import Refused
from junqi_engine.notation.moves import OPEN_VIEWER, parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.rules import lineup
from junqi_engine.rules.options import Rules
from junqi_referee.check.subject import BARE_MOVE, NODES, QUIET_S, Step, StepFailed, Subject, count_answers
from junqi_referee.full_game import FullGame


def setup_for_every_seat(subject: Subject) -> None:
    """#go: `go setup [SEAT]`: `bestmove @<25 letters>`"""
    for seat in subject.board.seats:
        team = next(team for team in subject.board.teams if seat in team)
        answer = subject.best(f"position startpos viewer {team}", f"go setup {seat}")
        try:
            lineup.check(answer[1:] if answer.startswith("@") else "")
        except Refused as error:
            raise StepFailed(f"'go setup {seat}' was answered by {answer[:40]!r}: {error}") from error


PLIES = 60
GAMES = 2
MOVETIME_MS = 200


def bad_go(subject: Subject) -> None:
    """#go: Every `go` gets exactly one `bestmove` (a rejected `go` gets `bestmove (none)`, [...])"""
    for line in ("go depth banana", "go nodes x", "go depth", "go sideways"):
        subject.expect_answer(NO_MOVE_TEXT, "position startpos", line)


def plays_games(subject: Subject, is_dark: bool = False) -> None:
    """#plays: the engine keeps the board; it answers with a legal move of docs/rules.md or with `resign:SEAT`"""
    rng, seats = random.Random(2), subject.board.seats
    for number in range(GAMES):
        lineups = {seat: lineup_choice.sensible(rng) for seat in seats}
        full = FullGame(subject.variant, lineups, seats[number % len(seats)], Rules.of(subject.board))
        subject.tell("ucinewgame")
        while full.result is None and len(full.moves) < PLIES:
            full.play(subject.move(full, full.turn if is_dark else ""))


def plays_dark_games(subject: Subject) -> None:
    """#plays: in siguo the viewer is a team with two line-ups, in `dark` games a seat"""
    plays_games(subject, is_dark=True)


EVENTFUL_GAMES: Mapping[str, Mapping[str, str]] = {
    "siguo": {
        "7Nl9/6Ng10/17/17/8Na8/17/10NfEh5/16El/10SaEa4Sb/Wl1Wa9Ec4/3Wc11Eg1/17/17/17/17/6Se10/9Sl7 S SENW * 0 40":
            "k9l9 p7p8 g16g15 d7d8 q9q10 k11l11 d8d7 g2h2",
        "7Nl9/17/17/8Na8/17/8Nf8/17/16El/5Wh5Ed5/Wl1Wa9Ea4/17/17/17/17/17/7SgSj8/9Sl7 S SENW * 0 200":
            "h2h1 l9k9 i12i11 f9g9 m8l9 i11g11 resign:W l9l10 g11g9",
        "7NgNjNlNg6/9NjNj6/17/17/17/17/13Nd3/WlWj2Wc7Ek3Eh/Wj2Wd12Ej/16El/We15Ej/8Sg8/17/17/17/17/7Sl9 E SENW * 3 184":
            "m10n11 d9d8 i6i7",
    },
    "luzhanqi": {
        "1Nl3/3Nj1/5/5/4Ne/Na1Nb2/Sa1Sd2/5/5/1Sk3/Si4/3Sl1 S SN * 0 30": "a6a7 c7c6 a2e5 e8e7 e5e7 c6c5",
    },
}  # fmt: skip
"""Games from a FEN, with marshals that fall and, in siguo, seats that are eliminated, once two in a ply; pieces then
move to where theirs stood. The next seat is one that an engine would not expect that keeps them in the game.
"""


def follows_events(subject: Subject) -> None:
    """#plays: after `#` and `resign:` a seat has neither pieces nor turns; `!` shows a flag"""
    for fen, moves in EVENTFUL_GAMES[subject.variant].items():
        full = FullGame(subject.variant, {}, subject.board.seats[0], Rules.of(subject.board), fen)
        subject.tell("ucinewgame")
        for move in moves.split():
            subject.move(full)
            full.play(move)
        subject.move(full)


LATE_PLIES = 8


def plays_late_games(subject: Subject) -> None:
    """#plays: it can tell its legal moves by docs/rules.md, in partner, `dark` and `open` games"""
    rng = random.Random(9)
    lines = resources.files("junqi_referee.check").joinpath("late_positions.txt").read_text(encoding="utf-8")
    starts = [line.split(" ", 1)[1] for line in lines.splitlines() if line.startswith(f"{subject.variant} ")]
    for number, fen in enumerate(starts):
        full = FullGame(subject.variant, {}, "", Rules.of(subject.board), fen)
        while full.result is None and len(full.moves) < LATE_PLIES:
            subject.move(full, ("", full.turn, OPEN_VIEWER)[number % 3])
            full.play(_late_move(full, rng))


def _late_move(full: FullGame, rng: random.Random) -> str:
    """A battle, if there is one; now and then another move, a turn that passes, or a resignation."""
    moves, view = full.legal(), full.view(OPEN_VIEWER)
    battles = [move for move in moves if view.piece_at(parse_move(full.board, move).to_point) is not None]
    rare = [rng.choice(moves), f"pass:{full.turn}", f"resign:{rng.choice(full.alive)}"]
    return rng.choice([*[rng.choice(battles or moves)] * 9, *rare])


def searchmoves(subject: Subject) -> None:
    """#go: `searchmoves M...`"""
    only = subject.opening.legal()[-1]
    subject.expect_answer(only, subject.opening.position_line(OPEN_VIEWER), f"{NODES} searchmoves {only}")


def movetime(subject: Subject) -> None:
    """#go: `movetime MS`"""
    subject.best(subject.start, NODES)
    answer = subject.client.ask((subject.start, f"go movetime {MOVETIME_MS}"))
    subject.within(max(0.0, answer.time_ms - MOVETIME_MS) / 1000, 0.05, "the time beyond movetime")


def infinite(subject: Subject) -> None:
    """#commands: During a search `readyok` comes within 0.1 s, and the search goes on"""
    subject.search_for(0.2)
    subject.expect_ready("readyok during a search")
    subject.expect_end("go infinite", QUIET_S, "stop", 0.1)


def ponders(go: str, allowed_s: float) -> Step:
    """A search in the opponent's time, answered so soon after `ponderhit`."""

    def step(subject: Subject) -> None:
        subject.client.send("position startpos", go)
        subject.expect_end("go ponder", 0.3, "ponderhit", allowed_s)

    step.__doc__ = "#go: `go ponder` searches until `ponderhit` or `stop`"
    return step


def interrupted_search(subject: Subject) -> None:
    """#commands: `position`, `ucinewgame` and `go` stop a search without a limit (its `bestmove` is printed)"""
    for command in ("position startpos", "ucinewgame"):
        subject.search_for(0.05)
        heard = subject.hear(command, enough=count_answers)
        if count_answers([*heard, *subject.listen(QUIET_S)]) != 1:
            raise StepFailed(f"{command!r} during a search must stop it: one bestmove")
    subject.search_for(0.05)
    subject.client.send(NODES)
    heard = subject.hear_more([], lambda heard: count_answers(heard) == 2, 1.0)
    answers = count_answers([*heard, *subject.listen(QUIET_S)])
    if answers != 2:
        raise StepFailed(f"a 'go' during a search: both together brought {answers} answers, not two")


def idle(subject: Subject) -> None:
    """#commands: `stop`, `ponderhit`: as in UCI; ignored when idle"""
    subject.expect_no_answer("stop and ponderhit when idle", "stop", "ponderhit")


def finished(subject: Subject) -> None:
    """#errors: Every `go` gets exactly one `bestmove` [...] `game-over`"""
    game = subject.opening
    for seat in subject.board.teams[0]:
        game.play(f"resign:{seat}")
    subject.expect_answer(NO_MOVE_TEXT, game.position_line(OPEN_VIEWER), NODES)


def bare_answer(subject: Subject) -> None:
    """#go: `bestmove` has no suffix, because only a referee knows it"""
    move = subject.best(subject.opening.position_line(OPEN_VIEWER), NODES)
    if not BARE_MOVE.fullmatch(move):
        raise StepFailed(f"the answer must be two points, not {move!r}")


SCORE = re.compile(r" score (?:cp|mate) [+-]?\d+(?: wdl (\d{1,4}) (\d{1,4}) (\d{1,4})(?= |$))?")


def shows_chances(subject: Subject) -> None:
    """#info: `UCI_ShowWDL` (`wdl W D L` in permille in `info` lines)"""
    if "uci_showwdl" not in subject.client.identity.options:
        return
    for value in ("true", "false"):
        lines = (f"setoption name UCI_ShowWDL value {value}", "position startpos", NODES)
        scored = filter(None, map(SCORE.search, subject.hear(*lines, enough=count_answers)))
        sums = {sum(map(int, found.groups("0"))) for found in scored}
        if value == "false" and sums - {0}:
            raise StepFailed("without UCI_ShowWDL there must be no wdl")
        if value == "true" and sums != {1000}:
            raise StepFailed("with UCI_ShowWDL, each score must be followed by 'wdl W D L', whose sum is 1000")
