"""Elementwise ops on numbers and booleans."""

from __future__ import annotations

import math
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.arithmetic import integer_power, modulo, product_power
from ttmlir.frontends.torch._op import HANDLERS, Handler, Op, Operand, Result, handles
from ttmlir.frontends.torch._types import FLOATS, UNSIGNED

#: Unary ops that are one op of TTIR, computed in the dtype of the result.
_UNARY = {
    "abs": "abs",
    "acos": "acos",
    "acosh": "acosh",
    "asin": "asin",
    "asinh": "asinh",
    "atan": "atan",
    "atanh": "atanh",
    "cos": "cos",
    "cosh": "cosh",
    "digamma": "digamma",
    "erf": "erf",
    "erfc": "erfc",
    "erfinv": "erfinv",
    "exp": "exp",
    "exp2": "exp2",
    "expm1": "expm1",
    "lgamma": "lgamma",
    "log": "log",
    "log1p": "log1p",
    "neg": "neg",
    "reciprocal": "reciprocal",
    "rsqrt": "rsqrt",
    "sigmoid": "sigmoid",
    "sin": "sin",
    "sinh": "sinh",
    "special_digamma": "digamma",
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_erfinv": "erfinv",
    "special_exp2": "exp2",
    "special_expit": "sigmoid",
    "special_expm1": "expm1",
    "special_log1p": "log1p",
    "sqrt": "sqrt",
    "square": "square",
    "tan": "tan",
    "tanh": "tanh",
}
#: For floats only: integers are returned unchanged.
_ROUNDING = {"ceil": "ceil", "floor": "floor", "fix": "trunc", "trunc": "trunc"}
#: Binary ops in the dtype of the result.
_BINARY = {
    "atan2": "atan2",
    "maximum": "maximum",
    "minimum": "minimum",
    "max.other": "maximum",
    "min.other": "minimum",
    "fmod": "remainder",
    "bitwise_left_shift": "logical_left_shift",
    "__lshift__": "logical_left_shift",
}
_COMPARISONS = ("eq", "ge", "gt", "le", "lt", "ne")
#: Bitwise for numbers, logical for booleans.
_BITWISE = {
    "bitwise_and": ("bitwise_and", "logical_and"),
    "bitwise_or": ("bitwise_or", "logical_or"),
    "bitwise_xor": ("bitwise_xor", "logical_xor"),
    "__and__": ("bitwise_and", "logical_and"),
    "__or__": ("bitwise_or", "logical_or"),
    "__xor__": ("bitwise_xor", "logical_xor"),
}
_LOGICAL = ("logical_and", "logical_or", "logical_xor")


def build(op: Op, name: str, *operands: Operand, dtype: str | None = None) -> Tensor:
    """Builds an op of TTIR on operands in the result's dtype, or in the given one."""
    dtype = dtype or op.dtype()
    return op.b._eltwise(name, [op.tensor(x, dtype) for x in operands], None)


def truth(op: Op, x: Operand) -> Tensor:
    """Whether elements are nonzero."""
    return op.tensor(x, "bool")


def _unary(name: str) -> Handler:
    return lambda op, self: build(op, name, self)


def _rounding(name: str) -> Handler:
    return lambda op, self: build(op, name, self) if op.dtype() in FLOATS else self


def _binary(name: str) -> Handler:
    return lambda op, self, other: build(op, name, self, other)


def _compared(name: str) -> Handler:
    def handler(op: Op, self: Operand, other: Operand) -> Result:
        dtype = op.promoted(self, other)
        return op.compare(name, _number(op, self, dtype), _number(op, other, dtype))

    return handler


def _number(op: Op, x: Operand, dtype: str) -> Tensor:
    """Converts an operand of a comparison; booleans become numbers."""
    return op.tensor(x, "u8" if dtype == "bool" else dtype)


def _bitwise(of_numbers: str, of_truths: str) -> Handler:
    def handler(op: Op, self: Operand, other: Operand) -> Result:
        if op.dtype() == "bool":
            return op.b._eltwise(of_truths, (truth(op, self), truth(op, other)), None)
        return build(op, of_numbers, self, other)

    return handler


def _logical(name: str) -> Handler:
    return lambda op, self, other: op.b._eltwise(name, (truth(op, self), truth(op, other)), None)


for _name, _op in _UNARY.items():
    HANDLERS[f"aten.{_name}"] = _unary(_op)
for _name, _op in _ROUNDING.items():
    HANDLERS[f"aten.{_name}"] = _rounding(_op)
for _name, _op in _BINARY.items():
    HANDLERS[f"aten.{_name}"] = _binary(_op)
for _name in _COMPARISONS:
    HANDLERS[f"aten.{_name}"] = _compared(_name)
for _name, (_bits, _truths) in _BITWISE.items():
    HANDLERS[f"aten.{_name}"] = _bitwise(_bits, _truths)
for _name in _LOGICAL:
    HANDLERS[f"aten.{_name}"] = _logical(_name)


# Arithmetic --------------------------------------------------------------------------------------


