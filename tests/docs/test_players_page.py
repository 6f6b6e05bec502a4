"""The page of the players: the position that explains flag safety."""

import junqi_engine as junqi
from junqi_engine.evaluation.parameters import numbers_of, packaged_parameters
from tests.helpers.referee import ROOT
from tests.references.slow_flag_safety import flag_safety
from tests.references.slow_junqi import SlowGame

FEN = "1Nl3/1Nj3/2Nf2/1Nh3/5/2Ng2/5/3Nb1/Sf4/2Sd2/2SkSc1/3SlSj S SN * 0 60"


def test_picture_of_flag_safety_shows_the_position() -> None:
    assert (ROOT / "docs/flag-safety.svg").read_text("utf-8") == junqi.Game.from_fen(FEN).svg() + "\n"


def test_page_tells_the_bonuses_of_the_packaged_parameters() -> None:
    game = SlowGame.from_fen(FEN, "luzhanqi")
    pieces = {f"{seat}{letter}": name for name, (seat, letter) in game.pieces.items()}
    assert [pieces[piece] for piece in ("Sd", "Sf", "Sk", "Sc", "Sl")] == ["c3", "a4", "c2", "d2", "d1"]
    bonuses = flag_safety(game, numbers_of(packaged_parameters("luzhanqi")))
    assert bonuses["S", "c", "d2"] == 933 and bonuses["S", "f", "d2"] == 879
    assert bonuses["S", "k", "c2"] == 266
    assert ("S", "d", "c3") not in bonuses and bonuses["S", "d", "d3"] == 213
