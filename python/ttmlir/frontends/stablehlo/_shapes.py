"""Ops that create tensors and change their shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, sliced
from ttmlir.frontends.stablehlo._constants import (
    Known,
    Spread,
    Value,
    array_of,
    complex_array_of,
    resource_name,
)
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._types import (
    FLOATS,
    NUMPY,
    Array,
    Shape,
    is_complex,
    numpy_of,
    shape_of,
)


def joined(op: Op, tensors: Sequence[Tensor], dim: int) -> Tensor:
    """Concatenates the tensors along a dimension, without empty ones."""
    parts = [t for t in tensors if t.shape[dim]]
    return parts[0] if len(parts) == 1 else op.b.concat(parts, dim)


def filled(op: Op, shape: Shape, value: Any, dtype: str) -> Tensor:
    """Fills a tensor with a number."""
    return op.importer.tensor(Known(np.broadcast_to(np.asarray(value, NUMPY[dtype]), shape)))


@handles("stablehlo.constant", "chlo.constant")
def _constant(op: Op) -> Result:
    kind = op.operation.results[0].type
    if is_complex(kind):
        return Known(complex_array_of(op.operation))
    value = op.attribute("value")
    try:
        return Known(array_of(value, kind))
    except ValueError:
        if not (name := resource_name(value)):
            raise
    raw = op.importer.resource(op.operation, name)
    dtype, shape = numpy_of(kind), shape_of(kind)
    if raw is None or len(raw) != dtype.itemsize * math.prod(shape):
        raise op.fail(f"the module has no resource '{name}' of {kind}")
    return Known(np.frombuffer(raw, dtype).reshape(shape))


@handles("stablehlo.iota", "stablehlo.dynamic_iota")
def _iota(op: Op) -> Result:
    shape, dim, dtype = op.shape(), op.integer("iota_dimension"), op.dtype()
    extents = [n if i == dim else 1 for i, n in enumerate(shape)]
    exact = "i32" if dtype in FLOATS or dtype in ("i64", "u64") else dtype
    found = op.result(cast(op, op.b.arange(extents, 0, 1, dim, exact), dtype), shape)
    op.importer.count(found, dim)
    return found


@handles("stablehlo.broadcast_in_dim", "stablehlo.dynamic_broadcast_in_dim")
def _broadcast_in_dim(op: Op) -> Result:
    shape, dims = op.shape(), op.ints("broadcast_dimensions")
    if op.input_shape() == shape and dims == list(range(len(shape))):
        return op.inputs[0]
    x = op.part()
    extents = [1] * len(shape)
    for i, d in enumerate(dims):
        extents[d] = x.shape[i]
    if dims != sorted(dims):
        x = permuted(op, x, np.argsort(dims).tolist())
    x = reshaped(op, x, extents)
    return op.result(x, shape)


@handles("stablehlo.reshape", "stablehlo.dynamic_reshape")
def _reshape(op: Op) -> Result:
    if op.input_shape() == op.shape():
        return op.inputs[0]
    value, shape = op.inputs[0], op.shape()
    if isinstance(value, Spread) and math.prod(value.tensor.shape) == 1:
        return op.result(reshaped(op, value.tensor, [1] * len(shape)), shape)
    return reshaped(op, op.tensor(), shape)


@handles("stablehlo.transpose")
def _transpose(op: Op) -> Result:
    order = op.ints("permutation")
    value = op.inputs[0]
    if isinstance(value, Spread):
        return op.result(permuted(op, value.tensor, order), op.shape())
    return permuted(op, op.tensor(), order)


@handles("stablehlo.slice")
def _slice(op: Op) -> Result:
    begins, ends = op.ints("start_indices"), op.ints("limit_indices")
    return _part_of(op, begins, ends, op.ints("strides"))


@handles("stablehlo.real_dynamic_slice")
def _real_dynamic_slice(op: Op) -> Result:
    bounds = [op.known(i) for i in (1, 2, 3)]
    if any(bound is None for bound in bounds):
        raise op.fail("the bounds are computed: use a dynamic_slice of a constant size")
    lists = [[int(n) for n in bound] for bound in bounds if bound is not None]
    return _part_of(op, *lists)


def _part_of(op: Op, begins: list[int], ends: list[int], steps: list[int]) -> Result:
    if op.shape() == op.input_shape():
        return op.inputs[0]
    return op.b.slice(op.tensor(), begins, ends, steps)


@handles("stablehlo.concatenate")
def _concatenate(op: Op) -> Result:
    return joined(op, op.tensors(), op.integer("dimension"))


@handles("stablehlo.reverse")
def _reverse(op: Op) -> Result:
    dims = [d for d in op.ints("dimensions") if op.input_shape()[d] > 1]
    return op.b.reverse(op.tensor(), dims) if dims else op.inputs[0]


@handles("stablehlo.get_dimension_size")
def _get_dimension_size(op: Op) -> Result:
    return Known(np.array(op.input_shape()[op.integer("dimension")], np.int32))


@handles("stablehlo.set_dimension_size")
def _set_dimension_size(op: Op) -> Result:
    return op.inputs[0]


# Padding -----------------------------------------------------------------------------------------


@handles("stablehlo.pad")
def _pad(op: Op) -> Result:
    lows, highs = op.ints("edge_padding_low"), op.ints("edge_padding_high")
    return padded(op, op.tensor(), lows, highs, op.ints("interior_padding"), op.inputs[1])


@handles("stablehlo.dynamic_pad")
def _dynamic_pad(op: Op) -> Result:
    lists = [op.known(i) for i in (2, 3, 4)]
    if any(found is None for found in lists):
        raise op.fail("the padding is computed: give it as numbers")
    low, high, inner = ([int(n) for n in found] for found in lists if found is not None)
    return padded(op, op.tensor(), low, high, inner, op.inputs[1])


def padded(
    op: Op,
    x: Tensor,
    lows: Sequence[int],
    highs: Sequence[int],
    inner: Sequence[int],
    value: Value,
) -> Tensor:
    """Pads a tensor around and between its elements with a value; negative padding crops."""
    number = value.splat() if isinstance(value, Known) else None
    if number is not None and _fits(number, x.dtype):
        return _padded(op, x, lows, highs, inner, float(number))
    # The attribute is an f32: for other values, pad with zeros and replace them.
    mask = _mask(x.shape, lows, highs, inner)
    around = op.importer.part(value)
    return op.b.where(
        op.importer.tensor(Known(mask)), _padded(op, x, lows, highs, inner, 0.0), around
    )


def _fits(number: Any, dtype: str) -> bool:
    return dtype == "bool" or (dtype in FLOATS) or int(np.float32(number)) == int(number)


def _mask(shape: Shape, lows: Sequence[int], highs: Sequence[int], inner: Sequence[int]) -> Array:
    """Returns a mask of the original elements in a padded tensor."""
    own = np.ones((), bool)
    for d, extent in enumerate(shape):
        places = np.arange(extent) * (inner[d] + 1) + lows[d]
        total = max(extent + (extent - 1) * inner[d], 0) + lows[d] + highs[d]
        along = np.zeros(total, bool)
        along[places[(places >= 0) & (places < total)]] = True
        own = own[..., None] & along
    return own


def _padded(
    op: Op,
    x: Tensor,
    lows: Sequence[int],
    highs: Sequence[int],
    inner: Sequence[int],
    value: float,
) -> Tensor:
    for d, gap in enumerate(inner):
        n = x.shape[d]
        if not gap or n < 2:
            continue
        # Each element becomes a row with its gap; the last gap is removed.
        rows = op.b.reshape(x, (*x.shape[:d], n, 1, *x.shape[d + 1 :]))
        gaps = [(0, gap if i == d + 1 else 0) for i in range(rows.rank)]
        rows = op.b.pad(rows, gaps, value)
        x = op.b.reshape(rows, (*x.shape[:d], n * (gap + 1), *x.shape[d + 1 :]))
        x = sliced(op, x, d, 0, n * (gap + 1) - gap)
    around = [(max(a, 0), max(b, 0)) for a, b in zip(lows, highs, strict=True)]
    if any(a or b for a, b in around):
        x = op.b.pad(x, around, value)
    begins = [max(-a, 0) for a in lows]
    ends = [n - max(-b, 0) for n, b in zip(x.shape, highs, strict=True)]
    if any(begins) or ends != list(x.shape):
        x = op.b.slice(x, begins, ends)
    return x
