"""Dependent rounding in plain Python, with the random numbers of the kernel."""

import math

from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT
from junqi_engine.splitmix import GOLDEN

MASK = (1 << 64) - 1
NEGLIGIBLE = 1e-9
LARGEST_MISS = 0.25
Node = tuple[str, int]


class Bits:
    """32 random bits at a time."""

    def __init__(self, seed: int) -> None:
        self._state = mix(seed + int(GOLDEN))

    def draw(self) -> int:
        self._state = self._state + int(GOLDEN) & MASK
        return mix(self._state) >> 32


def mix(state: int) -> int:
    state &= MASK
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
    return state ^ state >> 31


def is_open(chance: float) -> bool:
    return abs(chance - round(chance)) > NEGLIGIBLE


def entry(one: Node, other: Node) -> tuple[int, int]:
    """Piece and kind of the entry between two nodes."""
    return (one[1], other[1]) if one[0] == "piece" else (other[1], one[1])


Table = list[list[float]]


def draw_lineups(chances: Table, seed: int, count: int) -> list[list[int]]:
    """Line-ups, the kinds of 25 pieces each."""
    bits = Bits(seed)
    columns = [sum(row[kind] for row in chances) for kind in range(KINDS)]
    miss = sum(abs(found - expected) for found, expected in zip(columns, COUNTS, strict=True))
    group = max(1, int(min(count, LARGEST_MISS / max(miss, NEGLIGIBLE))))
    found: list[list[int]] = []
    while len(found) < count:
        size = min(group, count - len(found))
        found += split(rounded([[size * chance for chance in row] for row in chances], bits), size, bits)
    return found


def split(sums: Table, size: int, bits: Bits) -> list[list[int]]:
    """So many line-ups in which each piece is of each kind as often as `sums` say."""
    if size == 1:
        return [[row.index(1) for row in sums]]
    half = size // 2
    first = rounded([[half / size * entry for entry in row] for row in sums], bits)
    rest = [[entry - taken for entry, taken in zip(*rows, strict=True)] for rows in zip(sums, first, strict=True)]
    return split(first, half, bits) + split(rest, size - half, bits)


def rounded(table: Table, bits: Bits) -> Table:
    """Dependent rounding: every entry becomes the next lower or the next higher whole number."""
    pieces = [("piece", slot) for slot in range(PIECES_PER_SEAT)]
    nodes: list[Node] = [*pieces, *(("kind", kind) for kind in range(KINDS))]
    neighbours: dict[Node, list[Node]] = {node: [] for node in nodes}
    for slot, row in enumerate(table):
        for kind, chance in enumerate(row):
            if is_open(chance):
                neighbours["piece", slot].append(("kind", kind))
                neighbours["kind", kind].append(("piece", slot))
    way: list[Node] = []
    while any(neighbours.values()):
        if not way:
            way = [next(node for node in pieces if neighbours[node])]
        while True:
            choices = len(neighbours[way[-1]]) - (len(way) > 1)
            if choices == 0:
                first = len(way) - 2
                slot, kind = entry(way[-2], way[-1])
                shift = round(table[slot][kind]) - table[slot][kind]
                break
            choice = bits.draw() * choices >> 32
            if len(way) > 1 and neighbours[way[-1]][choice] == way[-2]:
                choice = choices
            node = neighbours[way[-1]][choice]
            way.append(node)
            if node in way[:-1]:
                first = way.index(node)
                shift = shift_of(table, way[first:], bits)
                break
        for step in range(first, len(way) - 1):
            slot, kind = entry(way[step], way[step + 1])
            table[slot][kind] += -shift if (step - first) % 2 else shift
            if not is_open(table[slot][kind]):
                remove(neighbours["piece", slot], ("kind", kind))
                remove(neighbours["kind", kind], ("piece", slot))
        way = way[: first + 1] if first else []
    return [[round(entry) for entry in row] for row in table]


def shift_of(table: Table, cycle: list[Node], bits: Bits) -> float:
    """By how much the entries of a cycle change: the first up, the second down, and so on."""
    entries = [table[slot][kind] for slot, kind in map(entry, cycle[:-1], cycle[1:])]
    below = [chance - math.floor(chance) for chance in entries]
    above = [1 - part for part in below]
    up, down = min(above[::2] + below[1::2]), min(below[::2] + above[1::2])
    return up if bits.draw() * (up + down) < down * 2**32 else -down


def remove(nodes: list[Node], node: Node) -> None:
    """The last one takes its place."""
    nodes[nodes.index(node)] = nodes[-1]
    nodes.pop()
