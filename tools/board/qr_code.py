"""QR codes (ISO/IEC 18004) for short addresses: byte mode, error correction level L, versions 1 to 5.

These versions have one block of codewords and no version information, which is what makes this file short. The layout
follows the standard: finder, timing and alignment patterns, the format with its BCH code, the data in columns of two
from the lower right, eight masks of which the one with the fewest penalty points is used.
"""

from collections.abc import Callable, Iterator
from itertools import groupby

from tools.board.errors import RequestError

DATA_CODEWORDS = (19, 34, 55, 80, 108)
"""By version, the codewords for data at level L."""
CHECK_CODEWORDS = (7, 10, 15, 20, 26)
MAX_BYTES = DATA_CODEWORDS[-1] - 2
"""The mode and the length take 12 bits."""
PAD = (0xEC, 0x11)
FIELD_POLYNOMIAL = 0x11D
FORMAT_POLYNOMIAL, FORMAT_MASK = 0x537, 0x5412
LEVEL_L = 0b01
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)

Grid = list[list[bool]]


def qr_code(words: str) -> list[str]:
    """The modules of the code, a text of 0 and 1 a row, without the quiet zone of four modules around it.

    `RequestError` for a text of more than 106 bytes.
    """
    data = words.encode("utf-8")
    if len(data) > MAX_BYTES:
        raise RequestError("too-large", f"address: at most {MAX_BYTES} bytes fit into the code, got {len(data)}")
    version = next(number for number, size in enumerate(DATA_CODEWORDS, 1) if len(data) <= size - 2)
    codewords = _codewords(data, DATA_CODEWORDS[version - 1])
    codewords += _checks(codewords, CHECK_CODEWORDS[version - 1])
    bits = [bool(byte >> shift & 1) for byte in codewords for shift in range(7, -1, -1)]
    grids = [_masked(version, bits, mask) for mask in range(len(MASKS))]
    best = min(grids, key=_penalty)
    return ["".join("1" if module else "0" for module in row) for row in best]


def _codewords(data: bytes, size: int) -> list[int]:
    """Mode, length, data and padding, as bytes."""
    # 12 bits come before the data, so 4 bits of zeros end the last byte; they are the terminator too.
    bits = f"0100{len(data):08b}{''.join(f'{byte:08b}' for byte in data)}0000"
    whole = [int(bits[place : place + 8], 2) for place in range(0, len(bits), 8)]
    return whole + [PAD[place % 2] for place in range(size - len(whole))]


def _powers() -> tuple[list[int], dict[int, int]]:
    """The powers of 2 in the field of 256 elements, and their logarithms."""
    powers, value = [], 1
    for _ in range(255):
        powers.append(value)
        value <<= 1
        if value > 255:
            value ^= FIELD_POLYNOMIAL
    return powers, {power: exponent for exponent, power in enumerate(powers)}


POWERS, LOGARITHMS = _powers()


def _times(one: int, other: int) -> int:
    return POWERS[(LOGARITHMS[one] + LOGARITHMS[other]) % 255] if one and other else 0


def _checks(data: list[int], count: int) -> list[int]:
    """The remainder of the data, as a polynomial, by the generator of the Reed-Solomon code."""
    generator = [1]
    for exponent in range(count):
        product = [*generator, 0]
        for place, factor in enumerate(generator):
            product[place + 1] ^= _times(factor, POWERS[exponent])
        generator = product
    rest = [*data, *([0] * count)]
    for place in range(len(data)):
        lead = rest[place]
        for offset, factor in enumerate(generator):
            rest[place + offset] ^= _times(factor, lead)
    return rest[len(data) :]


def _masked(version: int, bits: list[bool], mask: int) -> Grid:
    grid, is_fixed = _patterns(version)
    _put_format(grid, mask)
    stream = iter(bits)
    for row, column in data_places(len(grid), is_fixed):
        grid[row][column] = next(stream, False) != MASKS[mask](row, column)
    return grid


def _patterns(version: int) -> tuple[Grid, Grid]:
    """The patterns that every code of a version has, and which modules they and the format take."""
    size = 17 + 4 * version
    grid = [[False] * size for _ in range(size)]
    is_fixed = [[False] * size for _ in range(size)]

    def put(row: int, column: int, is_dark: bool) -> None:
        if 0 <= row < size and 0 <= column < size:
            grid[row][column], is_fixed[row][column] = is_dark, True

    for place in range(size):
        put(6, place, place % 2 == 0)
        put(place, 6, place % 2 == 0)
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for row in range(-1, 8):
            for column in range(-1, 8):
                ring = max(abs(row - 3), abs(column - 3))
                put(top + row, left + column, ring not in (2, 4))
    if version > 1:
        centre = size - 7
        for row in range(-2, 3):
            for column in range(-2, 3):
                put(centre + row, centre + column, max(abs(row), abs(column)) != 1)
    for place in range(9):
        for row, column in ((8, place), (place, 8)):
            is_fixed[row][column] = True
    for place in range(8):
        is_fixed[8][size - 1 - place] = is_fixed[size - 1 - place][8] = True
    grid[size - 8][8] = True
    return grid, is_fixed


def _put_format(grid: Grid, mask: int) -> None:
    """The level and the mask, with their check bits, beside the finder patterns; twice."""
    size, code = len(grid), LEVEL_L << 3 | mask
    rest = code << 10
    for shift in range(14, 9, -1):
        if rest >> shift & 1:
            rest ^= FORMAT_POLYNOMIAL << shift - 10
    bits = (code << 10 | rest) ^ FORMAT_MASK
    first = [(8, 0), (8, 1), (8, 2), (8, 3), (8, 4), (8, 5), (8, 7), (8, 8), (7, 8)]
    first += [(row, 8) for row in range(5, -1, -1)]
    second = [(size - 1 - place, 8) for place in range(7)] + [(8, size - 8 + place) for place in range(8)]
    for places in (first, second):
        for place, (row, column) in enumerate(places):
            grid[row][column] = bool(bits >> 14 - place & 1)


def data_places(size: int, is_fixed: Grid) -> Iterator[tuple[int, int]]:
    """Where the data go, in their order: columns of two from the right, upwards and downwards in turn."""
    is_upwards = True
    for right in range(size - 1, 0, -2):
        # The column of the timing pattern is left out.
        columns = (right, right - 1) if right > 6 else (right - 1, right - 2)
        for row in range(size - 1, -1, -1) if is_upwards else range(size):
            yield from ((row, column) for column in columns if not is_fixed[row][column])
        is_upwards = not is_upwards
        if columns[1] == 0:
            return


def _penalty(grid: Grid) -> int:
    """The points of the standard for what confuses a camera: runs, squares, finder-like runs, too much of a colour."""
    size, points = len(grid), 0
    for lines in (grid, [list(column) for column in zip(*grid, strict=True)]):
        for line in lines:
            points += sum(length - 2 for length in (len(list(run)) for _, run in groupby(line)) if length >= 5)
            text = "".join("1" if module else "0" for module in line)
            for place in range(size - 10):
                points += 40 * (text[place : place + 11] in ("10111010000", "00001011101"))
    for row in range(size - 1):
        for column in range(size - 1):
            square = {grid[row][column], grid[row][column + 1], grid[row + 1][column], grid[row + 1][column + 1]}
            points += 3 * (len(square) == 1)
    dark = sum(map(sum, grid))
    return points + 10 * int(abs(100 * dark / size**2 - 50) // 5)
