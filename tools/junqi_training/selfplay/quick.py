"""Quick players: a whole game in one kernel, without Python per move.

A quick player searches two worlds with the search and the evaluation of the newest player, at least one ply deep and
then to a limit of nodes for both together, but draws them by the plain deduction of `guess`. Its games are for learning
in bulk: many positions of shallow searches teach an evaluator more than few positions of deep ones.

`PLAN` is what the players do:

| field | meaning |
|---|---|
| seats, nodes | of the board; nodes a move, for all worlds |
| random_plies, near_permille, near_lines, near_margin | as in `SelfPlaySettings` |
| most_plies | a game that is longer is not decided |
"""

from collections.abc import Sequence

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import PACKAGED, WEIGHTS, refresh
from junqi_engine.kernels import STOP_TYPE, copy_record, kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES, from_point_of, team_of
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.position import POSITION_TYPE, Result, copied, lineup_kinds, new_positions, place_lineup
from junqi_engine.search.alpha_beta import search_world
from junqi_engine.search.parameters import MIN_ROOT_MOVES, ROOT_STAGES, SEARCH_TYPE, WORLD, begin_search, rank_moves
from junqi_engine.search.root import UNLIMITED_NODES, SearchThread
from junqi_engine.search.transposition import ENTRY, TABLE_TYPE, world_key
from junqi_training.selfplay.folder import LARGEST_SCORE, NO_SCORE
from junqi_training.selfplay.guess import (
    FIRST_SWAPS,
    GUESS_TYPE,
    STATE_TYPE,
    SWAPS,
    below,
    draw_lineups,
    keep_fitting,
    learn,
    new_guess,
    set_world,
)
from junqi_training.selfplay.settings import SelfPlaySettings

WORLDS = 2
DEEPEST = 6
SLOTS = 1 << 15
GENERATIONS = 1 << 15

PLAN = np.dtype(
    [(name, np.int64) for name in (
        "seats", "nodes", "random_plies", "near_permille", "near_lines", "near_margin", "most_plies"
    )],
    align=True,
)  # fmt: skip
PLAN_TYPE = record_type(PLAN)
CHOICE = np.dtype(
    [
        ("legal", np.uint16, MAX_MOVES),
        ("count", np.int64),
        ("kept", np.int64, MAX_MOVES),
        ("kept_count", np.int64),
        ("values", np.int64, (WORLDS, MAX_MOVES)),
        ("weights", np.int64, WORLDS),
        ("sums", np.int64, MAX_MOVES),
    ],
    align=True,
)
CHOICE_TYPE = record_type(CHOICE)
TEAMS_WEIGHTS_TYPE = types.Array(record_type(WEIGHTS), 1, "C")
WORLDS_TYPE = types.Array(record_type(WORLD), 1, "C")
SCORES_TYPE = types.Array(types.int16, 1, "C")
_ONGOING = int(Result.ONGOING)
_ROOT_STAGES = np.array(ROOT_STAGES)


@kernel(types.uint16(CHOICE_TYPE, STATE_TYPE))
def random_move(choice, state):
    """A random piece that can move, then a random move of it."""
    start, pieces = np.uint16(0), 0
    for i in range(choice.count):
        is_first = True
        for j in range(i):
            is_first &= from_point_of(choice.legal[i]) != from_point_of(choice.legal[j])
        if is_first:
            pieces += 1
            if below(state, pieces) == 0:
                start = from_point_of(choice.legal[i])
    chosen, moves = choice.legal[0], 0
    for i in range(choice.count):
        if from_point_of(choice.legal[i]) == start:
            moves += 1
            if below(state, moves) == 0:
                chosen = choice.legal[i]
    return chosen


@kernel(types.boolean(TABLES_TYPE, WORLDS_TYPE, SEARCH_TYPE, TABLE_TYPE, STOP_TYPE, CHOICE_TYPE, types.int64))
def deepen(tables, worlds, search, table, stop, choice, depth):
    """Search the kept moves to a depth in every world; False if the nodes were used up."""
    for world in range(WORLDS):
        worlds[world].key = world_key(worlds[world].position)
        completed = search_world(
            tables, worlds[world], search, table, stop, choice.legal, choice.kept[: choice.kept_count],
            choice.values[world], depth,
        )  # fmt: skip
        if completed < choice.kept_count:
            return False
    stage = min(depth, len(_ROOT_STAGES) - 1)
    choice.kept_count = rank_moves(
        choice.values, choice.weights, choice.kept[: choice.kept_count], choice.sums, _ROOT_STAGES[stage, 0],
        _ROOT_STAGES[stage, 1], MIN_ROOT_MOVES,
    )  # fmt: skip
    return True


@kernel(types.uint16(CHOICE_TYPE, PLAN_TYPE, STATE_TYPE))
def pick(choice, plan, state):
    """The best move, or now and then one that is nearly as good."""
    chosen = choice.kept[0]
    if below(state, 1000) < plan.near_permille:
        near = 0
        for k in range(min(choice.kept_count, plan.near_lines)):
            if choice.sums[choice.kept[k]] >= choice.sums[choice.kept[0]] - WORLDS * plan.near_margin:
                near += 1
                if below(state, near) == 0:
                    chosen = choice.kept[k]
    return choice.legal[chosen]


