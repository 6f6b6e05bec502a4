"""Every recipe has a pinned bench signature: a commit that changes how a player plays has to change it here."""

import numpy as np
import pytest

from junqi_engine.players.registry import RECIPES
from junqi_engine.players.signature import bench
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS

SIGNATURES = {
    ("siguo", "1.0"): (895_078, 0x65550261),
    ("siguo", "1.1"): (1_122_758, 0xA7E16234),
    ("siguo", "1.2"): (1_016_311, 0x2BDE6E36),
    ("siguo", "2.0"): (6_498_426, 0x1EAC9AA0),
    ("siguo", "3.0"): (6_498_426, 0x1EAC9AA0),
    ("siguo", "3.1"): (6_972_527, 0x8F55D1FB),
    ("siguo", "3.2"): (6_944_059, 0x2F9E879A),
    ("siguo", "3.3"): (7_452_244, 0x09A456C0),
    ("siguo", "3.4"): (6_834_844, 0xF3436063),
    ("siguo", "3.5"): (7_270_442, 0x1E5D7901),
    ("siguo", "3.6"): (7_124_773, 0x792F0D5D),
    ("luzhanqi", "1.0"): (447_766, 0x77FD0A89),
    ("luzhanqi", "1.1"): (423_673, 0x7D3D4157),
    ("luzhanqi", "1.2"): (379_208, 0x088DDEF8),
    ("luzhanqi", "2.0"): (2_373_727, 0x83EEA8C5),
    ("luzhanqi", "3.0"): (2_141_874, 0x2079C870),
    ("luzhanqi", "3.1"): (1_975_931, 0x713DE7D2),
    ("luzhanqi", "3.2"): (1_975_931, 0x713DE7D2),
    ("luzhanqi", "3.3"): (2_029_877, 0xCEAC69DE),
    ("luzhanqi", "3.4"): (2_079_894, 0xEDD6CFB4),
    ("luzhanqi", "3.5"): (2_217_750, 0x18832B06),
    ("luzhanqi", "3.6"): (2_091_473, 0x08CAE8A6),
}
"""By variant and version: positions and signature."""


def test_every_player_has_a_signature_in_every_variant() -> None:
    assert set(SIGNATURES) == {(variant, version) for variant in BOARDS for version in VERSIONS}
    assert tuple(RECIPES) == VERSIONS


@pytest.mark.parametrize(("variant", "version"), SIGNATURES)
def test_players_play_as_pinned(variant: str, version: str) -> None:
    found = bench(BOARDS[variant], version, np.zeros(1, np.uint8))
    assert (found.nodes, found.signature) == SIGNATURES[variant, version]


def test_a_stopped_bench_says_so() -> None:
    for version in VERSIONS:
        assert not bench(BOARDS["luzhanqi"], version, np.ones(1, np.uint8)).is_complete
