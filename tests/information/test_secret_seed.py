"""No engine can compute what is hidden from it, although it knows this program and remembers all that it was sent.

The attacker plays a match and writes down what it is told. From that alone it looks for the seed of the run among those
that can be found by trying, until its own line-ups or its own `Seed` come out. Then it has the line-ups of its enemy.
"""

import re
from pathlib import Path
from random import Random

import pytest

from junqi_engine.client.engine_client import Patience
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS
from junqi_referee.settings.schedule import Book, PlannedGame, Schedule
from junqi_referee.settings.settings import (
    Lineups,
    MatchSettings,
    Visibility,
    engine_seed,
    is_secret,
    new_secret,
    stream,
)
from tests.helpers.marking import long_after
from tests.helpers.referee import PROTOCOL, ROOT, SCRIPTS, play, scripted, settings

TRIES = 20
SMALL = 13
"""A seed that the attacker finds."""
FIRST_PLIES = 4
OWN_SEED, OWN_LINEUPS = "its Seed", "its line-ups"
MATCHES = [
    *(("siguo", "partner", lineups, OWN_SEED) for lineups in Lineups),
    *(("siguo", "partner", lineups, OWN_LINEUPS) for lineups in (Lineups.BOOK, Lineups.RANDOM)),
    *((variant, "dark", Lineups.ENGINE, OWN_SEED) for variant in BOARDS),
]


def attack(chosen: MatchSettings, told: Path, clue: str) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The enemy's line-ups in the first game of a match: those that the attacker finds by a clue, and the true ones."""
    board = BOARDS[chosen.variant]
    tournament, _ = play(chosen, Patience())
    sent = told.read_text()
    game = tournament.finished[1]
    assert str(game.seed) not in sent or game.seed == SMALL
    processes = len(board.teams[0]) if chosen.visibility == Visibility.DARK else 1
    sent = "".join(sent.split("ucinewgame")[1 : processes + 1])
    own = dict(re.findall(r" ([SENW]):([a-l]{25})", sent))
    assert own == {seat: game.lineups[seat] for seat in own} and set(own) <= set(board.teams[0])
    own_seeds = set(re.findall(r"setoption name Seed value (\d+)", sent))
    assert len(own_seeds) == processes
    book = Book.read(None) if chosen.lineups == Lineups.BOOK else None
    found = []
    for number in range(TRIES):
        for seed in (number, f"{number:032x}"):
            if clue == OWN_SEED and str(engine_seed(seed, 1, 0)) not in own_seeds:
                continue
            plan = Schedule(chosen, book, seed).plan(1)
            drawn = dict(plan.lineups or _set_up(plan, chosen))
            if clue == OWN_SEED or own.items() <= drawn.items():
                found.append({seat: drawn[seat] for seat in board.teams[1]})
    return found, {seat: game.lineups[seat] for seat in board.teams[1]}


def _set_up(plan: PlannedGame, chosen: MatchSettings) -> dict[str, str]:
    """The line-ups of a player of this project with its `Seed`, at each place of the second team."""
    is_dark = chosen.visibility == Visibility.DARK
    seeds = {seat: plan.seed_of(1, place if is_dark else 0)
             for team in BOARDS[chosen.variant].teams for place, seat in enumerate(team)}  # fmt: skip
    return {seat: lineup_choice.draw(Random(f"{seed} {seat}")) for seat, seed in seeds.items()}


@pytest.mark.parametrize(("variant", "visibility", "lineups", "clue"), long_after(2, MATCHES))
def test_engine_cannot_compute_enemy_lineups(
    variant: str, visibility: str, lineups: Lineups, clue: str, tmp_path: Path
) -> None:
    def match(name: str, **seed: int) -> tuple[MatchSettings, Path]:
        told = tmp_path / name
        attacker = {"name": "attacker", "cmd": scripted("writes_down", str(told))}
        player = {"name": "player", "cmd": PROTOCOL, "dir": str(ROOT), "option": {"Player": "1.2"}}
        given = {"variant": variant, "visibility": visibility, "lineups": str(lineups), "max_plies": FIRST_PLIES}
        return settings(attacker, player, each={"st": 10}, **given, **seed), told

    found, true = attack(*match("trusted", seed=SMALL), clue)
    assert found == [true], "the attack works where the seed can be found"
    found, _ = attack(*match("hidden"), clue)
    assert found == []


def test_streams_of_a_secret_are_independent() -> None:
    one, other = new_secret(), new_secret()
    assert is_secret(one) and one != other
    drawn = {(seed, place): stream(seed, *place).random() for seed in (one, other) for place in ((1,), (2,), (1, 2))}
    assert len(set(drawn.values())) == 6
    assert all(stream(seed, *place).random() == found for (seed, place), found in drawn.items())


def test_numeric_seed_draws_as_in_earlier_versions() -> None:
    """So records of them can be continued, and matches of trusted engines played again."""
    assert stream(7, 3).random() == Random("7/3").random()
    assert engine_seed(7, 3, 1) == Random("7/3/1").randrange(2**31)


def test_runs_have_own_secrets_and_seed_repeats_run() -> None:

    def lineups(**seed: str) -> tuple[str, list[dict[str, str]]]:
        tournament, _ = play(settings(*SCRIPTS, rounds=2, max_plies=2, **seed))
        [drawn] = {game.seed for game in tournament.finished.values()}
        return str(drawn), [tournament.finished[number].lineups for number in (1, 3)]

    secret, first = lineups()
    assert is_secret(secret) and lineups()[0] != secret
    assert lineups(seed=secret) == (secret, first)
