"""Activation functions and softmax."""

from __future__ import annotations

import math

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._elementwise import build
from ttmlir.frontends.onnx._op import Handler, Op, Result, Value, axis_of, handles, shape_of

#: Op types that are one op of TTIR.
_SAME = {"Relu": "relu", "Mish": "mish", "Softsign": "softsign"}


def _same(name: str) -> Handler:
    return lambda op, x: build(op, name, x)


for _name, _op in _SAME.items():
    handles(_name)(_same(_op))


@handles("LeakyRelu")
def _leaky_relu(op: Op, x: Value) -> Result:
    return op.b.leaky_relu(op.tensor(x), op.number("alpha", 0.01))


@handles("PRelu")
def _prelu(op: Op, x: Value, slope: Value) -> Result:
    b, found = op.b, op.tensor(x)
    factor = op.tensor(slope, found.dtype)
    if op.since < 7 and factor.rank == 1 and found.rank > 1:
        factor = reshaped(op, factor, (-1, *(1,) * (found.rank - 2)))
    negative = op.compare("lt", found, op.tensor(0, found.dtype))
    return b.where(negative, b.multiply(found, factor), found)


@handles("Elu")
def _elu(op: Op, x: Value) -> Result:
    b, found = op.b, op.tensor(x)
    low = b.multiply(b.expm1(found), op.tensor(op.number("alpha", 1.0), found.dtype))
    return b.where(op.compare("gt", found, op.tensor(0.0, found.dtype)), found, low)


@handles("Selu")
def _selu(op: Op, x: Value) -> Result:
    gamma, alpha = op.number("gamma", 1.05070102214813), op.number("alpha", 1.67326319217681)
    return op.b.selu(op.tensor(x), gamma, alpha)


@handles("Softplus")
def _softplus(op: Op, x: Value) -> Result:
    # The logarithm of a value of at most 1, so that nothing overflows.
    b, found = op.b, op.tensor(x)
    rest = b.log1p(b.exp(b.neg(b.abs(found))))
    return b.add(b.relu(found), rest)


def _hard_sigmoid(op: Op, x: Tensor, alpha: float, beta: float) -> Tensor:
    scaled = op.b.multiply(x, op.tensor(alpha, x.dtype))
    return op.b.clamp(op.b.add(scaled, op.tensor(beta, x.dtype)), 0.0, 1.0)


@handles("HardSigmoid")
def _hard_sigmoid_handler(op: Op, x: Value) -> Result:
    return _hard_sigmoid(op, op.tensor(x), op.number("alpha", 0.2), op.number("beta", 0.5))


@handles("HardSwish")
def _hard_swish(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    return op.b.multiply(found, _hard_sigmoid(op, found, 1 / 6, 0.5))


@handles("Swish")
def _swish(op: Op, x: Value) -> Result:
    found, alpha = op.tensor(x), op.number("alpha", 1.0)
    if alpha == 1:
        return op.b.silu(found)
    scaled = op.b.multiply(found, op.tensor(alpha, found.dtype))
    return op.b.multiply(found, op.b.sigmoid(scaled))


def gelu(op: Op, x: Tensor, approximate: str) -> Tensor:
    """The Gaussian error linear unit, exact or with the ``tanh`` approximation."""
    if approximate == "none":
        return op.b.gelu(x)
    b, dtype = op.b, x.dtype
    cube = b.multiply(b.multiply(b.multiply(x, x), x), op.tensor(0.044715, dtype))
    inner = b.multiply(b.add(x, cube), op.tensor(math.sqrt(2 / math.pi), dtype))
    half = b.multiply(x, op.tensor(0.5, dtype))
    return b.multiply(half, b.add(b.tanh(inner), op.tensor(1.0, dtype)))


@handles("Gelu")
def _gelu(op: Op, x: Value) -> Result:
    return gelu(op, op.tensor(x), op.text("approximate", "none"))


# Softmax -----------------------------------------------------------------------------------------


def _rows(op: Op, x: Value) -> tuple[Tensor, int]:
    """Returns the tensor and the dimension to normalize: before operator set 13, all dimensions
    from ``axis`` on, flattened to rows of a matrix."""
    found = op.tensor(x)
    if op.since >= 13:
        axis = axis_of(op.integer("axis", -1), found.rank)
        return (reshaped(op, found, (1,)), 0) if not found.rank else (found, axis)
    axis = op.integer("axis", 1) % max(found.rank, 1)
    return reshaped(op, found, (math.prod(found.shape[:axis]), math.prod(found.shape[axis:]))), 1


@handles("Softmax", folds=False)
def _softmax(op: Op, x: Value) -> Result:
    found, axis = _rows(op, x)
    return reshaped(op, op.b.softmax(found, axis), shape_of(x))


@handles("LogSoftmax", folds=False)
def _log_softmax(op: Op, x: Value) -> Result:
    b = op.b
    rows, axis = _rows(op, x)
    wide = op.cast(rows, "f32") if rows.dtype in ("bf16", "f16") else rows
    centred = b.subtract(wide, b.max(wide, axis, True))
    found = b.subtract(centred, b.log(b.sum(b.exp(centred), axis, True)))
    return reshaped(op, op.cast(found, rows.dtype), shape_of(x))


@handles("Hardmax", folds=False)
def _hardmax(op: Op, x: Value) -> Result:
    rows, axis = _rows(op, x)
    first = op.b.argmax(rows, axis, True)
    extents = [n if d == axis else 1 for d, n in enumerate(rows.shape)]
    places = op.b.arange(extents, dim=axis, dtype="i32")
    found = op.cast(op.compare("eq", places, first), rows.dtype)
    return reshaped(op, found, shape_of(x))
