"""Kernels: functions that numba compiles, for Junqi and the puzzles.

A kernel is a function decorated with `@kernel(signature)`. It is loaded from the cache (`kernel_cache`), or compiled,
when it is first called, or when a kernel that calls it is compiled. The machine code of a kernel contains that of its
callees, so with a full cache only the kernels that Python calls are loaded. `compiling` compiles many kernels in
advance.

Signatures must be explicit: a lazily typed recursive function crashes the interpreter when numba loads it from the
cache.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.extending import intrinsic, lower_cast

from junqi_engine.kernel_cache import cache_fault, has_entry, load_kernel, package_of, save_kernel

OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""The options of numba for every kernel. Nothing calls a kernel from C, so it has no wrapper for that."""


def say_on_stderr(text: str) -> None:
    """Print a line on stderr: the default reporter, for programs of the library's users."""
    print(f"junqi-engine: {text}", file=sys.stderr, flush=True)


STOP_TYPE = types.Array(types.uint8, 1, "C")
"""A stop flag, (1,): a kernel returns early once another thread has set it to 1."""
NEVER_STOP = np.zeros(1, np.uint8)
"""The stop flag for callers that never stop; nothing may set it."""

_report: Callable[[str], None] = say_on_stderr
_kernels: dict[str, list["Kernel"]] = {}


def set_reporter(say: Callable[[str], None]) -> None:
    """Report with this function, not on stderr, that a kernel is compiled at its first call."""
    global _report
    _report = say


class Kernel(CPUDispatcher):
    """A function with one or several signatures that is compiled or loaded at its first use."""

    def __init__(self, function: Callable, signature: Any, options: Mapping[str, Any], is_cached: bool) -> None:
        super().__init__(py_func=function, targetoptions=dict(options))
        self.declared = signature if isinstance(signature, list) else [signature]
        self.package = package_of(function.__module__)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._is_cached = is_cached
        self._is_prepared = False
        self._cache: Any = _Cache(self) if is_cached else NullCache()

    def prepare(self) -> None:
        """Load or compile the kernel, unless it was prepared before."""
        with global_compiler_lock:
            if self._is_prepared or self.is_compiling:
                return
            for signature in self.declared:
                self.compile(signature)
            self.disable_compile()
            self._is_prepared = True

    def is_stored(self) -> bool:
        """Whether the cache has the machine code; True for a kernel that is never cached."""
        names = (self.stored_as(signature) for signature in self.declared)
        return not self._is_cached or all(has_entry(self.package, name) for name in names)

    def is_ready(self) -> bool:
        """Whether it can be called without compilation."""
        return self._is_prepared or self.is_stored()

    def stored_as(self, signature: Any) -> str:
        """The name of the cache entry of a signature."""
        return f"{self.name}.{self.declared.index(signature)}"

    def callees(self) -> Iterator["Kernel"]:
        """The kernels that this one calls, itself included if it is recursive."""
        return _callees(self.py_func)

    def prepare_and_report(self) -> None:
        """Load the kernel, or report that it is compiled, and compile it."""
        if not self.is_ready():
            _report(f"compiling {self.name} ({cache_fault(self.package) or 'once per machine'})")
        self.prepare()

    def _compile_for_args(self, *arguments: Any, **keywords: Any) -> Any:
        """The hook of numba for the first call from Python; it calls the result with the same arguments."""
        self.prepare_and_report()
        return self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The hook of numba for compiling a call of this kernel."""
        self.prepare()
        return super().get_call_template(args, kws)


class _Cache(NullCache):
    """The cache of one kernel for numba's dispatcher: an entry for each signature."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled signature; None if it must be compiled.

        numba's own cache calls `target_context.refresh()` here. It imports everything that numba can compile, which
        takes longer than loading all kernels. Machine code needs the reference counts only.
        """
        data = load_kernel(self._kernel.package, self._kernel.stored_as(sig))
        if data is None:
            return None
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *data)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not data.library.has_dynamic_globals:  # they are addresses in this process
            save_kernel(self._kernel.package, self._kernel.stored_as(sig), dumps(data._reduce()))


def record_type(dtype: np.dtype) -> Any:
    """The numba type of one record of an aligned structured `dtype`, for use in signatures."""
    return numba.from_dtype(dtype)


def kernel(signature: Any, cache: bool = True, **options: Any) -> Callable[[Callable], Any]:
    """A kernel with an explicit `signature`, or a list of them; `options` are numba's.

    Without `cache` it is compiled in each process.
    """

    def decorate(function: Callable) -> Any:
        made = Kernel(function, signature, OPTIONS | options, cache)
        if cache:
            _kernels.setdefault(made.package, []).append(made)
        return made

    return decorate


def inlined(function: Callable) -> Any:
    """A function whose body is copied into each kernel that calls it. It has no signature.

    For short operations on arrays: a call of a kernel would count the references of each array argument.
    """
    return numba.njit(function, inline="always", error_model=OPTIONS["error_model"])


def kernels_of(package: str) -> list[Kernel]:
    """The cached kernels of a package in the modules imported so far; each follows its callees."""
    return list(_kernels.get(package, ()))


def with_callees(kernels: Iterable[Kernel]) -> list[Kernel]:
    """The kernels and all their callees, in the order of `kernels_of`."""
    found: set[Kernel] = set()
    waiting = list(kernels)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += each.callees()
    return [each for package in {each.package for each in found} for each in kernels_of(package) if each in found]


def _callees(function: Any) -> Iterator[Kernel]:
    """The kernels that a function or the functions `inlined` into it call."""
    scope, names = function.__globals__, function.__code__.co_names
    called = [scope[name] for name in names if name in scope]
    called += [getattr(each, name) for each in called if isinstance(each, ModuleType) for name in names
               if hasattr(each, name)]  # fmt: skip
    for each in called:
        if isinstance(each, Kernel):
            yield each
        elif isinstance(each, CPUDispatcher):
            yield from _callees(each.py_func)


@lower_cast(types.NestedArray, types.Array)
def _as_array(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Cast an array field of a record to an array argument. numba lacks this cast; the representations are equal."""
    return value


