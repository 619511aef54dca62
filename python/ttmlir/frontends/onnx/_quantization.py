"""Quantized tensors: integers, scales and zero points."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

from ttmlir.builder import Tensor
from ttmlir.builder._dtypes import SMALL_FLOATS, SMALL_INTEGERS
from ttmlir.frontends import quantization as shared
from ttmlir.frontends.data_movement import reshaped, sliced
from ttmlir.frontends.onnx._convolutions import convolution
from ttmlir.frontends.onnx._matmul import product
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._sliding_windows import window_of
from ttmlir.frontends.onnx._types import ELEMENTS, NUMPY, Shape, element_of, unsupported
from ttmlir.frontends.quantization import SUMS, flat

MICROSOFT = "com.microsoft"


# Linear quantization -----------------------------------------------------------------------------


def _is_known_zero(x: Value) -> bool:
    return x is None or (isinstance(x, np.ndarray) and not x.any())


def quantized(
    op: Op, x: Tensor, scale: Value, zero: Value, dtype: str, axis: int | None = None
) -> Tensor:
    """round(x / scale) + zero point, clamped to the range of ``dtype``; floats of 8 bits are
    x / scale."""
    divisors = op.tensor(scale, "f32")
    if dtype in SMALL_FLOATS:
        shape = [-1 if d == axis else 1 for d in range(x.rank)]
        quotient = op.b.div(op.cast(x, "f32"), reshaped(op, divisors, shape))
        if op.integer("saturate", 1):
            return shared.saturated(op, quotient, dtype)
        return op.cast(quotient, dtype)
    if dtype in SMALL_INTEGERS:
        limits = ml_dtypes.iinfo(NUMPY[dtype])  # type: ignore[no-untyped-call]
        wide = quantized(op, x, scale, zero, SUMS, axis)
        return op.cast(op.b.clamp(wide, float(limits.min), float(limits.max)), dtype)
    zeros = np.zeros(divisors.shape, np.int32) if zero is None else zero
    numbers = (flat(op, divisors), flat(op, op.tensor(zeros, SUMS)))
    return op.b.quantize_unrolled(op.cast(x, "f32"), *numbers, dtype, axis)


def dequantized(
    op: Op, x: Value, scale: Value, zero: Value, axis: int | None = None, dtype: str = "f32"
) -> Tensor:
    """(x - zero point) * scale."""
    factors = op.tensor(scale, "f32")
    stored = op.tensor(x)
    if stored.dtype in SMALL_FLOATS:
        shape = [-1 if d == axis else 1 for d in range(stored.rank)]
        real = op.b.multiply(op.cast(stored, "f32"), reshaped(op, factors, shape))
        return op.cast(real, dtype)
    if stored.dtype in SMALL_INTEGERS:
        stored = op.cast(stored, f"{stored.dtype[0]}8")
    zeros = np.zeros(factors.shape, np.int32) if zero is None else zero
    found = shared.dequantized(op, stored, factors, op.tensor(zeros, SUMS), axis)
    return op.cast(found, dtype)


def _blocks(op: Op, x: Value, shape: Shape, axis: int, dtype: str) -> Tensor:
    """Expands per-block numbers along a dimension to one for each element."""
    size = op.integer("block_size")
    if isinstance(x, np.ndarray):
        whole = np.repeat(x, size, axis).take(range(shape[axis]), axis)
        return op.tensor(whole, dtype)
    found = op.b.repeat_interleave(op.tensor(x, dtype), size, axis)
    return sliced(op, found, axis, 0, shape[axis])


def _axis(op: Op, rank: int, scale: Value) -> int | None:
    """Returns the dimension with a scale for each index; None for a single scale."""
    if math.prod(shape_of(scale)) == 1:
        return None
    return axis_of(op.integer("axis", 1), rank)


def _target(op: Op, zero: Value) -> str:
    """Returns the integer dtype."""
    if zero is not None:
        return op.dtype_of(zero)
    kind = op.integer("output_dtype")
    if not kind:
        return "u8"
    if reason := unsupported(element_of(kind)):
        raise op.fail(reason)
    return ELEMENTS[element_of(kind)]


def _quantize(op: Op, x: Value, scale: Value, zero: Value = None) -> Result:
    tensor, dtype = op.tensor(x), _target(op, zero)
    if not op.integer("block_size"):
        return quantized(op, tensor, scale, zero, dtype, _axis(op, tensor.rank, scale))
    axis = axis_of(op.integer("axis", 1), tensor.rank)
    quotient = op.b.div(op.cast(tensor, "f32"), _blocks(op, scale, tensor.shape, axis, "f32"))
    one = np.ones(1, np.float32)
    if zero is None:
        return quantized(op, quotient, one, None, dtype)
    # Rounded to nearest even before the zero points are added.
    zeros = _blocks(op, zero, tensor.shape, axis, "f32")
    return quantized(op, op.b.add(op.b.roundeven(quotient), zeros), one, None, dtype)


def _dequantize(op: Op, x: Value, scale: Value, zero: Value = None) -> Result:
    shape, dtype = shape_of(x), op.dtype_of(scale)
    if not op.integer("block_size"):
        return dequantized(op, x, scale, zero, _axis(op, len(shape), scale), dtype)
    axis = axis_of(op.integer("axis", 1), len(shape))
    factors = _blocks(op, scale, shape, axis, "f32")
    found = op.tensor(x, "f32" if op.dtype_of(x) in SMALL_FLOATS else SUMS)
    if found.dtype == SUMS and not _is_known_zero(zero):
        found = op.b.subtract(found, _blocks(op, zero, shape, axis, SUMS))
    return op.cast(op.b.multiply(op.cast(found, "f32"), factors), dtype)


for _domain in ("", MICROSOFT):
    handles("QuantizeLinear", domain=_domain)(_quantize)
    # Weights stay integers.
    handles("DequantizeLinear", domain=_domain, folds=False)(_dequantize)


# Exact products ----------------------------------------------------------------------------------


def centred(op: Op, x: Value, zero: Value, shape: Shape | None = None) -> Tensor:
    """Subtracts zero points, which have ``shape`` if there are several."""
    found = op.tensor(x, SUMS)
    if _is_known_zero(zero):
        return found
    less = op.tensor(zero, SUMS)
    one = math.prod(less.shape) == 1
    return op.b.subtract(
        found, reshaped(op, less, (1,) * found.rank if one else shape or less.shape)
    )


def _along(x: Value, rank: int, dim: int) -> Shape:
    """Returns the shape that broadcasts along one dimension, which may be negative."""
    shape = shape_of(x)
    if len(shape) > 1:
        return shape
    count, own = math.prod(shape), [1] * rank
    own[dim] = count
    return tuple(own)


def _integer_product(op: Op, x: Value, y: Value, x_zero: Value, y_zero: Value) -> Tensor:
    rows, columns = len(shape_of(x)), len(shape_of(y))
    left = centred(op, x, x_zero, None if x_zero is None else _along(x_zero, rows, -2 % rows))
    right = centred(op, y, y_zero, None if y_zero is None else _along(y_zero, columns, -1))
    return product(op, left, right)


@handles("MatMulInteger")
def _matmul_integer(
    op: Op, x: Value, y: Value, x_zero: Value = None, y_zero: Value = None
) -> Result:
    return _integer_product(op, x, y, x_zero, y_zero)


def _integer_convolution(
    op: Op, x: Value, w: Value, x_zero: Value, w_zero: Value, bias: Value = None
) -> Tensor:
    image = centred(op, x, x_zero)
    rank = image.rank
    kernel = centred(op, w, w_zero, None if w_zero is None else _along(w_zero, rank, 0))
    window = window_of(op, image.shape[2:], kernel.shape[2:])
    return convolution(op, image, kernel, bias, window, op.integer("group", 1))


@handles("ConvInteger")
def _conv_integer(op: Op, x: Value, w: Value, x_zero: Value = None, w_zero: Value = None) -> Result:
    return _integer_convolution(op, x, w, x_zero, w_zero)


def _factor(op: Op, x_scale: Value, y_scale: Value, out_scale: Value) -> Tensor:
    """x_scale * y_scale / out_scale, with shapes that broadcast."""
    scales = (x_scale, y_scale, out_scale)
    known = [s.astype(np.float32) for s in scales if isinstance(s, np.ndarray)]
    if len(known) == len(scales):
        return op.tensor(np.asarray(known[0] * known[1] / known[2]), "f32")
    x, y, out = (op.tensor(s, "f32") for s in scales)
    return op.b.div(op.b.multiply(x, y), out)


def _shaped(op: Op, x: Value, shape: Shape) -> Value:
    """Reshapes numbers."""
    return x.reshape(shape) if isinstance(x, np.ndarray) else reshaped(op, op.tensor(x), shape)


def _requantized(op: Op, sums: Tensor, factor: Tensor, zero: Value, dtype: str) -> Tensor:
    """Multiplies sums by a factor, rounds, and adds a zero point."""
    scaled = op.b.multiply(op.cast(sums, "f32"), factor)
    return quantized(op, scaled, np.ones(1, np.float32), zero, dtype)


@handles("QLinearMatMul")
def _qlinear_matmul(
    op: Op,
    x: Value,
    x_scale: Value,
    x_zero: Value,
    y: Value,
    y_scale: Value,
    y_zero: Value,
    scale: Value,
    zero: Value,
) -> Result:
    sums = _integer_product(op, x, y, x_zero, y_zero)
    left = _shaped(op, x_scale, _along(x_scale, max(sums.rank, 2), -2)[-max(sums.rank, 1) :])
    right = _shaped(op, y_scale, _along(y_scale, max(sums.rank, 1), -1))
    factor = _factor(op, left, right, _shaped(op, scale, (1,) * max(sums.rank, 1)))
    return _requantized(op, sums, factor, zero, op.dtype_of(zero))


def _conv_factor(op: Op, x_scale: Value, w_scale: Value, scale: Value, rank: int) -> Tensor:
    one = (1,) * rank
    return _factor(
        op,
        _shaped(op, x_scale, one),
        _shaped(op, w_scale, _along(w_scale, rank, 1)),
        _shaped(op, scale, one),
    )


@handles("QLinearConv")
def _qlinear_conv(
    op: Op,
    x: Value,
    x_scale: Value,
    x_zero: Value,
    w: Value,
    w_scale: Value,
    w_zero: Value,
    scale: Value,
    zero: Value,
    bias: Value = None,
) -> Result:
    sums = _integer_convolution(op, x, w, x_zero, w_zero, bias)
    factor = _conv_factor(op, x_scale, w_scale, scale, sums.rank)
    return _requantized(op, sums, factor, zero, op.dtype_of(zero))


# ONNX Runtime's ----------------------------------------------------------------------------------


@handles("MatMulIntegerToFloat", domain=MICROSOFT)
def _matmul_integer_to_float(
    op: Op,
    x: Value,
    y: Value,
    x_scale: Value,
    y_scale: Value,
    x_zero: Value = None,
    y_zero: Value = None,
    bias: Value = None,
) -> Result:
    sums = _integer_product(op, x, y, x_zero, y_zero)
    left = _shaped(op, x_scale, _along(x_scale, sums.rank, -2))
    right = _shaped(op, y_scale, _along(y_scale, sums.rank, -1))
    factor = _factor(op, left, right, np.ones((1,) * sums.rank, np.float32))
    found = op.b.multiply(op.cast(sums, "f32"), factor)
    return found if bias is None else op.b.add(found, op.tensor(bias, "f32"))


def dynamically_quantized(op: Op, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Quantizes a tensor to u8, with scale and zero point computed from its range."""
    b = op.b
    zero, most = op.tensor(0.0, "f32"), op.tensor(255.0, "f32")
    low = b.minimum(b.min(x, None), zero)
    high = b.maximum(b.max(x, None), zero)
    scale = b.div(b.subtract(high, low), most)
    divisor = b.where(op.compare("eq", scale, zero), op.tensor(1.0, "f32"), scale)
    point = b.clamp(b.roundeven(b.div(b.neg(low), divisor)), 0.0, 255.0)
    scale, point = (reshaped(op, t, ()) for t in (scale, op.cast(point, "u8")))
    return quantized(op, x, reshaped(op, divisor, ()), point, "u8"), scale, point


