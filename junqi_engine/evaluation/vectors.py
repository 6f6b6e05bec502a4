"""Operations on a whole accumulator, as vector instructions of LLVM: numba does not vectorise across its calls."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

UNITS = 16
ACTIVATION_ONE = 256
"""The activation at which a unit is cut off. An output is divided by it."""
ROW_BYTES = 2 * UNITS
_SHORT, _LONG = ir.IntType(16), ir.IntType(32)
_UNITS_VECTOR, _WIDE_VECTOR = ir.VectorType(_SHORT, UNITS), ir.VectorType(_LONG, UNITS)


def _load(builder: Any, address: Any) -> Any:
    pointer = builder.inttoptr(address, _UNITS_VECTOR.as_pointer())
    return builder.load(pointer, align=2)


def _splat(vector: ir.VectorType, number: int) -> ir.Constant:
    return ir.Constant(vector, [number] * UNITS)


def _output(builder: Any, units: Any, output: Any) -> Any:
    zero, one = _splat(_UNITS_VECTOR, 0), _splat(_UNITS_VECTOR, ACTIVATION_ONE)
    units = builder.select(builder.icmp_signed(">", units, zero), units, zero)
    units = builder.select(builder.icmp_signed("<", units, one), units, one)
    products = builder.mul(builder.sext(units, _WIDE_VECTOR), builder.sext(output, _WIDE_VECTOR))
    name = f"llvm.vector.reduce.add.v{UNITS}i32"
    function = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(_LONG, [_WIDE_VECTOR]), name
    )
    return builder.sext(builder.call(function, [products]), ir.IntType(64))


def _with_rows(builder: Any, source: Any, less: Any, also_less: Any, more: Any) -> Any:
    units = builder.sub(_load(builder, source), _load(builder, less))
    return builder.add(builder.sub(units, _load(builder, also_less)), _load(builder, more))


@intrinsic
def address_of(typing_context: Any, record: Any) -> Any:
    """The address of a record."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(record), generate


@intrinsic
def add_rows(typing_context: Any, target: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """Write the accumulator at `source`, less two rows plus one, to `target`; returns its output. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, *rows, output = arguments
        units = _with_rows(builder, *rows)
        builder.store(units, builder.inttoptr(target, _UNITS_VECTOR.as_pointer()), align=2)
        return _output(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 6), generate


@intrinsic
def output_after(typing_context: Any, source: Any, less: Any, more: Any, output: Any) -> Any:
    """The output of the accumulator at `source`, less a row plus one. All are addresses."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, less, more, output = arguments
        units = builder.add(builder.sub(_load(builder, source), _load(builder, less)), _load(builder, more))
        return _output(builder, units, _load(builder, output))

    return types.int64(*(types.int64,) * 4), generate


@intrinsic
def output_after_battle(typing_context: Any, source: Any, less: Any, also_less: Any, more: Any, output: Any) -> Any:
    """As `output_after`, less two rows."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *rows, output = arguments
        return _output(builder, _with_rows(builder, *rows), _load(builder, output))

    return types.int64(*(types.int64,) * 5), generate
