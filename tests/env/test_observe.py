"""`Batch.observe`: what the environment of a single game observes, and nothing of what is hidden."""

import random
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

import junqi_engine as junqi
from junqi_engine.env import Batch, JunqiEnv, frame_of
from junqi_engine.rules.board import BOARDS, viewer_seats
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import move_of, to_point_of
from junqi_engine.rules.pieces import FLAG, LETTERS
from tests.helpers.leaks import allowed, scripted_game
from tests.helpers.marking import long_after

GAMES = [(variant, visibility) for variant in BOARDS for visibility in ("dark", "partner", "open")]
TOGETHER = 2


def battle(game: GameState, rng: random.Random) -> int:
    """A move of a game that thins out the seats: mostly battles, but a flag is taken only if nothing else can be done.

    So few pieces remain, and what must be explained is why a seat was eliminated, or was not.
    """
    moves = game.legal_moves()
    defenders = {move: game.piece_at(to_point_of(move)) for move in moves}
    battles = [move for move, piece in defenders.items() if piece is not None and game.position["kind"][piece] != FLAG]
    quiet = [move for move, piece in defenders.items() if piece is None]
    return rng.choice(battles if battles and rng.random() < 0.8 else quiet or moves)


def same(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(one[key].tobytes() == other[key].tobytes() for key in one)


LINEUPS = {"S": "abfchdehgegidcfkjkijgjhli", "N": "cbfhadehgegidcfkjkijgjhli"}
"""The Field Marshals stand on a6 and a7."""
AFTER_A_BATTLE = {
    "S": {
        "a6": "",
        "a7": "",
        "e7": "1 bcdefghi",
        "c6": "0 f",
        "d1": "0 l flag",
        "b12": "1 l flag",
        "a12": "1 bcdefghijk",
    },
    "N": {"a6": "", "a7": "", "e7": "0 c", "c6": "1 bcdefghi", "d1": "1 l flag", "b12": "0 l flag", "a12": "0 i"},
}
"""The owner counted from the seat, the possible kinds, and if the flag is shown, by seat and point."""


@pytest.mark.parametrize("seat", "SN")
def test_observation_after_battle_of_marshals(seat: str) -> None:
    env = JunqiEnv("luzhanqi", "dark", history=1)
    env.reset(options={"lineups": LINEUPS})
    frame = env.observer.frame("SN".index("S"))
    a6, a7 = env.board.point_named["a6"], env.board.point_named["a7"]
    env.step(frame.action_of(move_of(a6, a7)))
    found, frame = env.observe(seat), env.observer.frame("SN".index(seat))
    for point, told in AFTER_A_BATTLE[seat].items():
        row = found["observation"][frame.relative[env.board.point_named[point]]]
        kinds = "".join(letter for letter, is_possible in zip(LETTERS, row[2:14], strict=True) if is_possible)
        owner = "".join(str(owner) for owner in (0, 1) if row[owner])
        assert " ".join([owner, kinds, "flag" if row[14] else ""]).strip() == told, point
    moved = {
        point
        for point in ("a6", "a7", "e7")
        if found["observation"][frame.relative[env.board.point_named[point]], 15:].any()
    }
    assert moved == {"a6", "a7"}
    assert found["counts"][:6].tolist() == pytest.approx([1, 1, 0.96, 0.96, 1, 1])


@pytest.mark.bounds
@pytest.mark.parametrize(("variant", "visibility"), long_after(1, GAMES))
def test_batch_and_environment_observe_the_same(variant: str, visibility: str) -> None:
    """Two games in one batch. At the end of one, every seat observes its result, and the next begins."""
    batch, rng = Batch(TOGETHER, variant, visibility, seed=0, history=7), random.Random(0)
    envs = [JunqiEnv(variant, visibility, history=7) for _ in range(TOGETHER)]
    for number, env in enumerate(envs):
        env.reset(options={"lineups": batch.lineups(number)})
    finished, arrays = 0, batch.observe()
    while finished < TOGETHER:
        batch.observe(out=arrays)
        actions = np.zeros(TOGETHER, np.intp)
        for number, env in enumerate(envs):
            agent = env.agent_selection
            assert same({key: array[number] for key, array in arrays.items()}, env.observe(agent))
            actions[number] = env.observer.frame(env.board.seats.index(agent)).action_of(battle(env.game.state, rng))
            env.step(int(actions[number]))
        assert np.flatnonzero(batch.step(actions)).tolist() == batch.ended.games.tolist()
        rewards = batch.rewards
        for place, number in enumerate(batch.ended.games):
            assert all(envs[number].terminations.values())
            assert rewards[number].tolist() == list(envs[number].rewards.values())
            for seat, agent in enumerate(batch.seats):
                last = {key: array[place, seat] for key, array in batch.ended.observation.items()}
                expected = envs[number].observe(agent)
                assert not expected.pop("action_mask").any() and same(last, expected)
            envs[number].reset(options={"lineups": batch.lineups(number)})
            finished += 1


def observed(batch: Batch, game: GameState, lineups: Mapping[str, str]) -> Iterator[tuple[int, dict]]:
    """The viewer and the observation before each ply of a game, if it began from other line-ups."""
    board = game.board
    batch.reset(lineups=[lineups])
    for seen in game.record:
        seat = int(batch.turns[0])
        yield viewer_seats(board, batch.visibility, seat), batch.observe()
        batch.step(np.array([frame_of(board.variant, seat).action_of(seen.move)]))


HIDING = [place for place in GAMES if place[1] != "open"]


@pytest.mark.parametrize(("variant", "visibility"), long_after(1, HIDING))
def test_batch_observations_do_not_depend_on_hidden_pieces(variant: str, visibility: str) -> None:
    board, batch = BOARDS[variant], Batch(1, variant, visibility)
    played, _ = scripted_game(board, 8)
    own = {board.seats[seat]: lineup for seat, lineup in played.lineups.items()}
    expected = list(observed(batch, played, own))
    for viewer in {viewer for viewer, _ in expected}:
        seats = tuple(seat for seat in range(len(board.seats)) if viewer >> seat & 1)
        shuffled = list(allowed(played, seats, 9))[:3]
        assert len(shuffled) == 3
        for lineups in shuffled:
            found = list(observed(batch, played, lineups))
            assert all(same(one, found[ply][1]) for ply, (at, one) in enumerate(expected) if at == viewer)


def test_every_seat_may_observe() -> None:
    batch, env = Batch(1, "siguo", "dark", seed=1), JunqiEnv("siguo", "dark")
    env.reset(options={"lineups": batch.lineups(0)})
    for seat, agent in enumerate(batch.seats):
        found = batch.observe(seats=[seat])
        assert same({key: array[0] for key, array in found.items()}, env.observe(agent))
    with pytest.raises(ValueError, match="seats: expected 1 numbers below 4"):
        batch.observe(seats=[4])


def test_games_start_from_given_lineups() -> None:
    given = {"S": "cbfahdehgegidcfkjkijgjhli"}
    batch = Batch(5, "luzhanqi", seed=1)
    batch.reset(2, [given])
    assert {batch.lineups(number)["S"] for number in range(5)} == {given["S"]}
    assert len({batch.lineups(number)["N"] for number in range(5)}) == 5
    before = batch.observe()
    with pytest.raises(junqi.BadLineup, match="N's line-up: a line-up has 25 letters"):
        batch.reset(3, [given, {"N": "abc"}])
    assert same(batch.observe(), before)


def test_wrong_arguments_are_refused() -> None:
    batch = Batch(2, "luzhanqi", seed=1)
    for other in (Batch(3, "luzhanqi").observe(), {**batch.observe(), "counts": np.zeros((2, 9))}, {}):
        with pytest.raises(ValueError, match=r"^out: .* is not an array of an earlier observation of this batch$"):
            batch.observe(out=other)
