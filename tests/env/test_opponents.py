"""Players 1.0 to 1.2 in a batch: they answer the events that the players answer, with the same moves."""

import random

import pytest

import junqi_engine as junqi
from junqi_engine.env import Batch, frame_of
from junqi_engine.env.opponents import VERSIONS
from junqi_engine.notation.moves import format_code
from junqi_engine.players.registry import event_recipe
from junqi_engine.rules.board import BOARDS
from tests.helpers.marking import long_after

GAMES = [(variant, version) for version in reversed(VERSIONS) for variant in BOARDS]


def last_moves(batch: Batch, number: int, plies: int) -> list[int]:
    """The last moves of a game, the first one first, as its planes tell them."""
    seat, observation = int(batch.turns[number]), batch.observe()["observation"][number]
    frame, first = frame_of(batch.variant, seat), len(batch.seats) + 13
    starts, targets = (observation[:, first + 8 * side : first + 8 * (side + 1)].argmax(axis=0) for side in range(2))
    pairs = zip(starts[:plies], targets[:plies], strict=True)
    return [frame.move_of(int(start) * len(frame.absolute) + int(target)) for start, target in pairs][::-1]


@pytest.mark.bounds
@pytest.mark.parametrize(("variant", "version"), long_after(2, GAMES))
def test_an_opponent_plays_what_the_player_plays(variant: str, version: str) -> None:
    """Where no event has an answer, it plays a legal move; that both are as often is not seen here."""
    board, rng, answered = BOARDS[variant], random.Random(1), set[str]()
    others = dict.fromkeys(board.seats[1:], version)
    batch = Batch(2, variant, "dark", seed=3, history=8, opponents=others, auto_reset=False)
    games = [junqi.Game(variant, batch.lineups(number)) for number in range(2)]
    for _ in range(150):
        goes_on = [number for number in range(2) if not batch.results[number]]
        before, actions = batch.plies, batch.random_actions()
        for number in goes_on:
            seat = games[number].state.turn
            assert seat == 0
            move = rng.choice(games[number].state.legal_moves())
            actions[number] = frame_of(variant, seat).action_of(move)
        batch.step(actions)
        for number in goes_on:
            plies = int(batch.plies[number] - before[number])
            game = games[number]
            if batch.results[number] or plies > 8:
                continue
            for place, move in enumerate(last_moves(batch, number, plies)):
                if place:
                    view = game.view(game.turn).state
                    legal = view.legal_moves()
                    answer = event_recipe(version).choose(view, 1, legal)
                    assert move == answer.move if answer.event != "random" else move in legal
                    answered.add(answer.event)
                game.push(format_code(board, move))
            assert game.turn == board.seats[batch.turns[number]]
    assert "random" in answered and (version == "1.0" or len(answered) > 3)
