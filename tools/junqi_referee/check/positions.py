"""Steps on positions, moves, line-ups and searches: limits, viewers, and commands during a search."""

import random
import re
import time
from collections.abc import Mapping

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_engine.errors import IllegalMove, Refused
from junqi_engine.rules import lineup
from junqi_engine.rules.options import Rules
from junqi_referee.check.subject import (
    BARE_MOVE,
    NODES,
    QUIET_S,
    Step,
    StepFailed,
    Subject,
    answer_and,
    count_answers,
    first_move,
    random_game,
)
from junqi_referee.truth import Truth

SEEDED_GAMES = 3


def positions(subject: Subject) -> None:
    """#errors: A rejected command changes nothing"""
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
        ("missing-outcome", f"{good} moves {first_move(subject, is_attack=True)}"),
    ):
        subject.expect_error(codes, line)
        if subject.fen() != before:
            raise StepFailed(f"{line[:80]!r} was rejected and changed the position")


def legal(subject: Subject) -> None:
    """#commands: `legal`: `info string legal <moves>`"""
    for first in subject.board.seats[:2]:
        truth = random_game(subject, random.Random(1), first)
        viewer = next(team for team in subject.board.teams if truth.turn in team)
        heard = subject.hear(truth.position_line(viewer), "legal", enough=_names_moves)
        found = sorted(word for line in heard if line.startswith("info string legal") for word in line.split()[3:])
        if found != sorted(truth.legal()):
            raise StepFailed(f"'legal' gave {len(found)} moves, not the {len(truth.legal())} of the rules")


def _names_moves(heard: list[str]) -> bool:
    return any(line.startswith("info string legal") for line in heard)


def before_any_position(subject: Subject) -> None:
    """#commands: Before the first `position`, the position is the variant's `startpos`"""
    subject.stop()
    before = subject.fen()
    subject.tell("position startpos")
    if subject.fen() != before:
        raise StepFailed("before the first position command, the position must be the startpos")


def choosing_the_variant(subject: Subject) -> None:
    """#options: selecting a variant resets to it"""
    subject.tell("position startpos")
    start = subject.fen()
    move = subject.best("position startpos", NODES)
    subject.tell(f"position startpos moves {move}", f"setoption name UCI_Variant value {subject.variant}")
    if subject.fen() != start:
        raise StepFailed("selecting the variant must reset to its startpos")


def fen_reads_back(subject: Subject) -> None:
    """#info-string: `d`: the position: a drawing, `fen <FEN>`, the seat to move"""
    truth = random_game(subject, random.Random(7), subject.board.seats[0])
    rng = random.Random(7)
    for _ in range(12):
        truth.play(rng.choice(truth.legal()))
    subject.tell(truth.position_line(subject.board.teams[0]))
    fen = subject.fen()
    subject.tell("position startpos", f"position fen {fen}")
    if subject.fen() != fen:
        raise StepFailed(f"the FEN of 'd' does not read back: {fen}")


def fen_fields(subject: Subject) -> None:
    """#positions-of-junqi: A FEN has six or seven fields on one line"""
    subject.tell("position startpos viewer *")
    fields = subject.fen().split()
    for wrong in (fields[:5], [*fields, "-", "-"]):
        subject.expect_error("bad-position", f"position fen {' '.join(wrong)}")


def impossible_position(subject: Subject) -> None:
    """#errors: `impossible-position` (parses, but cannot occur)"""
    subject.tell("position startpos viewer *")
    board, *rest = subject.fen().split()
    twice = re.sub(r"S[a-k]", "Sl", board)
    subject.expect_error("impossible-position", f"position fen {' '.join([twice, *rest])}")


def battle_on_nothing(subject: Subject) -> None:
    """#errors: An outcome that contradicts what is known [...] is `impossible-outcome`"""
    quiet = first_move(subject)
    subject.expect_error("impossible-outcome", f"position startpos moves {quiet}x")


def resigned(subject: Subject) -> None:
    """#moves-of-junqi: A resignation is the token `resign:E`"""
    seat = subject.board.seats[1]
    subject.tell(f"position startpos moves resign:{seat}")
    fields = subject.fen().split()
    if len(fields) < 3 or seat in fields[2]:
        raise StepFailed(f"after resign:{seat} the seat must be eliminated")


