"""Elementwise ops."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.stablehlo._constants import Known, Value
from ttmlir.frontends.stablehlo._op import HANDLERS, Handler, Op, Result, handles
from ttmlir.frontends.stablehlo._types import FLOATS, NUMPY, UNSIGNED

#: Ops that are one op of TTIR with the operands' type.
SAME = {
    "stablehlo.abs": "abs",
    "stablehlo.add": "add",
    "stablehlo.atan2": "atan2",
    "stablehlo.cbrt": "cbrt",
    "stablehlo.ceil": "ceil",
    "stablehlo.cosine": "cos",
    "stablehlo.count_leading_zeros": "clz",
    "stablehlo.exponential": "exp",
    "stablehlo.exponential_minus_one": "expm1",
    "stablehlo.floor": "floor",
    "stablehlo.is_finite": "isfinite",
    "stablehlo.log": "log",
    "stablehlo.log_plus_one": "log1p",
    "stablehlo.logistic": "sigmoid",
    "stablehlo.maximum": "maximum",
    "stablehlo.minimum": "minimum",
    "stablehlo.multiply": "multiply",
    "stablehlo.negate": "neg",
    "stablehlo.popcnt": "popcount",
    "stablehlo.round_nearest_afz": "round",
    "stablehlo.round_nearest_even": "roundeven",
    "stablehlo.rsqrt": "rsqrt",
    "stablehlo.select": "where",
    "stablehlo.shift_left": "logical_left_shift",
    "stablehlo.shift_right_logical": "logical_right_shift",
    "stablehlo.sign": "sign",
    "stablehlo.sine": "sin",
    "stablehlo.sqrt": "sqrt",
    "stablehlo.subtract": "subtract",
    "stablehlo.tan": "tan",
    "stablehlo.tanh": "tanh",
    "chlo.acos": "acos",
    "chlo.acosh": "acosh",
    "chlo.asin": "asin",
    "chlo.asinh": "asinh",
    "chlo.atan": "atan",
    "chlo.atanh": "atanh",
    "chlo.cosh": "cosh",
    "chlo.erf": "erf",
    "chlo.erf_inv": "erfinv",
    "chlo.erfc": "erfc",
    "chlo.lgamma": "lgamma",
    "chlo.sinh": "sinh",
    "chlo.square": "square",
    "chlo.tan": "tan",
}
#: Bitwise for numbers, logical for booleans.
_LOGICAL = {
    "stablehlo.and": ("bitwise_and", "logical_and"),
    "stablehlo.not": ("bitwise_not", "logical_not"),
    "stablehlo.or": ("bitwise_or", "logical_or"),
    "stablehlo.xor": ("bitwise_xor", "logical_xor"),
}
_COMPARISONS = {"EQ": "eq", "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge"}


def build(op: Op, name: str, dtype: str | None = None) -> Value:
    """Builds an elementwise op of TTIR on the operands, by default with the op's dtype."""
    parts = [op.part(i) for i in range(len(op.inputs))]
    return op.result(op.b._eltwise(name, parts, None, dtype=dtype or op.dtype()))


def number(op: Op, value: float, dtype: str) -> Tensor:
    """Builds a scalar constant that broadcasts."""
    return op.importer.tensor(Known(np.array(value, NUMPY[dtype])))


def cast(op: Op, x: Tensor, dtype: str) -> Tensor:
    """Converts the elements; a nonzero number is true."""
    if x.dtype == dtype:
        return x
    if dtype == "bool":
        return op.b._eltwise("ne", (x, number(op, 0, x.dtype)), None, dtype="bool")
    return op.b.typecast(x, dtype)


def bits(op: Op, x: Tensor, dtype: str) -> Tensor:
    """Reinterprets the bits as elements of the same width."""
    return x if x.dtype == dtype else op.b.bitcast_convert(x, dtype)


def total_order(op: Op, x: Tensor) -> Tensor:
    """Maps floats to 32-bit integers in total order, in which 0 is greater than -0."""
    return orderable_bits(op, bits(op, cast(op, x, "f32"), "i32"))


def orderable_bits(op: Op, words: Tensor) -> Tensor:
    """Maps the bits of floats to integers in the same order, and such integers back to bits."""
    others = op.b.bitwise_xor(words, number(op, 0x7FFFFFFF, "i32"))
    negative = op.b._eltwise("lt", (words, number(op, 0, "i32")), None, dtype="bool")
    return op.b.where(negative, others, words)


