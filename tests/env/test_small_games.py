"""The small games: boards and armies that are a parameter of the rules, the same everywhere, and exactly solved."""

import random
import re
from itertools import product
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import gambit

import junqi_engine as junqi
import junqi_engine.openspiel
from junqi_engine.env import Batch, Observer, aec
from junqi_engine.errors import BadLineup, JunqiError
from junqi_engine.notation.moves import format_code
from junqi_engine.openspiel.games import completions
from junqi_engine.rules.board import MINI_BOARDS
from junqi_engine.rules.lineup import legal_lineups
from tests.references import slow_small

VARIANTS = list(MINI_BOARDS)


def drawn(variant: str, seed: int, max_plies: int = 40) -> junqi.Game:
    return junqi.Game(variant, rules=junqi.Rules(max_plies=max_plies), seed=seed)


# Boards, armies, rules


@pytest.mark.parametrize("board", MINI_BOARDS.values(), ids=VARIANTS)
def test_the_edges_are_those_drawn_by_hand(board: Any) -> None:
    """But for roads from one headquarters to another, which no piece goes."""
    names, known = board.names, slow_small.small_board(board.variant)
    heads = {point for seat in range(len(board.seats)) for point in board.headquarters(seat)}
    roads = {frozenset(names[point] for point in road) for road in board.roads if not road <= heads}
    assert roads == known.roads
    assert {frozenset(names[point] for point in rail) for rail in board.rails} == known.rails
    assert all((board.tables["near_count"][point] > 0) <= (point in board.opened) for point in board.points)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_fen_is_of_the_variant_that_is_named(variant: str) -> None:
    """Board and letters are those of the large game."""
    game = drawn(variant, 1)
    read = junqi.Game.from_fen(game.fen(), variant=variant, rules=game.rules)
    assert read.variant == variant and read.legal_moves == game.legal_moves and read == game
    view = game.view(game.seats[0])
    assert junqi.View.from_fen(view.fen(), variant=variant).piece_map() == view.piece_map()
    large = junqi.Game.from_fen(game.fen(), rules=game.rules)
    assert large.variant == variant.removeprefix("mini-") and large != game
    with pytest.raises(junqi.BadPosition):
        junqi.Game.from_fen(drawn(next(name for name in VARIANTS if name != variant), 1).fen(), variant=variant)


def test_pieces_of_an_army_stand_where_its_lineups_say() -> None:
    assert junqi.Game("mini-luzhanqi", {"S": "adil"}).piece_at("b1").letter == "i"  # type: ignore[union-attr]
    for variant, board in MINI_BOARDS.items():
        assert list(legal_lineups(board.army)) == slow_small.lineups(variant)
        assert completions(board.army, "") == len(legal_lineups(board.army))
    for lineup in ("adilj", "aail", "ladi"):
        with pytest.raises(BadLineup):
            junqi.Game("mini-luzhanqi", {"S": lineup})


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_those_of_the_slow_twin(variant: str) -> None:
    """Moves, outcomes and endings, in random games."""
    rng = random.Random(1)
    for seed in range(60):
        game = drawn(variant, seed)
        twin = slow_small.start(variant, game.lineups, 40)
        while not game.is_game_over():
            assert sorted(game.legal_moves) == twin.legal()
            move = rng.choice(game.legal_moves)
            assert game.push(move) == twin.play(move)
        assert {None: None, "draw": "draw"}.get(game.result, game.result) == twin.result


