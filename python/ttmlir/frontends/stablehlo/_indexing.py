"""Gathers, scatters and dynamic slices."""

from __future__ import annotations

import numpy as np
from jaxlib.mlir.dialects import stablehlo

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo._constants import Known
from ttmlir.frontends.stablehlo._elementwise import cast, number
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._types import Shape

_INDEX = "i32"


def index(op: Op, value: Tensor, greatest: int = 2**31 - 1) -> Tensor:
    """Converts indices to signed integers; unsigned ones above ``greatest`` are clamped."""
    if value.dtype == "u32":
        value = op.b.minimum(value, number(op, greatest, "u32"))
    return cast(op, value, _INDEX)


def starts(op: Op, first: int, extents: Shape) -> Tensor:
    """Combines the operands from index ``first``, one for each dimension, into one tensor."""
    if not extents:
        raise op.fail("expected a tensor with dimensions")
    values = op.inputs[first:]
    if all(isinstance(value, Known) for value in values):
        numbers = [int(v.array.reshape(())) for v in values if isinstance(v, Known)]
        return op.importer.tensor(Known(np.array(numbers, np.int32)))
    parts = [
        reshaped(op, index(op, op.importer.tensor(value), extent), (1,))
        for value, extent in zip(values, extents, strict=True)
    ]
    return parts[0] if len(parts) == 1 else op.b.concat(parts, 0)


def known_starts(op: Op, first: int, sizes: Shape) -> list[int] | None:
    """Returns the clamped start of a slice of ``sizes``; None if it is computed."""
    found = []
    for value, extent, size in zip(op.inputs[first:], op.input_shape(), sizes, strict=True):
        if size == extent:
            found.append(0)
        elif isinstance(value, Known):
            found.append(min(max(int(value.array.reshape(())), 0), extent - size))
        else:
            return None
    return found


@handles("stablehlo.dynamic_slice")
def _dynamic_slice(op: Op) -> Result:
    sizes = op.shape()
    begins = known_starts(op, 1, sizes)
    if begins is None:
        return op.b.dynamic_slice(op.tensor(), starts(op, 1, op.input_shape()), sizes)
    if sizes == op.input_shape():
        return op.inputs[0]
    ends = [b + n for b, n in zip(begins, sizes, strict=True)]
    return op.b.slice(op.tensor(), begins, ends)


