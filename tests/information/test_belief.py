"""Belief: chances from places and behaviour, and predictions better than the counts alone."""

from pathlib import Path

import numpy as np
import pytest

from junqi_engine.information.belief import opponents, version_2
from junqi_engine.information.belief.chances import scale_to_counts
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.belief.version_2 import tables
from junqi_engine.information.public_game import (
    ATTACKED,
    ATTACKED_HOME,
    ATTACKED_WINNER,
    FEATURES,
    FLED,
    MOVES,
    STILL,
    STOOD,
    VENTURED,
)
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen, parse_fen
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.pieces import BOMB, COUNTS, KINDS, MINE
from junqi_training.belief import calibration
from junqi_training.belief.calibration import log_loss, samples_of
from junqi_training.games import team_view
from tests.helpers.hidden import PARTNERS_VIEW, random_view
from tests.helpers.training import play_games, write_record


def observe(view: SeatView, *moves: str) -> SeatView:
    for move in moves:
        view.observe(parse_move(SIGUO, move))
    return view


def feature(view: SeatView, point: str, number: int) -> float:
    piece = view.piece_at(SIGUO.point_named[point])
    assert piece is not None
    return float(view.behaviour()[piece, number])


# Weights


def test_no_legal_line_up_is_ruled_out() -> None:
    places, deeds = tables()
    assert np.isfinite(places).all() and np.isfinite(deeds).all()
    allowed = np.array(lineup.MASK_AT)[:, None] >> np.arange(KINDS) & 1
    assert (places[allowed == 1] > np.log(1e-3)).all()
    assert deeds.shape == (len(FEATURES), KINDS)


ONCE = pytest.approx(np.log(2))


def test_moves_and_attacks_are_counted() -> None:
    view = SeatView.start(SIGUO, 0b0101)
    assert not view.behaviour().any()
    observe(view, "g6g7", "l7k7", "g12g11", "f9g9")
    assert feature(view, "g7", MOVES) == ONCE
    assert feature(view, "g7", VENTURED) == 1
    assert feature(view, "g7", STILL) == 0
    assert feature(view, "h6", STILL) == pytest.approx(np.log1p(1 / 8))
    attacker = view.piece_at(SIGUO.point_named["k13"])
    observe(view, "g7k7x", "l11k12x", "k13k12o", "g9g7")
    assert feature(view, "k7", ATTACKED) == ONCE
    assert view.behaviour()[attacker, ATTACKED_WINNER] == ONCE
    assert view.behaviour()[attacker, ATTACKED] == 0


def test_an_attack_on_an_unmoved_piece_in_the_back_rows_is_a_feature_of_its_own() -> None:
    view = observe(SeatView.start(SIGUO, 0b0101), "g6g7", "l7k7", "g12g11", "f9g9", "i6i7")
    attacker = view.piece_at(SIGUO.point_named["k7"])
    observe(view, "k7k6x", "i12i11", "g9f9", "i7i6", "k6k5x", "i11i12", "f9g9", "i6i7", "k5k4x", "i12i11", "g9f9")
    assert view.behaviour()[attacker, ATTACKED] == pytest.approx(np.log(4))
    observe(view, "i7i6", "k4k3x", "i11i12", "f9g9", "i6i7", "k3k2o")
    assert view.behaviour()[attacker, ATTACKED] == pytest.approx(np.log(5))
    assert view.behaviour()[attacker, ATTACKED_HOME] == ONCE


def test_a_piece_that_steps_away_from_an_enemy_beside_it_has_fled() -> None:
    view = observe(SeatView.start(SIGUO, 0b0101), "i6i7", "l7k7", "g12g11", "f9g9", "i7i9")
    assert feature(view, "i9", FLED) == ONCE
    assert feature(view, "g11", FLED) == 0


