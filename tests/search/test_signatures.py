"""Every recipe has a pinned bench signature: a commit that changes how a player plays has to change it here."""

import numpy as np
import pytest

from junqi_engine.players.signature import bench
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from tests.helpers.marking import long_after

SIGNATURES = {
    ("luzhanqi", "5.0"): (1_791_155, 0xEC63F170),
    ("siguo", "1.2"): (20_742, 0x4EC96AC1),
    ("siguo", "5.0"): (3_573_706, 0x776F53F4),
    ("siguo", "1.1"): (23_231, 0xD28B09C4),
    ("siguo", "1.0"): (21_009, 0x065CFC2A),
    ("luzhanqi", "1.2"): (10_234, 0xB19B8748),
    ("luzhanqi", "1.1"): (13_933, 0xC73FCF7A),
    ("luzhanqi", "1.0"): (15_908, 0x4172C043),
}
"""Positions and signature by variant and version."""


def test_every_player_has_a_signature_in_every_variant() -> None:
    assert set(SIGNATURES) == {(variant, version) for variant in BOARDS for version in VERSIONS}


@pytest.mark.parametrize(("variant", "version"), long_after(3, SIGNATURES))
def test_signatures_of_players_are_unchanged(variant: str, version: str) -> None:
    found = bench(BOARDS[variant], version, np.zeros(1, np.uint8))
    assert (found.nodes, found.signature) == SIGNATURES[variant, version]


def test_stopped_bench_is_reported() -> None:
    for version in VERSIONS:
        assert not bench(BOARDS["luzhanqi"], version, np.ones(1, np.uint8)).is_complete
