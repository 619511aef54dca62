"""Fourier transforms."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, sliced, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles


def _real_and_imaginary(op: Op, x: Tensor) -> tuple[Tensor, Tensor | None]:
    """Splits the last dimension into real and imaginary part."""
    shape = x.shape[:-1]
    count = x.shape[-1]
    if count not in (1, 2):
        raise op.fail(f"expected real or complex numbers, found {count} parts")
    found = [reshaped(op, sliced(op, x, x.rank - 1, i, i + 1), shape) for i in range(count)]
    return found[0], found[1] if count == 2 else None


def _whole(op: Op, real: Tensor, imaginary: Tensor | None) -> Tensor:
    """Joins both parts in a new last dimension."""
    parts = [real] if imaginary is None else [real, imaginary]
    columns = [reshaped(op, t, (*t.shape, 1)) for t in parts]
    return columns[0] if len(columns) == 1 else op.b.concat(columns, real.rank)


def _extended(op: Op, x: Tensor, dim: int, length: int) -> Tensor:
    """Truncates a dimension, or pads it with zeros at the end."""
    extent = x.shape[dim]
    if length <= extent:
        return sliced(op, x, dim, 0, length)
    return op.b.pad(x, [(0, length - extent if d == dim else 0) for d in range(x.rank)])


def _transformed(
    op: Op, real: Tensor, imaginary: Tensor | None, inverse: bool, half: bool
) -> tuple[Tensor, Tensor | None]:
    """Transforms along the last dimension."""
    b, length = op.b, real.shape[-1]
    if half and not inverse:
        if imaginary is not None:
            raise op.fail("a one-sided transform of complex numbers is not supported")
        return _two(b.fft(real, "rfft", [length]))
    zeros = np.broadcast_to(np.float32(0), real.shape)
    other = op.tensor(zeros, real.dtype) if imaginary is None else imaginary
    if half:
        return b.fft(real, "irfft", [2 * (length - 1)], imaginary=other)[0], None
    return _two(b.fft(real, "ifft" if inverse else "fft", [length], imaginary=other))


def _two(found: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    return found[0], found[1]


@handles("DFT")
def _dft(op: Op, x: Value, length: Value = None, axis: Value = None) -> Result:
    signal = op.tensor(x)
    dtype, rank = signal.dtype, signal.rank
    if op.since < 20:
        dim = axis_of(op.integer("axis", 1), rank)
    else:
        dim = axis_of(-2 if axis is None else op.ints(axis, "the axis")[0], rank)
    half, inverse = bool(op.integer("onesided")), bool(op.integer("inverse"))
    last = rank - 1
    order = [d for d in range(last) if d != dim] + [dim]
    parts = [
        None if t is None else op.cast(permuted(op, t, order), "f32")
        for t in _real_and_imaginary(op, signal)
    ]
    if length is not None:
        count = op.ints(length, "the length")[0]
        count = count // 2 + 1 if half and inverse else count
        parts = [None if t is None else _extended(op, t, last - 1, count) for t in parts]
    real, imaginary = parts
    assert real is not None
    found = _transformed(op, real, imaginary, inverse, half)
    back = [order.index(d) for d in range(last)]
    first, second = (None if t is None else permuted(op, t, back) for t in found)
    assert first is not None
    return op.cast(_whole(op, first, second), dtype)


@handles("STFT")
def _stft(
    op: Op, x: Value, step: Value, window: Value = None, frame_length: Value = None
) -> Result:
    b, signal = op.b, op.tensor(x)
    dtype = signal.dtype
    stride = op.ints(step, "the frame step")[0]
    if frame_length is not None:
        size = op.ints(frame_length, "the frame length")[0]
    elif window is not None:
        size = op.tensor(window).shape[0]
    else:
        size = signal.shape[1]
    count = (signal.shape[1] - size) // stride + 1
    places = (np.arange(count)[:, None] * stride + np.arange(size)[None]).astype(np.int32)
    index = op.tensor(places.reshape(-1))
    frames: list[Tensor | None] = []
    for part in _real_and_imaginary(op, signal):
        if part is None:
            frames.append(None)
            continue
        wide = op.cast(part, "f32")
        rows = reshaped(op, taken(op, wide, 1, index), (wide.shape[0], count, size))
        if window is not None:
            weights = _extended(op, op.tensor(window, "f32"), 0, size)
            rows = b.multiply(rows, reshaped(op, weights, (1, 1, size)))
        frames.append(rows)
    real, imaginary = frames
    assert real is not None
    half = bool(op.integer("onesided", 1)) and imaginary is None
    return op.cast(_whole(op, *_transformed(op, real, imaginary, False, half)), dtype)