def test_a_piece_that_stays_when_a_winner_comes_beside_it_has_stood() -> None:
    view = observe(SeatView.start(SIGUO, 0b0101), "g6g7", "l7k7", "g12g11", "f9g9", "g7k7x", "l9k9", "i12i11", "g9g7")
    observe(view, "k7l7")
    assert feature(view, "l8", STOOD) == 0
    observe(view, "k9k11")
    assert feature(view, "l8", STOOD) == ONCE
    assert feature(view, "l10", STOOD) == 0


def test_a_snapshot_within_a_game_has_no_behaviour() -> None:
    view = parse_fen(SIGUO, "17/17/17/17/17/17/17/16El/16E?/16E?/6Sh10/6Sg10/17/17/17/17/7Sl9 S SE S 0 0")
    assert not view.is_followed
    assert not view.behaviour().any()
    assert belief(view)[1].sum(axis=0) == pytest.approx(COUNTS)


def test_a_snapshot_of_the_start_is_a_start() -> None:
    """The referee starts a game like this if another seat than South is first."""
    start = SeatView.start(SIGUO, 0b0101, first=1)
    snapshot = parse_fen(SIGUO, format_fen(start).rsplit(" ", 1)[0] + " -")
    assert (snapshot.masks == start.masks).all()
    for view in (start, snapshot):
        observe(view, "l7k7", "g12g11", "f9g9", "i6i7")
    assert start.behaviour().any()
    for believe in (version_2, opponents):
        one, other = believe.belief(snapshot), believe.belief(start)
        assert all((one[seat] == other[seat]).all() for seat in range(4))


@pytest.mark.bounds
def test_behaviour_that_is_asked_for_at_every_ply_is_that_of_the_whole_record() -> None:
    (game,) = play_games(1, "1.2", "1.1", 5)
    start = GameState.start(SIGUO, game.lineups, game.rules)
    whole, step = team_view(start, 0), team_view(start, 0)
    for seen in game.moves:
        whole.observe(seen)
        step.observe(seen)
        step.behaviour()
    assert len(step.record) > 100
    assert (step.behaviour() == whole.behaviour()).all()


def test_an_attacker_is_hardly_a_bomb_and_a_piece_that_stays_may_be_a_mine() -> None:
    _, deeds = tables()
    assert deeds[ATTACKED, BOMB] < deeds[ATTACKED, :BOMB].max() - 0.5
    assert deeds[STILL, MINE] == deeds[STILL].max() > 0
    assert deeds[STOOD, MINE] == deeds[STOOD].max() > 0


# Chances


@pytest.mark.parametrize("plies", [1, 60, 150])
def test_chances_obey_masks_and_counts(plies: int) -> None:
    _, view = random_view(11, PARTNERS_VIEW, plies)
    for seat in range(4):
        chances = belief(view)[seat]
        masks = view.masks[32 * seat : 32 * seat + 25].astype(int)
        assert chances.sum(axis=0) == pytest.approx(COUNTS, abs=1e-3)
        assert chances.sum(axis=1) == pytest.approx([1.0] * 25)
        assert ((chances > 0) <= (masks[:, None] >> np.arange(KINDS) & 1).astype(bool)).all()


# Predictions


@pytest.mark.long
def test_belief_predicts_better_than_the_counts_alone() -> None:
    """A short run of `python -m junqi_training.belief calibration`."""
    samples = list(samples_of(play_games(12, "1.2", "1.1", 5), interval=25))
    allowed = np.stack([sample.allowed for sample in samples])
    truth, asked = np.stack([sample.truth for sample in samples]), np.stack([sample.is_asked for sample in samples])
    chances = np.stack([sample.chances for sample in samples])
    counted = log_loss(scale_to_counts(allowed), truth, asked)
    believed = log_loss(chances, truth, asked)
    assert believed < counted - 0.1


@pytest.mark.long
def test_calibration_reads_records_of_the_referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_record(tmp_path / "games.jsonl", play_games(1, "1.2", "1.1", 3))
    assert calibration.main([str(file), "--every", "20"]) == 0
    printed = capsys.readouterr().out
    assert "log-loss, counts alone" in printed and "came true" in printed
