"""Makes the board's problems from records of games: `junqi_board.problems` says what is asked.

    python -m junqi_training problems games.jsonl ... > tools/junqi_board/problems.json

Each game gives at most one problem of a theme, from a position that is drawn among those that make one. A problem
is kept if its answer is also true of the pieces that were hidden. How hard one is, is how many of the board's levels
answer it, each with `NODES` nodes; for a flag, what names it (`_level_of_flag`). Of each theme and variant, as many of
each level are kept as there are, up to the count.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from itertools import chain, zip_longest
from itertools import count as count_from
from typing import Any

import numpy as np

from junqi_board import engines
from junqi_board.problems import LEVELS, THEMES, Problem
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen, parse_fen
from junqi_engine.players.search_player import FULL_SKILL, SearchPlayer
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seat_of, slot_of, team_of, to_point_of
from junqi_engine.rules.pieces import BATTLES, FLAG, Outcome
from junqi_engine.rules.position import Result
from junqi_engine.search.root import SearchLimits
from junqi_training.games import RecordedGame, read_games, team_view
from junqi_training.refutations import attackers_of_flag, losing_kinds, solved

NODES = 5000
HASH_MB = 1
SEED = 1
EASY, MEDIUM = 5, 2
"""Least number of the seven levels that solve an easy problem, and one of medium difficulty."""
FLAG_EVERY, FLAG_AFTER = 4, 16
"""Interval and first ply of the positions whose belief in flags is examined."""
LEAST_ATTACKS = 3
"""Least number of attacks to choose from, for `win` and `attack`."""
DIGITS = 2


def of_game(game: RecordedGame, seed: int) -> list[Problem]:
    """At most one problem of each theme, by a fair draw; rated."""
    state = GameState.start(game.board, game.lineups, game.rules, game.first)
    views = [team_view(state, team, game.first) for team in range(2)]
    found: dict[str, list[Problem]] = {theme: [] for theme in THEMES}
    for move in game.moves:
        if move.is_ply and state.result == Result.ONGOING:
            for one in _at(views[team_of(state.turn)], state):
                found[one.theme].append(one)
        state.repeat(move)
        for view in views:
            view.observe(move)
    rng = random.Random(seed)
    drawn = [rng.choice(ones) for ones in found.values() if ones]
    return [replace(one, level=level(one, solvers(one))) for one in drawn]


def _at(view: SeatView, state: GameState) -> Iterator[Problem]:
    """The problems of a position."""
    fen, variant, attacks = format_fen(view), view.board.variant, attacks_by_target(view)
    sure = [name for name, moves in attacks.items() if any(not losing_kinds(view, move) for move in moves)]
    asked = [Problem("win", variant, fen)] if sure else []
    asked += [Problem("attack", variant, fen, target=name) for name in sure]
    asked += [Problem("save", variant, fen)] if _is_flag_attacked(view) else []
    if state.ply >= FLAG_AFTER and state.ply % FLAG_EVERY == 0 and len(flag_points(view)) > 1:
        asked.append(_about_flag(parse_fen(view.board, fen), fen))
    yield from (one for one in map(solved, asked) if one and is_asked(one) and _is_true(one, state))


def is_asked(one: Problem) -> bool:
    """Whether there is enough to choose from, and no flag to take, which would be better."""
    view, names = one.view, one.view.board.point_named
    if one.theme == "flag":
        asked = {names[name] for name in one.chances}
        return len(asked) > 1 and asked == set(flag_points(view))
    attacks = attacks_by_target(view)
    if any(view.mask_at(names[name]) == 1 << FLAG for name in attacks):
        return False
    if one.theme == "save":
        return _is_flag_attacked(view)
    return sum(len(moves) for name, moves in attacks.items() if one.target in ("", name)) >= LEAST_ATTACKS


def flag_points(view: SeatView) -> list[int]:
    """Where a flag may be asked for: the headquarters of living enemies in which a hidden piece of theirs stands."""
    found = []
    for point in filter(view.board.is_headquarters, view.board.points):
        piece = view.piece_at(point)
        if piece is not None and not view.shows(piece) and view.is_alive(seat_of(piece)):
            found += [point] if seat_of(piece) == view.board.owner(point) else []
    return found


def attacks_by_target(view: SeatView) -> dict[str, list[int]]:
    """By name of its point, the attacks on each enemy that can be attacked."""
    found: dict[str, list[int]] = {}
    for move in view.legal_moves():
        if view.piece_at(to_point_of(move)) is not None:
            found.setdefault(view.board.names[to_point_of(move)], []).append(move)
    return found


def _is_flag_attacked(view: SeatView) -> bool:
    """Whether an enemy can take the mover's flag at its next turn."""
    return any(attackers_of_flag(view, view.position, view.masks.tolist()))


