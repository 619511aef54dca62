"""Window positions for convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttmlir.frontends.onnx._op import Op

Ints = Sequence[int]


@dataclass(frozen=True)
class Window:
    """A window in each dimension of ``space``, and the result extents ``out``.

    ``low`` and ``high`` are the padding before and after the elements.
    """

    space: list[int]
    kernel: list[int]
    stride: list[int]
    dilation: list[int]
    low: list[int]
    high: list[int]
    out: list[int]

    @property
    def reach(self) -> list[int]:
        """The extent of a window including dilation."""
        return [(k - 1) * g + 1 for k, g in zip(self.kernel, self.dilation, strict=True)]

    @property
    def ends(self) -> list[int]:
        """The padding required after the elements so that the last windows fit; negative if no
        window contains the last elements."""
        return [
            (self.out[d] - 1) * self.stride[d] + reach - self.low[d] - self.space[d]
            for d, reach in enumerate(self.reach)
        ]


def window_of(op: Op, space: Ints, kernel: Ints) -> Window:
    """Returns the windows of a convolution or a pool over the extents ``space``."""
    count = len(kernel)
    stride = op.integers("strides") or [1] * count
    dilation = op.integers("dilations") or [1] * count
    pads = op.integers("pads") or [0] * (2 * count)
    low, high = pads[:count], pads[count:]
    auto = op.text("auto_pad", "NOTSET")
    reach = [(k - 1) * g + 1 for k, g in zip(kernel, dilation, strict=True)]
    if auto == "VALID":
        low, high = [0] * count, [0] * count
    elif auto.startswith("SAME"):
        low, high = [], []
        for n, s, r in zip(space, stride, reach, strict=True):
            total = max((-(-n // s) - 1) * s + r - n, 0)
            less, more = total // 2, total - total // 2
            low.append(less if auto == "SAME_UPPER" else more)
            high.append(more if auto == "SAME_UPPER" else less)
    out = []
    for d, n in enumerate(space):
        room = n + low[d] + high[d] - reach[d]
        steps = -(-room // stride[d]) if op.integer("ceil_mode") else room // stride[d]
        # A window starts inside, or in the padding before.
        if op.integer("ceil_mode") and steps * stride[d] >= n + low[d]:
            steps -= 1
        out.append(steps + 1)
    if min(out) < 1:
        raise ValueError(f"expected extents of at least {reach}, found {list(space)}")
    return Window(list(space), list(kernel), stride, dilation, low, high, out)
