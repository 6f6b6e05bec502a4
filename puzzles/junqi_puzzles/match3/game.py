"""The record on which the kernels of match-3 work: a board under its rules, and scratch memory.

A board is a set of bit planes of 64-bit words: bit `row * stride + column` of plane i, rows from the top, is bit i of
that cell's kind, 0 for an empty cell. `stride` is the smallest power of two that holds a row, so no row lies in two
words, and the order of the bits is the order of squares in which equal lines are compared.

The kernels work on one record of two types: `SMALL` with 3 planes of one word, `LARGE` with 6 planes of 4 words. These
differ only in the shapes of their arrays, and each kernel is compiled for each type, its loops unrolled.

| field | meaning |
|---|---|
| planes, words | bit planes and words that a board needs when it is stored |
| kinds, stride | kinds 1..kinds, bits a row |
| points | points of a run of 3, of 4, of 5 |
| ignores_long | 1: a run of 6 or more neither scores nor is removed, nor does it make a swap legal |
| empty_swap | 1: a piece may be moved into an empty neighbour |
| is_plain | 1: the board has 3 planes of one word, no piece moves into an empty square, no long run is ignored |
| inner, column | bits of every column but the last, bits of the first column, in one word |
| area | the cells of the board |
| board | planes x words |
| right, down | the result of `find_swaps`: swaps with the right neighbour, with the lower one |
| pair_right, pair_down | cells equal to their right neighbour, to the lower one |
| removed | cells that are removed |
| cells | scratch |

A swap is a number: 2 * cell + 0 for the cell and its right neighbour, + 1 for the cell and the one below.
"""

from typing import Any

import numpy as np

from junqi_engine.kernels import record_type


def _game_record(planes: int, words: int) -> np.dtype:
    fields: list[tuple] = [
        (name, np.int64) for name in ("planes", "words", "kinds", "stride", "ignores_long", "empty_swap", "is_plain")
    ]
    fields += [
        ("points", np.int64, 3),
        ("inner", np.uint64),
        ("column", np.uint64),
        ("board", np.uint64, (planes, words)),
    ]
    masks = ("area", "right", "down", "pair_right", "pair_down", "removed", "cells")
    fields += [(name, np.uint64, (words,)) for name in masks]
    return np.dtype(fields, align=True)


SMALL, LARGE = _game_record(3, 1), _game_record(6, 4)
SMALL_TYPE, LARGE_TYPE = record_type(SMALL), record_type(LARGE)


def for_both(result: Any, *arguments: Any) -> list[Any]:
    """The two signatures of a kernel, with each type of record as its first argument."""
    return [result(game, *arguments) for game in (SMALL_TYPE, LARGE_TYPE)]
