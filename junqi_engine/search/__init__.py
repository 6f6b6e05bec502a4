"""Alpha-beta in one world, the transposition table, and the root search that compares moves over many worlds."""
