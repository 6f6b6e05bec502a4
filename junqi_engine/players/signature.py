"""The bench of a player: fixed work, and a signature that changes exactly if the behaviour changes."""

import time
import zlib
from random import Random
from typing import NamedTuple

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import PRIORITIES, choose_move
from junqi_engine.players.search_player import SearchPlayer
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import contains, from_point_of, seats_of_team, team_of, to_point_of
from junqi_engine.rules.position import Result
from junqi_engine.search.root import SearchLimits

GAMES, PLIES, DEPTH, INTERVAL, HASH_MB = 4, 120, 5, 24, 16
"""Every `INTERVAL` plies, a position is searched `DEPTH` plies deep."""
MOVER = "1.2"
"""The player that makes the moves of the games in the bench of a player that searches."""


class Bench(NamedTuple):
    """The result of a bench: nodes, seconds and signature. It is not complete if the bench was stopped."""

    nodes: int
    seconds: float
    signature: int
    is_complete: bool = True


def bench(board: Board, version: str, stop: np.ndarray) -> Bench:
    """Play fixed games by a player that answers events, or search some of their positions as each team sees them."""
    player = None if version in PRIORITIES else SearchPlayer(HASH_MB)
    mover = version if player is None else MOVER
    nodes, signature, started = 0, 0, time.perf_counter()
    for number in range(GAMES):
        rng = Random(number)
        lineups = {seat: lineup_choice.sensible(rng) for seat in range(len(board.seats))}
        viewers = (board.all_alive, *(seats_of_team(team) & board.all_alive for team in range(2)))
        view, *teams = (
            SeatView.start(board, viewer, {seat: own for seat, own in lineups.items() if contains(viewer, seat)})
            for viewer in viewers
        )
        while view.result == Result.ONGOING and view.ply < PLIES:
            moves = view.legal_moves()
            if player is not None and view.ply % INTERVAL == 0:
                limits = SearchLimits(DEPTH)
                best = player.best_moves(teams[team_of(view.turn)], 0, moves, limits, stop)[0]
                nodes += player.search.nodes
                signature = zlib.crc32(f"{player.search.nodes} {best.move} {best.score}".encode(), signature)
            if stop[0]:
                return Bench(nodes, time.perf_counter() - started, signature, is_complete=False)
            answer = choose_move(mover, view, number, moves)
            nodes += len(moves) if player is None else 0
            signature = zlib.crc32(f"{answer.event} {answer.move}".encode(), signature)
            seen = view.observe(SeenMove(from_point_of(answer.move), to_point_of(answer.move)))
            for team in teams:
                team.observe(seen)
    return Bench(nodes, time.perf_counter() - started, signature)
