"""A reader of QR codes, written from the standard and independent of the writer: it checks every codeword."""

DATA, CHECK = {21: 19, 25: 34, 29: 55, 33: 80, 37: 108}, {21: 7, 25: 10, 29: 15, 33: 20, 37: 26}


def read(rows: list[str]) -> str:
    """The text of a code of level L in byte mode; AssertionError for a code with any error."""
    size = len(rows)
    dark = [[char == "1" for char in row] for row in rows]
    for corner in ((0, 0), (0, size - 7), (size - 7, 0)):
        assert [row[corner[1] : corner[1] + 7] for row in rows[corner[0] : corner[0] + 7]] == FINDER
    mask = _mask(dark)
    bits = [dark[y][x] != _flips(mask, y, x) for y, x in _way(size)]
    words = [
        sum(bit << (7 - place) for place, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits) - 7, 8)
    ]
    assert len(words) == DATA[size] + CHECK[size]
    for exponent in range(CHECK[size]):
        assert _value(words, exponent) == 0, "a codeword is wrong"
    text = "".join(f"{word:08b}" for word in words)
    assert text[:4] == "0100"
    length = int(text[4:12], 2)
    return bytes(int(text[12 + 8 * place : 20 + 8 * place], 2) for place in range(length)).decode()


FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def _mask(dark: list[list[bool]]) -> int:
    """The mask in the format beside the upper left finder pattern; all 15 bits must be those of a valid format."""
    places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    found = "".join("1" if dark[y][x] else "0" for y, x in places)
    assert found in FORMATS
    return FORMATS.index(found)


FORMATS = [
    "111011111000100", "111001011110011", "111110110101010", "111100010011101", "110011000101111", "110001100011000",
    "110110001000001", "110100101110110",
]  # fmt: skip
"""The formats of level L for the masks 0 to 7, from the table of the standard."""


def _flips(mask: int, y: int, x: int) -> bool:
    rules = [
        (y + x) % 2, y % 2, x % 3, (y + x) % 3, (y // 2 + x // 3) % 2, (y * x) % 2 + (y * x) % 3,
        ((y * x) % 2 + (y * x) % 3) % 2, ((y + x) % 2 + (y * x) % 3) % 2,
    ]  # fmt: skip
    return rules[mask] == 0


def _way(size: int) -> list[tuple[int, int]]:
    def is_data(y: int, x: int) -> bool:
        near_finder = (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
        near_alignment = size > 21 and abs(y - size + 7) <= 2 and abs(x - size + 7) <= 2
        return not (near_finder or near_alignment or y == 6 or x == 6)

    pairs = [*range(size - 1, 6, -2), 5, 3, 1]
    found = []
    for number, x in enumerate(pairs):
        rows = range(size - 1, -1, -1) if number % 2 == 0 else range(size)
        found += [(y, column) for y in rows for column in (x, x - 1) if is_data(y, column)]
    return found


def _value(words: list[int], exponent: int) -> int:
    """The polynomial with these coefficients at 2 ** exponent, in the field of 256 elements."""
    point = 1
    for _ in range(exponent):
        point = _double(point)
    total = 0
    for word in words:
        total = _product(total, point) ^ word
    return total


def _double(value: int) -> int:
    return value << 1 if value < 128 else (value << 1) ^ 0x11D


def _product(one: int, other: int) -> int:
    total = 0
    while other:
        total ^= one if other & 1 else 0
        one, other = _double(one), other >> 1
    return total