def scratch_record(dtype: np.dtype) -> Any:
    """A function for kernels that returns an uninitialised record of an aligned structured `dtype` on the stack.

    Unlike `np.empty` it allocates no memory, and it compiles fast: each shape and type of `np.empty` takes tenths of a
    second. A call in a loop returns the same record every time. The record is lost when the kernel returns.
    """
    kind = record_type(dtype)

    @intrinsic
    def reserve(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            # Not numba's `alloca_once`: its store of zeros is compiled byte by byte.
            with builder.goto_entry_block():
                record = builder.alloca(context.get_data_type(kind))
            record.align = dtype.alignment
            return builder.bitcast(record, context.get_value_type(kind))

        return kind(), generate

    return reserve


@intrinsic
def copy_record(typing_context: Any, source: Any, target: Any) -> Any:
    """Copy a record onto another of the same type."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, arguments[1], arguments[0], size, 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic
def count_trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Index of the lowest set bit of an unsigned `word`, which must not be 0; an unsigned integer of its width."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return word(word), generate


@intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """Number of set bits of an unsigned `word`; an unsigned integer of its width."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), generate


@intrinsic
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Prefetch the memory of `array[index]`, a number or a row."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, index_type = signature.args
        data = context.make_array(array_type)(context, builder, arguments[0])
        row = context.cast(builder, arguments[1], index_type, types.intp)
        for size in cgutils.unpack_tuple(builder, data.shape)[1:]:
            row = builder.mul(row, size)
        address = builder.bitcast(builder.gep(data.data, [row]), cgutils.voidptr_t)
        # Older versions of llvmlite have typed pointers.
        is_opaque = getattr(address.type, "is_opaque", False)
        name = "llvm.prefetch.p0" if is_opaque else "llvm.prefetch.p0i8"
        number = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number]), name
        )
        builder.call(function, [address, number(0), number(3), number(1)])  # to read, to all caches, data
        return context.get_dummy_value()

    return types.void(array, index), generate