# What is known


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("is_team", [False, True])
def test_a_view_knows_what_follows_from_all_deals(variant: str, is_team: bool) -> None:
    """The proven kinds are those of the deals that allow the same record, as trying all deals shows."""
    rng, board = random.Random(2), MINI_BOARDS[variant]
    for seed in range(6):
        game = drawn(variant, seed)
        viewer = board.teams[0] if is_team else "S"
        while not game.is_game_over() and game.ply() < 9:
            game.push(rng.choice(game.legal_moves))
        view, possible = game.view(viewer), {}
        for deal in product(legal_lineups(board.army), repeat=len(board.seats)):
            lineups = dict(zip(board.seats, deal, strict=True))
            if any(lineups[seat] != game.lineups[seat] for seat in viewer):
                continue
            other = junqi.Game(variant, lineups, rules=game.rules)
            try:
                is_alike = all(other.push(move) == move for move in game.move_stack)
            except JunqiError:
                is_alike = False
            for point, piece in other.piece_map().items() if is_alike else ():
                possible.setdefault(point, set()).add(piece.letter)
        assert {point: set(view.possible(point)) for point in view.piece_map()} == possible
        for world in view.sample(3, seed, "uniform"):
            assert world.view(viewer) == view and world.lineups.keys() == game.lineups.keys()


# Environments


@pytest.mark.parametrize("variant", VARIANTS)
def test_environments_have_small_games(variant: str) -> None:
    """A batch begins with all deals, each as often; its observations are those of the library."""
    board, rules = MINI_BOARDS[variant], junqi.Rules(max_plies=12)
    batch = Batch(600, variant, "dark", rules=rules, seed=1, removed=True)
    found = {tuple(batch.lineups(game).values()) for game in range(600)}
    assert len(found) > 0.9 * len(legal_lineups(board.army)) ** len(board.seats)
    games = [junqi.Game(variant, batch.lineups(number), rules=rules) for number in range(20)]
    observer, seen = Observer(variant, removed=True), batch.observe()
    for _ in range(8):
        for number, game in enumerate(games):
            if game.is_game_over():
                continue
            told = observer.observe(game.view(game.turn))
            assert all(np.array_equal(told[key], seen[key][number]) for key in told)
        actions = batch.random_actions()
        for number, game in enumerate(games):
            if not game.is_game_over():
                move = observer.frame(game.state.turn).move_of(int(actions[number]))
                game.push(format_code(board, move))
        batch.step(actions)
        seen = batch.observe()
    env = aec(variant, "dark", rules=rules)
    env.reset(seed=1)
    assert env.last()[0]["action_mask"].sum() == len(env.unwrapped.game.legal_moves)


# OpenSpiel


def load(variant: str, max_plies: int, visibility: str = "dark") -> Any:
    name = variant.replace("-", "_")
    return pyspiel.load_game(f"junqi_{name}(visibility={visibility},max_plies={max_plies})")


def as_two_players(tree: str) -> str:
    """A tree in Gambit's format with partners, who have seen the same in `partner`, as one player."""
    lines = []
    numbers: tuple[dict, dict] = ({}, {})
    for line in map(str.strip, tree.splitlines()):
        if node := re.match(r'p "(.*?)" (\d+) (\d+) (.*)', line):
            side = (int(node[2]) - 1) % 2
            number = numbers[side].setdefault((node[2], node[3]), len(numbers[side]) + 1)
            line = f'p "{node[1]}" {side + 1} {number} {node[4]}'
        elif line.startswith("t "):
            head, payoffs = line.rsplit("{", 1)
            line = f"{head}{{ {' '.join(payoffs.split()[:2])} }}"
        elif line.startswith("EFG"):
            line = re.sub(r"\{.*?\}", '{ "ours" "theirs" }', line, count=1)
        lines.append(line)
    return "\n".join(lines) + "\n"


def solved(variant: str, max_plies: int, steps: int) -> tuple[float, float]:
    """Bounds of the value for the first side, by the best responses to what OpenSpiel's CFR+ has found."""
    tree = gambit.export_gambit(load(variant, max_plies, "dark" if variant == "mini-luzhanqi" else "partner"))
    game = pyspiel.load_efg_game(tree if variant == "mini-luzhanqi" else as_two_players(tree))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    found, root = solver.tabular_average_policy(), game.new_initial_state()
    ours, theirs = (pyspiel.TabularBestResponse(game, player, found).value_from_state(root) for player in (0, 1))
    assert ours + theirs == pytest.approx(pyspiel.nash_conv(game, found), abs=1e-9)
    return -theirs, ours
