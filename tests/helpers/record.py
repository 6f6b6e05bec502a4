"""Records of games, and files of them."""

import random
from pathlib import Path

from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from junqi_referee.truth import Truth

RULES = Rules.of(SIGUO)


def record_of(truth: Truth, number: int = 1, **changes) -> GameRecord:
    """The record of a game; one that is not over was interrupted."""
    fields = {
        "game": number,
        "variant": truth.board.variant,
        "visibility": "partner",
        "engines": {"SN": {"name": "one"}, "EW": {"name": "other"}},
        "seed": 0,
        "rules": vars(truth.rules).copy(),
        "lineups": truth.lineups,
        "first": truth.first,
        "moves": truth.moves,
        "times_ms": [0] * len(truth.moves),
        "scores": [None] * len(truth.moves),
        "result": truth.result or "draw",
        "ending": truth.ending if truth.result else Ending.INTERRUPTED,
    }
    return GameRecord(**{**fields, **changes})


def start(first: str = "S", rules: Rules = RULES, seed: int | None = None) -> Truth:
    """A new game, from the built-in line-ups or from those of a seed."""
    rng = random.Random(seed)
    lineups = {seat: lineup.DEFAULT if seed is None else lineup_choice.sensible(rng) for seat in SIGUO.seats}
    return Truth(SIGUO.variant, lineups, first, rules)


def write_record(path: Path, *games: GameRecord) -> str:
    path.write_text("".join(f"{game.as_line()}\n" for game in games), encoding="utf-8")
    return str(path)


def random_game(variant: str = "siguo", first: str = "E", plies: int = 60) -> GameRecord:
    """The record of a game of random moves."""
    rng = random.Random(5)
    board = BOARDS[variant]
    lineups = {seat: lineup_choice.sensible(rng) for seat in board.seats}
    truth = Truth(variant, lineups, first, Rules(max_plies=plies))
    while truth.result is None:
        truth.play(rng.choice(truth.legal()))
    engines = {team: {"name": name} for team, name in zip(board.teams, ("one", "two"), strict=True)}
    return record_of(truth, engines=engines, rules={"max_plies": plies}, times_ms=[1] * len(truth.moves))
