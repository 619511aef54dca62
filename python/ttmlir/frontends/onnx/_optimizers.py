"""Optimizers of ai.onnx.preview.training."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Handler, Op, Result, Value, handles

DOMAIN = "ai.onnx.preview.training"
#: Updates one parameter: takes the learning rate, the number of updates, the tensor, its gradient
#: and its states; returns the new tensor and states.
Update: TypeAlias = "Callable[[Op, Tensor, Tensor, Tensor, Tensor, list[Tensor]], list[Tensor]]"


def _times(op: Op, x: Tensor, factor: float) -> Tensor:
    return op.b.multiply(x, op.tensor(factor, x.dtype))


def _regularized(op: Op, x: Tensor, gradient: Tensor) -> Tensor:
    weight = op.number("norm_coefficient")
    return op.b.add(_times(op, x, weight), gradient) if weight else gradient


def _begun(op: Op, count: Tensor) -> Tensor:
    """Whether there was an earlier update."""
    return op.compare("gt", count, op.tensor(0.0, count.dtype))


def _adagrad(
    op: Op, rate: Tensor, count: Tensor, x: Tensor, gradient: Tensor, states: list[Tensor]
) -> list[Tensor]:
    b, one = op.b, op.tensor(1.0, x.dtype)
    rate = b.div(rate, b.add(one, _times(op, count, op.number("decay_factor"))))
    g = _regularized(op, x, gradient)
    total = b.add(states[0], b.multiply(g, g))
    divisor = b.add(b.sqrt(total), op.tensor(op.number("epsilon", 1e-6), x.dtype))
    return [b.subtract(x, b.div(b.multiply(rate, g), divisor)), total]


def _adam(
    op: Op, rate: Tensor, count: Tensor, x: Tensor, gradient: Tensor, states: list[Tensor]
) -> list[Tensor]:
    b, one = op.b, op.tensor(1.0, x.dtype)
    alpha, beta = op.number("alpha", 0.9), op.number("beta", 0.999)
    g = _regularized(op, x, gradient)
    mean = b.add(_times(op, states[0], alpha), _times(op, g, 1 - alpha))
    square = b.add(_times(op, states[1], beta), _times(op, b.multiply(g, g), 1 - beta))
    root = b.add(b.sqrt(square), op.tensor(op.number("epsilon", 1e-6), x.dtype))
    rests = [
        b.subtract(one, b.power(reshaped(op, op.tensor(base, x.dtype), ()), count))
        for base in (beta, alpha)
    ]
    corrected = b.div(b.multiply(rate, b.sqrt(rests[0])), rests[1])
    rate = b.where(_begun(op, count), corrected, rate)
    new = b.subtract(x, b.div(b.multiply(rate, mean), root))
    decay = op.number("norm_coefficient_post")
    return [_times(op, new, 1 - decay) if decay else new, mean, square]


def _momentum(
    op: Op, rate: Tensor, count: Tensor, x: Tensor, gradient: Tensor, states: list[Tensor]
) -> list[Tensor]:
    b, alpha = op.b, op.number("alpha")
    g = _regularized(op, x, gradient)
    beta, one = op.tensor(op.number("beta"), x.dtype), op.tensor(1.0, x.dtype)
    factor = b.where(_begun(op, count), beta, one)
    velocity = b.add(_times(op, states[0], alpha), b.multiply(factor, g))
    step = velocity
    if op.text("mode") == "nesterov":
        step = b.add(g, _times(op, velocity, alpha))
    return [b.subtract(x, b.multiply(rate, step)), velocity]


def _optimizer(update: Update, states: int) -> Handler:
    """Creates a handler for any number of parameters, whose tensors, gradients and states are
    grouped.

    Args:
        update: updates one parameter.
        states: the number of its states.
    """

    def handler(op: Op, rate: Value, count: Value, *tensors: Value) -> Result:
        groups = len(tensors) // (2 + states)
        found = []
        for i in range(groups):
            x, gradient, *own = (op.tensor(t) for t in tensors[i::groups])
            by, turn = (reshaped(op, op.tensor(t, x.dtype), ()) for t in (rate, count))
            found.append(update(op, by, turn, x, gradient, own))
        return [t for group in zip(*found, strict=True) for t in group]

    return handler


handles("Adagrad", domain=DOMAIN)(_optimizer(_adagrad, 1))
handles("Adam", domain=DOMAIN)(_optimizer(_adam, 2))
handles("Momentum", domain=DOMAIN)(_optimizer(_momentum, 1))
