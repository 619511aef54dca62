"""Normalizations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._op import Op, Operand, Result, Value, handles, shape_of
from ttmlir.frontends.torch._reductions import moments, reduced


def _first(results: Result) -> Value:
    """Returns the normalized tensor, for an op without other results."""
    found = results[0]  # type: ignore[index]
    assert found is not None
    return found


def _optional(op: Op, x: Operand | None, dtype: str) -> Tensor | None:
    return None if x is None else op.tensor(x, dtype)


def _deviation(op: Op, variance: Tensor, eps: float) -> Tensor:
    """1 / sqrt(variance + eps)."""
    return op.b.rsqrt(op.b.add(variance, op.tensor(float(eps), variance.dtype)))


def _statistics(op: Op, x: Tensor, dims: Sequence[int], eps: float) -> list[Value | None]:
    """Returns results 1 and 2, mean and inverse deviation, if they are used."""
    if not op.is_used(1) and not op.is_used(2):
        return [None, None]
    variance, mean = moments(op, op.cast(x, "f32") if x.dtype != "f64" else x, dims)
    found = (mean, _deviation(op, variance, eps))
    return [op.cast(reshaped(op, t, op.shape(i)), op.dtype(i)) for i, t in enumerate(found, 1)]


@handles("aten.native_layer_norm")
def _layer_norm(
    op: Op,
    input: Operand,
    normalized_shape: Sequence[int],
    weight: Operand | None,
    bias: Operand | None,
    eps: float,
) -> Result:
    b, dtype = op.b, op.dtype()
    x = op.tensor(input, dtype)
    scale, offset = _optional(op, weight, dtype), _optional(op, bias, dtype)
    dims = list(range(x.rank - len(normalized_shape), x.rank))
    if eps < 0:
        variance, mean = moments(op, x, dims)
        y = b.multiply(b.subtract(x, mean), _deviation(op, variance, eps))
        y = y if scale is None else b.multiply(y, scale)
        y = y if offset is None else b.add(y, offset)
    elif scale is None and offset is not None:
        y = b.layer_norm(x, normalized_shape=normalized_shape, epsilon=eps)
        y = b.add(y, offset)
    else:
        y = b.layer_norm(x, scale, offset, normalized_shape=normalized_shape, epsilon=eps)
    return [y, *_statistics(op, x, dims, eps)]


@handles("aten.layer_norm")
def _whole_layer_norm(
    op: Op,
    input: Operand,
    normalized_shape: Sequence[int],
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Result:
    return _first(_layer_norm(op, input, normalized_shape, weight, bias, eps))


@handles("aten.rms_norm")
def _rms_norm(
    op: Op,
    input: Operand,
    normalized_shape: Sequence[int],
    weight: Operand | None = None,
    eps: float | None = None,
) -> Result:
    dtype = op.dtype()
    x, scale = op.tensor(input, dtype), _optional(op, weight, dtype)
    if eps is None:
        eps = torch.finfo(op.meta().dtype).eps
    if eps < 0:
        b, dims = op.b, list(range(x.rank - len(normalized_shape), x.rank))
        y = b.multiply(x, _deviation(op, reduced(op, "mean", b.multiply(x, x), dims), eps))
        return y if scale is None else b.multiply(y, scale)
    return op.b.rms_norm(x, scale, normalized_shape=normalized_shape, epsilon=eps)


@handles("aten.native_group_norm")
def _group_norm(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Result:
    b, dtype = op.b, op.dtype()
    x = op.tensor(input, dtype)
    scale, offset = _optional(op, weight, dtype), _optional(op, bias, dtype)
    y = b.group_norm(x, group, weight=scale, bias=offset, epsilon=eps, channel_dim=1)
    rows = reshaped(op, x, (N, group, C // group * HxW)) if op.is_used(1) or op.is_used(2) else x
    return [y, *_statistics(op, rows, [2], eps)]


@handles("aten.group_norm")
def _whole_group_norm(
    op: Op,
    input: Operand,
    num_groups: int,
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Result:
    count, channels, *space = shape_of(input)
    extent = math.prod(space)
    return _first(_group_norm(op, input, weight, bias, count, channels, extent, num_groups, eps))


# Batches -----------------------------------------------------------------------------------------


@handles("aten._native_batch_norm_legit_no_training")
def _batch_norm(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    running_mean: Operand,
    running_var: Operand,
    momentum: float,
    eps: float,
) -> Result:
    dtype = op.dtype()
    x = op.tensor(input, dtype)
    channels = x.shape[1]
    scale = op.tensor(torch.ones(channels) if weight is None else weight, dtype)
    offset = op.tensor(torch.zeros(channels) if bias is None else bias, dtype)
    mean, variance = op.tensor(running_mean, dtype), op.tensor(running_var, dtype)
    y = op.b.batch_norm_inference(x, scale, offset, mean, variance, eps, 1)
    nothing = torch.empty(0)
    return [y, nothing, nothing]


@handles("aten._native_batch_norm_legit.no_stats")
def _batch_norm_alone(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Result:
    return _by_batch(op, input, weight, bias, eps)[0]


@handles("aten.native_batch_norm", "aten._native_batch_norm_legit.default")
def _native_batch_norm(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    running_mean: Operand | None,
    running_var: Operand | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Result:
    if training or running_mean is None or running_var is None:
        return _by_batch(op, input, weight, bias, eps)[0]
    return _batch_norm(op, input, weight, bias, running_mean, running_var, momentum, eps)


@handles("aten.batch_norm")
def _whole_batch_norm(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    running_mean: Operand | None,
    running_var: Operand | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Result:
    # Training with running statistics is replaced by other ops: see ``is_functional``.
    return _first(
        _native_batch_norm(
            op, input, weight, bias, running_mean, running_var, training, momentum, eps
        )
    )


@handles("aten._native_batch_norm_legit_functional")
def _batch_norm_training(
    op: Op,
    input: Operand,
    weight: Operand | None,
    bias: Operand | None,
    running_mean: Operand,
    running_var: Operand,
    training: bool,
    momentum: float,
    eps: float,
) -> Result:
    b = op.b
    if not training:
        found = _batch_norm(op, input, weight, bias, running_mean, running_var, momentum, eps)
        return [*list(found), running_mean, running_var]  # type: ignore[arg-type]
    results, mean, variance, count = _by_batch(op, input, weight, bias, eps)
    updated: list[Value | None] = []
    for i, (old, new, factor) in enumerate(
        ((running_mean, mean, 1.0), (running_var, variance, count / max(count - 1, 1))), 3
    ):
        kept, kind = op.tensor(old), op.dtype(i)
        flat = op.cast(reshaped(op, new, op.shape(i)), kind)
        before = b.multiply(op.cast(kept, kind), op.tensor(1 - momentum, kind))
        updated.append(b.add(before, b.multiply(flat, op.tensor(momentum * factor, kind))))
    return [*results, *updated]


def _by_batch(
    op: Op, input: Operand, weight: Operand | None, bias: Operand | None, eps: float
) -> tuple[list[Value | None], Tensor, Tensor, int]:
    """Returns the normalized tensor with mean and inverse deviation, the moments, and the number of
    elements in a channel."""
    b, dtype = op.b, op.dtype()
    x = op.tensor(input, dtype)
    wide = op.cast(x, "f32") if dtype in ("bf16", "f16") else x
    dims = [0, *range(2, x.rank)]
    variance, mean = moments(op, wide, dims)
    deviation = _deviation(op, variance, eps)
    y = b.multiply(b.subtract(wide, mean), deviation)
    column = (1, x.shape[1], *(1,) * (x.rank - 2))
    if weight is not None:
        y = b.multiply(y, reshaped(op, op.tensor(weight, y.dtype), column))
    if bias is not None:
        y = b.add(y, reshaped(op, op.tensor(bias, y.dtype), column))
    saved: list[Any] = [
        op.cast(reshaped(op, t, op.shape(i)), op.dtype(i)) if op.is_used(i) else None
        for i, t in ((1, mean), (2, deviation))
    ]
    count = math.prod(x.shape[d] for d in dims)
    return [op.cast(y, dtype), *saved], mean, variance, count