def game_over(subject: Subject) -> None:
    """#errors: The codes: [...] `game-over`"""
    resigned = " ".join(f"resign:{seat}" for seat in subject.board.teams[1])
    subject.expect_error("game-over", f"position startpos moves {resigned} {first_move(subject)}")


def setup_for_every_seat(subject: Subject) -> None:
    """#go: `go setup [SEAT]`: `bestmove @<25 letters>`"""
    for seat in subject.board.seats:
        team = next(team for team in subject.board.teams if seat in team)
        answer = subject.best(f"position startpos viewer {team}", f"go setup {seat}")
        try:
            lineup.check(answer.removeprefix("@"))
        except Refused as error:
            raise StepFailed(f"'go setup {seat}' was answered by {answer[:40]!r}: {error}") from error
        if not answer.startswith("@"):
            raise StepFailed(f"'go setup {seat}' was answered by {answer[:40]!r}, without @")


def new_seeds(subject: Subject) -> None:
    """#options: `Seed`: [...] -1 = a new one for each game, printed in an `info string`"""
    if "seed" not in subject.client.identity.options:
        return
    made: dict[str, str] = {}
    for _ in range(SEEDED_GAMES):
        seed, lineup_made = _set_up_with(subject, "-1")
        if seed is None:
            raise StepFailed("with Seed -1, 'go setup' must print the drawn seed: 'info string seed <number>'")
        made[seed] = lineup_made
    if len(made) < SEEDED_GAMES or len(set(made.values())) < SEEDED_GAMES:
        raise StepFailed(f"with Seed -1, {SEEDED_GAMES} games brought {len(set(made.values()))} line-ups")
    for seed, lineup_made in made.items():
        if _set_up_with(subject, seed)[1] != lineup_made:
            raise StepFailed(f"Seed {seed} does not bring again what the engine did when it had drawn that seed")
    subject.tell("setoption name Seed value 0")


def _set_up_with(subject: Subject, seed: str) -> tuple[str | None, str]:
    """The seed that the engine prints in a new game with this `Seed`, and its line-up."""
    heard = subject.hear(
        f"setoption name Seed value {seed}", "ucinewgame", "position startpos", "go setup", enough=count_answers
    )
    texts = (line for line in heard if line.startswith("info string "))
    printed = (re.search(r"\bseed\D{0,20}(\d{1,20})\b", text, re.IGNORECASE) for text in texts)
    answers = [line for line in heard if line.startswith("bestmove ")]
    return next((match[1] for match in printed if match), None), answers[0] if answers else ""


def setup_by_default(subject: Subject) -> None:
    """#go: the engine's own line-up for that seat, by default the seat to move"""
    first, second = (subject.best("position startpos", f"go setup{word}") for word in ("", " S"))
    if first != second:
        raise StepFailed(f"'go setup' gave {first!r}, 'go setup S' {second!r}, with S to move")


def perft(subject: Subject) -> None:
    """#go: `info string perft <move> <count>` for each first move [...] `bestmove (none)`"""
    subject.client.send("position startpos viewer *", "go perft 1")
    is_all = answer_and("info string legal")
    heard = [*subject.hear("legal", enough=is_all), *subject.listen(QUIET_S)]
    counted = {line.split()[3] for line in heard if line.startswith("info string perft ")}
    legal = {word for line in heard if line.startswith("info string legal") for word in line.split()[3:]}
    if counted != legal or heard.count("bestmove (none)") != 1:
        counts = f"perft 1 gave {len(counted)} moves, legal {len(legal)}"
        raise StepFailed(f"{counts}; they must agree, with one 'bestmove (none)'")


PLIES = 60
GAMES = 2
MOVETIME_MS = 200


def bad_go(subject: Subject) -> None:
    """#go: Every `go` gets exactly one `bestmove` (a rejected `go` gets `bestmove (none)`, [...])"""
    for line in ("go depth banana", "go nodes x", "go depth", "go sideways"):
        move = subject.best("position startpos", line)
        if move != NO_MOVE:
            raise StepFailed(f"{line!r} must be rejected and answered by 'bestmove (none)', not {move!r}")


