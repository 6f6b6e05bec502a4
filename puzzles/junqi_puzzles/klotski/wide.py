"""The kernels of breadth_first.py for wide words, declared and compiled on first use."""

from types import FunctionType
from typing import Any

from numba.core import types

from junqi_engine.kernels import Kernel, kernel
from junqi_puzzles.klotski import breadth_first
from junqi_puzzles.klotski.memo import MEMO_TYPE
from junqi_puzzles.klotski.tables import WORDS
from junqi_puzzles.klotski.words import WIDE_WORD


def _wide(kind: Any) -> Any:
    """The type with wide words in place of narrow ones, and without a memo."""
    if isinstance(kind, types.NamedTuple):
        return types.none if kind == MEMO_TYPE else types.NamedTuple(map(_wide, kind.types), kind.instance_class)
    return types.Array(WIDE_WORD, 1, "C") if kind == WORDS else kind


def _widened(narrow: Kernel, **callees: Kernel) -> Kernel:
    """The kernel for wide words. `callees`: the kernels for wide words that it calls, by name."""
    (declared,) = narrow.declared
    function = FunctionType(narrow.py_func.__code__, {**narrow.py_func.__globals__, **callees})
    function.__module__, function.__qualname__ = __name__, narrow.py_func.__name__
    return kernel(declared.return_type(*map(_wide, declared.args)))(function)


expand = _widened(breadth_first.expand)
search = _widened(breadth_first.search, expand=expand)
link = _widened(breadth_first.link, expand=expand)
fill = _widened(breadth_first.fill)
look_up = _widened(breadth_first.look_up)


def prepare() -> None:
    """Load the kernels from the cache, or compile them."""
    for wide in (expand, search, link, fill, look_up):
        wide.prepare_and_report()
