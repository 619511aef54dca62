"""PyTorch's quantized tensors: integers with scales and zero points as operands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.quantization import SUMS, block_shape, dequantized, scaled_blocks
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import Shape

_LIBRARY = "quantized_decomposed"


# Numbers -----------------------------------------------------------------------------------------


def _check_zero(op: Op, zero: Operand | None, dtype: torch.dtype) -> None:
    """Raises UnsupportedError if a known zero point is not in the range of the integers."""
    if zero is None or isinstance(zero, Tensor):
        return
    limits = torch.iinfo(dtype)
    known = torch.as_tensor(zero)
    outside = known[(known < limits.min) | (known > limits.max)].reshape(-1)
    if outside.numel():
        name = str(dtype).removeprefix("torch.")
        raise op.fail(
            f"expected zero points of {name}, {limits.min} to {limits.max}, "
            f"found {outside[0].item():g}"
        )


def _limit(op: Op, number: Operand) -> float:
    if isinstance(number, Tensor):
        raise op.fail("the integer limits are computed: pass constants")
    return float(number)  # type: ignore[arg-type]


def _inverse(op: Op, scale: Operand) -> Tensor:
    """1 / scale, since PyTorch multiplies by it."""
    if isinstance(scale, Tensor):
        return op.b.div(op.tensor(1.0, "f32"), op.tensor(scale, "f32"))
    return op.tensor(1.0 / scale, "f32")  # type: ignore[operator, arg-type]


def _quantized(
    op: Op,
    x: Operand,
    scale: Operand,
    zero: Operand | None,
    limits: tuple[Operand, Operand],
    shapes: tuple[Sequence[int], Sequence[int]] | None = None,
    *,
    rounds_last: bool = False,
) -> Tensor:
    """Rounds x / scale to even, adds the zero point and clamps.

    Args:
        op: the op, whose result has the integer dtype.
        x: floats.
        scale: a scale, or one for each block.
        zero: likewise; integers.
        limits: the minimum and maximum integer.
        shapes: broadcasting shapes of ``x`` and of the scales.
        rounds_last: whether to add the zero point before rounding.
    """
    b, dtype = op.b, op.dtype()
    _check_zero(op, zero, op.meta().dtype)
    real, inverse = op.tensor(x, "f32"), _inverse(op, scale)
    offset = None if zero is None else op.tensor(zero, "f32")
    if shapes is not None:
        real = reshaped(op, real, shapes[0])
        inverse = reshaped(op, inverse, shapes[1])
        offset = None if offset is None else reshaped(op, offset, shapes[1])
    found = b.multiply(real, inverse)
    if offset is None:
        found = b.roundeven(found)
    elif rounds_last:
        found = b.roundeven(b.add(found, offset))
    else:
        found = b.add(b.roundeven(found), offset)
    low, high = (_limit(op, n) for n in limits)
    return reshaped(op, op.cast(b.clamp(found, low, high), dtype), op.shape())


def _zeros_of(op: Op, zero: Operand | None, scale: Operand) -> Tensor:
    if zero is not None:
        return op.tensor(zero, SUMS)
    return op.tensor(torch.zeros(math.prod(shape_of(scale)), dtype=torch.int32))


# PT2E --------------------------------------------------------------------------------------------


@handles(f"{_LIBRARY}.quantize_per_tensor")
def _quantize_per_tensor(
    op: Op,
    input: Operand,
    scale: Operand,
    zero_point: Operand,
    quant_min: Operand,
    quant_max: Operand,
    dtype: torch.dtype,
) -> Result:
    ones = (1,) * len(op.shape())
    shapes = (op.shape(), ones) if isinstance(scale, (Tensor, torch.Tensor)) else None
    return _quantized(op, input, scale, zero_point, (quant_min, quant_max), shapes)


@handles(f"{_LIBRARY}.dequantize_per_tensor")
def _dequantize_per_tensor(
    op: Op,
    input: Operand,
    scale: Operand,
    zero_point: Operand,
    quant_min: Operand,
    quant_max: Operand,
    dtype: torch.dtype,
    *,
    out_dtype: torch.dtype | None = None,
) -> Result:
    _check_zero(op, zero_point, dtype)
    numbers = op.tensor(scale, "f32"), op.tensor(zero_point, SUMS)
    return dequantized(op, op.tensor(input), *numbers)


def _along(shape: Shape, axis: int) -> list[int]:
    """Returns the shape of scales along one dimension, which broadcasts."""
    found = [1] * len(shape)
    found[axis] = shape[axis]
    return found


@handles(f"{_LIBRARY}.quantize_per_channel")
def _quantize_per_channel(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
) -> Result:
    shapes = op.shape(), _along(op.shape(), axis)
    return _quantized(op, input, scales, zero_points, (quant_min, quant_max), shapes)


@handles(f"{_LIBRARY}.dequantize_per_channel")
def _dequantize_per_channel(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand | None,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
    *,
    out_dtype: torch.dtype | None = None,
) -> Result:
    _check_zero(op, zero_points, dtype)
    zeros = _zeros_of(op, zero_points, scales)
    return dequantized(
        op, op.tensor(input), op.tensor(scales, "f32"), zeros, axis % len(op.shape())
    )


@handles(f"{_LIBRARY}.fake_quant_per_channel")
def _fake_quant_per_channel(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand,
    axis: int,
    quant_min: int,
    quant_max: int,
) -> Result:
    b, shape = op.b, _along(op.shape(), axis)
    factor = reshaped(op, op.tensor(scales, "f32"), shape)
    inverse = reshaped(op, _inverse(op, scales), shape)
    zero = reshaped(op, op.tensor(zero_points, "f32"), shape)
    found = b.add(b.roundeven(b.multiply(op.tensor(input, "f32"), inverse)), zero)
    found = b.clamp(found, float(quant_min), float(quant_max))
    return b.multiply(b.subtract(found, zero), factor)


def _rows(shape: Shape) -> tuple[Shape, Shape]:
    """Returns a shape, and the shape of one scale for each row."""
    return shape, (*shape[:-1], 1)


@handles(f"{_LIBRARY}.quantize_per_token")
def _quantize_per_token(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
) -> Result:
    limits = quant_min, quant_max
    return _quantized(op, input, scales, zero_points, limits, _rows(op.shape()), rounds_last=True)


@handles(f"{_LIBRARY}.dequantize_per_token")
def _dequantize_per_token(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
    output_dtype: torch.dtype = torch.float32,
) -> Result:
    x = op.tensor(input)
    rows = reshaped(op, x, (math.prod(x.shape[:-1]), x.shape[-1]))
    numbers = op.tensor(scales, "f32"), op.tensor(zero_points, SUMS)
    return reshaped(op, dequantized(op, rows, *numbers, 0), x.shape)


def _groups(op: Op, size: int, scales: Operand) -> tuple[list[int], list[int]]:
    """Returns the shape of rows split into groups, and of one scale for each group."""
    rows, columns = op.shape()
    if size > columns and shape_of(scales)[-1] == 1:
        size = columns
    return block_shape((rows, columns), (1, size))


@handles(f"{_LIBRARY}.quantize_per_channel_group")
def _quantize_per_channel_group(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
    group_size: int = 128,
) -> Result:
    shapes = _groups(op, group_size, scales)
    return _quantized(
        op, input, scales, zero_points, (quant_min, quant_max), shapes, rounds_last=True
    )


@handles(f"{_LIBRARY}.dequantize_per_channel_group")
def _dequantize_per_channel_group(
    op: Op,
    input: Operand,
    scales: Operand,
    zero_points: Operand | None,
    quant_min: int,
    quant_max: int,
    dtype: torch.dtype,
    group_size: int = 128,
    output_dtype: torch.dtype = torch.float32,
) -> Result:
    return _dequantized_blocks(op, input, scales, zero_points, _groups(op, group_size, scales))


def _dequantized_blocks(
    op: Op,
    x: Operand,
    scales: Operand,
    zero: Operand | None,
    shapes: tuple[Sequence[int], Sequence[int]],
) -> Tensor:
    whole, numbers = shapes
    factors = reshaped(op, op.tensor(scales, "f32"), numbers)
    zeros = None if zero is None else reshaped(op, op.tensor(zero, SUMS), numbers)
    found = scaled_blocks(op, reshaped(op, op.tensor(x), whole), factors, zeros)
    return reshaped(op, found, op.shape())


@handles(f"{_LIBRARY}.convert_element_type")
def _convert_element_type(op: Op, input: Operand, dtype: torch.dtype) -> Result:
    return op.tensor(input, op.dtype())


# Ranges ------------------------------------------------------------------------------------------


def _extrema(op: Op, x: Tensor, dims: list[int] | None) -> tuple[Tensor, Tensor]:
    """The minimum and maximum, including 0."""
    b, zero = op.b, op.tensor(0.0, "f32")
    return b.minimum(b.min(x, dims, True), zero), b.maximum(b.max(x, dims, True), zero)


@handles(f"{_LIBRARY}.choose_qparams", f"{_LIBRARY}.choose_qparams_symmetric")
def _choose_qparams(
    op: Op, input: Operand, quant_min: int, quant_max: int, eps: float, dtype: torch.dtype
) -> Result:
    b, x = op.b, op.tensor(input, "f32")
    low, high = (reshaped(op, n, (1,)) for n in _extrema(op, x, None))
    count = float(quant_max - quant_min)
    least = op.tensor(float(torch.tensor(eps)), "f32")
    if "symmetric" in op.name:
        most = b.maximum(b.neg(low), high)
        scale = b.maximum(b.div(most, op.tensor(count / 2, "f32")), least)
        zero = torch.full((1,), 128 if dtype == torch.uint8 else 0)
        return [scale, zero]
    scale = b.maximum(b.div(b.subtract(high, low), op.tensor(count, "f32")), least)
    place = b.subtract(op.tensor(float(quant_min), "f32"), b.roundeven(b.div(low, scale)))
    return [scale, b.clamp(place, float(quant_min), float(quant_max))]


@handles(f"{_LIBRARY}.choose_qparams_per_token")
def _choose_qparams_per_token(op: Op, input: Operand, dtype: torch.dtype) -> Result:
    b, x = op.b, op.tensor(input, "f32")
    most = b.max(b.abs(x), [x.rank - 1], True)
    least = op.tensor(1e-5, "f32")
    scale = b.div(b.maximum(most, least), op.tensor(127.0, "f32"))
    return [scale, torch.zeros(scale.shape)]


@handles(
    f"{_LIBRARY}.choose_qparams_per_token_asymmetric",
    f"{_LIBRARY}._choose_qparams_per_token_asymmetric_impl",
)
def _choose_qparams_per_token_asymmetric(op: Op, input: Operand, dtype: torch.dtype) -> Result:
    b, x = op.b, op.tensor(input, "f32")
    low, high = _extrema(op, x, [x.rank - 1])
    least, greatest = op.tensor(-128.0, "f32"), op.tensor(127.0, "f32")
    eps = op.tensor(torch.finfo(torch.float32).eps, "f32")
    scale = b.maximum(b.div(b.subtract(high, low), op.tensor(255.0, "f32")), eps)
    below, above = b.div(low, scale), b.div(high, scale)
    errors = b.add(b.add(least, below), b.add(greatest, above))
    is_from_low = op.compare("gt", errors, op.tensor(0.0, "f32"))
    place = b.where(is_from_low, b.subtract(least, below), b.subtract(greatest, above))
    return [scale, b.roundeven(b.clamp(place, -128.0, 127.0))]


# torchao -----------------------------------------------------------------------------------------


def _range(dtype: torch.dtype, low: Any, high: Any) -> tuple[Any, Any]:
    limits = torch.iinfo(dtype)
    return limits.min if low is None else low, limits.max if high is None else high


@handles("torchao.quantize_affine")
def _quantize_affine(
    op: Op,
    input: Operand,
    block_size: Sequence[int],
    scale: Operand,
    zero_point: Operand | None,
    output_dtype: torch.dtype,
    quant_min: Any = None,
    quant_max: Any = None,
) -> Result:
    shapes = block_shape(op.shape(), block_size)
    limits = _range(output_dtype, quant_min, quant_max)
    return _quantized(op, input, scale, _some(zero_point), limits, shapes)


def _some(zero: Operand | None) -> Operand | None:
    """Returns zero points; None for a tensor without elements."""
    return None if zero is None or 0 in shape_of(zero) else zero


@handles("torchao.dequantize_affine")
def _dequantize_affine(
    op: Op,
    input: Operand,
    block_size: Sequence[int],
    scale: Operand,
    zero_point: Operand | None,
    input_dtype: torch.dtype,
    quant_min: Any = None,
    quant_max: Any = None,
    output_dtype: torch.dtype = torch.float32,
) -> Result:
    zero = _some(zero_point)
    whole, numbers = block_shape(op.shape(), block_size)
    several = [d for d, n in enumerate(numbers) if n > 1]
    if len(whole) != len(op.shape()) or len(several) > 1:
        return _dequantized_blocks(op, input, scale, zero, (whole, numbers))
    axis = several[0] if several else None
    zeros = _zeros_of(op, zero, scale)
    return dequantized(op, op.tensor(input), op.tensor(scale, "f32"), zeros, axis)


# ATen --------------------------------------------------------------------------------------------


@handles("aten._int_mm")
def _int_mm(op: Op, self: Operand, mat2: Operand) -> Result:
    return op.b.matmul(op.tensor(self, SUMS), op.tensor(mat2, SUMS))


@handles("aten._weight_int8pack_mm")
def _weight_int8pack_mm(op: Op, self: Operand, mat2: Operand, scales: Operand) -> Result:
    """Products with integer weights, summed before scaling."""
    dtype = op.dtype()
    found = op.b.matmul(op.tensor(self, dtype), op.tensor(mat2, dtype), transpose_b=True)
    factors = reshaped(op, op.tensor(scales, dtype), (1, -1))
    return op.b.multiply(found, factors)
