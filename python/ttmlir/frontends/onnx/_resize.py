"""Resizing of images, and the inverse of window extraction."""

from __future__ import annotations

import math

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.convolutions import deconvolved
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles
from ttmlir.frontends.onnx._types import FLOATS
from ttmlir.frontends.scatter_gather import scattered_along

_CROP = "tf_crop_and_resize"
#: Old names of modes, with the current ones.
_MODES = {"bilinear": "linear", "trilinear": "linear"}


def _all_dims(op: Op, given: list[float], rank: int, rest: float) -> list[float]:
    """Expands numbers for the dimensions ``axes`` to all dimensions."""
    axes = op.integers("axes")
    found = [rest] * rank
    for axis, number in zip(range(rank) if axes is None else axes, given, strict=True):
        found[axis_of(axis, rank)] = number
    return found


def _floats(op: Op, x: Value, what: str) -> list[float]:
    return [] if x is None else [float(n) for n in op.known(x, what).reshape(-1)]


def _kept_ratio(op: Op, shape: tuple[int, ...], wanted: list[int]) -> list[float] | None:
    """Returns scale factors that keep the aspect ratio; None if it need not be kept."""
    policy = op.text("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return None
    axes = op.integers("axes")
    dims = [axis_of(d, len(shape)) for d in (range(len(shape)) if axes is None else axes)]
    ratios = [np.float32(wanted[d]) / np.float32(shape[d]) for d in dims]
    one = float(min(ratios) if policy == "not_larger" else max(ratios))
    return [one if d in dims else 1.0 for d in range(len(shape))]


def resized(
    op: Op, x: Tensor, sizes: list[int], scales: list[float] | None, region: list[float] | None
) -> Tensor:
    """Resizes an image by the attributes of Resize."""
    mode = op.text("mode", "nearest")
    is_old = op.node.op_type == "Upsample" or op.since < 11
    coordinates = op.text("coordinate_transformation_mode", "half_pixel")
    wide = x if x.dtype in FLOATS or mode == "nearest" else op.cast(x, "f32")
    found = op.b.resize(
        wide,
        sizes,
        _MODES.get(mode, mode),
        coordinates="asymmetric" if is_old else coordinates,
        nearest="floor" if is_old else op.text("nearest_mode", "round_prefer_floor"),
        cubic_coefficient=op.number("cubic_coeff_a", -0.75),
        exclude_outside=bool(op.integer("exclude_outside")),
        antialias=bool(op.integer("antialias")),
        scales=scales,
        region=region,
        extrapolation=op.number("extrapolation_value", 0.0),
    )
    return op.cast(found, x.dtype)


def _by_scales(op: Op, x: Tensor, scales: list[float], region: list[float] | None) -> Tensor:
    extents: list[float] = list(x.shape)
    if region is not None:
        count = x.rank
        extents = [n * (region[count + d] - region[d]) for d, n in enumerate(x.shape)]
    sizes = [
        math.floor(np.float32(n) * np.float32(s)) for n, s in zip(extents, scales, strict=True)
    ]
    return resized(op, x, sizes, scales, region)


@handles("Upsample")
def _upsample(op: Op, x: Value, scales: Value = None) -> Result:
    own = op.numbers("scales") if op.since < 9 else _floats(op, scales, "the factors")
    return _by_scales(op, op.tensor(x), own or [], None)


@handles("Resize")
def _resize(op: Op, x: Value, *rest: Value) -> Result:
    tensor = op.tensor(x)
    roi, scales, sizes = (None, *rest, None) if op.since < 11 else (*rest, None, None, None)[:3]
    region = None
    if op.text("coordinate_transformation_mode") == _CROP:
        corners = _floats(op, roi, "the region")
        half = len(corners) // 2
        region = _all_dims(op, corners[:half], tensor.rank, 0.0)
        region += _all_dims(op, corners[half:], tensor.rank, 1.0)
    factors = _floats(op, scales, "the factors")
    if factors:
        return _by_scales(op, tensor, _all_dims(op, factors, tensor.rank, 1.0), region)
    given = [float(n) for n in op.ints(sizes, "the extents")]
    axes = op.integers("axes")
    dims = [axis_of(d, tensor.rank) for d in (range(tensor.rank) if axes is None else axes)]
    wanted = list(tensor.shape)
    for d, n in zip(dims, given, strict=True):
        wanted[d] = int(n)
    ratio = _kept_ratio(op, tensor.shape, wanted)
    if ratio is not None:
        wanted = [math.floor(n * s + 0.5) for n, s in zip(tensor.shape, ratio, strict=True)]
    return resized(op, tensor, wanted, ratio, region)


# Inverse of window extraction --------------------------------------------------------------------


@handles("MaxUnpool")
def _max_unpool(op: Op, x: Value, indices: Value, output_shape: Value = None) -> Result:
    tensor = op.tensor(x)
    kernel = op.integers("kernel_shape") or []
    count = len(kernel)
    stride = op.integers("strides") or [1] * count
    pads = op.integers("pads") or [0] * (2 * count)
    space = [
        (n - 1) * stride[d] + kernel[d] - pads[d] - pads[count + d]
        for d, n in enumerate(tensor.shape[2:])
    ]
    shape = [*tensor.shape[:2], *space]
    flat = [math.prod(tensor.shape)]
    zeros = np.broadcast_to(np.float32(0), (math.prod(shape),))
    where = reshaped(op, op.tensor(indices, "i32"), flat)
    found = scattered_along(
        op, op.tensor(zeros, tensor.dtype), where, reshaped(op, tensor, flat), 0, "set"
    )
    found = reshaped(op, found, shape)
    if output_shape is None:
        return found
    wanted = op.ints(output_shape, "the shape")
    border = [(0, m - n) for n, m in zip(shape, wanted, strict=True)]
    return op.b.pad(found, border) if any(high for _, high in border) else found


@handles("Col2Im")
def _col2im(op: Op, x: Value, image_shape: Value, block_shape: Value) -> Result:
    """As a transposed convolution: each position in a window has its own channel."""
    tensor = op.tensor(x)
    image = op.ints(image_shape, "the extents of the image")
    kernel = op.ints(block_shape, "the extents of a window")
    count, size = len(kernel), math.prod(kernel)
    stride = op.integers("strides") or [1] * count
    dilation = op.integers("dilations") or [1] * count
    pads = op.integers("pads") or [0] * (2 * count)
    columns = [
        (n + pads[d] + pads[count + d] - (kernel[d] - 1) * dilation[d] - 1) // stride[d] + 1
        for d, n in enumerate(image)
    ]
    channels = tensor.shape[1] // size
    places = np.eye(size, dtype=np.float32).reshape(size, 1, *kernel)
    weight = np.tile(places, (channels,) + (1,) * (count + 1))
    blocks = reshaped(op, tensor, (*tensor.shape[:2], *columns))
    kernels = op.tensor(weight, tensor.dtype)
    return deconvolved(op, blocks, kernels, image, stride, pads[:count], dilation, channels)
