"""Every recipe has a pinned bench signature: a commit that changes how a player plays has to change it here."""

import numpy as np
import pytest

from junqi_engine.players.registry import RECIPES
from junqi_engine.players.signature import bench
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from tests.helpers.marking import long_after

SIGNATURES = {
    ("luzhanqi", "4.4"): (1_664_093, 0x923841F9),
    ("siguo", "1.2"): (1_016_311, 0x2BDE6E36),
    ("luzhanqi", "1.0"): (447_766, 0x77FD0A89),
    ("luzhanqi", "1.1"): (423_673, 0x7D3D4157),
    ("luzhanqi", "1.2"): (379_208, 0x088DDEF8),
    ("luzhanqi", "2.0"): (1_616_667, 0x65A18546),
    ("siguo", "4.4"): (5_246_633, 0x80A5796E),
    ("siguo", "2.0"): (6_100_573, 0x1A6CB90C),
    ("siguo", "1.1"): (1_122_758, 0xA7E16234),
    ("siguo", "1.0"): (895_078, 0x65550261),
}
"""By variant and version: positions and signature."""


def test_every_player_has_a_signature_in_every_variant() -> None:
    assert set(SIGNATURES) == {(variant, version) for variant in BOARDS for version in VERSIONS}
    assert tuple(RECIPES) == VERSIONS


@pytest.mark.parametrize(("variant", "version"), long_after(3, SIGNATURES))
def test_players_play_as_pinned(variant: str, version: str) -> None:
    found = bench(BOARDS[variant], version, np.zeros(1, np.uint8))
    assert (found.nodes, found.signature) == SIGNATURES[variant, version]


def test_a_stopped_bench_says_so() -> None:
    for version in VERSIONS:
        assert not bench(BOARDS["luzhanqi"], version, np.ones(1, np.uint8)).is_complete