@handles("DynamicQuantizeLinear")
def _dynamic_quantize(op: Op, x: Value) -> Result:
    return list(dynamically_quantized(op, op.tensor(x)))


@handles("DynamicQuantizeMatMul", domain=MICROSOFT)
def _dynamic_quantize_matmul(
    op: Op, x: Value, y: Value, y_scale: Value, y_zero: Value = None, bias: Value = None
) -> Result:
    numbers, scale, zero = dynamically_quantized(op, op.tensor(x))
    return _matmul_integer_to_float(op, numbers, y, scale, y_scale, zero, y_zero, bias)


@handles("QGemm", domain=MICROSOFT)
def _qgemm(
    op: Op,
    x: Value,
    x_scale: Value,
    x_zero: Value,
    y: Value,
    y_scale: Value,
    y_zero: Value,
    bias: Value = None,
    scale: Value = None,
    zero: Value = None,
) -> Result:
    b, turned = op.b, bool(op.integer("transB"))
    left = centred(op, x, x_zero)
    right = centred(
        op, y, y_zero, None if y_zero is None else _along(y_zero, 2, 0 if turned else 1)
    )
    sums = b.matmul(left, right, transpose_a=bool(op.integer("transA")), transpose_b=turned)
    if bias is not None:
        sums = b.add(sums, op.tensor(bias, SUMS))
    out = np.ones((1, 1), np.float32) if scale is None else _shaped(op, scale, (1, 1))
    alpha = np.float32(op.number("alpha", 1.0))
    factor = _factor(
        op, _shaped(op, x_scale, (1, 1)), _shaped(op, y_scale, _along(y_scale, 2, 1)), out
    )
    factor = factor if alpha == 1 else b.multiply(factor, op.tensor(float(alpha), "f32"))
    if scale is None:
        return b.multiply(op.cast(sums, "f32"), factor)
    return _requantized(op, sums, factor, zero, op.dtype_of(x if zero is None else zero))


