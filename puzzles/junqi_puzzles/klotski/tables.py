"""The tables that kernels need of a board: placements, the steps between them, and positions as packed keys.

A *class* is a set of interchangeable pieces: those of one shape that the goal does not name. A piece that the goal
names is a class of its own. A *placement* is one way for a piece of a class to lie on the board; only those that it
could reach if it were alone are counted. Placements are numbered through all classes, those of a class in reading
order.

A *key* is a position in `words` words of 64 bits. Each class has fields in it:

- a class of one piece: the number of its placement within the class;
- a class of several: a bit for each placement, or, where that is shorter, a sorted list of numbers.

So positions that differ only in interchangeable pieces have the same key, and a step of a piece adds `code[to] -
code[from]` to it, except in a sorted list. The open cells of the board, those without a wall, are the bits of
`cell_words` words.
"""

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba.core import types

from junqi_puzzles.klotski.board import Board, Cells
from junqi_puzzles.klotski.placements import NOWHERE, Grid, from_bits, to_bits

OPPOSITE = (1, 0, 3, 2)
WORD_BITS = 64
WORD = (1 << WORD_BITS) - 1

_U64 = types.Array(types.uint64, 1, "C")
_I32 = types.Array(types.int32, 1, "C")
_FIELDS = types.Array(types.int64, 2, "C")
TABLES_TYPE = types.Tuple(
    (
        types.Array(types.uint64, 2, "C"),  # mask
        types.Array(types.uint64, 2, "C"),  # ring
        types.Array(types.int32, 2, "C"),  # step
        _I32,  # class_of
        _I32,  # code_word
        _U64,  # code
        _I32,  # class_first
        _I32,  # class_is_list
        _FIELDS,  # fields
        types.Array(types.uint64, 1, "C"),  # goal_mask
        types.Array(types.uint64, 1, "C"),  # goal_value
    )
)
"""The arguments of kernels, in this order; see `Tables`."""


