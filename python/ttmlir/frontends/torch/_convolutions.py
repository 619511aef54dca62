"""Convolutions and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.convolutions import convolved, deconvolved
from ttmlir.frontends.data_movement import permuted, reshaped
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._reductions import reduced
from ttmlir.frontends.torch._shapes import padded

Ints = Sequence[int]


def _each(values: Ints, count: int) -> list[int]:
    """Expands to one number for each spatial dimension."""
    found = [int(n) for n in values]
    return found * count if len(found) == 1 else found


def _with_bias(op: Op, y: Tensor, bias: Operand | None) -> Tensor:
    if bias is None:
        return y
    channels = op.tensor(bias, y.dtype)
    return op.b.add(y, reshaped(op, channels, (1, -1, *(1,) * (y.rank - 2))))


@handles("aten.convolution", "aten._convolution")
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
    *_: object,
    **__: object,
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
        y = _with_bias(op, deconvolved(op, x, w, extents, steps, borders, gaps, groups), bias)
    elif count == 2:
        y = _conv2d(op, x, w, bias, steps, borders, gaps, groups)
    else:
        pads = [n for n in borders for _ in range(2)]
        y = _with_bias(op, convolved(op, x, w, steps, pads, [1] * count, gaps, groups), bias)
    return reshaped(op, y, op.shape())


@handles("aten.conv1d", "aten.conv2d", "aten.conv3d")
def _conv(
    op: Op,
    input: Operand,
    weight: Operand,
    bias: Operand | None = None,
    stride: Ints = (1,),
    padding: Ints | str = (0,),
    dilation: Ints = (1,),
    groups: int = 1,
) -> Result:
    kernel = shape_of(weight)[2:]
    if padding == "same":
        reach = [d * (k - 1) for d, k in zip(_each(dilation, len(kernel)), kernel, strict=True)]
        if any(n % 2 for n in reach):
            # One more element at the end than at the start.
            pads = [(0, 0)] * (len(shape_of(input)) - len(kernel))
            input = padded(op, op.tensor(input), [*pads, *((0, n % 2) for n in reach)])
        padding = [n // 2 for n in reach]
    elif padding == "valid":
        padding = (0,)
    assert not isinstance(padding, str)
    return _convolution(op, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@handles("aten.conv_transpose1d", "aten.conv_transpose2d", "aten.conv_transpose3d")
def _conv_transpose(
    op: Op,
    input: Operand,
    weight: Operand,
    bias: Operand | None = None,
    stride: Ints = (1,),
    padding: Ints = (0,),
    output_padding: Ints = (0,),
    groups: int = 1,
    dilation: Ints = (1,),
) -> Result:
    extra = output_padding
    return _convolution(op, input, weight, bias, stride, padding, dilation, True, extra, groups)


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
    """Convolution over two dimensions as one op of TTIR, with channels last."""
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
            found = deconvolved(op, g, w, extents, steps, borders, gaps, groups)
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
    """Convolves the image, with the batch as channels, with the gradient of the result."""
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
