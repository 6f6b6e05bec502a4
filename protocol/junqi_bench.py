"""`bench` of Junqi: a fixed set of work, and a signature of what came of it."""

import time
import zlib
from random import Random

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.players import PLAYERS, lineup_choice, v2_0
from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.perft import perft as perft_kernel
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.search.root import Limits, TeamSearch
from protocol.game import BenchResult, Control

GAMES = 4
PLIES = 120
PERFT_DEPTH = 3
SEARCH_DEPTH = 5
SEARCH_EVERY = 24
"""Plies between two positions that are searched."""
SEARCH_HASH_MB = 16


def run(board: Board, player: str, control: Control) -> BenchResult:
    """Games of a player from fixed line-ups and perft along the way; with one that searches, games of 1.2 in which
    both teams search some positions as they see them.
    """
    stop = np.frombuffer(control.stop_flag, np.uint8)
    team_search = None if player in PLAYERS else TeamSearch(SEARCH_HASH_MB)
    choose = PLAYERS.get(player, PLAYERS["1.2"])
    nodes, signature = 0, 0
    started = time.perf_counter()
    for number in range(GAMES):
        rng = Random(number)
        lineups = {seat: lineup_choice.sensible(rng) for seat in range(len(board.seats))}
        view = SeatView.start(board, board.all_alive, lineups)
        teams = [SeatView.start(board, *_of_team(board, lineups, team)) for team in range(2)]
        while view.result == Result.ONGOING and view.ply < PLIES:
            moves = view.legal_moves()
            if team_search is None and view.ply % 40 == 0:
                leaves = count_leaves(view, PERFT_DEPTH, stop)
                nodes += leaves
                signature = zlib.crc32(str(leaves).encode(), signature)
            if team_search is not None and view.ply % SEARCH_EVERY == 0:
                lines = v2_0.think(team_search, teams[view.turn & 1], 0, 20, moves, Limits(SEARCH_DEPTH), stop)
                nodes += team_search.nodes
                signature = zlib.crc32(f"{team_search.nodes} {lines[0]}".encode(), signature)
            if control.stopped:
                return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
            answer = choose(view, number, moves)
            if team_search is None:
                nodes += len(moves)
            signature = zlib.crc32(f"{answer.event} {answer.move}".encode(), signature)
            seen = view.observe(SeenMove(answer.move >> 8, answer.move & 255))
            for team in teams:
                team.observe(seen)
    return BenchResult(nodes, time.perf_counter() - started, signature)


def _of_team(board: Board, lineups: dict[int, str], team: int) -> tuple[int, dict[int, str]]:
    """A team as a viewer, and its line-ups."""
    own = {seat: text for seat, text in lineups.items() if seat & 1 == team}
    return sum(1 << seat for seat in own), own


def count_leaves(view: SeatView, depth: int, stop: np.ndarray, move: int | None = None) -> int:
    """Leaves of an open view's game tree, `depth` plies deep; with `move`, of those that begin with it."""
    tables, position = view.board.tables, view.position.copy()
    moves, undos = np.empty(MAX_MOVES * (depth + 1), np.uint16), np.zeros(depth + 1, UNDO)
    if move is not None:
        make(tables, position, np.uint16(move), undos[0])
        depth -= 1
    return int(perft_kernel(tables, position, depth, moves, 0, undos, stop))
