"""Gathers and scatters along sharded dimensions.

Indices are relative to the start of a chip's part. A gather returns 0 for elements of other parts,
and a sum adds the results of all chips; a scatter skips updates of other parts, since they are out
of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo.spmd.collective_emitter import Emitter, Part, array, integer
from ttmlir.frontends.stablehlo.spmd.sub_axes import SubAxes, size


@dataclass(frozen=True)
class Indices:
    """How an op uses its indices.

    Attributes:
        operand: the index of the operand with the indices.
        vector: its dimension with the components of an index; its rank for single components.
        dims: the dimension of the first operand that each component indexes.
        limits: the greatest value of each component, to which it is clamped; empty if out-of-bounds
            indices are skipped.
    """

    operand: int
    vector: int
    dims: tuple[int, ...]
    limits: tuple[int, ...] = ()

    @staticmethod
    def of(op: Op) -> Indices:
        """Returns those of a gather or of a scatter."""
        if op.name == "stablehlo.gather":
            own = stablehlo.GatherDimensionNumbers(op.attribute("dimension_numbers"))
            dims = tuple(own.start_index_map)
            sizes = op.ints("slice_sizes")
            limits = tuple(op.input_shape()[d] - sizes[d] for d in dims)
            return Indices(1, int(own.index_vector_dim), dims, limits)
        numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
        count = (len(op.operation.operands) - 1) // 2
        dims = tuple(numbers.scattered_dims_to_operand_dims)
        return Indices(count, int(numbers.index_vector_dim), dims)


def are_signed(op: Op) -> bool:
    """Whether the indices of a gather or of a scatter can be negative."""
    return op.input_dtype(Indices.of(op).operand).startswith("i")


def shifted(
    emitter: Emitter, op: Op, parts: Sequence[Part], cuts: Mapping[int, SubAxes]
) -> tuple[list[Part], Any]:
    """Makes indices relative to the parts; also returns a boolean for each index whether it is in
    the part.

    Args:
        emitter: emits the ops.
        op: a gather or a scatter.
        parts: the parts of its operands.
        cuts: the sub-axes of the dimensions of its first operand that are indexed.
    """
    found = Indices.of(op)
    indices = parts[found.operand]
    i32 = ir.IntegerType.get_signless(32)
    value = indices.value
    if indices.element != i32:
        value = emitter.build("stablehlo.convert", [value], indices.extents, i32, {})
    extents = [n for d, n in enumerate(indices.extents) if d != found.vector]
    is_inside = None
    pieces = []
    for i, dim in enumerate(found.dims):
        piece = _component(emitter, value, found.vector, i)
        if dim in cuts:
            piece = emitter.build("stablehlo.reshape", [piece], extents, i32, {})
            if found.limits:
                zero = emitter.full(0, extents, i32)
                limit = emitter.full(found.limits[i], extents, i32)
                piece = emitter.build("stablehlo.clamp", [zero, piece, limit], extents, i32, {})
            own = op.input_shape()[dim] // size(cuts[dim])
            begin = emitter.begin(cuts[dim], own)
            along = {"broadcast_dimensions": array([])}
            begin = emitter.build("stablehlo.reshape", [begin], [], i32, {})
            begin = emitter.build("stablehlo.broadcast_in_dim", [begin], extents, i32, along)
            piece = emitter.build("stablehlo.subtract", [piece, begin], extents, i32, {})
            is_own = _in_range(emitter, piece, own, extents)
            is_inside = is_own if is_inside is None else _both(emitter, is_inside, is_own)
        pieces.append(_row(emitter, piece, found.vector, len(indices.extents)))
    if len(pieces) > 1:
        along = {"dimension": integer(found.vector)}
        value = emitter.build("stablehlo.concatenate", pieces, indices.extents, i32, along)
    else:
        value = pieces[0]
    given = list(parts)
    given[found.operand] = replace(indices, value=value)
    return given, is_inside


def _component(emitter: Emitter, value: Any, vector: int, number: int) -> Any:
    """Returns a component of all indices."""
    kind = ir.RankedTensorType(value.type)
    extents = list(kind.shape)
    if vector == len(extents) or extents[vector] == 1:
        return value
    begins, ends = [0] * len(extents), list(extents)
    begins[vector], ends[vector] = number, number + 1
    extents[vector] = 1
    attributes = {
        "start_indices": array(begins),
        "limit_indices": array(ends),
        "strides": array([1] * len(extents)),
    }
    return emitter.build("stablehlo.slice", [value], extents, kind.element_type, attributes)


def _row(emitter: Emitter, value: Any, vector: int, rank: int) -> Any:
    """Adds the dimension of components to a component."""
    kind = ir.RankedTensorType(value.type)
    extents = list(kind.shape)
    if len(extents) == rank:
        return value
    extents.insert(vector, 1)
    return emitter.build("stablehlo.reshape", [value], extents, kind.element_type, {})


def _in_range(emitter: Emitter, value: Any, end: int, extents: Sequence[int]) -> Any:
    """Whether numbers are in [0, end)."""
    i32 = ir.IntegerType.get_signless(32)
    low = emitter.compare("GE", value, emitter.full(0, extents, i32))
    return _both(emitter, low, emitter.compare("LT", value, emitter.full(end, extents, i32)))


def _both(emitter: Emitter, a: Any, b: Any) -> Any:
    kind = ir.RankedTensorType(a.type)
    return emitter.build("stablehlo.and", [a, b], kind.shape, kind.element_type, {})


def masked(emitter: Emitter, op: Op, part: Part, is_inside: Any) -> Part:
    """Zeroes the elements of a gather that are not in the part."""
    numbers = stablehlo.GatherDimensionNumbers(op.attribute("dimension_numbers"))
    dims = [r for r in range(len(part.extents)) if r not in numbers.offset_dims]
    along = {"broadcast_dimensions": array(dims)}
    flag = ir.IntegerType.get_signless(1)
    wide = emitter.build("stablehlo.broadcast_in_dim", [is_inside], part.extents, flag, along)
    zero = emitter.full(0, part.extents, part.element)
    value = emitter.build(
        "stablehlo.select", [wide, part.value, zero], part.extents, part.element, {}
    )
    return replace(part, value=value)
