"""Games and views for research: samples, information states, returns, clones, equality, batches."""

from collections import Counter

import pytest

import junqi_engine as junqi
from junqi_engine.rules.board import BOARDS
from tests.helpers.library import LINEUP, random_game
from tests.helpers.marking import long_after


@pytest.mark.parametrize("by", ["belief", "uniform"])
@pytest.mark.parametrize(("variant", "viewer"), long_after(2, [("luzhanqi", "S"), ("siguo", "SN"), ("siguo", "E")]))
def test_sample_agrees_with_all_that_was_seen(variant: str, viewer: str, by: str) -> None:
    """Each game is played again by the rules, from its line-ups: they give the moves with what everyone saw."""
    game = random_game(variant, 5, 130)
    view = game.view(viewer)
    games = view.sample(5, seed=3, by=by)
    assert len({tuple(sampled.lineups.values()) for sampled in games}) == 5
    for sampled in games:
        assert {seat: sampled.lineups[seat] for seat in viewer} == {seat: game.lineups[seat] for seat in viewer}
        again = junqi.Game.from_record(sampled.record())
        assert again == sampled
        assert (again.move_stack, again.first) == (game.move_stack, sampled.first)
        assert sampled.view(viewer) == view
    assert view == game.view(viewer)


@pytest.mark.parametrize("seed", long_after(1, range(3)))
def test_sample_after_eliminations(seed: int) -> None:
    """One seat sees a game in which others are gone: why they went is one of the things that it must explain."""
    game = random_game("siguo", seed)
    while len(game.alive) < 3:
        game.pop()
    view = game.view("S")
    for sampled in view.sample(3, seed=1):
        assert junqi.Game.from_record(sampled.record()) == sampled


def test_sample_depends_on_seed_and_distribution() -> None:
    view = random_game("luzhanqi", 1, 60).view("S")
    assert view.sample(4, seed=1) == view.sample(4, seed=1) != view.sample(4, seed=2)
    assert view.sample(0) == []
    point = next(
        point for point, piece in view.piece_map().items() if len(view.belief(point)) > 5 and piece.seat == "N"
    )
    drawn = Counter(game.piece_at(point).letter for game in view.sample(400, seed=1))
    for letter, chance in view.belief(point).items():
        assert drawn[letter] / 400 == pytest.approx(chance, abs=0.1)


def test_samples_of_a_midgame_view_begin_at_its_position() -> None:
    view = junqi.View.from_fen(random_game("luzhanqi", 2, 60).view("S").fen())
    move = view.push("pass:S" if view.turn == "S" else "pass:N")
    [game] = view.sample(1)
    assert (game.move_stack, game.lineups, game.turn, game.ply()) == ([], {}, view.turn, 60)
    assert move not in game.move_stack
    assert [game.view("S").piece_at(point) for point in view.piece_map()] == list(view.piece_map().values())


@pytest.mark.parametrize("variant", BOARDS)
def test_information_state_is_all_that_was_seen(variant: str) -> None:
    """The view is made from it anew, and two views are equal if they are of the same one."""
    game = random_game(variant, 7, 50)
    team = game.teams[1]
    head, moves = game.view(team).information_state().split(" moves ")
    lineups = dict(word.split(":") for word in head.split()[2:-2])
    again = junqi.View(variant, head.split()[-1], lineups)
    for move in moves.split():
        again.push(move)
    assert again == game.view(team) != game.view(game.teams[0])
    again.push("pass:" + again.turn)
    assert again != game.view(team)


def test_games_are_equal_if_they_go_on_alike() -> None:
    """Two ways to the same position; the players of a seat have not seen the same."""
    one, other = (junqi.Game("luzhanqi", {"S": LINEUP, "N": LINEUP}) for _ in range(2))
    for move in ("a6b5", "a7b8", "e6d5", "e7d8"):
        one.push(move)
    for move in ("e6d5", "e7d8", "a6b5", "a7b8"):
        assert one != other
        other.push(move)
    assert one == other and one.view("S") != other.view("S")
    assert one.view("S") != one.view("N") and one != one.view("*") and one != one.fen()
    assert one != junqi.Game.from_fen(one.fen(), rules=junqi.Rules(max_plies=9))
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("variant", BOARDS)
def test_returns_are_by_seat(variant: str) -> None:
    game = junqi.Game(variant, seed=1)
    assert game.returns() == dict.fromkeys(game.seats, 0.0)
    for seat in game.teams[0]:
        game.resign(seat)
    assert game.returns() == {seat: -1.0 if seat in game.teams[0] else 1.0 for seat in game.seats}
    drawn = random_game(variant, 1, 10)
    short = junqi.Game(variant, drawn.lineups, rules=junqi.Rules(max_plies=10))
    for move in drawn.move_stack:
        short.push(move)
    assert (short.result, short.returns()) == ("draw", dict.fromkeys(short.seats, 0.0))


def test_clone_takes_back_only_its_own_moves() -> None:
    game = random_game("siguo", 3, 30)
    clone = game.clone()
    assert clone == game and clone.move_stack == game.move_stack
    assert clone.view("SN") == game.view("SN")
    move = clone.push(clone.legal_moves[0])
    assert game.ply() == 30 and clone.pop() == move
    with pytest.raises(IndexError):
        clone.pop()
    assert game.pop() and clone.view("SN") != game.view("SN")