def plays_games(subject: Subject, is_dark: bool = False) -> None:
    """#plays: the engine keeps the board; it answers with a legal move of docs/rules.md or with `resign:SEAT`"""
    rng = random.Random(2)
    for number in range(GAMES):
        truth = random_game(subject, rng, subject.board.seats[number % len(subject.board.seats)])
        subject.tell("ucinewgame")
        while truth.result is None and len(truth.moves) < PLIES:
            try:
                truth.play(subject.move(truth, truth.turn if is_dark else ""))
            except IllegalMove as error:
                # A second answer to the previous go may arrive so late that it is taken for the answer to this one.
                if subject.client.answers_again(QUIET_S):
                    raise StepFailed("a second answer to one go") from error
                return


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
        truth = Truth(subject.variant, {}, subject.board.seats[0], Rules.of(subject.board), fen)
        subject.tell("ucinewgame")
        for move in moves.split():
            subject.move(truth)
            truth.play(move)
        subject.move(truth)


def viewers(subject: Subject) -> None:
    """#positions-of-junqi: The viewer alone determines what the engine knows and which seats it plays"""
    truth = random_game(subject, random.Random(3), subject.board.seats[0])
    for viewer in (truth.turn, "*"):
        if subject.best(truth.position_line(viewer), NODES) == NO_MOVE:
            raise StepFailed(f"no move was answered with viewer {viewer}")
    other = subject.board.seats[1]
    if subject.best(truth.position_line(other), NODES) != NO_MOVE:
        raise StepFailed(f"with viewer {other} and {truth.turn} to move, 'go' must be answered by 'bestmove (none)'")
    subject.expect_error("not-our-seat", truth.position_line(other), NODES)


def searchmoves(subject: Subject) -> None:
    """#go: `searchmoves M...`"""
    truth = random_game(subject, random.Random(4), subject.board.seats[0])
    only = truth.legal()[-1]
    move = subject.best(truth.position_line("*"), f"{NODES} searchmoves {only}")
    if move != only:
        raise StepFailed(f"'searchmoves {only}' was answered by {move!r}")


def movetime(subject: Subject) -> None:
    """#go: `movetime MS`"""
    subject.best(subject.start, NODES)
    answer = subject.client.ask((subject.start, f"go movetime {MOVETIME_MS}"))
    subject.within(max(0.0, answer.time_ms - MOVETIME_MS) / 1000, 0.05, "the time beyond movetime")


def infinite(subject: Subject) -> None:
    """#commands: During a search `readyok` comes within 0.1 s, and the search goes on"""
    client = subject.client
    client.send("position startpos", "go infinite")
    time.sleep(0.2)
    began = time.monotonic()
    client.ready()
    subject.within(time.monotonic() - began, 0.1, "readyok during a search")
    if count_answers(subject.listen(QUIET_S)):
        raise StepFailed("'go infinite' was answered before 'stop'")
    answer = client.ask(("stop",))
    subject.within(answer.time_ms / 1000, 0.1, "the answer to 'stop'")
    _expect_no_answer(subject, "go infinite, stop")


def ponders(go: str, allowed_s: float) -> Step:
    """A search in the opponent's time, answered so soon after `ponderhit`."""

    def step(subject: Subject) -> None:
        subject.client.send("position startpos", go)
        if count_answers(subject.listen(0.3)):
            raise StepFailed("'go ponder' was answered before 'ponderhit'")
        answer = subject.client.ask(("ponderhit",))
        subject.within(answer.time_ms / 1000, allowed_s, "the answer to 'ponderhit'")
        _expect_no_answer(subject, "go ponder, ponderhit")

    step.__doc__ = "#go: `go ponder` searches until `ponderhit` or `stop`"
    return step


def empty_clock(*clocks: str) -> Step:
    """A `go` with a clock that has run out is answered at once."""

    def step(subject: Subject) -> None:
        for clock in clocks:
            answer = subject.client.ask((subject.start, f"go {clock}"))
            if not BARE_MOVE.fullmatch(answer.move):
                raise StepFailed(f"'go {clock}' must be answered by a move at once, not {answer.move!r}")
            subject.within(answer.time_ms / 1000, 0.1, f"the answer to 'go {clock}'")

    step.__doc__ = "#go: clocks may be negative, which means 0: move at once"
    return step


def interrupted_search(subject: Subject) -> None:
    """#commands: `position`, `ucinewgame` and `go` stop a search without a limit (its `bestmove` is printed)"""
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


