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
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numba.core import types

from puzzles.klotski.board import DIRECTIONS, Board, Cells

OPPOSITE = (1, 0, 3, 2)

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
    placements: list[Cells]
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
    def masks(self) -> list[int]:
        """The cells of each placement as one number."""
        return [sum(int(word) << 64 * number for number, word in enumerate(row)) for row in self.mask.tolist()]

    @cached_property
    def links(self) -> list[list[int]]:
        """`step` as lists."""
        return self.step.tolist()

    @cached_property
    def _number_of(self) -> list[dict[Cells, int]]:
        """The placement of given cells, by class."""
        return [
            {self.placements[place]: place for place in range(begin, end)}
            for begin, end in zip(self.first[:-1], self.first[1:], strict=True)
        ]

    def places(self, board: Board) -> dict[str, int]:
        """The placement of each piece in a position of the same puzzle."""
        return {
            name: number_of[board.pieces[name]]
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
        there = np.zeros((len(keys), len(self.placements)), bool)
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
        return {name: self.placements[next(places)] for names in self.members for name in names}


def tables_of(board: Board) -> Tables:
    """The tables of a board and its goal."""
    classes: dict[object, list[str]] = {}
    in_order = sorted(board.pieces, key=lambda name: min(board.pieces[name]))
    for name in in_order:
        classes.setdefault(name if name in board.goal else board.shape(board.pieces[name]), []).append(name)
    members = list(classes.values())
    placements: list[Cells] = []
    first = [0]
    for names in members:
        placements += sorted(_reachable(board, names), key=sorted)
        first.append(len(placements))
    number_of = [
        {cells: begin + i for i, cells in enumerate(placements[begin:end])} for begin, end in itertools.pairwise(first)
    ]
    class_of = np.repeat(np.arange(len(members), dtype=np.int32), np.diff(first))

    step = np.full((len(placements), 4), -1, np.int32)
    for place, cells in enumerate(placements):
        name = members[class_of[place]][0]
        for direction, letter in enumerate(DIRECTIONS):
            moved = board.slide(name, cells, letter)
            if moved is not None:
                step[place, direction] = number_of[class_of[place]][moved]
    back = np.full_like(step, -1)
    for place, direction in np.argwhere(step >= 0):
        back[step[place, direction], OPPOSITE[direction]] = place

    bit_of = {cell: bit for bit, cell in enumerate(sorted(set(range(board.width * board.height)) - board.walls))}
    cell_words = max(1, -(-len(bit_of) // 64))
    mask = np.array([_bits((bit_of[cell] for cell in cells), cell_words) for cells in placements], np.uint64)
    ring = np.zeros_like(mask)
    for place, links in enumerate(np.hstack([step, back])):
        for link in links[links >= 0]:
            ring[place] |= mask[link] & ~mask[place]

    fields, code_word, code, is_list, words = _pack([len(names) for names in members], np.diff(first).tolist())
    goal_mask, goal_value = [0] * words, [0] * words
    goal_is_reachable = True
    for number, names in enumerate(members):
        if names[0] not in board.goal:
            continue
        goal_place = number_of[number].get(board.goal[names[0]])
        if goal_place is None:
            goal_is_reachable = False
            continue
        word, shift, bits, _, _ = next(field for field in fields if field[4] == first[number])
        goal_mask[word] |= ((1 << bits) - 1) << shift
        goal_value[word] |= (goal_place - first[number]) << shift
    return Tables(
        board=board,
        placements=placements,
        first=first,
        members=members,
        words=words,
        cell_words=cell_words,
        mask=mask,
        ring=ring,
        step=step,
        back=back,
        class_of=class_of,
        code_word=np.array(code_word, np.int32),
        code=np.array(code, np.uint64),
        class_first=np.cumsum([0, *(len(names) for names in members)], dtype=np.int32),
        class_is_list=np.array(is_list, np.int32),
        fields=np.array(fields, np.int64),
        goal_mask=np.array(goal_mask, np.uint64),
        goal_value=np.array(goal_value, np.uint64),
        is_reversible=bool((step == back).all()),
        goal_is_reachable=goal_is_reachable,
    )


def _reachable(board: Board, names: list[str]) -> set[Cells]:
    """The cells that a piece of a class could reach on the board without any other piece."""
    found = {board.pieces[name] for name in names}
    waiting = list(found)
    while waiting:
        cells = waiting.pop()
        for direction in DIRECTIONS:
            moved = board.slide(names[0], cells, direction)
            if moved is not None and moved not in found:
                found.add(moved)
                waiting.append(moved)
    return found


def _bits(bits: object, words: int) -> list[int]:
    value = sum(1 << bit for bit in bits)  # type: ignore[attr-defined]
    return [value >> 64 * word & (2**64 - 1) for word in range(words)]


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
