"""The fast policy: its features, its scores, the choices of games, the fit, and the command."""

import random
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.information.style_belief import log_weights
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, parse_move
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import NO_PIECE, from_point_of, piece_in, to_point_of
from junqi_engine.rules.pieces import KINDS
from junqi_engine.rules.position import Result
from tests.drawing import view_of as drawn
from tests.training_help import write_record
from tools.training.games import Game, play_games, team_view
from tools.training.policy.__main__ import main
from tools.training.policy.choices import Choices, choices_of
from tools.training.policy.features import FEATURES, POLICY, QUIET, facts_of, score_moves
from tools.training.policy.fit import fit, measure, new_policy
from tools.training.selfplay.play import random_lineup

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
AGAIN, BACK = FEATURES.index("again"), FEATURES.index("back")


def scores(view: SeatView, policy: np.void) -> dict[str, float]:
    """By move, its score."""
    moves = np.array(view.legal_moves(), np.uint16)
    found = np.zeros(len(moves), np.float32)
    facts = facts_of(view, log_weights(view))
    score_moves(view.board.tables, view.position, facts, policy, moves, np.zeros(len(FEATURES), np.float32), found)
    return {format_code(view.board, int(move)): float(score) for move, score in zip(moves, found, strict=True)}


def only(**terms: float) -> np.void:
    """A policy with the same number for every kind in each named feature, and nothing else."""
    policy = new_policy()
    for name, number in terms.items():
        policy["features"][:, FEATURES.index(name.replace("_", " "))] = number
    return policy


def view_of(board: Board, *moves: str) -> SeatView:
    """South's team after some moves from the built-in line-ups."""
    view = SeatView.start(board, 0b0101 & board.all_alive)
    for move in moves:
        view.observe(parse_move(board, move))
    return view


def games(count: int) -> list[Game]:
    return list(play_games(count, "1.2", "1.1", 1))


# Features


MEETING = """
   a  b  c  d  e
12 .. Nl .. N? ..
8  N? .. N? .. ..
7  .. .. Sc .. ..
6  Sa .. .. .. Sd
1  .. Sl .. Sh ..
"""
"""South's Major General next to an unknown piece on c8; another one on a8."""


def test_a_battle_is_weighed_by_what_the_enemy_may_be() -> None:
    """What wins, ties or takes a flag is for battles alone: c7c8, and a6a8 along the railway."""
    found = scores(drawn(MEETING, viewer="S", board=LUZHANQI), only(win=1.0, tie=1.0, flag=1.0))
    battles = {"c7c8", "a6a8"} & set(found)
    assert "c7c8" in battles and all(0.0 < found[move] <= 1.0 + 1e-6 for move in battles)
    assert {move for move in found if found[move]} == battles


def test_a_piece_that_moved_last_is_known() -> None:
    """South's g6g7 comes again with g7's moves, and goes back with g7g6."""
    view = view_of(SIGUO, "g6g7", "l7k7", "g12g11", "f9g9")
    again, back = scores(view, only(again=1.0)), scores(view, only(back=1.0))
    assert {move for move, score in again.items() if score} == {move for move in again if move.startswith("g7")}
    assert {move for move, score in back.items() if score} == {"g7g6"}


def test_danger_is_near_an_enemy_and_never_on_a_campsite() -> None:
    """The Brigadier may go next to c8, to d8; the campsites b8 and d8 of North are safe, whoever is near."""
    after = scores(drawn(MEETING, viewer="S", board=LUZHANQI), only(danger_after=1.0))
    for move, score in after.items():
        if LUZHANQI.is_campsite(LUZHANQI.point_named[move[2:]]):
            assert score == 0.0
    beside = {move for move in after if move[2:] in ("b8", "d8", "c9") or after[move] > 0.0}
    assert any(after[move] > 0.1 for move in beside)


@VARIANTS
def test_scores_are_the_sums_of_the_terms(board: Board) -> None:
    """The kernel against the rows of `choices_of`, summed by hand."""
    game = next(iter(games(1))) if board is SIGUO else _luzhanqi_game()
    rng = np.random.default_rng(1)
    policy = new_policy()
    for name in POLICY.names or ():
        policy[name] = rng.normal(size=policy[name].shape)
    choices = choices_of([game], every=9)
    expected = (
        policy["leaves"][choices.kind, choices.leaves]
        + policy["enters"][choices.kind, choices.enters]
        + policy["meets"][choices.kind, choices.meets]
        + (policy["features"][choices.kind] * choices.features).sum(axis=1)
    )
    start = _views(game)
    found: list[float] = []
    for ply, seen in enumerate(game.moves):
        view = start[start[0].turn % 2]
        if ply % 9 == 0 and len(view.legal_moves()) > 1:
            found += scores(view, policy).values()
        for each in start:
            each.observe(seen)
    assert found == pytest.approx(expected.tolist(), abs=1e-4)