def searches_in_a_row(subject: Subject) -> None:
    """#commands: `position`, `ucinewgame` and `go` wait for the `bestmove` of a search with a limit"""
    began = time.monotonic()
    subject.client.send(*["position startpos", "go movetime 200"] * 2)
    heard = subject.hear("ucinewgame", NODES, enough=lambda heard: count_answers(heard) == 3)
    elapsed_s = time.monotonic() - began
    answers = count_answers([*heard, *subject.listen(QUIET_S)])
    if answers != 3:
        raise StepFailed(f"three searches with limits in a row brought {answers} answers")
    if elapsed_s < 0.3:
        raise StepFailed(f"two searches of 200 ms in a row took {1000 * elapsed_s:.0f} ms: one stopped the other")


def idle(subject: Subject) -> None:
    """#commands: `stop`, `ponderhit`: as in UCI; ignored when idle"""
    _expect_no_answer(subject, "stop and ponderhit when idle", "stop", "ponderhit")


def option_waits(subject: Subject) -> None:
    """#commands: A `setoption` received during a search waits until after the `bestmove`"""
    subject.client.send("position startpos", "go infinite", "setoption name No Such Thing value 1")
    heard = [*subject.hear("stop", enough=answer_and("info string error")), *subject.listen(QUIET_S)]
    words = [line.split()[0:3] for line in heard if line.startswith(("bestmove", "info string error"))]
    if [first[0] for first in words] != ["bestmove", "info"]:
        raise StepFailed("a setoption during a search must be carried out after its bestmove")


def finished(subject: Subject) -> None:
    """#errors: Every `go` gets exactly one `bestmove` [...] `game-over`"""
    truth = random_game(subject, random.Random(5), subject.board.seats[0])
    for seat in subject.board.teams[0]:
        truth.play(f"resign:{seat}")
    if subject.best(truth.position_line("*"), NODES) != NO_MOVE:
        raise StepFailed("'go' in a finished game must be answered by 'bestmove (none)'")


def bare_answer(subject: Subject) -> None:
    """#go: `bestmove` has no suffix, because only a referee knows it"""
    everything = " ".join(f"{seat}:{lineup.DEFAULT}" for seat in subject.board.seats)
    move = subject.best(f"position startpos lineup {everything} viewer *", NODES)
    if not BARE_MOVE.fullmatch(move):
        raise StepFailed(f"the answer must be two points, not {move!r}")


def shows_chances(subject: Subject) -> None:
    """#info: `UCI_ShowWDL` (`wdl W D L` in permille in `info` lines)"""
    if "uci_showwdl" not in subject.client.identity.options:
        return
    for value in ("true", "false"):
        heard = subject.hear(
            f"setoption name UCI_ShowWDL value {value}", "position startpos", NODES, enough=count_answers
        )
        scored = [line for line in heard if re.search(r" score (cp|mate) ", line)]
        found = [
            re.search(r" score (?:cp|mate) [+-]?\d+ wdl (\d{1,4}) (\d{1,4}) (\d{1,4})(?: |$)", line) for line in scored
        ]
        if value == "false" and any(found):
            raise StepFailed("without UCI_ShowWDL there must be no wdl")
        if value == "true" and not (found and all(match and sum(map(int, match.groups())) == 1000 for match in found)):
            raise StepFailed("with UCI_ShowWDL, each score must be followed by 'wdl W D L', whose sum is 1000")


def limits_strength(subject: Subject) -> None:
    """#options: `UCI_LimitStrength` and `UCI_Elo`"""
    identity = subject.client.identity
    bounds = identity.spins.get("uci_elo")
    if not {"uci_elo", "uci_limitstrength"} <= identity.options.keys():
        return
    if bounds is None:
        raise StepFailed("UCI_Elo must be a spin option with min and max")
    for elo in bounds:
        subject.tell("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
        move = subject.best("position startpos", NODES)
        if not BARE_MOVE.fullmatch(move):
            raise StepFailed(f"with UCI_Elo {elo} the answer is {move!r}")
    subject.expect_error("bad-value", f"setoption name UCI_Elo value {bounds.most + 1}")
    subject.tell("setoption name UCI_LimitStrength value false")


def _expect_no_answer(subject: Subject, what: str, *lines: str) -> None:
    answers = count_answers(subject.hear(*lines))
    if answers:
        raise StepFailed(f"{what}: {answers} answers too many")
