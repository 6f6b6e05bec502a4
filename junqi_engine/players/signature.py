"""The bench of a player: a fixed amount of work, and a signature that changes if and only if its behaviour changes.

`tests/search/test_signatures.py` pins the signature of every recipe.
"""

import time
import zlib
from random import Random
from typing import NamedTuple

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.players.registry import FULL_SKILL, RECIPES, EventRecipe, SearchRecipe, event_recipe, think
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import from_point_of, seats_of_team, team_of, to_point_of
from junqi_engine.rules.perft import count_leaves
from junqi_engine.rules.position import Result
from junqi_engine.search.root import SearchLimits

GAMES = 4
PLIES = 120
PERFT_DEPTH = 3
PERFT_INTERVAL = 40
"""Plies between two positions for perft."""
SEARCH_DEPTH = 5
SEARCH_INTERVAL = 24
"""Plies between two positions that are searched."""
SEARCH_HASH_MB = 16
OPPONENT = "1.2"
"""Plays the games in which a player that searches is measured."""


class Bench(NamedTuple):
    """Positions counted, time, and the signature; not `is_complete` if it was stopped."""

    nodes: int
    seconds: float
    signature: int
    is_complete: bool = True


def bench(board: Board, version: str, stop: np.ndarray) -> Bench:
    """Play fixed games with a player that answers events, and count perft along the way; or, for a player that
    searches, search some positions of such games as each team sees them.
    """
    recipe = RECIPES[version]
    return (
        _bench_search(board, recipe, stop) if isinstance(recipe, SearchRecipe) else _bench_events(board, recipe, stop)
    )


def _bench_events(board: Board, recipe: EventRecipe, stop: np.ndarray) -> Bench:
    nodes, signature, started = 0, 0, time.perf_counter()
    for number in range(GAMES):
        view = SeatView.start(board, board.all_alive, _lineups(board, number))
        while view.result == Result.ONGOING and view.ply < PLIES:
            if view.ply % PERFT_INTERVAL == 0:
                leaves = count_leaves(board, view.positions, PERFT_DEPTH, stop)
                nodes += leaves
                signature = zlib.crc32(str(leaves).encode(), signature)
            if stop[0]:
                return Bench(nodes, time.perf_counter() - started, signature, is_complete=False)
            moves = view.legal_moves()
            answer = recipe.choose(view, number, moves)
            nodes += len(moves)
            signature = zlib.crc32(f"{answer.event} {answer.move}".encode(), signature)
            view.observe(_bare(answer.move))
    return Bench(nodes, time.perf_counter() - started, signature)


def _bench_search(board: Board, recipe: SearchRecipe, stop: np.ndarray) -> Bench:
    opponent = event_recipe(OPPONENT)
    team_search = recipe.new_search(SEARCH_HASH_MB)
    nodes, signature, started = 0, 0, time.perf_counter()
    for number in range(GAMES):
        lineups = _lineups(board, number)
        view = SeatView.start(board, board.all_alive, lineups)
        teams = [SeatView.start(board, *_of_team(board, lineups, team)) for team in range(2)]
        while view.result == Result.ONGOING and view.ply < PLIES:
            moves = view.legal_moves()
            if view.ply % SEARCH_INTERVAL == 0:
                best = think(
                    team_search, teams[team_of(view.turn)], 0, FULL_SKILL, moves, SearchLimits(SEARCH_DEPTH), stop
                )[0]
                nodes += team_search.nodes
                text = f"{team_search.nodes} Line(move={best.move}, score={best.score})"
                signature = zlib.crc32(text.encode(), signature)
            if stop[0]:
                return Bench(nodes, time.perf_counter() - started, signature, is_complete=False)
            answer = opponent.choose(view, number, moves)
            signature = zlib.crc32(f"{answer.event} {answer.move}".encode(), signature)
            seen = view.observe(_bare(answer.move))
            for team in teams:
                team.observe(seen)
    return Bench(nodes, time.perf_counter() - started, signature)


def _lineups(board: Board, number: int) -> dict[int, str]:
    rng = Random(number)
    return {seat: lineup_choice.sensible(rng) for seat in range(len(board.seats))}


def _of_team(board: Board, lineups: dict[int, str], team: int) -> tuple[int, dict[int, str]]:
    own = {seat: lineup for seat, lineup in lineups.items() if team_of(seat) == team}
    return seats_of_team(team) & board.all_alive, own


def _bare(move: int) -> SeenMove:
    return SeenMove(from_point_of(move), to_point_of(move))
