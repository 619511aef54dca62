"""Convolutions."""

from __future__ import annotations

from ttmlir.builder import Tensor
from ttmlir.frontends.convolutions import convolved, deconvolved
from ttmlir.frontends.data_movement import permuted, reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._sliding_windows import Window, window_of


def with_bias(op: Op, y: Tensor, bias: Value) -> Tensor:
    """Adds one number for each channel."""
    if bias is None:
        return y
    return op.b.add(y, reshaped(op, op.tensor(bias, y.dtype), (1, -1, *(1,) * (y.rank - 2))))


def convolution(op: Op, x: Tensor, w: Tensor, bias: Value, window: Window, groups: int) -> Tensor:
    """Convolves over any number of dimensions; two are one op of TTIR, with channels last."""
    count = w.rank - 2
    if count == 1:
        wide = Window(
            [1, *window.space],
            [1, *window.kernel],
            [1, *window.stride],
            [1, *window.dilation],
            [0, *window.low],
            [0, *window.high],
            [1, *window.out],
        )
        rows = reshaped(op, x, (*x.shape[:2], 1, x.shape[2]))
        kernel = reshaped(op, w, (*w.shape[:2], 1, w.shape[2]))
        found = convolution(op, rows, kernel, bias, wide, groups)
        return reshaped(op, found, (*found.shape[:2], found.shape[3]))
    if count == 2 and min(window.low + window.high) >= 0:
        offset = None
        if bias is not None:
            offset = reshaped(op, op.tensor(bias, w.dtype), (1, 1, 1, w.shape[0]))
        y = op.b.conv2d(
            permuted(op, x, (0, 2, 3, 1)),
            w,
            offset,
            stride=(window.stride[0], window.stride[1]),
            padding=(window.low[0], window.low[1], window.high[0], window.high[1]),
            dilation=(window.dilation[0], window.dilation[1]),
            groups=groups,
        )
        return permuted(op, y, (0, 3, 1, 2))
    pads = [n for pair in zip(window.low, window.high, strict=True) for n in pair]
    y = convolved(op, x, w, window.stride, pads, [1] * count, window.dilation, groups)
    return with_bias(op, y, bias)


@handles("Conv", folds=False)
def _conv(op: Op, x: Value, w: Value, bias: Value = None) -> Result:
    image = op.tensor(x)
    kernel = op.tensor(w, image.dtype)
    window = window_of(op, image.shape[2:], kernel.shape[2:])
    return convolution(op, image, kernel, bias, window, op.integer("group", 1))


@handles("ConvTranspose", folds=False)
def _conv_transpose(op: Op, x: Value, w: Value, bias: Value = None) -> Result:
    image = op.tensor(x)
    kernel = op.tensor(w, image.dtype)
    count = kernel.rank - 2
    stride = op.integers("strides") or [1] * count
    dilation = op.integers("dilations") or [1] * count
    more = op.integers("output_padding") or [0] * count
    pads = op.integers("pads") or [0] * (2 * count)
    auto, shape = op.text("auto_pad", "NOTSET"), op.integers("output_shape")
    low, out = list(pads[:count]), []
    for d in range(count):
        reach = (kernel.shape[2 + d] - 1) * dilation[d] + 1
        whole = (image.shape[2 + d] - 1) * stride[d] + reach + more[d]
        if shape is not None or auto.startswith("SAME"):
            wanted = shape[d - count] if shape is not None else image.shape[2 + d] * stride[d]
            total = max(whole - wanted, 0)
            low[d] = total // 2 if auto == "SAME_UPPER" else total - total // 2
            out.append(wanted)
        elif auto == "VALID":
            low[d] = 0
            out.append(whole)
        else:
            out.append(whole - pads[d] - pads[d + count])
    groups = op.integer("group", 1)
    y = deconvolved(op, image, kernel, out, stride, low, dilation, groups)
    return with_bias(op, y, bias)
