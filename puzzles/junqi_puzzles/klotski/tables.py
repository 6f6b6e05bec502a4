"""The tables of a board for kernels: placements, the steps between them, and positions as packed keys.

A *class* is a set of interchangeable pieces: those of one shape that the goal does not name. A piece that the goal
names is a class of its own. A *placement* is one way for a piece of a class to lie on the board, if the piece could
reach it alone. Placements are numbered through all classes, within a class in reading order.

A *key* is a position in one word, of 64 bits or of 128 where these do not suffice. Each class has fields in it:

- a class of one piece: the number of its placement within the class;
- a class of several: a bit for each placement, or, where that is shorter, a sorted list of numbers.

Positions that differ only in interchangeable pieces have the same key, and a step of a piece adds `code[to] -
code[from]` to it, except in a sorted list. A set of cells is a word of this width, too: a bit for each open cell (a
cell without a wall). Boards that need more than 128 bits for either are refused.
"""

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.errors import Refused
from junqi_engine.kernels import record_type
from junqi_puzzles.klotski.board import Board, Cells
from junqi_puzzles.klotski.placements import NOWHERE, Grid, from_bits, to_bits
from junqi_puzzles.klotski.words import NARROW, NARROW_BITS, WIDE, WIDE_BITS, as_words
from junqi_puzzles.metric import ANY_PATH

OPPOSITE = (1, 0, 3, 2)


class KeyField(NamedTuple):
    """A field of a key, as `KEY_FIELD` has it for kernels."""

    shift: int
    bits: int
    is_mask: bool
    base: int
    mask: int = 0
    class_begin: int = 0
    class_end: int = 0


KEY_FIELD = np.dtype(
    [
        ("shift", np.uint64),  # the lowest bit
        ("bits", np.uint64),  # the number of bits
        ("is_mask", np.int64),  # 1: a bit for each placement of the class; 0: the number of one placement within it
        ("base", np.uint64),  # the first placement of the class
        ("mask", np.uint64),  # of a number: its bits, without the shift
        ("class_begin", np.uint64),  # of a number: the first field of its class, among the fields that are numbers
        ("class_end", np.uint64),  # of a number: the end of its class, likewise
    ],
    align=True,
)


class StepTables(NamedTuple):
    """The tables as kernels take them. N placements, K classes, F fields, D directions (u, d, l, r).

    | array | shape | meaning |
    |---|---|---|
    | mask | (N,) | the open cells of a placement |
    | ring | (N,) | the cells that steps from or to a placement enter or leave |
    | step | (N, D) | the placement one cell further, or -1 |
    | class_of | (N,) | class of a placement |
    | code | (N,) | the part of a placement in the key |
    | class_first | (K + 1,) | the first of a class's pieces, in the order in which a key is decoded |
    | class_is_list | (K,) | 1: sorted list |
    | fields | (F,) of `KEY_FIELD` | the fields of a key |
    | goal | (2,) | a mask and a value: a key is a goal if `key & mask == value` |
    | max_cells | number | `Metric.max_cells` |
    """

    mask: np.ndarray
    ring: np.ndarray
    step: np.ndarray
    class_of: np.ndarray
    code: np.ndarray
    class_first: np.ndarray
    class_is_list: np.ndarray
    fields: np.ndarray
    goal: np.ndarray
    max_cells: int = ANY_PATH


WORDS = types.Array(types.uint64, 1, "C")
_INTS = types.Array(types.int32, 1, "C")
FIELDS = types.Array(record_type(KEY_FIELD), 1, "C")
TABLES_TYPE = types.NamedTuple(
    (WORDS, WORDS, types.Array(types.int32, 2, "C"), _INTS, WORDS, _INTS, _INTS, FIELDS, WORDS, types.int64), StepTables
)