def _scaled(op: Op, x: Operand, alpha: Any) -> Operand:
    if alpha == 1:
        return x
    return build(op, "multiply", x, alpha)


@handles("aten.add")
def _add(op: Op, self: Operand, other: Operand, alpha: Any = 1) -> Result:
    if op.dtype() == "bool":
        return op.b.logical_or(truth(op, self), truth(op, _scaled(op, other, alpha)))
    return build(op, "add", self, _scaled(op, other, alpha))


@handles("aten.sub")
def _sub(op: Op, self: Operand, other: Operand, alpha: Any = 1) -> Result:
    return build(op, "subtract", self, _scaled(op, other, alpha))


@handles("aten.rsub")
def _rsub(op: Op, self: Operand, other: Operand, alpha: Any = 1) -> Result:
    return build(op, "subtract", other, _scaled(op, self, alpha))


@handles("aten.mul")
def _mul(op: Op, self: Operand, other: Operand) -> Result:
    if op.dtype() == "bool":
        return op.b.logical_and(truth(op, self), truth(op, other))
    return build(op, "multiply", self, other)


@handles("aten.div", "aten.true_divide")
def _div(op: Op, self: Operand, other: Operand, rounding_mode: str | None = None) -> Result:
    if rounding_mode == "floor":
        return _floor_divide(op, self, other)
    quotient = build(op, "div", self, other)
    if rounding_mode is None or op.dtype() not in FLOATS:
        return quotient
    return op.b.trunc(quotient)


@handles("aten.floor_divide")
def _floor_divide(op: Op, self: Operand, other: Operand) -> Result:
    b, dtype = op.b, op.dtype()
    x, y = op.tensor(self, dtype), op.tensor(other, dtype)
    zero = op.tensor(0, dtype)
    if dtype in UNSIGNED:
        return b.div(x, y)
    if dtype not in FLOATS:
        quotient, rest = b.div(x, y), b.remainder(x, y)
        differ = b.logical_xor(op.compare("lt", rest, zero), op.compare("lt", y, zero))
        lower = b.logical_and(op.compare("ne", rest, zero), differ)
        return b.subtract(quotient, op.cast(lower, dtype))
    # Computed from the remainder, as in PyTorch, so that the quotient is exact.
    rest = modulo(op, x, y)
    quotient = b.div(b.subtract(x, rest), y)
    rounded = b.floor(quotient)
    near = op.compare("gt", b.subtract(quotient, rounded), op.tensor(0.5, dtype))
    rounded = b.add(rounded, op.cast(near, dtype))
    found = b.where(op.compare("ne", quotient, zero), rounded, b.multiply(zero, b.div(x, y)))
    return b.where(op.compare("eq", y, zero), b.div(x, y), found)


@handles("aten.remainder")
def _remainder(op: Op, self: Operand, other: Operand) -> Result:
    dtype = op.dtype()
    return modulo(op, op.tensor(self, dtype), op.tensor(other, dtype))


@handles("aten.pow")
def _pow(op: Op, self: Operand, exponent: Operand) -> Result:
    b, dtype = op.b, op.dtype()
    if not isinstance(exponent, (int, float)):
        if dtype in FLOATS:
            return build(op, "power", self, exponent)
        return integer_power(op, op.tensor(self, dtype), op.tensor(exponent, dtype))
    x = op.tensor(self, dtype)
    roots = {0.5: b.sqrt, -0.5: b.rsqrt, -1.0: b.reciprocal}
    if dtype in FLOATS and float(exponent) in roots:
        return roots[float(exponent)](x)
    if exponent == 0:
        return torch.ones((), dtype=op.meta().dtype).expand(op.shape())
    if float(exponent).is_integer() and 0 < exponent <= 8:
        return product_power(op, x, int(exponent))
    if dtype in FLOATS:
        return b.power(x, op.tensor(float(exponent), dtype))
    return integer_power(op, x, op.tensor(exponent, dtype))


@handles("aten.hypot")
def _hypot(op: Op, self: Operand, other: Operand) -> Result:
    b, dtype = op.b, op.dtype()
    x, y = b.abs(op.tensor(self, dtype)), b.abs(op.tensor(other, dtype))
    # Scaled by the greater one, so that squares stay in range.
    most = b.maximum(x, y)
    zero, one = op.tensor(0, dtype), op.tensor(1, dtype)
    part = b.div(b.minimum(x, y), b.where(op.compare("eq", most, zero), one, most))
    found = b.multiply(most, b.sqrt(b.add(b.multiply(part, part), one)))
    infinite = op.compare("eq", most, op.tensor(math.inf, dtype))
    return b.where(infinite, most, found)


@handles("aten.ldexp")
def _ldexp(op: Op, self: Operand, other: Operand) -> Result:
    power = op.b.exp2(op.tensor(other, op.dtype()))
    return build(op, "multiply", self, power)


@handles("aten.log2")
def _log2(op: Op, self: Operand) -> Result:
    return op.b.multiply(build(op, "log", self), op.tensor(1 / math.log(2)))


