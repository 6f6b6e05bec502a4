"""Inference from moves: the reader against its slow twin, drawings, what everybody sees, and the belief."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from junqi_engine.information import view as view_module
from junqi_engine.information.belief import move_likelihoods, opponents, policy
from junqi_engine.information.belief.policy import ENTERS, LEAVES, POLICIES, ROWS
from junqi_engine.information.public_record import PublicRecord
from junqi_engine.information.view import SeatView, redact
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import LUZHANQI, MAX_POINTS, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import piece_in, slice_of, slot_of
from junqi_engine.rules.pieces import BOMB, KINDS, MARSHAL, MINE, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from tests.helpers.hidden import random_move


def random_game(board: Board, seed: int, plies: int) -> GameState:
    """A game that comes to blows, with a resignation in siguo."""
    rng, game = random.Random(seed), GameState.start(board)
    while game.result == Result.ONGOING and game.ply < plies:
        game.play(random_move(game, rng))
        if board is SIGUO and game.ply == plies // 2 and game.is_alive(3):
            game.resign(3)
    return game


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[np.ndarray]:
    """Policies to which all moves are alike until the test writes into their tables."""
    made = np.zeros((len(POLICIES), ROWS, KINDS), np.float32)
    policies = policy.Policies(made, np.full(len(POLICIES), policy.DEFAULT_EXPONENT))
    monkeypatch.setattr(view_module, "load_policies", lambda variant: policies)
    yield made


def following(board: Board, *moves: str) -> PublicRecord:
    """A reader that has read some moves from the built-in line-ups."""
    view = SeatView.start(board, board.all_alive)
    for move in moves:
        view.observe(parse_move(board, move))
    reader = view.public_record(with_likelihoods=True)
    assert reader is not None
    return reader


# Drawings


SIGUO_PIECE = {
    name: piece_in(int(SeatView.start(SIGUO, 0b1111).position["board"][point]))
    for point, name in enumerate(SIGUO.names)
}
"""The pieces by the points where they start."""


def test_move_to_the_centre_raises_kinds_that_prefer_it(tables: np.ndarray) -> None:
    """South's front row after g6g7; k6 could have gone to k7.

       g  h  i  j  k
    7  S? .. .. .. ..
    6  .. S? S? S? S?

    By the first policy the Field Marshal loves the centre, by the second it hates it; the other kinds do not care.
    """
    centre = [ENTERS + point for point in SIGUO.points if SIGUO.owner(point) is None]
    tables[0, centre, MARSHAL], tables[1, centre, MARSHAL] = 3.0, -3.0
    reader = following(SIGUO, "g6g7")
    mover = SIGUO_PIECE["g6"]
    loves, hates = (
        reader.likelihoods["log_likelihoods"][:2, mover, MARSHAL] - reader.likelihoods["log_likelihoods"][:2, mover, 1]
    )
    assert loves > 0.5 and hates < -0.5
    beside = SIGUO_PIECE["k6"]
    assert (
        reader.likelihoods["log_likelihoods"][0, beside, MARSHAL] < reader.likelihoods["log_likelihoods"][0, beside, 1]
    )
    assert (
        reader.likelihoods["log_likelihoods"][1, beside, MARSHAL] > reader.likelihoods["log_likelihoods"][1, beside, 1]
    )


def test_evidence_equals_probability_of_moves(tables: np.ndarray) -> None:
    """All moves are alike, so the first has the probability of one in the mean number of moves."""
    tables[1, ENTERS : ENTERS + MAX_POINTS] = -5.0
    tables[1, ENTERS + SIGUO.point_named["g7"]] = 5.0
    reader = following(SIGUO, "g6g7")
    likely, uniform = reader.likelihoods["log_evidence"][1, 0], reader.likelihoods["log_evidence"][0, 0]
    assert -4.5 < uniform < -2.5
    assert likely > -1.5
    assert not reader.likelihoods["log_evidence"][:, 1:].any()


def test_long_game_keeps_finite_numbers(tables: np.ndarray) -> None:
    """South moves a piece of the front row, then another one back and forth for ever, although the first would have
    liked to go on as any kind but a bomb, which it cannot be.
    """
    tables[:, LEAVES : LEAVES + 2 * MAX_POINTS] = -6.0
    tables[:, LEAVES + LUZHANQI.point_named["a7"] + MAX_POINTS, :BOMB] = 6.0
    reader = following(LUZHANQI, "a6a7")
    loved = piece_in(int(reader.positions[0]["board"][LUZHANQI.point_named["a7"]]))
    ways = [parse_move(LUZHANQI, text) for text in ("e6d5", "d5e6")]
    for ply in range(1000):
        reader.append(ways[ply % 2])
    assert (
        np.isfinite(reader.likelihoods["log_likelihoods"]).all()
        and np.isfinite(reader.likelihoods["log_evidence"]).all()
    )
    assert np.abs(reader.likelihoods["log_likelihoods"][:, loved]).max() == move_likelihoods.MAX_LOG_LIKELIHOOD


# PublicInfo


def test_copied_view_reads_independently() -> None:
    game = random_game(SIGUO, 3, 40)
    step, whole, copy = redact(GameState.start(SIGUO), (0, 2)), redact(game, (0, 2)), None
    for number, seen in enumerate(game.record):
        if number == 30:
            copy, before = step.copy(), step.public_record(with_likelihoods=True)
        step.observe(seen)
        step.public_record(with_likelihoods=True)
    one, other = step.public_record(with_likelihoods=True), whole.public_record(with_likelihoods=True)
    assert one is not None and other is not None and copy is not None
    assert (one.likelihoods["log_likelihoods"] == other.likelihoods["log_likelihoods"]).all()
    assert copy.public_record(with_likelihoods=True) is before and before is not None and before.length == 30
    assert (before.likelihoods["log_likelihoods"] != other.likelihoods["log_likelihoods"]).any()


# The belief


def test_bad_policy_file_is_named(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path_factory.mktemp("policies") / "policies-siguo.npz"
    np.savez_compressed(file, names=np.array(["engine", "cat"]), entries=np.zeros((2, 3, KINDS), np.int16))
    monkeypatch.setitem(policy.POLICY_FILES, "siguo", file)
    policy.load_policies.cache_clear()
    with pytest.raises(
        ValueError, match=r"policies-siguo\.npz: the policies are engine, cat, with the shape \(2, 3, 12\)"
    ):
        policy.load_policies("siguo")
    monkeypatch.undo()
    policy.load_policies.cache_clear()


def test_no_kind_is_ruled_out_by_behaviour() -> None:
    view = redact(random_game(SIGUO, 2, 200), (0, 2))
    for seat, found in opponents.posteriors_by_seat(view).items():
        allowed = view.masks[slice_of(seat, PIECES_PER_SEAT)].astype(int)[:, None] >> np.arange(KINDS) & 1
        assert (found.marginals[allowed == 1] > 0.0).all()


def test_moved_piece_is_not_landmine() -> None:
    view = SeatView.start(SIGUO, 0b0101)
    for move in ("g6g7", "l7k7"):
        view.observe(parse_move(SIGUO, move))
    assert opponents.belief(view)[1][slot_of(SIGUO_PIECE["l7"]), MINE] == 0.0