@handles("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(op: Op) -> Result:
    if not op.input_shape():
        return op.inputs[1]
    update = op.input_shape(1)
    if update == op.input_shape():
        return op.inputs[1]
    if 0 in update:
        return op.inputs[0]
    extents = op.input_shape()
    if len(extents) > 1:
        return _updated_slice(op, extents, update)
    return op.b.dynamic_update_slice(op.tensor(0), op.tensor(1), starts(op, 2, extents))


def _updated_slice(op: Op, extents: Shape, update: Shape) -> Tensor:
    """Updates a slice with operands for the computed starts only."""
    begins, dims, parts = [], [], []
    for d, (value, extent, size) in enumerate(zip(op.inputs[2:], extents, update, strict=True)):
        if size == extent or isinstance(value, Known):
            place = int(value.array.reshape(())) if isinstance(value, Known) else 0
            begins.append(min(max(place, 0), extent - size))
            continue
        begins.append(0)
        dims.append(d)
        parts.append(reshaped(op, index(op, op.importer.tensor(value), extent), (1,)))
    where = parts[0] if len(parts) == 1 else op.b.concat(parts, 0) if parts else None
    return op.b.update_slice(op.tensor(0), op.tensor(1), where, starts=begins, dims=dims)


def _with_vectors(op: Op, indices: Tensor, dim: int) -> Tensor:
    """Adds a dimension of extent 1 for implicit index vectors."""
    return reshaped(op, indices, (*indices.shape, 1)) if dim == indices.rank else indices


@handles("stablehlo.gather", "stablehlo.dynamic_gather")
def _gather(op: Op) -> Result:
    numbers = stablehlo.GatherDimensionNumbers(op.attribute("dimension_numbers"))
    if op.has("slice_sizes"):
        sizes = op.ints("slice_sizes")
    else:
        known = op.known(2)
        if known is None:
            raise op.fail("the sizes of slices are computed: give them as numbers")
        sizes = [int(n) for n in known]
    x, indices = op.tensor(0), op.tensor(1)
    dim = int(numbers.index_vector_dim)
    indices = _with_vectors(op, index(op, indices, max(x.shape, default=1)), dim)
    if not x.rank:
        return reshaped(op, x, op.shape())
    found = op.b.gather(
        x,
        indices,
        offset_dims=numbers.offset_dims,
        collapsed_slice_dims=numbers.collapsed_slice_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.start_indices_batching_dims,
        start_index_map=numbers.start_index_map,
        index_vector_dim=dim,
        slice_sizes=sizes,
        clamp=True,
    )
    return reshaped(op, found, op.shape())


# Scatters ----------------------------------------------------------------------------------------

_SCATTERS = {
    "stablehlo.add": "add",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.multiply": "multiply",
}
#: For booleans.
_LOGICAL_SCATTERS = {
    "stablehlo.add": "max",
    "stablehlo.and": "min",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.multiply": "min",
    "stablehlo.or": "max",
}


@handles("stablehlo.scatter")
def _scatter(op: Op) -> Result:
    count = (len(op.inputs) - 1) // 2
    operands, updates = op.tensors()[:count], op.tensors()[count + 1 :]
    if 0 in op.input_shape(count + 1):
        return list(op.inputs[:count])
    kind = _kind(op, count)
    if kind == "subtract":
        return [
            _scattered(op, x, op.b.neg(u), "add") for x, u in zip(operands, updates, strict=True)
        ]
    if kind:
        return [_scattered(op, x, u, kind) for x, u in zip(operands, updates, strict=True)]
    if not op.flag("unique_indices"):
        raise op.fail(
            "only updates by set, add, subtract, multiply, minimum and maximum may collide: pass "
            "unique_indices=True if there are no collisions"
        )
    old = [_gathered(op, x, u.shape) for x, u in zip(operands, updates, strict=True)]
    new = op.run(0, [*old, *updates])
    return [
        _scattered(op, x, op.importer.tensor(value), "set")
        for x, value in zip(operands, new, strict=True)
    ]


def _kind(op: Op, count: int) -> str:
    """Returns the builder's name of the reduction; empty if there is none."""
    block = op.block()
    operations = [inner.operation for inner in block.operations]
    arguments = list(block.arguments)
    if len(operations) == 1 and list(operations[0].operands) == arguments[count:]:
        return "set"
    name = op.body_name() if count == 1 else ""
    if name == "stablehlo.subtract":
        return "subtract"
    table = _LOGICAL_SCATTERS if op.dtype() == "bool" else _SCATTERS
    return table.get(name, "")


def _indices(op: Op) -> tuple[Tensor, int, int]:
    """Returns the indices, the dimension of their vectors, and the number of operands."""
    count = (len(op.inputs) - 1) // 2
    numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
    dim = int(numbers.index_vector_dim)
    return _with_vectors(op, index(op, op.tensor(count)), dim), dim, count


def _scattered(op: Op, x: Tensor, updates: Tensor, kind: str) -> Tensor:
    numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
    indices, dim, _ = _indices(op)
    shape, dtype = x.shape, x.dtype
    if dtype == "bool":
        x, updates = cast(op, x, "u8"), cast(op, updates, "u8")
    found = op.b.scatter(
        x,
        indices,
        updates,
        update_window_dims=numbers.update_window_dims,
        inserted_window_dims=numbers.inserted_window_dims,
        input_batching_dims=numbers.input_batching_dims,
        scatter_indices_batching_dims=numbers.scatter_indices_batching_dims,
        scatter_dims_to_operand_dims=numbers.scattered_dims_to_operand_dims,
        index_vector_dim=dim,
        reduce=kind,
    )
    return reshaped(op, cast(op, found, dtype), shape)


def _gathered(op: Op, x: Tensor, updates: Shape) -> Tensor:
    """Returns the old elements at the updates' indices; arbitrary values for out-of-bounds ones."""
    numbers = stablehlo.ScatterDimensionNumbers(op.attribute("scatter_dimension_numbers"))
    indices, dim, _ = _indices(op)
    windows = list(numbers.update_window_dims)
    own = [
        d
        for d in range(x.rank)
        if d not in numbers.inserted_window_dims and d not in numbers.input_batching_dims
    ]
    sizes = [1] * x.rank
    for d, w in zip(own, windows, strict=True):
        sizes[d] = updates[w]
    return op.b.gather(
        x,
        indices,
        offset_dims=windows,
        collapsed_slice_dims=numbers.inserted_window_dims,
        operand_batching_dims=numbers.input_batching_dims,
        start_indices_batching_dims=numbers.scatter_indices_batching_dims,
        start_index_map=numbers.scattered_dims_to_operand_dims,
        index_vector_dim=dim,
        slice_sizes=sizes,
        clamp=True,
    )