def test_a_move_leaves_and_enters_points_as_its_seat_sees_them() -> None:
    """The first moves of all four seats, turned to South, leave points of South's own block."""
    game = games(1)[0]
    choices = choices_of([game], every=1)
    for position in range(4):
        rows = slice(choices.first[position], choices.first[position + 1])
        assert (choices.leaves[rows] < 30).all()


def _luzhanqi_game() -> Game:
    """A game of random moves."""
    rng = random.Random(1)
    lineups = {seat: random_lineup(rng) for seat in LUZHANQI.seats}
    truth = GameState.start(LUZHANQI, lineups)
    while truth.result == Result.ONGOING and truth.ply < 60:
        truth.play(rng.choice(truth.legal_moves()))
    return Game(LUZHANQI, truth.rules, lineups, truth.record)


def _views(game: Game) -> list[SeatView]:
    start = GameState.start(game.board, game.lineups, game.rules)
    return [team_view(start, team, game.first) for team in range(2)]


# The fit


def planted(count: int, seed: int) -> Choices:
    """Choices by a policy that likes to win battles and hates to go back, among random moves."""
    rng = np.random.default_rng(seed)
    moves = 12
    features = (rng.random((count * moves, len(FEATURES))) < 0.2).astype(np.float32)
    liked = 2.0 * features[:, 0] - 2.0 * features[:, BACK]
    chosen = np.argmax(liked.reshape(count, moves) + rng.gumbel(size=(count, moves)), axis=1)
    cells = [rng.integers(0, most, count * moves).astype(np.uint8) for most in (KINDS, 30, 30, QUIET + 1)]
    return Choices(*cells, features, moves * np.arange(count + 1), chosen, np.arange(count) % 20)


def test_the_fit_finds_what_was_planted_and_depends_on_the_seed_alone() -> None:
    choices = planted(6000, 1)
    learned, held_out = choices.of_games(False, 10), choices.of_games(True, 10)
    first, again, other = new_policy(), new_policy(), new_policy()
    losses = [agreement.loss for agreement in fit(first, choices, learned, 1)]
    assert losses[-1] < losses[0]
    assert first["features"][:9, 0].mean() == pytest.approx(2.0, abs=0.4)
    assert first["features"][:9, BACK].mean() == pytest.approx(-2.0, abs=0.4)
    found, nothing = measure(first, choices, held_out), measure(new_policy(), choices, held_out)
    assert nothing.loss == pytest.approx(np.log(12)) and found.loss < nothing.loss - 0.3
    assert found.top[0] > 2 / 12 and found.top[1] > found.top[0]
    list(fit(again, choices, learned, 1))
    list(fit(other, choices, learned, 2))
    assert first.tobytes() == again.tobytes() != other.tobytes()


def test_the_choice_is_among_the_moves_of_its_game() -> None:
    game = games(1)[0]
    choices = choices_of([game], every=5)
    views = _views(game)
    position = 0
    for ply, seen in enumerate(game.moves):
        view = views[views[0].turn % 2]
        moves = view.legal_moves()
        if ply % 5 == 0 and len(moves) > 1:
            assert moves[choices.chosen[position]] == seen.move
            occupied = [view.position["board"][to_point_of(move)] != NO_PIECE for move in moves]
            rows = slice(choices.first[position], choices.first[position + 1])
            assert (choices.meets[rows] != QUIET).tolist() == occupied
            start = from_point_of(seen.move)
            own = view.position["kind"][piece_in(int(view.position["board"][start]))]
            assert choices.kind[rows][choices.chosen[position]] == own
            position += 1
        for each in views:
            each.observe(seen)
    assert position == len(choices)


# The command


def test_the_command_fits_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write_record(tmp_path / "games.jsonl", games(10))
    out = tmp_path / "policy-VARIANT.npz"
    assert main([str(record), "--every", "12", "--out", str(out)]) == 0
    head, agreement, speed = capsys.readouterr().out.splitlines()
    assert head.startswith("siguo: 10 games, ") and "among the first five " in agreement
    assert "microseconds a position with" in speed
    with np.load(tmp_path / "policy-siguo.npz") as file:
        assert file["policy"].dtype == POLICY
    assert main([str(write_record(record, games(2)))]) == 1
    assert capsys.readouterr().err.endswith("policy: siguo: 2 games are too few, at least 10 needed\n")
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "nowhere.jsonl")])
    assert "policy: error: record " in capsys.readouterr().err