def _about_flag(shown: SeatView, fen: str) -> Problem:
    """The question for the flag, asked of the position alone, without the moves that led to it."""
    chances, named = belief(shown), {}
    for point in flag_points(shown):
        piece = shown.piece_at(point) or 0
        named[shown.board.names[point]] = round(float(chances[seat_of(piece)][slot_of(piece), FLAG]), DIGITS)
    return Problem("flag", shown.board.variant, fen, chances=named)


def _is_true(one: Problem, state: GameState) -> bool:
    """Whether the answer does what it should in the game that was played."""
    names = state.board.point_named
    if one.theme == "flag":
        piece = state.piece_at(names[one.answer])
        return piece is not None and state.position["kind"][piece] == FLAG
    attack = one.attack(one.answer)
    pieces = [state.piece_at(point) for point in (attack.start, attack.target)]
    kinds = [int(state.position["kind"][piece]) for piece in pieces if piece is not None]
    return one.theme == "save" or BATTLES[kinds[0]][kinds[1]].outcome == Outcome.ATTACKER_WON


def level(one: Problem, solvers: int) -> str:
    """How hard a problem is."""
    if one.theme == "flag":
        return _level_of_flag(one)
    return LEVELS[0] if solvers >= EASY else LEVELS[1] if solvers >= MEDIUM else LEVELS[2]


def _level_of_flag(one: Problem) -> str:
    """Easy if nothing stands in the other headquarters, middle if what stands there is proven to be no flag, hard if
    only the belief names it.
    """
    view = one.view
    aim = view.board.point_named[one.answer]
    if view.mask_at(aim) != 1 << FLAG:
        return LEVELS[2]
    others = [point for point in flag_points(view) if view.board.owner(point) == view.board.owner(aim)]
    return LEVELS[1] if len(others) > 1 else LEVELS[0]


def solvers(one: Problem) -> int:
    """The number of the board's levels that find the answer among the selectable moves."""
    if one.theme == "flag":
        return 0
    moves = [move for move in one.moves if one.theme == "save" or one.view.piece_at(to_point_of(move)) is not None]
    right = one.moves[one.choices.index(one.answer)]
    found = 0
    for skill in (*(getattr(level, one.variant) for level in engines.LEVELS.values()), FULL_SKILL):
        limits, stop = SearchLimits(nodes=NODES), np.zeros(1, np.uint8)
        best = SearchPlayer(HASH_MB).best_moves(one.view, SEED, moves, limits, stop, skill)
        found += best[0].move == right
    return found


def chosen(problems: Sequence[Problem], most: int) -> list[Problem]:
    """At most `most` of each theme, variants and levels by turns."""
    kept = []
    for theme in THEMES:
        groups = [
            [one for one in problems if (one.theme, one.variant, one.level) == (theme, variant, name)]
            for name in LEVELS
            for variant in BOARDS
        ]
        turns = [one for row in zip_longest(*groups) for one in row if one is not None]
        kept += turns[:most]
    return kept


def entry(one: Problem) -> dict[str, Any]:
    """A problem as an entry of the file."""
    return {name: value for name, value in asdict(one).items() if value}


def work(given: argparse.Namespace) -> None:
    games = list(read_games(given.records))
    with ProcessPoolExecutor(given.workers) as pool:
        rated = list(chain.from_iterable(pool.map(of_game, games, count_from(given.seed), chunksize=8)))
    random.Random(given.seed).shuffle(rated)
    kept = chosen(rated, given.of_a_theme)
    print("[\n" + ",\n".join(json.dumps(entry(one)) for one in kept) + "\n]")
    for theme in THEMES:
        numbers = {name: sum((one.theme, one.level) == (theme, name) for one in kept) for name in LEVELS}
        print(f"{theme}: {sum(one.theme == theme for one in rated)} found, kept {numbers}", file=sys.stderr)
