"""The transposition table while it grows."""

import numpy as np

from junqi_engine.search.transposition import EMPTY, ENTRY, rehash


def test_stop_ends_growth_of_table_immediately() -> None:
    """To grow to a gigabyte takes about a second."""
    table = np.zeros(1 << 16, ENTRY)
    few, all_slots = np.uint64(len(table) // 2), np.uint64(len(table))
    table["data"][:few] = 1
    table["check"] = np.arange(len(table)) + all_slots // np.uint64(2)
    before = table.copy()
    assert not rehash(table, few, all_slots, np.ones(1, np.uint8))
    assert np.array_equal(table, before)
    assert rehash(table, few, all_slots, np.zeros(1, np.uint8))
    assert (table["data"] != EMPTY).sum() == few and not np.array_equal(table, before)
