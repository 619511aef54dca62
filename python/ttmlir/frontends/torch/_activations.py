"""Activation functions, their gradients, and softmax."""

from __future__ import annotations

import math
from typing import Any

from ttmlir.builder import Tensor
from ttmlir.frontends.random_numbers import uniform
from ttmlir.frontends.torch._elementwise import build
from ttmlir.frontends.torch._op import HANDLERS, Handler, Op, Operand, Result, handles
from ttmlir.frontends.torch._types import FLOATS

#: Ops that are one op of TTIR.
_SAME = {
    "relu": "relu",
    "relu6": "relu6",
    "silu": "silu",
    "mish": "mish",
    "hardsigmoid": "hardsigmoid",
    "softsign": "softsign",
}


def _same(name: str) -> Handler:
    return lambda op, self: build(op, name, self)


for _name, _op in _SAME.items():
    HANDLERS[f"aten.{_name}"] = _same(_op)


@handles("aten.gelu")
def _gelu(op: Op, self: Operand, approximate: str = "none") -> Result:
    if approximate == "none":
        return build(op, "gelu", self)
    b, x = op.b, op.tensor(self, op.dtype())
    half = b.multiply(x, op.tensor(0.5))
    return b.multiply(half, b.add(b.tanh(_tanh_argument(op, x)), op.tensor(1.0)))


def _tanh_argument(op: Op, x: Tensor) -> Tensor:
    b = op.b
    cube = b.multiply(b.multiply(b.multiply(x, x), x), op.tensor(0.044715))
    return b.multiply(b.add(x, cube), op.tensor(math.sqrt(2 / math.pi)))


@handles("aten.gelu_backward")
def _gelu_backward(
    op: Op, grad_output: Operand, self: Operand, approximate: str = "none"
) -> Result:
    dtype = op.dtype()
    gradient, x = op.tensor(grad_output, dtype), op.tensor(self, dtype)
    return op.b.gelu_bw(gradient, x, approximate=approximate)


@handles("aten.leaky_relu")
def _leaky_relu(op: Op, self: Operand, negative_slope: float = 0.01) -> Result:
    return op.b.leaky_relu(op.tensor(self), float(negative_slope))


@handles("aten.rrelu")
def _rrelu(op: Op, self: Operand, *args: Any, **named: Any) -> Result:
    return _sloped(op, self, *args, **named)[0]


@handles("aten.rrelu_with_noise_functional")
def _rrelu_with_noise(op: Op, self: Operand, noise: Operand, *args: Any, **named: Any) -> Result:
    found, slopes = _sloped(op, self, *args, **named)
    return [found, noise if slopes is None else slopes]  # type: ignore[list-item]


def _sloped(
    op: Op,
    self: Operand,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: object = None,
) -> tuple[Tensor, Tensor | None]:
    """Leaky ReLU; returns the result and, in training, each element's slope: a random number
    between ``lower`` and ``upper`` for elements that are not positive, 1 for others."""
    b, dtype = op.b, op.dtype()
    if not training:
        return b.leaky_relu(op.tensor(self, dtype), (lower + upper) / 2), None
    x = op.tensor(self, "f32")
    drawn = b.multiply(uniform(op, op.shape()), op.tensor(float(upper - lower), "f32"))
    # The sum may round up to the next number after the greatest slope.
    drawn = b.minimum(b.add(drawn, op.tensor(float(lower), "f32")), op.tensor(float(upper), "f32"))
    low = op.compare("le", x, op.tensor(0.0, "f32"))
    slopes = b.where(low, drawn, op.tensor(1.0, "f32"))
    return op.cast(b.multiply(x, slopes), dtype), op.cast(slopes, dtype)


@handles("aten.rrelu_with_noise_backward")
def _rrelu_with_noise_backward(
    op: Op,
    grad_output: Operand,
    self: Operand,
    noise: Operand,
    lower: float,
    upper: float,
    training: bool,
    self_is_result: bool,
) -> Result:
    b, dtype = op.b, op.dtype()
    gradient = op.tensor(grad_output, dtype)
    # PyTorch treats nearly equal slopes as equal.
    if training and upper - lower > 1e-6:
        return b.multiply(gradient, op.tensor(noise, dtype))
    falling = b.multiply(gradient, op.tensor((lower + upper) / 2, dtype))
    rises = op.compare("gt", op.tensor(self, dtype), op.tensor(0.0, dtype))
    return b.where(rises, gradient, falling)


@handles("aten.threshold_backward")
def _threshold_backward(op: Op, grad_output: Operand, self: Operand, threshold: float) -> Result:
    dtype = op.dtype()
    low = op.compare("le", op.tensor(self, dtype), op.tensor(threshold, dtype))
    return op.b.where(low, op.tensor(0, dtype), op.tensor(grad_output, dtype))


@handles("aten.hardtanh")
def _hardtanh(op: Op, self: Operand, min_val: float = -1, max_val: float = 1) -> Result:
    x = op.tensor(self)
    if x.dtype not in FLOATS or min_val > max_val:
        least = op.b.maximum(x, op.tensor(min_val, x.dtype))
        return op.b.minimum(least, op.tensor(max_val, x.dtype))
    # An activation that library calls can apply to their results.
    if (min_val, max_val) == (0, 6):
        return op.b.relu6(x)
    return op.b.clamp(x, float(min_val), float(max_val))


@handles("aten.elu")
def _elu(
    op: Op, self: Operand, alpha: float = 1, scale: float = 1, input_scale: float = 1
) -> Result:
    b, x = op.b, op.tensor(self)
    scaled = x if input_scale == 1 else b.multiply(x, op.tensor(float(input_scale)))
    low = b.multiply(b.expm1(scaled), op.tensor(float(alpha * scale)))
    high = x if scale == 1 else b.multiply(x, op.tensor(float(scale)))
    return b.where(op.compare("gt", x, op.tensor(0.0)), high, low)


# Softmax -----------------------------------------------------------------------------------------


@handles("aten._softmax", "aten._safe_softmax", "aten.softmax")
def _softmax(op: Op, self: Operand, dim: int, *_: object, **__: object) -> Result:
    x = op.tensor(self, op.dtype())
    if not x.rank:
        return op.b.reshape(op.b.softmax(op.b.reshape(x, (1,)), 0), ())
    found = op.b.softmax(x, dim % x.rank)
    if "_safe_softmax" not in op.name:
        return found
    # A row of only -inf gives 0.
    most = op.b.max(x, dim % x.rank, True)
    nothing = op.compare("eq", most, op.tensor(-math.inf, x.dtype))
    return op.b.where(nothing, op.tensor(0.0, x.dtype), found)


@handles("aten._log_softmax", "aten.log_softmax")
def _log_softmax(op: Op, self: Operand, dim: int, *_: object, **__: object) -> Result:
    b, dtype = op.b, op.dtype()
    wide = "f32" if dtype in ("bf16", "f16") else dtype
    x = op.tensor(self, wide)
    if not x.rank:
        return b.subtract(op.cast(x, dtype), op.cast(x, dtype))
    dim %= x.rank
    centred = b.subtract(x, b.max(x, dim, True))
    found = b.subtract(centred, b.log(b.sum(b.exp(centred), dim, True)))
    return op.cast(found, dtype)
