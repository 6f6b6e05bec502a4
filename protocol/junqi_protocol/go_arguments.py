"""The arguments of `go`: from text to a `GoRequest`."""

from junqi_protocol.options import quoted, whole_number
from junqi_protocol.variant_game import GoRequest, Rejection

MAX_GO_BYTES = 1 << 16
MAX_DEPTH = 100_000
MAX_PERFT_DEPTH = 64
MAX_TIME_MS = 10**12
MAX_NODES = 10**18 - 1

_LARGEST = {
    "depth": MAX_DEPTH,
    "nodes": MAX_NODES,
    "movetime": MAX_TIME_MS,
    "time": MAX_TIME_MS,
    "inc": MAX_TIME_MS,
    "wtime": MAX_TIME_MS,
    "btime": MAX_TIME_MS,
    "winc": MAX_TIME_MS,
    "binc": MAX_TIME_MS,
    "movestogo": MAX_DEPTH,
    "perft": MAX_PERFT_DEPTH,
}
"""The arguments that have a number from 0 to a largest one."""
_CLOCKS = {"time", "wtime", "btime"}
"""These may be negative: a GUI subtracts its own delay. A clock that has run out means "move at once"."""
_UNSUPPORTED = "mate"
"""A word of UCI without a meaning here."""
_FLAGS = ("infinite", "ponder", "hint")
_KEYWORDS = {*_LARGEST, *_FLAGS, _UNSUPPORTED, "searchmoves", "setup", "generate"}
_ONLY_ARGUMENT = ("perft", "setup")
_PURPOSES = {"hint", "generate", "searchmoves"}
"""At most one of these is given."""


def parse_go(arguments: bytes) -> GoRequest:
    """The request that the arguments of a `go` make; `Rejection` for any that is unknown, missing or repeated.

    A number outside of its range is taken as the nearest one inside, except for `perft`; `taken` says so.
    """
    if len(arguments) > MAX_GO_BYTES:
        raise Rejection("too-large", f"go: {len(arguments)} bytes; the limit is {MAX_GO_BYTES}")
    words = arguments.decode("utf-8", "replace").split()
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    searchmoves: tuple[str, ...] = ()
    setup_seat = level = None
    seen: set[str] = set()
    taken: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word not in _KEYWORDS:
            raise Rejection("bad-argument", f"go: unknown word {quoted(word)}")
        if word in seen:
            raise Rejection("bad-argument", f"go: {word} is given twice")
        seen.add(word)
        if word in _LARGEST or word == _UNSUPPORTED:
            if index == len(words) or words[index] in _KEYWORDS:
                raise Rejection("bad-number", f"go: {word} needs a number")
            number = whole_number(words[index], f"go {word}")
            index += 1
            if word == _UNSUPPORTED:
                taken.append(f"go {word} {number}: there is no search for a mate; the other limits hold")
                continue
            numbers[word] = min(max(0, number), _LARGEST[word])
            if numbers[word] != number and not (word in _CLOCKS and number < 0):
                if word == "perft":
                    raise Rejection("bad-number", f"go perft: {number} is not between 0 and {MAX_PERFT_DEPTH}")
                taken.append(f"go {word}: {number} is taken as {numbers[word]}")
        elif word == "searchmoves":
            end = next((i for i in range(index, len(words)) if words[i] in _KEYWORDS), len(words))
            searchmoves = tuple(words[index:end])
            if not searchmoves:
                raise Rejection("bad-argument", "go: searchmoves needs at least one move")
            index = end
        elif word == "setup":
            if index < len(words):
                setup_seat = words[index]
                index += 1
        elif word == "generate":
            if index < len(words) and words[index] not in _KEYWORDS:
                level = words[index]
                index += 1
        else:
            flags.add(word)
    for word in _ONLY_ARGUMENT:
        if word in seen and len(seen) > 1:
            raise Rejection("bad-argument", f"go: {word} cannot be combined with other arguments")
    if len(both := sorted(_PURPOSES & seen)) > 1:
        raise Rejection("bad-argument", f"go: {both[0]} cannot be combined with {both[1]}")
    return GoRequest(
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        movetime_ms=numbers.get("movetime"),
        time_ms=numbers.get("time"),
        inc_ms=numbers.get("inc"),
        clocks_ms=(numbers.get("wtime"), numbers.get("btime")),
        increments_ms=(numbers.get("winc"), numbers.get("binc")),
        movestogo=numbers.get("movestogo"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        searchmoves=searchmoves,
        perft=numbers.get("perft"),
        setup="setup" in seen,
        setup_seat=setup_seat,
        hint="hint" in flags,
        generate="generate" in seen,
        level=level,
        taken=tuple(taken),
    )
