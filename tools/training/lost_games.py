"""Games of the newest player against itself, and the positions in which the team that lost made an unsafe move.

`find_unsafe` says which positions are taken.
"""

import random
from collections.abc import Iterator, Sequence

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import BOMB, FLAG, MARSHAL, Outcome
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.search.root import Limits, TeamSearch
from tools.training.games import Game, play_out, searcher, sensible_lineups, team_view
from tools.training.safety_suite import format_line
from tools.training.unsafe_moves import RULES, team_points

CLEAR_CP = 300
"""In hundredths of a Lieutenant."""


def play(board: Board, rng: random.Random, nodes: int, searches: Sequence[TeamSearch]) -> Game:
    """A game of the newest player against itself."""
    lineups = sensible_lineups(board, rng)
    truth = GameState.start(board, lineups)
    seed = rng.randrange(1 << 30)
    play_out(truth, [searcher(team_search, seed, nodes) for team_search in searches])
    return Game(board, truth.rules, lineups, truth.record)


def lines_of(game: Game, check_nodes: int, team_search: TeamSearch) -> Iterator[str]:
    """The lines of the suite from one game."""
    truth = GameState.start(game.board, game.lineups, game.rules)
    result = _result(game)
    if result == Result.DRAW:
        return
    loser = 1 if result == Result.TEAM_0 else 0
    view = team_view(truth, loser, game.first)
    for ply, seen in enumerate(game.moves):
        hazard = punished(game.moves[ply:], truth) if team_of(truth.turn) == loser else ""
        if hazard and _is_clearly_unsafe(hazard, view, truth, seen.move, check_nodes, team_search):
            own = {letter: game.lineups[letter] for letter in game.board.teams[loser]}
            unsafe = RULES[hazard](view, truth)
            yield format_line(game.board, hazard, unsafe, own, game.moves[:ply])
        truth.play(seen.move)
        view.observe(seen)


def _result(game: Game) -> Result:
    truth = GameState.start(game.board, game.lineups, game.rules)
    for seen in game.moves:
        truth.play(seen.move)
    return truth.result


def punished(moves: Sequence[SeenMove], truth: GameState) -> str:
    """The hazard whose damage follows from the first of `moves` before its seat moves again; empty without one.

    `truth` is the game before the first move. An attack is punished at once.
    """
    seat, kinds = truth.turn, truth.position["kind"]
    if moves[0].outcome in (Outcome.DEFENDER_WON, Outcome.BOTH_REMOVED):
        return "landmine"
    after = truth.copy()
    after.play(moves[0].move)
    for seen in moves[1:]:
        if after.turn == seat:
            break
        attacker, defender = after.piece_at(seen.from_point), after.piece_at(seen.to_point)
        if attacker is not None and defender is not None and seen.to_point in team_points(after, seat):
            if kinds[defender] == FLAG:
                return "flag"
            if kinds[defender] == MARSHAL and kinds[attacker] == BOMB:
                return "bomb"
        after.play(seen.move)
    return ""


def _is_clearly_unsafe(
    hazard: str, view: SeatView, truth: GameState, played: int, nodes: int, team_search: TeamSearch
) -> bool:
    """Whether `played` is unsafe, and the best safe move is clearly better in the true position."""
    unsafe = RULES[hazard](view, truth)
    safe = set(view.legal_moves()) - unsafe
    if played not in unsafe or not safe:
        return False
    kinds = truth.position["kind"]
    best_safe, best_unsafe = (_score(view, kinds, sorted(moves), nodes, team_search) for moves in (safe, unsafe))
    return best_safe - best_unsafe >= CLEAR_CP


def _score(view: SeatView, kinds: np.ndarray, moves: Sequence[int], nodes: int, team_search: TeamSearch) -> int:
    """The score of the best of `moves` in the world of the true kinds, (128,)."""
    running = np.zeros(1, np.uint8)
    return team_search.run(view, kinds[None], moves, Limits(nodes=nodes), running)[0].score