@dataclass(frozen=True)
class Tables:
    """The tables of one board and goal. N placements, K classes, P pieces, D directions (u, d, l, r).

    `cells` are the cells of each placement, bit `cell` for each; `masks` the same with the open cells alone, bit n for
    the nth. `first` is the first placement of each class, and their number at the end; `links` are `step` as lists.

    | array | shape | meaning |
    |---|---|---|
    | mask | (N, cell_words) | the open cells of a placement |
    | ring | (N, cell_words) | the cells that its steps enter, and those that steps to it come from |
    | step | (N, D) | the placement one cell further, or -1 |
    | back | (N, D) | the placement from which the step in the opposite direction leads here, or -1 |
    | class_of | (N,) | class of a placement |
    | code_word, code | (N,) | which word of the key a placement is in, and what it adds there |
    | class_first | (K + 1,) | the first of a class's pieces, in the order in which a key is decoded |
    | class_is_list | (K,) | 1: sorted list |
    | fields | (F, 5) | word, shift, bits, 1 for a bit each or 0 for a number, first placement |
    | goal_mask, goal_value | (words,) | a key is a goal when `key & goal_mask == goal_value` in all words |
    """

    board: Board
    cells: list[int]
    masks: list[int]
    links: list[list[int]]
    first: list[int]
    members: list[list[str]]
    words: int
    cell_words: int
    mask: np.ndarray
    ring: np.ndarray
    step: np.ndarray
    back: np.ndarray
    class_of: np.ndarray
    code_word: np.ndarray
    code: np.ndarray
    class_first: np.ndarray
    class_is_list: np.ndarray
    fields: np.ndarray
    goal_mask: np.ndarray
    goal_value: np.ndarray
    is_reversible: bool
    goal_is_reachable: bool
    memos: dict[tuple, Any] = field(default_factory=dict)
    """What searches learned about the steps, kept for later searches; see memo.py."""

    @property
    def arrays(self) -> tuple:
        """The tables as kernels take them."""
        return self._with(self.step)

    @property
    def reversed_arrays(self) -> tuple:
        """The same with every step reversed, for searches from a position to those before it."""
        return self._with(self.back)

    def _with(self, step: np.ndarray) -> tuple:
        return (
            self.mask, self.ring, step, self.class_of, self.code_word, self.code, self.class_first,
            self.class_is_list, self.fields, self.goal_mask, self.goal_value,
        )  # fmt: skip

    @cached_property
    def _number_of(self) -> list[dict[int, int]]:
        """The placement of given cells, by class."""
        return [
            {self.cells[place]: place for place in range(begin, end)} for begin, end in itertools.pairwise(self.first)
        ]

    def places(self, board: Board) -> dict[str, int]:
        """The placement of each piece in a position of the same puzzle."""
        return {
            name: number_of[to_bits(board.pieces[name])]
            for names, number_of in zip(self.members, self._number_of, strict=True)
            for name in names
        }

    def key(self, board: Board) -> np.ndarray:
        """The key of a position of the same puzzle."""
        key = [0] * self.words
        place_of = self.places(board)
        element_fields = iter([field for field in self.fields.tolist() if not field[3]])
        for number, names in enumerate(self.members):
            for place in sorted(place_of[name] for name in names):
                if len(names) == 1 or self.class_is_list[number]:
                    word, shift, _, _, base = next(element_fields)
                    key[word] |= (place - base) << shift
                else:
                    key[self.code_word[place]] |= int(self.code[place])
        return np.array(key, np.uint64)

    def presence(self, keys: np.ndarray) -> np.ndarray:
        """Whether a piece lies at each placement, (n, N), for keys (n, words)."""
        there = np.zeros((len(keys), len(self.cells)), bool)
        one = np.uint64(1)
        for word, shift, bits, is_mask, base in self.fields.tolist():
            values = keys[:, word] >> np.uint64(shift)
            if is_mask:
                there[:, base : base + bits] = values[:, None] >> np.arange(bits, dtype=np.uint64) & one
            else:
                values = values & np.uint64((1 << bits) - 1)
                there[np.arange(len(keys)), base + values.astype(np.int64)] = True
        return there

    def pieces(self, key: np.ndarray) -> dict[str, Cells]:
        """The pieces of a key; interchangeable ones are named in reading order."""
        places = iter(np.flatnonzero(self.presence(key[None, :])[0]).tolist())
        return {name: frozenset(from_bits(self.cells[next(places)])) for names in self.members for name in names}

    def board_of(self, key: np.ndarray) -> Board:
        """The position of a key."""
        return replace(self.board, pieces=self.pieces(key))

    def fits(self, board: Board) -> bool:
        """Whether these are tables of `board`: it has the same pieces, and each lies where it could have come."""
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
    """The tables of a board and its goal."""
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
    masks, cell_words = _open_cells(board, cells_of)
    place_counts = [end - begin for begin, end in itertools.pairwise(first)]

    fields, code_word, code, is_list, words = _pack([len(names) for names in names_of], place_counts)
    goal_mask, goal_value = [0] * words, [0] * words
    goal_is_reachable = True
    for number, names in enumerate(names_of):
        if names[0] not in board.goal:
            continue
        goal_cells = to_bits(board.goal[names[0]])
        if goal_cells not in cells_of[first[number] : first[number + 1]]:
            goal_is_reachable = False
            break
        word, shift, width, _, base = next(field for field in fields if field[4] == first[number])
        goal_mask[word] |= ((1 << width) - 1) << shift
        goal_value[word] |= cells_of.index(goal_cells, base) - base << shift
    if not goal_is_reachable:
        goal_mask, goal_value = [0] * words, [1] * words  # no key matches
    step = np.array(links, np.int32)
    return Tables(
        board=board,
        cells=cells_of,
        masks=masks,
        links=links,
        first=first,
        members=names_of,
        words=words,
        cell_words=cell_words,
        mask=_in_words(masks, cell_words),
        ring=_in_words(_rings(masks, links, back), cell_words),
        step=step,
        back=step if back is links else np.array(back, np.int32),
        class_of=np.repeat(np.arange(len(names_of), dtype=np.int32), place_counts),
        code_word=np.array(code_word, np.int32),
        code=np.array(code, np.uint64),
        class_first=np.array([*itertools.accumulate((len(names) for names in names_of), initial=0)], np.int32),
        class_is_list=np.array(is_list, np.int32),
        fields=np.array(fields, np.int64),
        goal_mask=np.array(goal_mask, np.uint64),
        goal_value=np.array(goal_value, np.uint64),
        is_reversible=links == back,
        goal_is_reachable=goal_is_reachable,
    )


