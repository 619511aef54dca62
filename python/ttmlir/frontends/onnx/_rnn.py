"""Recurrent networks: RNN, GRU and LSTM, as loops over time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import joined, permuted, reshaped, sliced
from ttmlir.frontends.onnx._loops import Number, counted_from_end, element, repeated
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._types import NUMPY

Function: TypeAlias = "Callable[[Tensor], Tensor]"


def _scaled(op: Op, x: Tensor, factor: float) -> Tensor:
    return x if factor == 1 else op.b.multiply(x, op.tensor(factor, x.dtype))


def _affine(op: Op, x: Tensor, alpha: float, beta: float) -> Tensor:
    return op.b.add(_scaled(op, x, alpha), op.tensor(beta, x.dtype))


def _elu(op: Op, x: Tensor, alpha: float, beta: float) -> Tensor:
    low = _scaled(op, op.b.expm1(x), alpha)
    return op.b.where(op.compare("gt", x, op.tensor(0.0, x.dtype)), x, low)


def _softplus(op: Op, x: Tensor, alpha: float, beta: float) -> Tensor:
    b = op.b
    return b.add(b.relu(x), b.log1p(b.exp(b.neg(b.abs(x)))))


def _thresholded(op: Op, x: Tensor, alpha: float, beta: float) -> Tensor:
    kept = op.compare("gt", x, op.tensor(alpha, x.dtype))
    return op.b.where(kept, x, op.tensor(0.0, x.dtype))


@dataclass(frozen=True)
class _Activation:
    """An activation function, with up to two parameters (None if not given)."""

    apply: Callable[[Op, Tensor, float, float], Tensor]
    alpha: float | None = None
    beta: float | None = None


_ACTIVATIONS = {
    "affine": _Activation(_affine, 1.0, 0.0),
    "elu": _Activation(_elu, 1.0),
    "hardsigmoid": _Activation(
        lambda op, x, alpha, beta: op.b.clamp(_affine(op, x, alpha, beta), 0.0, 1.0), 0.2, 0.5
    ),
    "leakyrelu": _Activation(lambda op, x, alpha, beta: op.b.leaky_relu(x, alpha), 0.01),
    "relu": _Activation(lambda op, x, alpha, beta: op.b.relu(x)),
    "scaledtanh": _Activation(
        lambda op, x, alpha, beta: _scaled(op, op.b.tanh(_scaled(op, x, beta)), alpha), 1.0, 1.0
    ),
    "sigmoid": _Activation(lambda op, x, alpha, beta: op.b.sigmoid(x)),
    "softplus": _Activation(_softplus),
    "softsign": _Activation(lambda op, x, alpha, beta: op.b.softsign(x)),
    "tanh": _Activation(lambda op, x, alpha, beta: op.b.tanh(x)),
    "thresholdedrelu": _Activation(_thresholded, 1.0),
}


def _functions(op: Op, defaults: list[str], directions: int) -> list[list[Function]]:
    """Returns the activation functions of each direction, with their parameters."""
    given = op.attribute("activations")
    names = [n.decode() for n in given] if given else defaults * directions
    if len(names) != len(defaults) * directions:
        raise op.fail(f"expected {len(defaults) * directions} activations, found {len(names)}")
    alphas = iter(op.numbers("activation_alpha") or [])
    betas = iter(op.numbers("activation_beta") or [])
    limit = op.number("clip") if op.has("clip") else None
    found: list[Function] = []
    for number, name in enumerate(names):
        kind = _ACTIVATIONS.get(name.lower())
        if kind is None:
            raise op.fail(f"expected activations of {', '.join(_ACTIVATIONS)}, found '{name}'")
        alpha = 0.0 if kind.alpha is None else next(alphas, kind.alpha)
        beta = 0.0 if kind.beta is None else next(betas, kind.beta)

        # Gates are clipped, but cells are not, as in ONNX Runtime.
        bound = limit if number % len(defaults) < 2 else None

        def function(
            x: Tensor,
            kind: _Activation = kind,
            alpha: float = alpha,
            beta: float = beta,
            bound: float | None = bound,
        ) -> Tensor:
            x = x if bound is None else op.b.clamp(x, -bound, bound)
            return kind.apply(op, x, alpha, beta)

        found.append(function)
    count = len(defaults)
    return [found[i : i + count] for i in range(0, len(found), count)]


class _Cell(ABC):
    """One direction of a network.

    Args:
        op: the node.
        functions: f, g and h.
        gates: the number of gates.
        direction: its index.
        weights: of the input (gates * hidden, input) and of the state, and the biases of both, each
            for all directions.
    """

    def __init__(
        self,
        op: Op,
        functions: list[Function],
        gates: int,
        direction: int,
        weights: tuple[Tensor, Tensor, Tensor | None],
    ) -> None:
        self.op, self.functions, self.gates = op, functions, gates
        self.w, self.r = (self._own(x, direction) for x in weights[:2])
        self.width = self.r.shape[1]
        bias = None if weights[2] is None else self._own(weights[2], direction)
        count = gates * self.width
        self.input_bias = None if bias is None else sliced(op, bias, 0, 0, count)
        self.state_bias = None if bias is None else sliced(op, bias, 0, count, 2 * count)

    def _own(self, x: Tensor, direction: int) -> Tensor:
        return element(self.op, x, 0, direction)

    def part(self, x: Tensor, first: int, count: int = 1) -> Tensor:
        """Returns gates from index ``first``, along the last dimension."""
        dim = x.rank - 1
        return sliced(self.op, x, dim, first * self.width, (first + count) * self.width)

    def projected(self, x: Tensor) -> Tensor:
        """Multiplies the inputs (time, batch, input) of all times by their weights."""
        op = self.op
        time, batch, width = x.shape
        rows = reshaped(op, x, (time * batch, width))
        found = op.b.matmul(rows, self.w, transpose_b=True)
        for bias in self.biases():
            found = op.b.add(found, reshaped(op, bias, (1, -1)))
        return reshaped(op, found, (time, batch, self.gates * self.width))

    def biases(self) -> list[Tensor]:
        """The biases to add before the loop."""
        return [x for x in (self.input_bias, self.state_bias) if x is not None]

    def from_state(self, h: Tensor, first: int = 0, count: int | None = None) -> Tensor:
        """Multiplies a state by its weights."""
        count = self.gates if count is None else count
        rows = sliced(self.op, self.r, 0, first * self.width, (first + count) * self.width)
        return self.op.b.matmul(h, rows, transpose_b=True)

    @abstractmethod
    def step(self, gates: Tensor, states: list[Tensor]) -> list[Tensor]:
        """Returns the states after an iteration, the output first.

        Args:
            gates: the contribution of the input.
            states: the previous states.
        """


class _Rnn(_Cell):
    def step(self, gates: Tensor, states: list[Tensor]) -> list[Tensor]:
        return [self.functions[0](self.op.b.add(gates, self.from_state(states[0])))]


class _Gru(_Cell):
    """Gates: update, reset, hidden."""

    def biases(self) -> list[Tensor]:
        if not self.op.integer("linear_before_reset") or self.state_bias is None:
            return super().biases()
        assert self.input_bias is not None
        kept = self.part(self.state_bias, 0, 2)
        nothing = self.op.tensor(np.zeros(self.width), kept.dtype)
        return [self.input_bias, self.op.b.concat([kept, nothing], 0)]

    def step(self, gates: Tensor, states: list[Tensor]) -> list[Tensor]:
        op, b, (h,) = self.op, self.op.b, states
        f, g = self.functions
        late = bool(op.integer("linear_before_reset"))
        added = self.from_state(h, 0, 3 if late else 2)
        both = f(b.add(self.part(gates, 0, 2), self.part(added, 0, 2)))
        update, reset = self.part(both, 0), self.part(both, 1)
        if late:
            own = self.part(added, 2)
            if self.state_bias is not None:
                own = b.add(own, reshaped(op, self.part(self.state_bias, 2), (1, -1)))
            own = b.multiply(reset, own)
        else:
            own = self.from_state(b.multiply(reset, h), 2, 1)
        new = g(b.add(self.part(gates, 2), own))
        # (1 - update) * new + update * h
        return [b.add(new, b.multiply(update, b.subtract(h, new)))]


class _Lstm(_Cell):
    """Gates: input, output, forget, cell; states: output, cell."""

    peepholes: Tensor | None = None

    def step(self, gates: Tensor, states: list[Tensor]) -> list[Tensor]:
        b, (h, c) = self.op.b, states
        f, g, last = self.functions
        gates = b.add(gates, self.from_state(h))
        into = f(self._add_peephole(self.part(gates, 0), c, 0))
        if self.op.integer("input_forget"):
            kept = b.subtract(self.op.tensor(1.0, into.dtype), into)
        else:
            kept = f(self._add_peephole(self.part(gates, 2), c, 2))
        new = b.add(b.multiply(kept, c), b.multiply(into, g(self.part(gates, 3))))
        out = f(self._add_peephole(self.part(gates, 1), new, 1))
        return [b.multiply(out, last(new)), new]

    def _add_peephole(self, gate: Tensor, cell: Tensor, number: int) -> Tensor:
        if self.peepholes is None:
            return gate
        weight = reshaped(self.op, self.part(self.peepholes, number), (1, -1))
        return self.op.b.add(gate, self.op.b.multiply(weight, cell))


def _network(
    op: Op,
    kind: type[_Cell],
    gates: int,
    defaults: list[str],
    x: Value,
    w: Value,
    r: Value,
    bias: Value,
    lengths: Value,
    initial: list[Value],
    peepholes: Value = None,
) -> list[Value]:
    dtype = op.dtype_of(x)
    by_batch = bool(op.integer("layout"))
    sequence = op.tensor(x, dtype)
    sequence = permuted(op, sequence, (1, 0, 2)) if by_batch else sequence
    time, batch, _ = sequence.shape
    weights = (
        op.tensor(w, dtype),
        op.tensor(r, dtype),
        None if bias is None else op.tensor(bias, dtype),
    )
    directions = weights[0].shape[0]
    direction = op.text("direction", "forward")
    if directions != (2 if direction == "bidirectional" else 1):
        raise op.fail(f"expected weights for '{direction}', found {directions} directions")
    functions = _functions(op, defaults, directions)
    mask = None
    if lengths is not None:
        steps = op.tensor(np.arange(time, dtype=np.int32).reshape(time, 1, 1))
        ends = reshaped(op, op.tensor(lengths, "i32"), (1, batch, 1))
        mask = op.cast(op.compare("lt", steps, ends), dtype)
    rows, lasts = [], []
    for number in range(directions):
        cell = kind(op, functions[number], gates, number, weights)
        if isinstance(cell, _Lstm) and peepholes is not None:
            cell.peepholes = element(op, op.tensor(peepholes, dtype), 0, number)
        first = [_state(op, s, by_batch, number, batch, cell.width, dtype) for s in initial]
        backward = direction == "reverse" or number == 1
        kept, made = _direction(op, cell, cell.projected(sequence), mask, first, backward)
        rows += [reshaped(op, op.tensor(m), (time, 1, batch, cell.width)) for m in made]
        lasts.append([reshaped(op, op.tensor(s), (1, batch, cell.width)) for s in kept])
    results: list[Value] = [None]
    if rows:
        whole = joined(op, rows, 1)
        results = [permuted(op, whole, (2, 0, 1, 3)) if by_batch else whole]
    for states in zip(*lasts, strict=True):
        last = joined(op, states, 0)
        results.append(permuted(op, last, (1, 0, 2)) if by_batch else last)
    return results


def _state(
    op: Op, x: Value, by_batch: bool, direction: int, batch: int, width: int, dtype: str
) -> Value:
    """Returns the initial state of a direction."""
    if x is None:
        return np.broadcast_to(NUMPY[dtype].type(0), (batch, width))
    return element(op, op.tensor(x, dtype), 1 if by_batch else 0, direction)


def _direction(
    op: Op,
    cell: _Cell,
    gates: Tensor,
    mask: Tensor | None,
    first: list[Value],
    backward: bool,
) -> tuple[list[Any], list[Any]]:
    b = op.b
    time = gates.shape[0]

    def iteration(number: Number, states: list[Any]) -> tuple[list[Any], list[Any]]:
        place = counted_from_end(op, time, number) if backward else number
        before = [op.tensor(s, gates.dtype) for s in states]
        now = cell.step(element(op, gates, 0, place), before)
        output = now[0]
        if mask is not None:
            # After the end of a sequence its states stay, and its outputs are 0.
            goes_on = element(op, mask, 0, place)
            truth = op.cast(goes_on, "bool")
            output = b.where(truth, output, op.tensor(0.0, output.dtype))
            now = [b.where(truth, new, old) for new, old in zip(now, before, strict=True)]
        return now, [output] if op.is_used(0) else []

    axes = [0] if op.is_used(0) else []
    return repeated(op, time, iteration, first, axes, [backward] * len(axes))


@handles("RNN")
def _rnn(
    op: Op,
    x: Value,
    w: Value,
    r: Value,
    bias: Value = None,
    lengths: Value = None,
    h: Value = None,
) -> Result:
    return _network(op, _Rnn, 1, ["Tanh"], x, w, r, bias, lengths, [h])


@handles("GRU")
def _gru(
    op: Op,
    x: Value,
    w: Value,
    r: Value,
    bias: Value = None,
    lengths: Value = None,
    h: Value = None,
) -> Result:
    return _network(op, _Gru, 3, ["Sigmoid", "Tanh"], x, w, r, bias, lengths, [h])


@handles("LSTM")
def _lstm(
    op: Op,
    x: Value,
    w: Value,
    r: Value,
    bias: Value = None,
    lengths: Value = None,
    h: Value = None,
    c: Value = None,
    peepholes: Value = None,
) -> Result:
    names = ["Sigmoid", "Tanh", "Tanh"]
    return _network(op, _Lstm, 4, names, x, w, r, bias, lengths, [h, c], peepholes)