@dataclass(frozen=True)
class Tables:
    """The tables of one board and goal.

    `cells` are the cells of each placement, bit `cell` for each; `masks` the same with open cells alone, bit n for the
    nth. `links` are the steps as lists. `first` is the first placement of each class, and at the end the number of
    placements. `reversed_steps` has every step reversed, for searches backwards.
    """

    board: Board
    cells: list[int]
    masks: list[int]
    links: list[list[int]]
    fields: list[KeyField]
    first: list[int]
    members: list[list[str]]
    steps: StepTables
    reversed_steps: StepTables
    is_reversible: bool
    memos: dict[tuple, Any] = field(default_factory=dict)
    """The memos of earlier searches, by metric and direction; see memo.py."""

    @cached_property
    def _number_of(self) -> list[dict[int, int]]:
        """The placement of each set of cells, by class."""
        return [
            {self.cells[place]: place for place in range(begin, end)} for begin, end in itertools.pairwise(self.first)
        ]

    @cached_property
    def max_successors(self) -> int:
        """An upper bound on the successors of a position, at least 1."""
        return max(1, int((np.diff(self.steps.class_first) * np.diff(self.first)).sum()))

    def places(self, board: Board) -> dict[str, int]:
        """The placement of each piece in a position of the same puzzle."""
        return {
            name: number_of[to_bits(board.pieces[name])]
            for names, number_of in zip(self.members, self._number_of, strict=True)
            for name in names
        }

    @property
    def dtype(self) -> np.dtype:
        return self.steps.goal.dtype

    def key(self, board: Board) -> Any:
        """The key of a position of the same puzzle."""
        key = 0
        place_of = self.places(board)
        fields = iter(self.fields)
        for names in self.members:
            field = None
            for place in sorted(place_of[name] for name in names):
                if field is None or not field.is_mask:
                    field = next(fields)
                value = place - field.base
                key |= 1 << field.shift + value if field.is_mask else value << field.shift
        return as_words([key], self.dtype)[0]

    def presence(self, keys: np.ndarray) -> np.ndarray:
        """Whether a piece lies at each placement, (n, N), for keys (n,)."""
        there = np.zeros((len(keys), len(self.cells)), bool)
        bits_of = np.unpackbits(keys.view(np.uint8).reshape(len(keys), -1), axis=1, bitorder="little")
        for shift, width, is_mask, base, *_ in self.fields:
            bits = bits_of[:, shift : shift + width]
            if is_mask:
                there[:, base : base + width] = bits
            else:
                there[np.arange(len(keys)), base + bits @ (1 << np.arange(width))] = True
        return there

    def pieces(self, key: Any) -> dict[str, Cells]:
        """The pieces of a key; interchangeable ones are named in reading order."""
        places = iter(np.flatnonzero(self.presence(np.array([key]))[0]).tolist())
        return {name: frozenset(from_bits(self.cells[next(places)])) for names in self.members for name in names}

    def board_of(self, key: Any) -> Board:
        """The position of a key."""
        return replace(self.board, pieces=self.pieces(key))

    def fits(self, board: Board) -> bool:
        """Whether these are tables of `board`: the same pieces, each on a placement that it can reach."""
        mine = self.board
        if replace(mine, pieces={}) != replace(board, pieces={}) or mine.pieces.keys() != board.pieces.keys():
            return False
        if any(mine.shape(cells) != mine.shape(board.pieces[name]) for name, cells in mine.pieces.items()):
            return False
        return all(
            to_bits(board.pieces[name]) in number_of
            for names, number_of in zip(self.members, self._number_of, strict=True)
            for name in names
        )