@handles("aten.log10")
def _log10(op: Op, self: Operand) -> Result:
    return op.b.multiply(build(op, "log", self), op.tensor(1 / math.log(10)))


@handles("aten.sign", "aten.sgn")
def _sign(op: Op, self: Operand) -> Result:
    return op.tensor(self) if op.dtype() == "bool" else build(op, "sign", self)


@handles("aten.round")
def _round(op: Op, self: Operand, decimals: int = 0) -> Result:
    if op.dtype() not in FLOATS:
        if decimals < 0:
            raise op.fail("only floats can be rounded to negative decimals: convert first")
        return op.tensor(self)
    if not decimals:
        return build(op, "roundeven", self)
    scale = float(10 ** abs(decimals))
    first, second = ("multiply", "div") if decimals > 0 else ("div", "multiply")
    # In bf16 the product would lose the relevant digits.
    wide = "f64" if op.dtype() == "f64" else "f32"
    scaled = build(op, first, self, scale, dtype=wide)
    return op.cast(build(op, second, op.b.roundeven(scaled), scale, dtype=wide), op.dtype())


@handles("aten.bitwise_right_shift", "aten.__rshift__")
def _right_shift(op: Op, self: Operand, other: Operand) -> Result:
    name = "logical_right_shift" if op.dtype() in UNSIGNED else "right_shift"
    return build(op, name, self, other)


@handles("aten.bitwise_not")
def _bitwise_not(op: Op, self: Operand) -> Result:
    return build(op, "logical_not" if op.dtype() == "bool" else "bitwise_not", self)


@handles("aten.logical_not")
def _logical_not(op: Op, self: Operand) -> Result:
    return op.b.logical_not(truth(op, self))


# Limits and choices ------------------------------------------------------------------------------


@handles("aten.clamp", "aten.clip")
def _clamp(op: Op, self: Operand, min: Any = None, max: Any = None) -> Result:
    dtype = op.dtype()
    x = op.tensor(self, dtype)
    are_numbers = isinstance(min, (int, float)) and isinstance(max, (int, float))
    if dtype in FLOATS and are_numbers and min <= max:
        return op.b.clamp(x, float(min), float(max))
    if min is not None:
        x = op.b.maximum(x, op.tensor(min, dtype))
    if max is not None:
        x = op.b.minimum(x, op.tensor(max, dtype))
    return x


@handles("aten.clamp_min")
def _clamp_min(op: Op, self: Operand, min: Any) -> Result:
    return build(op, "maximum", self, min)


@handles("aten.clamp_max")
def _clamp_max(op: Op, self: Operand, max: Any) -> Result:
    return build(op, "minimum", self, max)


@handles("aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar")
def _where(op: Op, condition: Operand, self: Operand, other: Operand) -> Result:
    dtype = op.dtype()
    return op.b.where(truth(op, condition), op.tensor(self, dtype), op.tensor(other, dtype))


@handles("aten.fmax", "aten.fmin")
def _without_nan(op: Op, self: Operand, other: Operand) -> Result:
    b, dtype = op.b, op.dtype()
    x, y = op.tensor(self, dtype), op.tensor(other, dtype)
    name = "maximum" if "fmax" in op.name else "minimum"
    found = b._eltwise(name, (x, y), None)
    if dtype not in FLOATS:
        return found
    found = b.where(op.compare("ne", x, x), y, found)
    return b.where(op.compare("ne", y, y), x, found)


@handles("aten.isnan")
def _isnan(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    return op.compare("ne", x, x) if x.dtype in FLOATS else _everywhere(op, False)


@handles("aten.isinf")
def _isinf(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    if x.dtype not in FLOATS:
        return _everywhere(op, False)
    return op.compare("eq", op.b.abs(x), op.tensor(math.inf, x.dtype))


@handles("aten.isfinite")
def _isfinite(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    if x.dtype not in FLOATS:
        return _everywhere(op, True)
    return op.b._eltwise("isfinite", (x,), None, dtype="bool")


@handles("aten.copysign")
def _copysign(op: Op, self: Operand, other: Operand) -> Result:
    b, dtype = op.b, op.dtype()
    magnitude = b.abs(op.tensor(self, dtype))
    negative = _has_sign(op, op.tensor(other, dtype))
    return b.where(op.tensor(negative), b.neg(magnitude), magnitude)


@handles("aten.signbit")
def _signbit(op: Op, self: Operand) -> Result:
    return _has_sign(op, op.tensor(self))


def _has_sign(op: Op, x: Tensor) -> Tensor | torch.Tensor:
    if x.dtype in FLOATS:
        return op.b._eltwise("signbit", (x,), None, dtype="bool")
    if x.dtype == "bool" or x.dtype in UNSIGNED:
        return _everywhere(op, False)
    return op.compare("lt", x, op.tensor(0, x.dtype))


def _everywhere(op: Op, value: bool) -> torch.Tensor:
    return torch.tensor(value).expand(op.shape())
