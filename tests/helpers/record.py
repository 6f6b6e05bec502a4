"""Records of games, and files of them."""

import random
from pathlib import Path

from junqi_engine.api.game_record import GameRecord
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.full_game import FullGame

RULES = Rules.of(SIGUO)


def record_of(full: FullGame, number: int = 1, **changes) -> GameRecord:
    """The record of a game; an unfinished game counts as interrupted."""
    fields = {
        "game": number,
        "variant": full.board.variant,
        "visibility": "partner",
        "engines": {"SN": {"name": "one"}, "EW": {"name": "other"}},
        "seed": 0,
        "rules": vars(full.rules).copy(),
        "lineups": full.lineups,
        "first": full.first,
        "moves": full.moves,
        "times_ms": [0] * len(full.moves),
        "scores": [None] * len(full.moves),
        "result": full.result or "draw",
        "ending": full.ending if full.result else Ending.INTERRUPTED,
    }
    return GameRecord(**{**fields, **changes})


def start(first: str = "S", rules: Rules = RULES, seed: int | None = None) -> FullGame:
    """A new game, from the built-in line-ups or from those of a seed."""
    rng = random.Random(seed)
    lineups = {seat: lineup.DEFAULT if seed is None else lineup_choice.sensible(rng) for seat in SIGUO.seats}
    return FullGame(SIGUO.variant, lineups, first, rules)


def write_record(path: Path, *games: GameRecord) -> str:
    path.write_text("".join(f"{game.as_line()}\n" for game in games), encoding="utf-8")
    return str(path)


def random_game(variant: str = "siguo", first: str = "E", plies: int = 60) -> GameRecord:
    """The record of a game of random moves."""
    rng = random.Random(5)
    board = BOARDS[variant]
    lineups = {seat: lineup_choice.sensible(rng) for seat in board.seats}
    full = FullGame(variant, lineups, first, Rules(max_plies=plies))
    while full.result is None:
        full.play(rng.choice(full.legal()))
    engines = {team: {"name": name} for team, name in zip(board.teams, ("one", "two"), strict=True)}
    return record_of(full, engines=engines, rules={"max_plies": plies}, times_ms=[1] * len(full.moves))