@kernel(types.void(SEARCH_TYPE))
def forget_history(search):
    """Forget the last search. The table's entries are told by the generation."""
    search.tt.generation = search.tt.generation + 1 if search.tt.generation < GENERATIONS else 1
    search.tt.oldest_generation = search.tt.generation
    for piece in range(PIECES):
        for point in range(search.history.shape[1]):
            search.history[piece, point] = 0


@kernel(
    types.int64(
        TABLES_TYPE, POSITION_TYPE, WORLDS_TYPE, SEARCH_TYPE, TABLE_TYPE, STOP_TYPE, GUESS_TYPE,
        TEAMS_WEIGHTS_TYPE, PLAN_TYPE, CHOICE_TYPE, STATE_TYPE, MOVES_TYPE, SCORES_TYPE,
    )
)  # fmt: skip
def play_game(tables, truth, worlds, search, table, stop, guess, weights, plan, choice, state, played, scores):
    """Play a game from the position `truth`; returns its plies.

    `played` and `scores` receive the moves and the scores for the team to move, `NO_SCORE` for a random move.
    """
    ply, undo = 0, search.stack[0].undo
    for team in range(2):
        draw_lineups(guess, team, plan.seats, FIRST_SWAPS, state)
    while truth.result == _ONGOING and ply < plan.most_plies:
        choice.count = generate(tables, truth, choice.legal, 0)
        scores[ply] = NO_SCORE
        if ply < plan.random_plies:
            move = random_move(choice, state)
        else:
            team = np.int64(team_of(truth.turn))
            begin_search(search, np.uint64(UNLIMITED_NODES))
            forget_history(search)
            for world in range(WORLDS):
                draw_lineups(guess, team, plan.seats, SWAPS, state)
                position = worlds[world].position
                copy_record(truth, position)
                set_world(tables, truth, guess, team, position)
                refresh(tables, position, np.uint8(0), guess.classes, weights[team], worlds[world].evaluation)
            choice.kept_count = choice.count
            for index in range(choice.count):
                choice.kept[index], choice.sums[index] = index, 0
            # The limit of nodes holds from depth 2 on: every move has a score.
            for depth in range(1, DEEPEST + 1):
                is_complete = deepen(tables, worlds, search, table, stop, choice, depth)
                if not is_complete or search.nodes >= plan.nodes or choice.kept_count == 1:
                    break
                search.node_limit = plan.nodes
            score = choice.sums[choice.kept[0]] // WORLDS
            scores[ply] = max(-LARGEST_SCORE, min(LARGEST_SCORE, score))
            move = pick(choice, plan, state)
        played[ply] = move
        make(tables, truth, move, undo)
        learn(tables, truth, undo, guess)
        keep_fitting(guess, truth, plan.seats, state)
        ply += 1
    return ply


class QuickGame:
    """Quick games in sequence, in the same memory."""

    def __init__(self, settings: SelfPlaySettings, examples: Sequence[str]) -> None:
        """`examples` are line-ups of the kind that is played."""
        board = self.board = settings.board
        self.examples, self.settings = examples, settings
        self._plan = np.zeros(1, PLAN)[0]
        self._plan["seats"] = len(board.seats)
        self._plan["near_permille"] = round(1000 * settings.near_best)
        for name in ("nodes", "random_plies", "near_lines", "near_margin"):
            self._plan[name] = getattr(settings, name)
        self._plan["most_plies"] = settings.max_plies
        self.weights = np.repeat(np.asarray(PACKAGED.weights(board)).reshape(1), 2)
        """By team: the numbers of its evaluation."""
        self._thread = SearchThread(np.zeros(SLOTS, ENTRY))
        self._thread.search["tt"]["slots"] = SLOTS
        self._choice = np.zeros(1, CHOICE)[0]
        self._choice["weights"] = 1
        self._worlds = np.zeros(WORLDS, WORLD)
        self._running = np.zeros(1, np.uint8)

    def play(self, lineups: Sequence[str], seed: int) -> tuple[GameState, list[int], list[int]]:
        """Play a game from line-ups by seat: how it ended, the moves, and the scores (`NO_SCORE` for none).

        The record of the state that is returned has the last ply alone.
        """
        board, most = self.board, self.settings.max_plies
        positions = new_positions(board, self.settings.rules, board.all_alive, 0)
        kinds = [lineup_kinds(letter, lineup) for letter, lineup in zip(board.seats, lineups, strict=True)]
        for seat, of_seat in enumerate(kinds):
            place_lineup(board, positions[0], seat, of_seat)
        guess = new_guess(kinds, self.examples)
        played, scores = np.zeros(most, np.uint16), np.zeros(most, np.int16)
        # The table must not tell one game anything about another.
        self._thread.table[:SLOTS] = 0
        self._thread.search["tt"]["generation"] = 0
        thread = self._thread
        plies = play_game(
            board.tables, positions[0], self._worlds, thread.search, thread.table, self._running, guess, self.weights,
            self._plan, self._choice, np.array([seed], np.uint64), played, scores,
        )  # fmt: skip
        unmake(positions[0], thread.search["stack"][0]["undo"])
        by_seat = dict(enumerate(lineups))
        state = GameState(board, self.settings.rules, copied(positions), by_seat)
        state.play(int(played[plies - 1]))
        return state, played[:plies].tolist(), scores[:plies].tolist()
