"""Elementwise ops on numbers and truth values."""

from __future__ import annotations

import math

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.builder._dtypes import SMALL_FLOATS
from ttmlir.frontends.arithmetic import integer_power, modulo, product_power
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Handler, Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._types import ELEMENTS, FLOATS, UNSIGNED, element_of, kind_name
from ttmlir.frontends.quantization import saturated

#: Op types of one input that are one op of TTIR.
_UNARY = {
    "Acos": "acos",
    "Acosh": "acosh",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atanh": "atanh",
    "BitwiseNot": "bitwise_not",
    "Ceil": "ceil",
    "Cos": "cos",
    "Cosh": "cosh",
    "Erf": "erf",
    "Exp": "exp",
    "Floor": "floor",
    "Log": "log",
    "Neg": "neg",
    "Not": "logical_not",
    "Reciprocal": "reciprocal",
    "Round": "roundeven",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Sinh": "sinh",
    "Sqrt": "sqrt",
    "Tan": "tan",
    "Tanh": "tanh",
}
#: Op types of two inputs of one type.
_BINARY = {
    "Add": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "Div": "div",
    "And": "logical_and",
    "Or": "logical_or",
    "Xor": "logical_xor",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
}
#: Op types of any number of inputs of one type.
_VARIADIC = {"Max": "maximum", "Min": "minimum", "Sum": "add"}
_COMPARISONS = {
    "Equal": "eq",
    "Greater": "gt",
    "GreaterOrEqual": "ge",
    "Less": "lt",
    "LessOrEqual": "le",
}
#: Integer powers up to this exponent are expanded to products.
_SMALL_POWER = 8


def build(op: Op, name: str, *inputs: Value, dtype: str | None = None) -> Tensor:
    """Builds an op of TTIR on inputs converted to one dtype, by default that of the first."""
    dtype = dtype or common(op, *inputs)
    return op.b._eltwise(name, [op.tensor(x, dtype) for x in inputs], None)


def common(op: Op, *inputs: Value) -> str:
    """Returns the dtype of inputs of one type, some of which may be constants."""
    return op.dtype_of(next((x for x in inputs if isinstance(x, Tensor)), inputs[0]))


def _aligned(op: Op, x: Value, y: Value) -> Value:
    """Returns the second operand; before operator set 7, aligned from dimension ``axis`` on."""
    if op.since >= 7 or not op.has("axis") or not op.integer("broadcast"):
        return y
    rank, shape = len(shape_of(x)), shape_of(y)
    behind = rank - axis_of(op.integer("axis"), rank) - len(shape)
    return reshaped(op, op.tensor(y), (*shape, *(1,) * behind))


def _unary(name: str) -> Handler:
    return lambda op, x: build(op, name, x)


def _binary(name: str) -> Handler:
    return lambda op, x, y: build(op, name, x, _aligned(op, x, y))


def _variadic(name: str) -> Handler:
    def handler(op: Op, *inputs: Value) -> Result:
        dtype = common(op, *inputs)
        found = op.tensor(inputs[0], dtype)
        for x in inputs[1:]:
            found = build(op, name, found, x, dtype=dtype)
        return found

    return handler


def _compared(name: str) -> Handler:
    def handler(op: Op, x: Value, y: Value) -> Result:
        y = _aligned(op, x, y)
        dtype = common(op, x, y)
        # Booleans are compared as numbers.
        kind = "u8" if dtype == "bool" else dtype
        return op.compare(name, *(op.cast(op.tensor(v, dtype), kind) for v in (x, y)))

    return handler


for _name, _op in _UNARY.items():
    handles(_name)(_unary(_op))
for _name, _op in _BINARY.items():
    handles(_name)(_binary(_op))
for _name, _op in _VARIADIC.items():
    handles(_name)(_variadic(_op))
for _name, _op in _COMPARISONS.items():
    handles(_name)(_compared(_op))


@handles("Identity")
def _identity(op: Op, x: Value) -> Result:
    return [x]


