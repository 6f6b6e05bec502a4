"""Reviews as the library gives them: the account adds up, nothing hidden is used, verdicts mean what they say."""

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.game_review.evaluation import Choice, StepValues
from junqi_engine.game_review.review import Verdict, account_of, accuracy, verdict_of
from junqi_engine.game_review.reviewed_game import ReviewedGame
from junqi_engine.game_review.surprises import MAX_SURPRISES, SURPRISING, surprises_of
from tests.helpers.marking import long_after
from tests.helpers.review import NODES, short_game

CLOSE = 1e-9


# The sum


@pytest.mark.parametrize(
    ("variant", "visibility"), long_after(2, [("siguo", "dark"), ("luzhanqi", "partner"), ("siguo", "partner")])
)
def test_start_luck_and_losses_sum_to_result(variant: str, visibility: str) -> None:
    """And from one step to the next, chance, loss and luck explain each other."""
    game = short_game(variant, 5, with_events=True)
    review = junqi.review(game, nodes=NODES, visibility=visibility)
    assert [step.text for step in review.steps] == game.move_stack
    assert len(review.players) == (4 if visibility == "dark" else 2)
    for player in review.players:
        assert player.end == (0.5 if review.result == "draw" else float(review.result == player.team))
        assert player.start + player.luck + player.enemy_loss - player.loss == pytest.approx(player.end, abs=CLOSE)
    chances = [step.fair for step in review.steps] + [review.fair]
    for step, before, after in zip(review.steps, chances, chances[1:], strict=False):
        assert step.loss >= 0
        for player in (one.player for one in review.players if visibility == "partner"):
            sign = -1 if player == step.player else 1
            assert after[player] == pytest.approx(before[player] + sign * step.loss + step.luck[player], abs=CLOSE)
            assert 0 <= after[player] <= 1


def test_unfinished_game_ends_with_its_chances() -> None:
    game = junqi.Game("luzhanqi", seed=3)
    for _ in range(3):
        game.push(game.legal_moves[-1])
    review = junqi.review(game, nodes=NODES)
    assert review.result is None and not [moment for moment in review.moments if moment.kind == "end"]
    for player in review.players:
        assert 0 < player.end < 1
        assert player.start + player.luck + player.enemy_loss - player.loss == pytest.approx(player.end, abs=CLOSE)


# Values by hand: South plays two moves, the enemy one, a draw is agreed


def tiny_game() -> ReviewedGame:
    game = junqi.Game("luzhanqi", dict.fromkeys("SN", "cbfahdehgegidcfkjkijgjhli"))
    for move in ("a6b5", "a7b8", "b5a6"):
        game.push(move)
    return ReviewedGame(game, result="draw")


def tiny_values() -> list[StepValues]:
    return [
        StepValues(0, 0, {"S": 0.6, "N": 0.5}, 0.7, Choice("b6b5", 0.6, 0.55, ("b6b5",))),
        StepValues(1, 1, {"N": 0.45}, 0.7, Choice("a7b8", 0.45, 0.45, ("a7b8",))),
        StepValues(2, 0, {"S": 0.5}, 0.7, Choice("b5a6", 0.5, 0.5, ("b5a6",))),
        StepValues(3, 1, {"N": 0.4}, 0.7, None),
    ]


def test_account_equals_hand_calculation() -> None:
    account = account_of(tiny_game(), tiny_values())
    shown = [
        (step.text, step.player, round(step.loss, 9), {who: round(luck, 9) for who, luck in step.luck.items()})
        for step in account.steps
    ]
    assert shown == [
        ("a6b5", "S", 0.05, {"S": 0.0, "N": -0.1}),
        ("a7b8", "N", 0.0, {"S": -0.05, "N": 0.0}),
        ("b5a6", "S", 0.0, {"S": 0.0, "N": -0.05}),
        ("end", "", 0.0, {"S": 0.0, "N": 0.1}),
    ]
    assert account.fair == {"S": 0.5, "N": 0.5}


# Verdicts


@pytest.mark.parametrize(
    ("loss", "glance_loss", "verdict"),
    [
        (0.0, 0.0, None),
        (0.049, 0.0, None),
        (0.05, 0.0, Verdict.INACCURACY),
        (0.1, 0.0, Verdict.MISTAKE),
        (0.15, 0.3, Verdict.BLUNDER),
        (0.0, 0.05, Verdict.BRILLIANT),
        (0.006, 0.3, None),
    ],
)
def test_verdicts_follow_losses(loss: float, glance_loss: float, verdict: Verdict | None) -> None:
    assert verdict_of(loss, Choice("a6b5", 0.5, 0.5 - loss, (), glance_loss)) == verdict


def test_accuracy_falls_with_losses() -> None:
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 100
    assert accuracy([0.0, 0.1]) == pytest.approx(50 * (1 + np.exp(-1)))


# Surprises


def test_unexpected_battle_is_a_surprise() -> None:
    """South's General attacks a General that East and West know: one of eight kinds, and all the others lose or win."""
    game = short_game("siguo", 2, plies=80)
    surprises = surprises_of(ReviewedGame(game))
    chances = [surprise.chance for surprise in surprises]
    assert 0 < len(chances) <= MAX_SURPRISES and chances == sorted(chances) and chances[-1] < SURPRISING
    found = next(surprise for surprise in surprises if surprise.step == 32)
    assert (found.player, found.seat, found.point, found.letter) == ("EW", "S", "h6", "b")
    before = game.copy()
    while len(before.move_stack) > found.step:
        before.pop()
    assert game.move_stack[found.step] == "h6g6="
    believed = before.view("EW").belief("h6")
    assert found.chance == pytest.approx(believed["b"] + believed.get("k", 0), abs=1e-3)
