"""Why a move is not legal: the same words from the library, the engine, the referee and the environments."""

import random
import re

import pytest

import junqi_engine as junqi
from junqi_engine.notation.fen import format_fen
from junqi_engine.rules.board import LUZHANQI
from junqi_protocol.commands import COMMANDS
from tests.helpers.drawing import view_of
from tests.helpers.engine import Engine
from tests.helpers.marking import long_after

DRAWING = """
       a  b  c  d  e
   12  .. Nl .. .. ..
   11  .. .. .. .. Na
    7  .. .. Nb .. ..
    6  Sc .. Sd .. ..
    5  Se Nh .. .. ..
    2  Sj .. Si .. Sf
    1  .. Sl .. Sk ..
"""
REASONS = [
    ("d6d7", "no piece stands on d6"),
    ("c7c8", "the piece on c7 is N's, and S is to move"),
    ("b1b2", "b1 is a headquarters, and no piece leaves one"),
    ("a2a3", "the piece on a2 is a Landmine, which cannot move"),
    ("c6c6", "the piece stands on c6 already"),
    ("c6d4", "no road or railway leads from c6 to d4"),
    ("c6c8", "no road or railway leads from c6 to c8"),
    ("c6e4", "the railway from c6 to e4 turns, and only an Engineer can turn"),
    ("a6a5", "a5 is taken by a piece of the same team"),
    ("a6b5", "b5 is a campsite, and the piece on it cannot be attacked"),
    ("a6a3", "the way is blocked at a5"),
    ("a6e6", "the way is blocked at c6"),
    ("c2e6", "every way from c2 to e6 is blocked"),
    ("resign:E", "'resign:E': E is not a seat"),
    ("pass:N", "S is to move"),
    ("c6f6", "'c6f6': f6 is not a point of the board"),
    ("c6", "'c6' is not a move"),
]
LINEUP = "cbfahdehgegidcfkjkijgjhli"


def refusal(position: junqi.Game | junqi.View, move: str) -> str:
    with pytest.raises(junqi.IllegalMove) as error:
        position.push(move)
    return str(error.value)


def test_refusal_names_its_reason() -> None:
    game = junqi.Game.from_fen(format_fen(view_of(DRAWING, board=LUZHANQI)))
    for move, reason in REASONS:
        told = refusal(game, move)
        assert told in (reason, f"{move}: {reason}")
        assert {refusal(game.view(viewer), move) for viewer in ("S", "*")} == {told}
    for position in (game, game.view("S")):
        position.push("resign:N")
        for move in ("c6c7", "resign:S", "pass:S"):
            assert refusal(position, move) == f"{move}: the game has ended"


@pytest.mark.parametrize(("variant", "plies"), long_after(1, [("siguo", 40), ("luzhanqi", 0), ("luzhanqi", 40)]))
def test_refusals_are_true_and_equal_for_all_viewers(variant: str, plies: int) -> None:
    game, rng = junqi.Game(variant, seed=3), random.Random(3)
    for _ in range(plies):
        game.push(rng.choice(game.legal_moves))
    view, legal, team = game.view(game.turn), set(game.legal_moves), next(t for t in game.teams if game.turn in t)
    pieces = game.piece_map()
    kinds = set()
    for start in set(rng.sample(sorted({move.from_point for move in legal}), 4)) | set(rng.sample(game.points, 10)):
        for target in game.points:
            if f"{start}{target}" in legal:
                continue
            told = refusal(game, f"{start}{target}").removeprefix(f"{start}{target}: ")
            assert refusal(view, f"{start}{target}").endswith(told)
            if match := re.fullmatch(r"the way is blocked at (\w+)", told):
                assert match[1] in pieces and match[1] not in (start, target)
            assert (start not in pieces) == told.startswith("no piece stands")
            assert (pieces.get(start, junqi.Piece(game.turn, "a")).seat != game.turn) == told.endswith("is to move")
            assert not told.endswith("the same team") or pieces[target].seat in team
            assert "only an Engineer" not in told or pieces[start].letter != "i"
            kinds.add(re.sub(r"\b[a-q]\d+\b|Landmine|Flag|\b[SENW]\b", "", told))
    assert len(kinds) >= 6


WRONG = {
    "luzhanqi": [
        ("position startpos viewer * moves a6a7#N", "impossible-outcome a6a7: it does not eliminate these seats"),
        ("position startpos viewer * moves a6a7=#N", "impossible-outcome a6a7: the battle has another outcome"),
        ("position startpos viewer * moves a6a7o", "impossible-outcome a6a7: the battle has another outcome"),
        ("position startpos viewer * moves a6a7x!b12", "impossible-outcome a6a7: it does not reveal these flags"),
        ("position startpos viewer * moves a6a7x#N", "impossible-outcome a6a7: it does not eliminate these seats"),
        ("position startpos viewer * moves a6b5x", "impossible-outcome a6b5: b5 is empty"),
        ("position startpos viewer * moves a6a7!b12", "bad-move 'a6a7!b12': x, o or = is missing before the flag"),
        ("position startpos viewer S moves a6a7#N", "missing-outcome a6a7: "),
        ("position startpos viewer E", "bad-position viewer 'E' is not one seat (S or N) or *"),
        ("go hint", "not-supported luzhanqi does not support 'go hint'"),
    ],
    "siguo": [
        ("position startpos viewer SE", "bad-position viewer 'SE' is not one seat, one team (SN or EW) or *"),
    ],
    "match3": [
        ("position startpos moves a1a2", "illegal-move a1a2: both cells hold the same kind"),
        ("position startpos moves a2a1", "illegal-move a2a1: both cells hold the same kind"),
        ("position startpos moves c1b1", "illegal-move c1b1 makes no run"),
        ("go searchmoves a1a2", "illegal-move go searchmoves a1a2: "),
        ("moves", "not-supported match3 does not support 'moves'"),
    ],
    "klotski": [("go searchmoves Gd", "not-supported klotski does not support 'go searchmoves'")],
}


@pytest.mark.parametrize("variant", WRONG)
def test_rejection_names_input_and_reason(engine: Engine, variant: str) -> None:
    for line, reason in WRONG[variant]:
        engine.ask(f"setoption name UCI_Variant value {variant}")
        heard = engine.ask(line, until="bestmove" if line.startswith("go") else "readyok")
        assert next(said for said in heard if " error " in said).startswith(f"info string error {reason}"), line


def test_help_in_puzzle_lists_puzzle_commands(engine: Engine) -> None:
    names = {}
    for variant in ("luzhanqi", "klotski"):
        said = engine.ask(f"setoption name UCI_Variant value {variant}", "help")[:-1]
        names[variant] = {line.split()[2] for line in said}
    assert names["luzhanqi"] == set(COMMANDS)
    assert names["luzhanqi"] - names["klotski"] == {"moves", "belief", "bench"}


def test_refusals_do_not_depend_on_hidden_pieces() -> None:
    """Two games that differ in the line-ups of the enemy only: the same words, at every point."""
    one, other = (junqi.Game("siguo", {"S": LINEUP, "N": LINEUP}, seed=seed) for seed in (1, 2))
    assert one.lineups["E"] != other.lineups["E"]
    views, legal = [game.view("SN") for game in (one, other)], set(one.legal_moves)
    for start in one.points[:75]:
        for target in one.points[::3]:
            move = f"{start}{target}"
            if move not in legal:
                assert len({refusal(view, move) for view in views}) == 1
