"""Ops on storage-only element types: quantized types, and small floats and integers.

Operands are converted to f32 or 32-bit integers and results back, as StableHLO defines quantized
ops and as XLA computes small floats. Ops that move elements do not convert.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Tensor
from ttmlir.builder._dtypes import SMALL_FLOATS, SMALL_INTEGERS
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.quantization import dequantized
from ttmlir.frontends.stablehlo._constants import Known, Value, array_of
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, shape_of_value
from ttmlir.frontends.stablehlo._quantized_types import CALLS, Quantized, quantized_of
from ttmlir.frontends.stablehlo._types import NUMPY

#: The element types to compute in.
_WIDE = {
    **dict.fromkeys(SMALL_FLOATS, "f32"),
    **{name: f"{name[0]}32" for name in SMALL_INTEGERS},
}
#: Ops that only return elements of their operands; control flow also passes quantized elements on.
_MOVES = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "gather"),
        *("pad", "real_dynamic_slice", "reshape", "reverse", "select", "slice", "transpose"),
        *("all_gather", "all_to_all", "collective_broadcast", "collective_permute"),
    )
)
#: Ops on small elements that need no wider type, or report their own error.
_AS_THEY_ARE = frozenset(
    {"stablehlo.bitcast_convert", "stablehlo.convert", "stablehlo.custom_call"}
)
_CONTROL = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("case", "if", "while", "optimization_barrier", "tuple", "get_tuple_element", "composite"),
        *("constant", "return"),
    )
) | {"func.call", "mhlo.custom_call"}


class WideOp(Op):
    """An op with small element types replaced by wider ones."""

    def dtype(self, i: int = 0) -> str:
        found = super().dtype(i)
        return _WIDE.get(found, found)

    def input_dtype(self, i: int = 0) -> str:
        found = super().input_dtype(i)
        return _WIDE.get(found, found)


def is_stored(op: Op) -> bool:
    """Whether an op computes on storage-only elements."""
    if op.name in _CONTROL:
        return False
    types = [v.type for v in [*op.operation.operands, *op.operation.results]]
    kinds = [quantized_of(t) for t in types if "tensor<" in str(t)]
    if any(kinds):
        texts = {kind.text for kind in kinds if kind is not None}
        whole = len(texts) == 1 and all(kind is None or kind.axis is None for kind in kinds)
        return not (op.name in _MOVES and whole)
    if op.name in _MOVES or op.name in _AS_THEY_ARE:
        return False
    return any(_small(t) for t in types)


def _small(kind: ir.Type) -> str:
    """Returns the builder's dtype of small elements; empty for others."""
    if not str(kind).startswith("tensor<"):
        return ""
    element = str(ir.RankedTensorType(kind).element_type)
    return _SMALL_ELEMENTS.get(element, "")


_SMALL_ELEMENTS = {
    **{format.element: name for name, format in SMALL_FLOATS.items()},
    **{format.element.removeprefix("s"): name for name, format in SMALL_INTEGERS.items()},
}


def computed(op: Op, handler: Callable[[Op], Result]) -> list[Value]:
    """Imports an op with converted operands and results."""
    operation = op.operation
    if _call(operation) == "quantized_constant":
        return [_constant(op)]
    inputs = [
        _widened(op, value, v.type) for value, v in zip(op.inputs, operation.operands, strict=True)
    ]
    wide = WideOp(op.importer, operation, inputs, op.place, op.name)
    found: Any = inputs if _call(operation) else handler(wide)
    results = found if isinstance(found, list) else [found]
    return [
        _narrowed(op, value, v.type) for value, v in zip(results, operation.results, strict=True)
    ]


def _call(operation: Any) -> str:
    """Returns the op on quantized tensors that a custom call represents; empty for others."""
    if operation.name != "stablehlo.custom_call":
        return ""
    target = str(operation.attributes["call_target_name"].value)
    return target if target in CALLS else ""


def _widened(op: Op, value: Value, kind: ir.Type) -> Value:
    if quantized := (quantized_of(kind) if "tensor<" in str(kind) else None):
        x = op.importer.tensor(value)
        stored = cast(op, x, "u8" if x.dtype[0] == "u" else "i8") if x.dtype in _WIDE else x
        scale, zero = (
            op.importer.constant(Known(n))
            for n in (
                np.array(quantized.scales, np.float32),
                np.array(quantized.zeros, np.int32),
            )
        )
        found = dequantized(op, stored, scale, zero, quantized.axis)
        return cast(op, found, _expressed(kind))
    small = _small(kind)
    if not small:
        return value
    if isinstance(value, Known):
        return Known(value.array.astype(NUMPY[_WIDE[small]]))
    part = op.importer.part(value)
    return op.result(cast(op, part, _WIDE[small]), shape_of_value(value))


def _narrowed(op: Op, value: Value, kind: ir.Type) -> Value:
    if quantized := (quantized_of(kind) if "tensor<" in str(kind) else None):
        return _quantized(op, op.importer.tensor(value), quantized)
    small = _small(kind)
    if small:
        part = op.importer.part(value)
        return op.result(cast(op, part, small), shape_of_value(value))
    return value


def _quantized(op: Op, x: Tensor, kind: Quantized) -> Tensor:
    """round(x / scale) + zero point, ties to even, clamped."""
    b, shape = op.b, [1] * x.rank
    if kind.axis is not None:
        shape[kind.axis] = len(kind.scales)
    scale, zero = (
        reshaped(op, op.importer.constant(Known(np.array(n, np.float32))), shape)
        for n in (kind.scales, kind.zeros)
    )
    found = b.roundeven(b.div(cast(op, x, "f32"), scale))
    if any(kind.zeros):
        found = b.add(found, zero)
    return cast(op, b.clamp(found, float(kind.low), float(kind.high)), kind.storage)


def _constant(op: Op) -> Tensor:
    attribute = op.operation.attributes["value"]
    array = array_of(attribute, attribute.type)
    kind = quantized_of(op.operation.results[0].type)
    assert kind is not None
    return op.importer.constant(Known(array.astype(NUMPY[kind.storage])))


def _expressed(kind: ir.Type) -> str:
    return str(ir.RankedTensorType(kind).element_type)
