"""Convolutions and transposed convolutions over any number of dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import Op, permuted, reshaped

Ints = Sequence[int]


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
    """Convolves over any number of dimensions; ``swapped`` exchanges batch and channels in all
    three tensors, as for the gradient of a weight."""
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


def deconvolved(
    op: Op,
    x: Tensor,
    w: Tensor,
    extents: list[int],
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    groups: int,
) -> Tensor:
    """Transposed convolution with ``w`` (channels of x, channels of y / groups, ...) and a result
    with the extents ``extents``."""
    count = w.rank - 2
    kernel = w.shape[2:]
    # Elements to crop at the end, or to pad if negative.
    cuts = [
        (x.shape[2 + d] - 1) * stride[d] + dilation[d] * (kernel[d] - 1) + 1 - padding[d] - n
        for d, n in enumerate(extents)
    ]
    if count == 2 and min(padding) >= 0 and all(-c < n for c, n in zip(cuts, stride, strict=True)):
        found = op.b.conv_transpose2d(
            permuted(op, x, (0, 2, 3, 1)),
            w,
            stride=(stride[0], stride[1]),
            padding=(padding[0], padding[1], max(cuts[0], 0), max(cuts[1], 0)),
            output_padding=(max(-cuts[0], 0), max(-cuts[1], 0)),
            dilation=(dilation[0], dilation[1]),
            groups=groups,
        )
        return permuted(op, found, (0, 3, 1, 2))
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