@handles("Abs")
def _abs(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    return found if found.dtype in UNSIGNED else op.b.abs(found)


@handles("Mean")
def _mean(op: Op, *inputs: Value) -> Result:
    total = op.tensor(inputs[0])
    for x in inputs[1:]:
        total = build(op, "add", total, x, dtype=total.dtype)
    return op.b.multiply(total, op.tensor(1 / len(inputs), total.dtype))


@handles("Mod")
def _mod(op: Op, x: Value, y: Value) -> Result:
    dtype = common(op, x, y)
    first, second = op.tensor(x, dtype), op.tensor(y, dtype)
    return op.b.remainder(first, second) if op.integer("fmod") else modulo(op, first, second)


@handles("Pow")
def _pow(op: Op, x: Value, y: Value) -> Result:
    b, base = op.b, op.tensor(x)
    y = _aligned(op, x, y)
    dtype = base.dtype
    if isinstance(y, np.ndarray) and y.size == 1 and y.ndim <= base.rank:
        exponent = float(y.reshape(())[()])
        shape = np.broadcast_shapes(base.shape, y.shape)
        if shape == base.shape and exponent.is_integer() and 0 < exponent <= _SMALL_POWER:
            return product_power(op, base, int(exponent))
        if shape == base.shape and dtype in FLOATS and abs(exponent) == 0.5:
            return b.sqrt(base) if exponent > 0 else b.rsqrt(base)
    if dtype in FLOATS:
        return b.power(base, op.tensor(y, dtype))
    if op.dtype_of(y) in FLOATS:
        return op.cast(b.power(op.cast(base, "f32"), op.tensor(y, "f32")), dtype)
    return integer_power(op, base, op.tensor(y, dtype))


@handles("BitShift")
def _bit_shift(op: Op, x: Value, y: Value) -> Result:
    b, dtype = op.b, common(op, x, y)
    number, count = op.tensor(x, dtype), op.tensor(y, dtype)
    if op.text("direction") == "LEFT":
        return b.logical_left_shift(number, count)
    if dtype in UNSIGNED:
        return b.logical_right_shift(number, count)
    # An out-of-range shift count, also a negative one, leaves the sign.
    most = op.tensor(min(int(dtype[1:]), 32) - 1, dtype)
    inside = b.logical_and(
        op.compare("ge", count, op.tensor(0, dtype)), op.compare("le", count, most)
    )
    return b.right_shift(number, b.where(inside, count, most))


# Limits and choices ------------------------------------------------------------------------------


@handles("Clip")
def _clip(op: Op, x: Value, low: Value = None, high: Value = None) -> Result:
    found = op.tensor(x)
    dtype = found.dtype
    if op.since < 11:
        low = np.asarray(op.number("min")) if op.has("min") else None
        high = np.asarray(op.number("max")) if op.has("max") else None
    if dtype in FLOATS and isinstance(low, np.ndarray) and isinstance(high, np.ndarray):
        least, most = float(low.reshape(())[()]), float(high.reshape(())[()])
        # An activation that calls apply to their results.
        if (least, most) == (0, 6):
            return op.b.relu6(found)
        if math.isfinite(least) and math.isfinite(most) and least <= most:
            return op.b.clamp(found, least, most)
    if low is not None:
        found = op.b.maximum(found, reshaped(op, op.tensor(low, dtype), ()))
    if high is not None:
        found = op.b.minimum(found, reshaped(op, op.tensor(high, dtype), ()))
    return found


@handles("Where")
def _where(op: Op, condition: Value, x: Value, y: Value) -> Result:
    dtype = common(op, x, y)
    return op.b.where(op.tensor(condition), op.tensor(x, dtype), op.tensor(y, dtype))


@handles("IsNaN")
def _is_nan(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    return op.compare("ne", found, found)


@handles("IsInf")
def _is_inf(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    infinity = op.tensor(math.inf, found.dtype)
    low, high = op.integer("detect_negative", 1), op.integer("detect_positive", 1)
    if low and high:
        return op.compare("eq", op.b.abs(found), infinity)
    if not low and not high:
        return np.broadcast_to(np.asarray(False), found.shape)
    return op.compare("eq", found if high else op.b.neg(found), infinity)


# Types -------------------------------------------------------------------------------------------


@handles("Cast")
def _cast(op: Op, x: Value) -> Result:
    kind = op.integer("to")
    dtype = element_of(kind)
    if dtype not in ELEMENTS:
        raise op.fail(f"tensors of type {kind_name(kind)} are supported in constants only")
    return _converted(op, x, op.kind(ELEMENTS[dtype]))


def _converted(op: Op, x: Value, dtype: str) -> Tensor:
    """Converts the elements; those of floats of 8 bits by the op's attributes."""
    if dtype not in SMALL_FLOATS:
        return op.tensor(x, dtype)
    own = op.tensor(x)
    if dtype == "f8_e8m0fnu" and own.dtype != dtype:
        own = _power_of_two(op, op.cast(own, "f32"), op.text("round_mode", "up"))
    is_exact = own.dtype in SMALL_FLOATS or not op.integer("saturate", 1)
    return op.cast(own, dtype) if is_exact else saturated(op, own, dtype)


def _power_of_two(op: Op, x: Tensor, mode: str) -> Tensor:
    """Rounds to a power of two, which has no mantissa; the cast itself rounds to nearest."""
    if mode == "nearest":
        return x
    bits = op.b.bitcast_convert(x, "u32")
    if mode == "up":
        bits = op.b.add(bits, op.tensor((1 << 23) - 1, "u32"))
    exponent = op.b.bitwise_and(bits, op.tensor(0xFF << 23, "u32"))
    return op.b.where(op.compare("eq", x, x), op.b.bitcast_convert(exponent, "f32"), x)


@handles("CastLike")
def _cast_like(op: Op, x: Value, y: Value) -> Result:
    return _converted(op, x, op.dtype_of(y))


@handles("BitCast")
def _bit_cast(op: Op, x: Value) -> Result:
    found, target = op.tensor(x), element_of(op.integer("to"))
    if found.dtype == "bool" and target == np.uint8:
        return op.cast(found, "u8")
    if target not in ELEMENTS or "bool" in (found.dtype, target.name) or target.itemsize == 8:
        raise op.fail("only types of the same width, at most 32 bits, can be reinterpreted")
    return op.b.bitcast_convert(found, ELEMENTS[target])