def _reversed(links: list[list[int]]) -> list[list[int]]:
    """For each placement those from which a step in the opposite direction leads to it."""
    back = [[NOWHERE] * len(OPPOSITE) for _ in links]
    for place, steps in enumerate(links):
        for to, opposite in zip(steps, OPPOSITE, strict=True):
            if to != NOWHERE:
                back[to][opposite] = place
    return back


def _open_cells(board: Board, cells_of: list[int]) -> tuple[list[int], int]:
    """The same sets of cells with the walls left out of the numbering, and how many words they take."""
    count = board.width * board.height
    if board.walls:
        opened = [cell for cell in range(count) if cell not in board.walls]
        number_of = {cell: number for number, cell in enumerate(opened)}
        cells_of = [to_bits(number_of[cell] for cell in from_bits(cells)) for cells in cells_of]
        count = len(opened)
    return cells_of, max(1, -(-count // WORD_BITS))


def _rings(masks: list[int], links: list[list[int]], back: list[list[int]]) -> list[int]:
    """For each placement the cells that its steps enter, and those that steps to it come from."""
    rings = []
    for mask, steps, steps_back in zip(masks, links, back, strict=True):
        ring = 0
        for to in steps if steps == steps_back else steps + steps_back:
            if to != NOWHERE:
                ring |= masks[to]
        rings.append(ring & ~mask)
    return rings


def _in_words(numbers: list[int], words: int) -> np.ndarray:
    """Numbers as rows of words, the lowest bits first."""
    if words == 1:
        return np.array(numbers, np.uint64)[:, None]
    return np.array([[number >> WORD_BITS * word & WORD for word in range(words)] for number in numbers], np.uint64)


def _pack(
    piece_counts: list[int], place_counts: list[int]
) -> tuple[list[list[int]], list[int], list[int], list[int], int]:
    """Lay out the key: its fields, each placement's word and code, which classes are lists, the number of words.

    Classes of several pieces have a bit for each placement while everything fits into one word, since that is fastest.
    """
    number_bits = [(places - 1).bit_length() for places in place_counts]
    counts = list(zip(piece_counts, place_counts, number_bits, strict=True))
    as_masks = sum(bits if pieces == 1 else places for pieces, places, bits in counts)
    is_list = [int(as_masks > 64 and pieces > 1 and pieces * bits < places) for pieces, places, bits in counts]
    fields: list[list[int]] = []
    code_word: list[int] = []
    code: list[int] = []
    word = shift = base = 0
    for (pieces, places, bits), listed in zip(counts, is_list, strict=True):
        if pieces == 1 or listed:
            for _ in range(pieces):
                if shift + bits > 64:
                    word, shift = word + 1, 0
                fields.append([word, shift, bits, 0, base])
                shift += bits
            code_word += [word] * places
            code += [place << shift - bits for place in range(places)]
        else:
            for place in range(places):
                if shift == 64:
                    word, shift = word + 1, 0
                if place == 0 or shift == 0:
                    fields.append([word, shift, 0, 1, base + place])
                fields[-1][2] += 1
                code_word.append(word)
                code.append(1 << shift)
                shift += 1
        base += places
    return fields, code_word, code, is_list, word + 1
