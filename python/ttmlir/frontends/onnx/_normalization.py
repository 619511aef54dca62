"""Normalizations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles
from ttmlir.frontends.onnx._reductions import moments, reduced


def deviation(op: Op, variance: Tensor, epsilon: float) -> Tensor:
    """1 / sqrt(variance + epsilon)."""
    return op.b.rsqrt(op.b.add(variance, op.tensor(epsilon, variance.dtype)))


def _wide(op: Op, x: Tensor) -> Tensor:
    return op.cast(x, "f32") if x.dtype in ("bf16", "f16") else x


def _column(op: Op, x: Value, rank: int, dtype: str) -> Tensor:
    """Reshapes one number for each channel for broadcasting."""
    return reshaped(op, op.tensor(x, dtype), (1, -1, *(1,) * (rank - 2)) if rank > 1 else (-1,))


@handles("BatchNormalization", folds=False)
def _batch_norm(
    op: Op, x: Value, scale: Value, offset: Value, mean: Value, variance: Value
) -> Result:
    b, image = op.b, op.tensor(x)
    dtype, epsilon = image.dtype, op.number("epsilon", 1e-5)
    by_batch = (
        op.integer("training_mode")
        if op.since >= 14
        else op.since < 7 and not op.integer("is_test") and op.is_used(1)
    )
    if not by_batch:
        first, second, third, last = (op.tensor(v, dtype) for v in (scale, offset, mean, variance))
        if op.since < 9 and not op.integer("spatial", 1):
            return _normalized(op, image, (first, second, third, last), epsilon)
        if image.rank == 1:
            image = reshaped(op, image, (-1, 1))
        found = b.batch_norm_inference(image, first, second, third, last, epsilon, 1)
        return reshaped(op, found, op.tensor(x).shape)
    wide = _wide(op, image)
    dims = [0, *range(2, image.rank)]
    current, centre = moments(op, wide, dims)
    found = b.multiply(b.subtract(wide, centre), deviation(op, current, epsilon))
    found = b.multiply(found, _column(op, scale, image.rank, wide.dtype))
    found = b.add(found, _column(op, offset, image.rank, wide.dtype))
    momentum = op.number("momentum", 0.9)
    results: list[Value] = [op.cast(found, dtype)]
    for old, new in ((mean, centre), (variance, current)):
        kept = op.tensor(old)
        flat = op.cast(reshaped(op, new, kept.shape), kept.dtype)
        before = b.multiply(kept, op.tensor(momentum, kept.dtype))
        results.append(b.add(before, b.multiply(flat, op.tensor(1 - momentum, kept.dtype))))
    return results


def _normalized(op: Op, x: Tensor, rest: Sequence[Tensor], epsilon: float) -> Tensor:
    """Normalizes each element by its own statistics, as before operator set 9."""
    b = op.b
    scale, offset, mean, variance = (reshaped(op, t, (1, *x.shape[1:])) for t in rest)
    found = b.multiply(b.subtract(x, mean), deviation(op, variance, epsilon))
    return b.add(b.multiply(found, scale), offset)


@handles("InstanceNormalization", folds=False)
def _instance_norm(op: Op, x: Value, scale: Value, offset: Value) -> Result:
    image = op.tensor(x)
    return _grouped(op, image, image.shape[1], scale, offset)


@handles("GroupNormalization", folds=False)
def _group_norm(op: Op, x: Value, scale: Value, offset: Value) -> Result:
    image, groups = op.tensor(x), op.integer("num_groups")
    if op.since < 21:
        # One number for each group.
        each = image.shape[1] // groups
        scale, offset = (_spread(op, v, each) for v in (scale, offset))
    return _grouped(op, image, groups, scale, offset)


def _spread(op: Op, x: Value, times: int) -> Tensor:
    found = op.tensor(x)
    return found if times == 1 else op.b.repeat_interleave(found, times, 0)


def _grouped(op: Op, x: Tensor, groups: int, scale: Value, offset: Value) -> Tensor:
    return op.b.group_norm(
        x,
        groups,
        weight=op.tensor(scale, x.dtype),
        bias=op.tensor(offset, x.dtype),
        epsilon=op.number("epsilon", 1e-5),
        channel_dim=1,
    )


@handles("LayerNormalization", folds=False)
def _layer_norm(op: Op, x: Value, scale: Value, offset: Value = None) -> Result:
    b, rows = op.b, op.tensor(x)
    dtype, epsilon = rows.dtype, op.number("epsilon", 1e-5)
    axis = axis_of(op.integer("axis", -1), rows.rank)
    shape = rows.shape[axis:]
    factor = op.tensor(scale, dtype)
    bias = None if offset is None else op.tensor(offset, dtype)
    whole = factor.shape == shape and (bias is None or bias.shape == shape)
    if whole:
        found = b.layer_norm(rows, factor, bias, normalized_shape=shape, epsilon=epsilon)
    else:
        found = b.multiply(b.layer_norm(rows, normalized_shape=shape, epsilon=epsilon), factor)
        found = found if bias is None else b.add(found, bias)
    if not op.is_used(1) and not op.is_used(2):
        return found
    variance, mean = moments(op, _wide(op, rows), list(range(axis, rows.rank)))
    return [found, mean, deviation(op, variance, epsilon)]


@handles("LpNormalization", folds=False)
def _lp_norm(op: Op, x: Value) -> Result:
    b, found = op.b, op.tensor(x)
    wide = _wide(op, found)
    dims = [axis_of(op.integer("axis", -1), wide.rank)]
    if op.integer("p", 2) == 1:
        norm = reduced(op, "sum", b.abs(wide), dims)
    else:
        norm = b.sqrt(reduced(op, "sum", b.multiply(wide, wide), dims))
    zero = op.compare("eq", norm, op.tensor(0.0, wide.dtype))
    # An all-zero vector stays zero.
    divisor = b.where(zero, op.tensor(1.0, wide.dtype), norm)
    return op.cast(b.div(wide, divisor), found.dtype)


@handles("LRN", folds=False)
def _lrn(op: Op, x: Value) -> Result:
    """Local response normalization across channels."""
    b, image = op.b, op.tensor(x)
    wide = _wide(op, image)
    size = op.integer("size")
    channels = wide.shape[1]
    low, high = (size - 1) // 2, size - 1 - (size - 1) // 2
    places = np.arange(channels)
    apart = places[None, :] - places[:, None]
    band = ((apart >= -low) & (apart <= high)).astype(np.float32)
    rows = reshaped(op, b.multiply(wide, wide), (wide.shape[0], channels, -1))
    total = b.matmul(op.tensor(band[None], wide.dtype), rows)
    total = reshaped(op, total, wide.shape)
    factor = op.tensor(op.number("alpha", 1e-4) / size, wide.dtype)
    base = b.add(b.multiply(total, factor), op.tensor(op.number("bias", 1.0), wide.dtype))
    beta = op.number("beta", 0.75)
    return op.cast(b.div(wide, b.power(base, op.tensor(beta, wide.dtype))), image.dtype)