@handles("QLinearAdd", "QLinearMul", domain=MICROSOFT)
def _qlinear_binary(
    op: Op,
    x: Value,
    x_scale: Value,
    x_zero: Value,
    y: Value,
    y_scale: Value,
    y_zero: Value,
    scale: Value,
    zero: Value = None,
) -> Result:
    left, right = dequantized(op, x, x_scale, x_zero), dequantized(op, y, y_scale, y_zero)
    found = (op.b.add if op.node.op_type == "QLinearAdd" else op.b.multiply)(left, right)
    return quantized(op, found, scale, zero, op.dtype_of(x))


@handles(
    "QLinearSigmoid",
    "QLinearLeakyRelu",
    "QLinearSoftmax",
    "QLinearGlobalAveragePool",
    domain=MICROSOFT,
)
def _qlinear_unary(
    op: Op, x: Value, x_scale: Value, x_zero: Value, scale: Value, zero: Value = None
) -> Result:
    b, real, name = op.b, dequantized(op, x, x_scale, x_zero), op.node.op_type
    if name == "QLinearSigmoid":
        found = b.sigmoid(real)
    elif name == "QLinearLeakyRelu":
        found = b.leaky_relu(real, op.number("alpha", 0.01))
    elif name == "QLinearSoftmax":
        found = _softmax(op, real)
    else:
        first = 1 if op.integer("channels_last") else 2
        found = b.mean(real, list(range(first, first + real.rank - 2)), True)
    return quantized(op, reshaped(op, found, found.shape), scale, zero, op.dtype_of(x))


