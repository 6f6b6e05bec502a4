"""Steps on positions, moves and line-ups."""

import random
import re

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup
from tools.referee.check.kinds import answer_and, first_battle, quiet_move, random_game
from tools.referee.check.subject import NODES, QUIET_S, StepFailed, Subject, count_answers

SEEDED_GAMES = 3


def positions(subject: Subject) -> None:
    """A rejected command changes nothing"""
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
        ("missing-outcome", f"{good} moves {first_battle(subject)}"),
    ):
        subject.expect_error(codes, line)
        if subject.fen() != before:
            raise StepFailed(f"{line[:80]!r} was rejected and changed the position")


def legal(subject: Subject) -> None:
    """`legal`: `info string legal <moves>`"""
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
    """Before the first `position`, the position is the variant's `startpos`"""
    subject.stop()
    before = subject.fen()
    subject.tell("position startpos")
    if subject.fen() != before:
        raise StepFailed("before the first position command, the position must be the startpos")


def choosing_the_variant(subject: Subject) -> None:
    """selecting a variant resets to it"""
    subject.tell("position startpos")
    start = subject.fen()
    move = subject.best("position startpos", NODES)
    subject.tell(f"position startpos moves {move}", f"setoption name UCI_Variant value {subject.variant}")
    if subject.fen() != start:
        raise StepFailed("selecting the variant must reset to its startpos")


def fen_reads_back(subject: Subject) -> None:
    """`d`: the position: a drawing, `fen <FEN>`, the seat to move"""
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
    """A FEN has six or seven fields on one line"""
    subject.tell("position startpos viewer *")
    fields = subject.fen().split()
    for wrong in (fields[:5], [*fields, "-", "-"]):
        subject.expect_error("bad-position", f"position fen {' '.join(wrong)}")


def impossible_position(subject: Subject) -> None:
    """`impossible-position` (parses, but cannot occur)"""
    subject.tell("position startpos viewer *")
    board, *rest = subject.fen().split()
    twice = re.sub(r"S[a-k]", "Sl", board)
    subject.expect_error("impossible-position", f"position fen {' '.join([twice, *rest])}")


def battle_on_nothing(subject: Subject) -> None:
    """An outcome that contradicts what is known [...] is `impossible-outcome`"""
    quiet = quiet_move(subject)
    subject.expect_error("impossible-outcome", f"position startpos moves {quiet}x")


def resigned(subject: Subject) -> None:
    """A resignation is the token `resign:E`"""
    seat = subject.board.seats[1]
    subject.tell(f"position startpos moves resign:{seat}")
    fields = subject.fen().split()
    if len(fields) < 3 or seat in fields[2]:
        raise StepFailed(f"after resign:{seat} the seat must be eliminated")


def game_over(subject: Subject) -> None:
    """The codes: [...] `game-over`"""
    resigned = " ".join(f"resign:{seat}" for seat in subject.board.teams[1])
    subject.expect_error("game-over", f"position startpos moves {resigned} {quiet_move(subject)}")


def setup_for_every_seat(subject: Subject) -> None:
    """`go setup [SEAT]`: `bestmove @<25 letters>`"""
    for seat in subject.board.seats:
        answer = subject.best("position startpos", f"go setup {seat}")
        try:
            lineup.check(answer.removeprefix("@"))
        except JunqiError as error:
            raise StepFailed(f"'go setup {seat}' was answered by {answer[:40]!r}: {error}") from error
        if not answer.startswith("@"):
            raise StepFailed(f"'go setup {seat}' was answered by {answer[:40]!r}, without @")


def new_seeds(subject: Subject) -> None:
    """`Seed`: [...] -1 = a new one for each game, printed in an `info string`"""
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
    """the engine's own line-up for that seat, by default the seat to move"""
    first, second = (subject.best("position startpos", f"go setup{word}") for word in ("", " S"))
    if first != second:
        raise StepFailed(f"'go setup' gave {first!r}, 'go setup S' {second!r}, with S to move")


def perft(subject: Subject) -> None:
    """`info string perft <move> <count>` for each first move [...] `bestmove (none)`"""
    subject.client.send("position startpos viewer *", "go perft 1")
    is_all = answer_and("info string legal")
    heard = [*subject.hear("legal", enough=is_all), *subject.listen(QUIET_S)]
    counted = {line.split()[3] for line in heard if line.startswith("info string perft ")}
    legal = {word for line in heard if line.startswith("info string legal") for word in line.split()[3:]}
    if counted != legal or heard.count("bestmove (none)") != 1:
        counts = f"perft 1 gave {len(counted)} moves, legal {len(legal)}"
        raise StepFailed(f"{counts}; they must agree, with one 'bestmove (none)'")
