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
    ("siguo", "1.2"): (22_594, 0x6CFD35A3),
    ("luzhanqi", "1.0"): (11_895, 0x65DCFC5E),
    ("luzhanqi", "1.1"): (10_919, 0x2EFA8ACD),
    ("luzhanqi", "1.2"): (11_249, 0x48C36EDA),
    ("luzhanqi", "2.0"): (1_616_667, 0x65A18546),
    ("siguo", "4.4"): (5_246_633, 0x80A5796E),
    ("siguo", "2.0"): (6_100_573, 0x1A6CB90C),
    ("siguo", "1.1"): (23_652, 0xA5EA04DE),
    ("siguo", "1.0"): (20_605, 0x1A3B2552),
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