def _same(name: str) -> Handler:
    return lambda op: build(op, name)


def _logical(of_numbers: str, of_truths: str) -> Handler:
    return lambda op: build(op, of_truths if op.dtype() == "bool" else of_numbers)


for _name, _op in SAME.items():
    HANDLERS[_name] = _same(_op)
for _name, (_bits, _truth) in _LOGICAL.items():
    HANDLERS[_name] = _logical(_bits, _truth)


@handles("stablehlo.compare")
def _compare(op: Op) -> Result:
    name = _COMPARISONS[op.text("comparison_direction")]
    parts = [op.part(0), op.part(1)]
    if op.text("compare_type") == "TOTALORDER" and op.input_dtype() in FLOATS:
        parts = [total_order(op, part) for part in parts]
    return op.result(op.b._eltwise(name, parts, None, dtype="bool"))


@handles("stablehlo.convert")
def _convert(op: Op) -> Result:
    return op.result(cast(op, op.part(), op.dtype()))


@handles("stablehlo.clamp")
def _clamp(op: Op) -> Result:
    least, x, most = op.part(0), op.part(1), op.part(2)
    return op.result(op.b.minimum(op.b.maximum(x, least), most))


@handles("stablehlo.divide")
def _divide(op: Op) -> Result:
    x, y = op.part(0), op.part(1)
    dtype = op.dtype()
    quotient = op.b.div(x, y)
    if dtype in FLOATS or _not_zero(op):
        return op.result(quotient)
    # XLA returns all ones.
    nothing = number(
        op, NUMPY[dtype].type(0) - 1 if dtype not in UNSIGNED else _all_ones(dtype), dtype
    )
    return op.result(op.b.where(y, quotient, nothing))


@handles("stablehlo.remainder")
def _remainder(op: Op) -> Result:
    x, y = op.part(0), op.part(1)
    rest = op.b.remainder(x, y)
    if op.dtype() in FLOATS or _not_zero(op):
        return op.result(rest)
    return op.result(op.b.where(y, rest, x))


def _not_zero(op: Op) -> bool:
    """Whether the divisor is known and nowhere 0."""
    divisor = op.known(1)
    return divisor is not None and bool((divisor != 0).all())


def _all_ones(dtype: str) -> int:
    return int(np.iinfo(NUMPY[dtype]).max)


@handles("stablehlo.shift_right_arithmetic")
def _shift_right_arithmetic(op: Op) -> Result:
    dtype = op.dtype()
    if dtype not in UNSIGNED:
        return build(op, "right_shift")
    # For unsigned numbers too, the highest bit is the sign here.
    signed = dtype.replace("u", "i")
    parts = [op.b.typecast(op.part(i), signed) for i in range(2)]
    return op.result(op.b.typecast(op.b.right_shift(*parts), dtype))


@handles("stablehlo.power")
def _power(op: Op) -> Result:
    if op.dtype() in FLOATS:
        return build(op, "power")
    return op.result(_integer_power(op))


def _integer_power(op: Op) -> Tensor:
    """Repeated squaring; a negative exponent gives 0, except for the bases 1 and -1."""
    b, dtype = op.b, op.dtype()
    base, exponent = op.part(0), op.part(1)
    one, zero = number(op, 1, dtype), number(op, 0, dtype)
    width = NUMPY[dtype].itemsize * 8
    known = op.known(1)
    most = width if known is None else max(int(known.max(initial=0)).bit_length(), 1)
    result, square = one, base
    for i in range(min(most, width)):
        bit = b.bitwise_and(exponent, number(op, 1 << i if i < width - 1 else 0, dtype))
        result = b.where(bit, b.multiply(result, square), result)
        square = b.multiply(square, square)
    if dtype in UNSIGNED or (known is not None and (known >= 0).all()):
        return result
    minus = number(op, -1, dtype)
    odd = b.where(b.bitwise_and(exponent, one), minus, one)
    is_one = b._eltwise("eq", (base, one), None, dtype="bool")
    is_minus = b._eltwise("eq", (base, minus), None, dtype="bool")
    inverse = b.where(is_one, one, b.where(is_minus, odd, zero))
    negative = b._eltwise("lt", (exponent, zero), None, dtype="bool")
    return b.where(negative, inverse, result)


