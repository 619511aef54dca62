"""Convolutions and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.moves import permuted, reshaped
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._reductions import reduced

Ints = Sequence[int]


def _each(values: Ints, count: int) -> list[int]:
    """One number for each dimension of space."""
    found = [int(n) for n in values]
    return found * count if len(found) == 1 else found


def _with_bias(op: Op, y: Tensor, bias: Operand | None) -> Tensor:
    if bias is None:
        return y
    channels = op.tensor(bias, y.dtype)
    return op.b.add(y, reshaped(op, channels, (1, -1, *(1,) * (y.rank - 2))))


@handles("aten.convolution")
def _convolution(
    op: Op,
    input: Operand,
    weight: Operand,
    bias: Operand | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
) -> Result:
    dtype = op.dtype()
    count = len(shape_of(weight)) - 2
    x, w = op.tensor(input, dtype), op.tensor(weight, dtype)
    batched = x.rank == count + 2
    x = x if batched else reshaped(op, x, (1, *x.shape))
    steps, gaps = _each(stride, count), _each(dilation, count)
    borders = _each(padding, count)
    if transposed:
        extents = list(op.shape()[-count:])
        y = _with_bias(op, _transposed(op, x, w, extents, steps, borders, gaps, groups), bias)
    elif count == 2:
        y = _conv2d(op, x, w, bias, steps, borders, gaps, groups)
    else:
        pads = [n for n in borders for _ in range(2)]
        y = _with_bias(op, convolved(op, x, w, steps, pads, [1] * count, gaps, groups), bias)
    return reshaped(op, y, op.shape())


def _conv2d(
    op: Op,
    x: Tensor,
    w: Tensor,
    bias: Operand | None,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    groups: int,
) -> Tensor:
    """Two dimensions are an op of TTIR, with the channels behind."""
    offset = None
    if bias is not None:
        offset = reshaped(op, op.tensor(bias, w.dtype), (1, 1, 1, w.shape[0]))
    y = op.b.conv2d(
        permuted(op, x, (0, 2, 3, 1)),
        w,
        offset,
        stride=(stride[0], stride[1]),
        padding=(padding[0], padding[1]),
        dilation=(dilation[0], dilation[1]),
        groups=groups,
    )
    return permuted(op, y, (0, 3, 1, 2))


def convolved(
    op: Op,
    x: Tensor,
    w: Tensor,
    stride: Ints,
    padding: Ints,
    input_dilation: Ints,
    dilation: Ints,
    groups: int = 1,
    *,
    batch_groups: int = 1,
    swapped: bool = False,
) -> Tensor:
    """A convolution over any number of dimensions; with ``swapped`` batch and channels change
    places in all three tensors, as for the gradient of a weight."""
    plain = list(range(x.rank))
    turned = [1, 0, *plain[2:]]
    order = turned if swapped else plain
    return op.b.convolution(
        x,
        w,
        stride,
        padding,
        input_dilation,
        dilation,
        order,
        order,
        order,
        groups=groups,
        batch_groups=batch_groups,
    )


def _transposed(
    op: Op,
    x: Tensor,
    w: Tensor,
    extents: list[int],
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    groups: int,
) -> Tensor:
    """The transpose of a convolution with ``w`` (channels of x, channels of y / groups, ...), whose
    result has the extents ``extents``."""
    count = w.rank - 2
    kernel = w.shape[2:]
    turned = [d + 2 for d in range(count) if kernel[d] > 1]
    w = op.b.reverse(w, turned) if turned else w
    own, other = w.shape[0] // groups, w.shape[1]
    if groups > 1:
        w = reshaped(op, w, (groups, own, other, *kernel))
        w = permuted(op, w, (0, 2, 1, *range(3, 3 + count)))
        w = reshaped(op, w, (groups * other, own, *kernel))
    else:
        w = permuted(op, w, (1, 0, *range(2, 2 + count)))
    pads = []
    for d in range(count):
        reach = dilation[d] * (kernel[d] - 1)
        low = reach - padding[d]
        spread = (x.shape[2 + d] - 1) * stride[d] + 1
        pads += [low, extents[d] + reach - spread - low]
    return convolved(op, x, w, [1] * count, pads, stride, dilation, groups)


@handles("aten.convolution_backward")
def _convolution_backward(
    op: Op,
    grad_output: Operand,
    input: Operand,
    weight: Operand,
    bias_sizes: Any,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    output_mask: Sequence[bool],
) -> Result:
    count = len(shape_of(weight)) - 2
    dtype = op.kind(_dtype_of(op))
    g, x, w = (op.tensor(v, dtype) for v in (grad_output, input, weight))
    steps, borders, gaps = (_each(n, count) for n in (stride, padding, dilation))
    results: list[Tensor | None] = [None, None, None]
    if output_mask[0]:
        if transposed:
            pads = [n for n in borders for _ in range(2)]
            found = convolved(op, g, w, steps, pads, [1] * count, gaps, groups)
        else:
            extents = list(x.shape[2:])
            found = _transposed(op, g, w, extents, steps, borders, gaps, groups)
        results[0] = found
    if output_mask[1]:
        image, kernel = (g, x) if transposed else (x, g)
        results[1] = _weight_gradient(op, image, kernel, w, steps, borders, gaps, groups)
    if output_mask[2]:
        dims = [0, *range(2, g.rank)]
        results[2] = reduced(op, "sum", g, dims, keep=False)
    return results


def _dtype_of(op: Op) -> torch.dtype:
    return next(m for m in op.node.meta["val"] if m is not None).dtype  # type: ignore[no-any-return]


def _weight_gradient(
    op: Op,
    image: Tensor,
    kernel: Tensor,
    weight: Tensor,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    groups: int,
) -> Tensor:
    """A convolution of the image, whose batch is summed over, with the gradient of the result."""
    count = weight.rank - 2
    pads = []
    for d in range(count):
        reach = dilation[d] * (weight.shape[2 + d] - 1)
        spread = stride[d] * (kernel.shape[2 + d] - 1) + 1
        pads += [padding[d], reach + spread - image.shape[2 + d] - padding[d]]
    return convolved(
        op,
        image,
        kernel,
        dilation,
        pads,
        [1] * count,
        stride,
        batch_groups=groups,
        swapped=True,
    )
