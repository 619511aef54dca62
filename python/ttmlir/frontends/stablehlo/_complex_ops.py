"""Ops on complex numbers, which are pairs of real values: see ``complex_numbers``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends import complex_numbers as numbers
from ttmlir.frontends._op_base import registers
from ttmlir.frontends.complex_numbers import Complex, Pair
from ttmlir.frontends.stablehlo._constant_folding import fold
from ttmlir.frontends.stablehlo._constants import Known, Value, components, parts_of
from ttmlir.frontends.stablehlo._custom_calls import inlined
from ttmlir.frontends.stablehlo._elementwise import SAME, cast, number
from ttmlir.frontends.stablehlo._op import HANDLERS, Handler, Op, Result
from ttmlir.frontends.stablehlo._types import NUMPY, Shape, dtype_of, is_complex, shape_of
from ttmlir.frontends.stablehlo.spmd.collective_emitter import COUNTING, PARTITION

#: Ops that apply to the real and the imaginary part alike.
_PARTWISE = frozenset(
    {
        "stablehlo.all_gather",
        "stablehlo.all_to_all",
        "stablehlo.broadcast_in_dim",
        "stablehlo.collective_broadcast",
        "stablehlo.collective_permute",
        "stablehlo.concatenate",
        "stablehlo.dynamic_broadcast_in_dim",
        "stablehlo.dynamic_gather",
        "stablehlo.dynamic_pad",
        "stablehlo.dynamic_reshape",
        "stablehlo.dynamic_slice",
        "stablehlo.dynamic_update_slice",
        "stablehlo.gather",
        "stablehlo.pad",
        "stablehlo.real_dynamic_slice",
        "stablehlo.reshape",
        "stablehlo.reverse",
        "stablehlo.select",
        "stablehlo.slice",
        "stablehlo.transpose",
    }
)
#: Ops that apply to both parts alike if their body is an addition.
_SUMS = frozenset(
    {
        "stablehlo.all_reduce",
        "stablehlo.reduce",
        "stablehlo.reduce_scatter",
        "stablehlo.reduce_window",
        "stablehlo.scatter",
    }
)
#: Ops whose body can work on pairs of parts.
_WITH_BODY = frozenset(
    {"stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter", "stablehlo.sort"}
)
#: Ops whose handlers accept any values.
_ANY = frozenset(
    {
        "sdy.manual_computation",
        "sdy.named_computation",
        "sdy.reshard",
        "sdy.sharding_constraint",
        "stablehlo.async_done",
        "stablehlo.async_start",
        "stablehlo.case",
        "stablehlo.composite",
        "stablehlo.constant",
        "stablehlo.get_dimension_size",
        "stablehlo.get_tuple_element",
        "stablehlo.if",
        "stablehlo.map",
        "stablehlo.optimization_barrier",
        "stablehlo.set_dimension_size",
        "stablehlo.tuple",
        "stablehlo.while",
    }
)
#: Handlers for ops that have complex operands or results.
COMPLEX_HANDLERS: dict[str, Handler] = {}


def _handles(*names: str) -> Callable[[Handler], Handler]:
    return registers(COMPLEX_HANDLERS, names)


def has_complex(operation: Any) -> bool:
    """Whether an op has complex operands or results."""
    return any(is_complex(v.type) for v in [*operation.operands, *operation.results])


def complex_handler(op: Op) -> Handler:
    """Returns the handler for an op on complex numbers.

    Raises:
        UnsupportedError: there is none.
    """
    name = op.name
    if name in COMPLEX_HANDLERS:
        return COMPLEX_HANDLERS[name]
    if name in _ANY:
        return HANDLERS[name]
    if name in _PARTWISE or (name in _SUMS and _adds(op)):
        return _partwise
    if name in _WITH_BODY:
        return _with_body
    if name.startswith("chlo."):
        return lambda op: op.importer.call_lowered(op)
    raise op.fail("the op is not supported for complex numbers: use their real or imaginary part")


# Parts -------------------------------------------------------------------------------------------


def _tensors(op: Op, i: int = 0) -> Pair:
    """Returns the parts of an operand, with extent 1 if all elements are equal."""
    parts = parts_of(op.inputs[i])
    return Complex(op.importer.part(parts.real), op.importer.part(parts.imag))


def _whole(op: Op, z: Pair) -> Value:
    return Complex(op.result(z.real), op.result(z.imag))


def _zeros(dtype: str, shape: Shape) -> Known:
    return Known(np.broadcast_to(np.zeros((), NUMPY[dtype]), shape))


def _listed(found: Result) -> list[Value]:
    return found if isinstance(found, list) else [found]


def _partwise(op: Op) -> Result:
    """Applies the op to the real and to the imaginary parts."""
    found = []
    for i in range(2):
        inputs = [own[i] if len(own := components(v)) == 2 else v for v in op.inputs]
        part = Op(op.importer, op.operation, inputs, op.place, op.name)
        folded = fold(part)
        found.append(_listed(HANDLERS[op.name](part)) if folded is None else list(folded))
    types = [result.type for result in op.operation.results]
    return [
        Complex(real, imag) if is_complex(kind) else real
        for kind, real, imag in zip(types, *found, strict=True)
    ]


def _adds(op: Op) -> bool:
    """Whether the body of an op adds elements, or returns the new ones."""
    if op.name == "stablehlo.scatter":
        body = [inner.operation for inner in op.block().operations]
        new = list(op.block().arguments)[(len(op.inputs) - 1) // 2 :]
        if len(body) == 1 and list(body[0].operands) == new:
            return True
    return op.body_name() in ("stablehlo.add", "stablehlo.subtract")


class _FlatOp(Op):
    """An op with a body, with a separate operand and result for each part of complex numbers."""

    def __init__(self, op: Op) -> None:
        flat = [part for value in op.inputs for part in components(value)]
        super().__init__(op.importer, op.operation, flat, op.place, op.name)
        self._operands = _flat([v.type for v in op.operation.operands])
        self._results = _flat([v.type for v in op.operation.results])

    def shape(self, i: int = 0) -> Shape:
        return shape_of(self._results[i])

    def dtype(self, i: int = 0) -> str:
        return dtype_of(self._results[i])

    def input_shape(self, i: int = 0) -> Shape:
        return shape_of(self._operands[i])

    def input_dtype(self, i: int = 0) -> str:
        return dtype_of(self._operands[i])

    def body_name(self, region: int = 0) -> str:
        return ""

    def run(self, region: int, arguments: Sequence[Value]) -> list[Value]:
        types = [argument.type for argument in self.block(region).arguments]
        if self.name == "stablehlo.sort":
            # Elements to compare come in pairs: an operand of the first, then the same operand of
            # the second.
            ones = grouped(types[::2], arguments[::2])
            others = grouped(types[1::2], arguments[1::2])
            values = [v for pair in zip(ones, others, strict=True) for v in pair]
        else:
            values = grouped(types, arguments)
        found = self.importer.run(self.block(region), values)
        return [part for value in found for part in components(value)]


def _flat(types: Sequence[Any]) -> list[Any]:
    return [kind for kind in types for _ in range(2 if is_complex(kind) else 1)]


def grouped(types: Sequence[Any], flat: Sequence[Value]) -> list[Value]:
    """Groups the values of all parts into values of the types."""
    rest = iter(flat)
    return [Complex(next(rest), next(rest)) if is_complex(t) else next(rest) for t in types]


def _with_body(op: Op) -> Result:
    found = _listed(HANDLERS[op.name](_FlatOp(op)))
    return grouped([result.type for result in op.operation.results], found)


# Conversions -------------------------------------------------------------------------------------


@_handles("stablehlo.complex")
def _complex(op: Op) -> Result:
    return Complex(op.inputs[0], op.inputs[1])


@_handles("stablehlo.real")
def _real(op: Op) -> Result:
    return components(op.inputs[0])[0]


@_handles("stablehlo.imag")
def _imag(op: Op) -> Result:
    return parts_of(op.inputs[0]).imag


@_handles("stablehlo.convert")
def _convert(op: Op) -> Result:
    dtype, kind = op.dtype(), op.operation.results[0].type
    if not is_complex(kind):
        if dtype == "bool":
            return op.result(numbers.is_nonzero(op.b, _tensors(op)))
        return op.result(cast(op, _tensors(op).real, dtype))
    own = components(op.inputs[0])
    real = op.result(cast(op, op.importer.part(own[0]), dtype))
    if len(own) == 1:
        return Complex(real, _zeros(dtype, op.shape()))
    return Complex(real, op.result(cast(op, op.importer.part(own[1]), dtype)))


@_handles("stablehlo.bitcast_convert")
def _bitcast_convert(op: Op) -> Result:
    if op.operation.operands[0].type != op.operation.results[0].type:
        raise op.fail("complex numbers cannot be bitcast to other types: use their parts")
    return op.inputs[0]


@_handles("stablehlo.custom_call", "mhlo.custom_call")
def _custom_call(op: Op) -> Result:
    target = op.text("call_target_name")
    if target == PARTITION:
        return _partwise(op)
    return _iota(op) if target == COUNTING else HANDLERS[op.name](op)


@_handles("stablehlo.iota", "stablehlo.dynamic_iota")
def _iota(op: Op) -> Result:
    (real,) = _listed(HANDLERS[op.name](op))
    return Complex(real, _zeros(op.dtype(), op.shape()))


# Elementwise -------------------------------------------------------------------------------------


def _unary(name: str) -> Handler:
    return lambda op: _whole(op, numbers.UNARY[name](op.b, _tensors(op)))


def _binary(name: str) -> Handler:
    return lambda op: _whole(op, numbers.BINARY[name](op.b, _tensors(op, 0), _tensors(op, 1)))


for _name, _own in {**SAME, "stablehlo.divide": "div", "stablehlo.power": "power"}.items():
    if _own in numbers.UNARY:
        COMPLEX_HANDLERS[_name] = _unary(_own)
    elif _own in numbers.BINARY:
        COMPLEX_HANDLERS[_name] = _binary(_own)


@_handles("chlo.conj")
def _conj(op: Op) -> Result:
    return _whole(op, numbers.conj(op.b, _tensors(op)))


@_handles("stablehlo.abs")
def _abs(op: Op) -> Result:
    return op.result(numbers.absolute(op.b, _tensors(op)))


@_handles("stablehlo.is_finite")
def _is_finite(op: Op) -> Result:
    return op.result(numbers.is_finite(op.b, _tensors(op)))


@_handles("stablehlo.compare")
def _compare(op: Op) -> Result:
    direction = op.text("comparison_direction")
    compare = {"EQ": numbers.equal, "NE": numbers.not_equal}.get(direction)
    if compare is None:
        raise op.fail("complex numbers have no order: compare their real or imaginary parts")
    return op.result(compare(op.b, _tensors(op, 0), _tensors(op, 1)))


# Products and transforms -------------------------------------------------------------------------


@_handles("stablehlo.dot_general", "stablehlo.convolution")
def _product(op: Op) -> Result:
    left, right = (components(value) for value in op.inputs)

    def product(i: int, j: int) -> Tensor | None:
        if i >= len(left) or j >= len(right) or _is_zero(left[i]) or _is_zero(right[j]):
            return None
        part = Op(op.importer, op.operation, [left[i], right[j]], op.place, op.name)
        return op.importer.tensor(_listed(HANDLERS[op.name](part))[0])

    def combined(name: str, x: Tensor | None, y: Tensor | None) -> Value:
        if y is None:
            return _zeros(op.dtype(), op.shape()) if x is None else x
        if x is None:
            x = number(op, 0, y.dtype)
        return op.b._eltwise(name, (x, y), None, dtype=y.dtype)

    return Complex(
        combined("subtract", product(0, 0), product(1, 1)),
        combined("add", product(0, 1), product(1, 0)),
    )


def _is_zero(value: Value) -> bool:
    return isinstance(value, Known) and bool(value.splat() == 0)


@_handles("stablehlo.cholesky")
def _cholesky(op: Op) -> Result:
    return inlined(op, "complex_cholesky", lower=op.flag("lower"))


@_handles("stablehlo.triangular_solve")
def _triangular_solve(op: Op) -> Result:
    return inlined(
        op,
        "complex_triangular_solve",
        left_side=op.flag("left_side"),
        lower=op.flag("lower"),
        unit=op.flag("unit_diagonal"),
        transpose=op.text("transpose_a"),
    )


@_handles("stablehlo.fft")
def _fft(op: Op) -> Result:
    kind = op.text("fft_type").lower()
    parts = [op.importer.tensor(part) for part in components(op.inputs[0])]
    imaginary = parts[1] if len(parts) == 2 else None
    found = op.b.fft(parts[0], kind, op.ints("fft_length"), imaginary=imaginary)
    return found[0] if kind == "irfft" else Complex(found[0], found[1])