def tables_of(board: Board) -> Tables:
    """The tables of a board and its goal; a `Refused` too-large if they need more than a wide word."""
    if (count := board.width * board.height - len(board.walls)) > WIDE_BITS:
        raise Refused("too-large", f"the board has {count} cells without a wall; the limit is {WIDE_BITS}")
    grid = Grid(board)
    classes: dict[object, list[str]] = {}
    for name, cells in sorted(board.pieces.items(), key=lambda piece: min(piece[1])):
        classes.setdefault(name if name in board.goal else grid.shape(to_bits(cells)), []).append(name)
    names_of = list(classes.values())
    cells_of: list[int] = []
    links: list[list[int]] = []
    first = [0]
    for names in names_of:
        found = grid.placements([board.pieces[name] for name in names], names[0] in board.goal)
        base = first[-1]
        cells_of += found.cells
        links += [[NOWHERE if to == NOWHERE else base + to for to in steps] for steps in found.step]
        first.append(len(cells_of))
    back = _reversed(links) if board.gates else links  # only from a gate is there no way back
    masks = _open_cells(board, cells_of)
    place_counts = [end - begin for begin, end in itertools.pairwise(first)]

    fields, code, is_list = _pack([len(names) for names in names_of], place_counts)
    dtype = NARROW if max(count, sum(field.bits for field in fields)) <= NARROW_BITS else WIDE
    goal_mask = goal_value = 0
    for number, names in enumerate(names_of):
        if names[0] not in board.goal:
            continue
        goal_cells = to_bits(board.goal[names[0]])
        if goal_cells not in cells_of[first[number] : first[number + 1]]:
            goal_mask, goal_value = 0, 1  # no key matches
            break
        shift, bits, _, base, *_ = next(field for field in fields if field.base == first[number])
        goal_mask |= ((1 << bits) - 1) << shift
        goal_value |= cells_of.index(goal_cells, base) - base << shift
    steps = StepTables(
        mask=as_words(masks, dtype),
        ring=as_words(_rings(masks, links, back), dtype),
        step=np.array(links, np.int32),
        class_of=np.repeat(np.arange(len(names_of), dtype=np.int32), place_counts),
        code=as_words(code, dtype),
        class_first=np.array([*itertools.accumulate((len(names) for names in names_of), initial=0)], np.int32),
        class_is_list=np.array(is_list, np.int32),
        fields=np.array(fields, KEY_FIELD),
        goal=as_words([goal_mask, goal_value], dtype),
    )
    return Tables(
        board=board,
        cells=cells_of,
        masks=masks,
        links=links,
        fields=fields,
        first=first,
        members=names_of,
        steps=steps,
        reversed_steps=steps if back is links else steps._replace(step=np.array(back, np.int32)),
        is_reversible=links == back,
    )


def _reversed(links: list[list[int]]) -> list[list[int]]:
    """The steps reversed: for each placement and direction the placement from which that step leads to it."""
    back = [[NOWHERE] * len(OPPOSITE) for _ in links]
    for place, steps in enumerate(links):
        for to, opposite in zip(steps, OPPOSITE, strict=True):
            if to != NOWHERE:
                back[to][opposite] = place
    return back


def _open_cells(board: Board, cells_of: list[int]) -> list[int]:
    """The same sets of cells, numbered without the walls."""
    if not board.walls:
        return cells_of
    opened = [cell for cell in range(board.width * board.height) if cell not in board.walls]
    number_of = {cell: number for number, cell in enumerate(opened)}
    return [to_bits(number_of[cell] for cell in from_bits(cells)) for cells in cells_of]


def _rings(masks: list[int], links: list[list[int]], back: list[list[int]]) -> list[int]:
    """The cells beside each placement that steps from it enter or steps to it leave."""
    rings = []
    for mask, steps, steps_back in zip(masks, links, back, strict=True):
        ring = 0
        for to in steps if steps == steps_back else steps + steps_back:
            if to != NOWHERE:
                ring |= masks[to]
        rings.append(ring & ~mask)
    return rings


def _pack(piece_counts: list[int], place_counts: list[int]) -> tuple[list[KeyField], list[int], list[int]]:
    """Lay out the key: its fields, each placement's code, which classes are lists.

    Classes of several pieces have a bit for each placement while everything fits into 64 bits, since that is fastest.
    """
    number_bits = [(places - 1).bit_length() for places in place_counts]
    counts = list(zip(piece_counts, place_counts, number_bits, strict=True))
    as_masks = sum(bits if pieces == 1 else places for pieces, places, bits in counts)
    is_list = [int(as_masks > NARROW_BITS and pieces > 1 and pieces * bits < places) for pieces, places, bits in counts]
    fields: list[KeyField] = []
    code: list[int] = []
    shift = base = numbers = 0
    for (pieces, places, bits), listed in zip(counts, is_list, strict=True):
        if pieces == 1 or listed:
            rest = False, base, (1 << bits) - 1, numbers, numbers + pieces
            fields += [KeyField(shift + bits * piece, bits, *rest) for piece in range(pieces)]
            numbers += pieces
            shift += bits * pieces
            code += [place << shift - bits for place in range(places)]
        else:
            fields.append(KeyField(shift, places, True, base))
            code += [1 << shift + place for place in range(places)]
            shift += places
        base += places
    if shift > WIDE_BITS:
        raise Refused(
            "too-large", f"a position takes {shift} bits; the limit is {WIDE_BITS}: fewer pieces or a smaller board"
        )
    return fields, code, is_list
