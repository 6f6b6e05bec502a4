"""The record with all suffixes, and the ending, for a GUI without rules."""

import random

import pytest

import junqi_engine as junqi
from junqi_engine.rules.board import BOARDS
from tests.helpers.engine import Engine, errors


def played(variant: str, seed: int) -> junqi.Game:
    """A random game with many battles, to its end."""
    game, rng = junqi.Game(variant, seed=seed), random.Random(seed)
    while not game.is_game_over():
        legal = game.legal_moves
        attacks = [move for move in legal if game.piece_at(move.to_point)]
        if rng.random() < 0.01:
            game.resign(rng.choice(game.alive))
        else:
            game.push(rng.choice(attacks or legal))
    return game


def start(game: junqi.Game, viewer: str) -> str:
    seats = game.seats if viewer == "*" else viewer
    lineups = " ".join(f"{seat}:{game.lineups[seat]}" for seat in seats)
    return f"position startpos lineup {lineups} viewer {viewer} moves "


def told(engine: Engine, *lines: str) -> list[str]:
    return [line.removeprefix("info string ") for line in engine.ask(*lines)[:-1]]


@pytest.mark.parametrize("variant", BOARDS)
def test_moves_command_adds_suffixes(engine: Engine, variant: str) -> None:
    engine.ask(f"setoption name UCI_Variant value {variant}")
    for seed in range(2):
        game = played(variant, seed)
        bare = " ".join(move.bare for move in game.move_stack)
        result = "result draw" if game.result == "draw" else f"result {game.result} wins"
        record = [f"moves {' '.join(game.move_stack)}", f"ending {game.ending}", result]
        assert told(engine, start(game, "*") + bare, "moves") == record
        assert told(engine, "d")[-1] == result


def test_seat_gets_only_seen_moves(engine: Engine) -> None:
    game = played("siguo", 7)
    moves = " ".join(game.move_stack)
    heard = told(engine, start(game, "S") + moves, "moves")
    assert heard[0] == f"moves {moves}" and len(heard) == 2 and heard[1].startswith("result ")


def test_moves_of_running_game_and_of_fen_are_printed(engine: Engine) -> None:
    fen = "1Nl3/Sc1Nh2/5/5/5/5/Na4/Sa4/5/5/5/3Sl1 S SN * 0 0"
    engine.ask("setoption name UCI_Variant value luzhanqi", "position startpos viewer *")
    assert told(engine, "moves") == ["moves"]
    assert told(engine, f"position fen {fen} moves a5a6 pass:N", "moves") == ["moves a5a6=!d1!b12 pass:N"]
    flag_taken = [f"position fen {fen} moves a5a6 c11c12", f"position fen {fen} moves a5a6 c11c12 a11b11 c12c11 b11b12"]
    expected = ["moves a5a6=!d1!b12 c11c12 a11b11 c12c11 b11b12x#N", "ending flag", "result S wins"]
    assert told(engine, *flag_taken, "moves") == expected


def test_other_variants_have_no_moves(engine: Engine) -> None:
    assert errors(engine.ask("setoption name UCI_Variant value klotski", "moves")) == ["not-supported"]