def _softmax(op: Op, x: Tensor) -> Tensor:
    axis = op.integer("axis", -1) % x.rank
    if op.integer("opset") >= 13:
        return op.b.softmax(x, axis)
    rows = reshaped(op, x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))
    return reshaped(op, op.b.softmax(rows, 1), x.shape)


@handles("QLinearConcat", domain=MICROSOFT)
def _qlinear_concat(op: Op, scale: Value, zero: Value, *parts: Value) -> Result:
    rank = len(shape_of(parts[0]))
    triples = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    found = [dequantized(op, x, own_scale, own_zero) for x, own_scale, own_zero in triples]
    whole = op.b.concat(found, axis_of(op.integer("axis"), rank))
    return quantized(op, whole, scale, zero, op.dtype_of(zero))


@handles("MatMulNBits", domain=MICROSOFT)
def _matmul_nbits(
    op: Op,
    x: Value,
    packed: Value,
    scales: Value,
    zeros: Value = None,
    groups: Value = None,
    bias: Value = None,
) -> Result:
    """Multiplies by weights of 4 or 8 bits in blocks, which are dequantized during import."""
    rows, columns = op.integer("K"), op.integer("N")
    bits, size = op.integer("bits", 4), op.integer("block_size")
    if bits not in (4, 8) or groups is not None:
        raise op.fail("only weights of 4 or 8 bits without g_idx are supported")
    count = -(-rows // size)
    numbers = _unpacked(op.known(packed, "the weights"), columns, count * size, bits)
    factors = op.known(scales, "the scales").reshape(columns, count, 1).astype(np.float32)
    if zeros is None:
        less: np.ndarray = np.full((1, 1, 1), 1 << (bits - 1), np.float32)  # type: ignore[type-arg]
    else:
        known = op.known(zeros, "the zero points")
        if known.dtype == np.uint8:
            known = _unpacked(known, columns, count, bits)
        less = known.reshape(columns, count, 1).astype(np.float32)
    real = (numbers.reshape(columns, count, size).astype(np.float32) - less) * factors
    dtype = op.dtype_of(x)
    weight = np.ascontiguousarray(real.reshape(columns, -1)[:, :rows].T)
    found = product(op, op.tensor(x), op.tensor(weight, dtype))
    return found if bias is None else op.b.add(found, op.tensor(bias, dtype))


def _unpacked(x: np.ndarray, rows: int, count: int, bits: int) -> np.ndarray:  # type: ignore[type-arg]
    """Unpacks rows of numbers of a few bits, the low bits first."""
    flat = x.reshape(rows, -1)
    if bits == 4:
        flat = np.stack([flat & 15, flat >> 4], -1).reshape(rows, -1)
    return flat[:, :count]
