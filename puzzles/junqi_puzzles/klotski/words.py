"""Words of 64 and of 128 bits, for keys and for sets of cells and placements.

numpy has no whole numbers of 128 bits, and numba no rules for them, though it can compile them. So kernels take an
array of 16 bytes an element as an array of wide words, and have the operators that are declared here.
"""

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from numba.core import types
from numba.core.typeconv.rules import default_type_manager
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic
from numba.np import numpy_support

NARROW_BITS, WIDE_BITS = 64, 128
NARROW, WIDE = np.dtype(np.uint64), np.dtype("V16")
WIDE_WORD = types.Integer("V16", WIDE_BITS, signed=False)
"""Its name is that of the dtype: numba looks it up by this name."""
MIX = 0x9E3779B97F4A7C15

_TYPE_OF_DTYPE: Any = numpy_support.FROM_DTYPE
_TYPE_OF_DTYPE[WIDE] = WIDE_WORD
default_type_manager.set_promote(types.uint64, WIDE_WORD)
for _names, _result, _arguments in (
    ("add sub and_ or_ xor lshift rshift iadd isub iand ior ixor ilshift irshift", WIDE_WORD, 2),
    ("eq ne", types.boolean, 2),
    ("invert", WIDE_WORD, 1),
):
    for _name in _names.split():
        _cases = {"cases": [signature(_result, *[WIDE_WORD] * _arguments)]}
        infer_global(getattr(operator, _name))(type(_name, (ConcreteTemplate,), _cases))


@intrinsic
def widened(typing_context: Any, number: Any, word: Any) -> Any:
    """An int64 in the width of a word; a negative one wraps around."""

    def generate(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        return context.cast(builder, values[0], types.int64, word)

    return word(types.int64, word), generate


@intrinsic
def folded(typing_context: Any, word: Any) -> Any:
    """A word folded to 64 bits, for hashing."""

    def generate(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        if word == WIDE_WORD:
            kind = values[0].type
            high = builder.lshr(values[0], kind(NARROW_BITS))
            values = [builder.xor(values[0], builder.mul(high, kind(MIX)))]
        return context.cast(builder, values[0], word, types.uint64)

    return types.uint64(word), generate


def as_words(numbers: Iterable[int], dtype: np.dtype) -> np.ndarray:
    """Numbers as an array of words of a dtype."""
    if dtype == NARROW:
        return np.array(list(numbers), NARROW)
    return np.frombuffer(b"".join(number.to_bytes(dtype.itemsize, "little") for number in numbers), dtype).copy()
