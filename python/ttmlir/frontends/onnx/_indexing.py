"""Gathers and scatters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.counted import chosen
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.distinct import distinct
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._types import NUMPY, Array
from ttmlir.frontends.scatter_gather import scattered, scattered_along

INDEX = "i32"
#: Names of scatter reductions in ONNX and in the builder.
_REDUCTIONS = {"none": "set", "add": "add", "mul": "multiply", "max": "max", "min": "min"}


def normalized_indices(op: Op, index: Value, extents: int | Sequence[int]) -> Tensor:
    """Converts indices to nonnegative signed integers; negative ones count from the end.

    Args:
        op: the node.
        index: the input.
        extents: of the dimension, or of those that the last dimension of ``index`` indexes.
    """
    if isinstance(index, np.ndarray):
        own = index.astype(np.int64)
        return op.tensor(np.where(own < 0, own + np.asarray(extents), own), INDEX)
    x = op.tensor(index, INDEX)
    size = op.tensor(np.asarray(extents, np.int32))
    return op.b.where(op.compare("lt", x, op.tensor(0, INDEX)), op.b.add(x, size), x)


def _progression(index: Value, extent: int) -> tuple[int, int, int] | None:
    """Returns begin, end and step of a slice with these indices if they are known and form one."""
    if not isinstance(index, np.ndarray) or not index.size > 0 or index.ndim > 1:
        return None
    found: Array = index.reshape(-1).astype(np.int64)
    found = np.where(found < 0, found + extent, found)
    step = int(found[1] - found[0]) if found.size > 1 else 1
    if step < 1 or found.min() < 0 or found.max() >= extent or (np.diff(found) != step).any():
        return None
    return int(found[0]), int(found[-1]) + 1, step


@handles("Gather")
def _gather(op: Op, data: Value, indices: Value) -> Result:
    x = op.tensor(data)
    dim = axis_of(op.integer("axis"), x.rank)
    shape = shape_of(indices)
    result = (*x.shape[:dim], *shape, *x.shape[dim + 1 :])
    if (part := _progression(indices, x.shape[dim])) is not None:
        begins, ends, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        begins[dim], ends[dim], steps[dim] = part
        whole = part == (0, x.shape[dim], 1)
        return reshaped(op, x if whole else op.b.slice(x, begins, ends, steps), result)
    where = normalized_indices(op, indices, x.shape[dim])
    where = reshaped(op, where, (math.prod(shape),))
    return reshaped(op, taken(op, x, dim, where), result)


@handles("GatherElements")
def _gather_elements(op: Op, data: Value, indices: Value) -> Result:
    x = op.tensor(data)
    dim = axis_of(op.integer("axis"), x.rank)
    return op.b.gather_dim(x, normalized_indices(op, indices, x.shape[dim]), dim)


@handles("GatherND")
def _gather_nd(op: Op, data: Value, indices: Value) -> Result:
    x = op.tensor(data)
    batch = op.integer("batch_dims")
    shape = shape_of(indices)
    depth, last = shape[-1], len(shape) - 1
    inner = range(batch, batch + depth)
    where = normalized_indices(op, indices, x.shape[batch : batch + depth])
    found = op.b.gather(
        x,
        where,
        offset_dims=range(last, last + x.rank - batch - depth),
        collapsed_slice_dims=inner,
        operand_batching_dims=range(batch),
        start_indices_batching_dims=range(batch),
        start_index_map=inner,
        index_vector_dim=last,
        slice_sizes=[1] * (batch + depth) + list(x.shape[batch + depth :]),
        clamp=True,
    )
    return reshaped(op, found, (*shape[:-1], *x.shape[batch + depth :]))


def _combination(op: Op) -> str:
    name = op.text("reduction", "none")
    if name not in _REDUCTIONS:
        raise op.fail(f"expected a reduction of {', '.join(_REDUCTIONS)}, found '{name}'")
    return _REDUCTIONS[name]


@handles("Scatter", "ScatterElements")
def _scatter_elements(op: Op, data: Value, indices: Value, updates: Value) -> Result:
    x = op.tensor(data)
    if 0 in shape_of(indices):
        return x
    dim = axis_of(op.integer("axis"), x.rank)
    where = normalized_indices(op, indices, x.shape[dim])
    return scattered_along(op, x, where, op.tensor(updates, x.dtype), dim, _combination(op))


@handles("ScatterND")
def _scatter_nd(op: Op, data: Value, indices: Value, updates: Value) -> Result:
    x = op.tensor(data)
    shape = shape_of(indices)
    if 0 in shape_of(updates):
        return x
    depth = shape[-1]
    new = op.tensor(updates, x.dtype)
    return scattered(
        op,
        x,
        normalized_indices(op, indices, x.shape[:depth]),
        new,
        window=range(len(shape) - 1, new.rank),
        inserted=range(depth),
        reduce=_combination(op),
    )


@handles("TensorScatter")
def _tensor_scatter(
    op: Op, past_cache: Value, update: Value, write_indices: Value = None
) -> Result:
    x = op.tensor(past_cache)
    new = op.tensor(update, x.dtype)
    dim = axis_of(op.integer("axis", -2), x.rank)
    is_circular = op.text("mode", "linear") == "circular"
    starts = np.zeros(x.shape[0], np.int64) if write_indices is None else write_indices
    if x.shape[0] == 1 and not is_circular:
        return op.b.update_slice(x, new, reshaped(op, op.tensor(starts, INDEX), (1,)), dims=(dim,))
    around = [1] * x.rank
    rows = [x.shape[0], *around[1:]]
    steps = [n if d == dim else 1 for d, n in enumerate(new.shape)]
    first = reshaped(op, op.tensor(starts, INDEX), rows)
    where = op.b.add(first, op.tensor(np.arange(new.shape[dim], dtype=np.int32).reshape(steps)))
    if is_circular:
        where = op.b.remainder(where, op.tensor(x.shape[dim], INDEX))
    return scattered_along(op, x, spread(op, where, new.shape), new, dim, "set")


# Results with data-dependent extents -------------------------------------------------------------


def _chosen(op: Op, condition: Value) -> Array:
    return np.flatnonzero(op.known(condition, "the number of chosen elements"))


@handles("Compress")
def _compress(op: Op, data: Value, condition: Value) -> Result:
    x = op.tensor(data)
    if op.has("axis"):
        dim = axis_of(op.integer("axis"), x.rank)
    else:
        x, dim = reshaped(op, x, (math.prod(x.shape),)), 0
    if isinstance(condition, Tensor):
        # Without an entry for the last elements, these are left out.
        mask, extent = op.cast(condition, "bool"), x.shape[dim]
        if mask.shape[0] > extent:
            raise op.fail("the condition has more elements than the dimension")
        order, count = chosen(op.b, mask)
        return op.counted(order.shape[0], count, (taken(op, x, dim, order), dim))
    found = _chosen(op, condition)
    if not found.size:
        shape = [0 if d == dim else n for d, n in enumerate(x.shape)]
        return np.zeros(shape, NUMPY[x.dtype])
    return taken(op, x, dim, op.tensor(found, INDEX))


@handles("NonZero")
def _nonzero(op: Op, x: Value) -> Result:
    values = op.tensor(x)
    size = math.prod(values.shape)
    if not values.rank:
        raise op.fail("expected a tensor of at least one dimension")
    order, count = chosen(op.b, reshaped(op, op.cast(values, "bool"), (size,)))
    places = np.stack(np.unravel_index(np.arange(size), values.shape)).astype(np.int32)
    found = taken(op, op.b.constant(places), 1, order)
    return op.counted(size, count, (op.cast(found, "i64"), 1))


@handles("Unique")
def _unique(op: Op, x: Value) -> Result:
    values = op.tensor(x)
    if op.has("axis"):
        dim = axis_of(op.integer("axis"), values.rank)
        rows = permuted(op, values, [dim, *(d for d in range(values.rank) if d != dim)])
    else:
        dim, rows = 0, reshaped(op, values, (math.prod(values.shape),))
    found = distinct(op, rows, by_place=not op.integer("sorted", 1), one_nan=True)
    order = [*range(1, dim + 1), 0, *range(dim + 1, rows.rank)]
    counted = op.counted(
        rows.shape[0],
        found.number,
        (permuted(op, found.rows, order), dim),
        (op.cast(found.firsts, "i64"), 0),
        (op.cast(found.counts, "i64"), 0),
    )
    return [*counted[:2], op.cast(found.inverse, "i64"), counted[2]]


@handles("MelWeightMatrix")
def _of_values(op: Op, *inputs: Value) -> Result:
    # Known inputs have been folded already.
    for x in filter(lambda x: x is not None, inputs):
        op.known(x, "the shape of the result")
    raise op.fail("onnx's reference cannot compute it")