@handles("stablehlo.reduce_precision")
def _reduce_precision(op: Op) -> Result:
    """Rounds the significand to nearest even, then clamps the exponent, on the bits of f32."""
    b = op.b
    exponent, mantissa = op.integer("exponent_bits"), op.integer("mantissa_bits")
    x = cast(op, op.part(), "f32")
    words = bits(op, x, "u32")
    own = {"f16": (5, 10), "bf16": (8, 7)}.get(op.dtype(), (8, 23))

    def word(value: int) -> Tensor:
        return number(op, value, "u32")

    rounded = words
    if mantissa < own[1]:
        drop = 23 - mantissa
        last = b.bitwise_and(b.logical_right_shift(words, word(drop)), word(1))
        half = b.add(last, word((1 << drop - 1) - 1))
        rounded = b.bitwise_and(b.add(words, half), word(0xFFFFFFFF ^ ((1 << drop) - 1)))
    if exponent < own[0]:
        bias = (1 << exponent - 1) - 1
        power = b.bitwise_and(rounded, word(0x7F800000))
        sign = b.bitwise_and(rounded, word(0x80000000))
        great = b._eltwise("gt", (power, word(127 + bias << 23)), None, dtype="bool")
        small = b._eltwise("le", (power, word(127 - bias << 23)), None, dtype="bool")
        rounded = b.where(great, b.bitwise_or(sign, word(0x7F800000)), rounded)
        rounded = b.where(small, sign, rounded)
    is_nan = b._eltwise("ne", (x, x), None, dtype="bool")
    found = b.where(is_nan, x, bits(op, rounded, "f32"))
    return op.result(cast(op, found, op.dtype()))


@handles("chlo.digamma")
def _digamma(op: Op) -> Result:
    """TTIR's digamma is infinite at 0, JAX's is NaN at all poles."""
    x = op.part()
    found = op.b.digamma(x)
    return op.result(op.b.where(x, found, number(op, np.nan, op.dtype())))


@handles("chlo.mulhi")
def _mulhi(op: Op) -> Result:
    """Returns the upper half of the bits of products."""
    b, dtype = op.b, op.dtype()
    x, y = op.part(0), op.part(1)
    width = NUMPY[dtype].itemsize * 8
    wide = "u32" if dtype in UNSIGNED else "i32"
    if width == 64:
        raise op.fail("64-bit products are not supported: use 32-bit integers")
    if width < 32:
        product = b.multiply(cast(op, x, wide), cast(op, y, wide))
        shift = b.logical_right_shift if wide == "u32" else b.right_shift
        return op.result(cast(op, shift(product, number(op, width, wide)), dtype))
    return op.result(upper_word(op, x, y))


def upper_word(op: Op, x: Tensor, y: Tensor) -> Tensor:
    """Returns the upper 32 bits of 32-bit products, computed from 16-bit products."""
    b, dtype = op.b, x.dtype
    half, mask = number(op, 16, "u32"), number(op, 0xFFFF, "u32")

    def halves(z: Tensor) -> tuple[Tensor, Tensor]:
        words = bits(op, z, "u32")
        return b.bitwise_and(words, mask), b.logical_right_shift(words, half)

    (x0, x1), (y0, y1) = halves(x), halves(y)
    low = b.logical_right_shift(b.multiply(x0, y0), half)
    first = b.add(b.multiply(x1, y0), low)
    second = b.add(b.multiply(x0, y1), b.bitwise_and(first, mask))
    carried = b.add(b.logical_right_shift(first, half), b.logical_right_shift(second, half))
    upper = bits(op, b.add(b.multiply(x1, y1), carried), dtype)
    if dtype in UNSIGNED:
        return upper
    # A negative factor equals its bits minus 2^32.
    sign = number(op, 31, dtype)
    upper = b.subtract(upper, b.bitwise_and(b.right_shift(x, sign), y))
    return b.subtract(upper, b.bitwise_and(b.right_shift(y, sign), x))


#: The ops that this module imports.
ELEMENTWISE = frozenset(name for name, own in HANDLERS.items() if own.__module__ == __name__)
