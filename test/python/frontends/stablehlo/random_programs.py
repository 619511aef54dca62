"""Programs of JAX drawn by chance: values of several shapes and types, and ops that fit them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Step = Callable[[list[Any]], Any]
DTYPES = ("float32", "float32", "float32", "int32", "bool", "bfloat16")


def _unary(rng: np.random.Generator, x: Any) -> Callable[[Any], Any] | None:
    """An op of one operand of its type."""
    if x.dtype == bool:
        return rng.choice([jnp.logical_not, lambda v: v.astype(jnp.float32), jnp.int32])
    if x.dtype == np.int32:
        return rng.choice(
            [jnp.negative, jnp.abs, jnp.invert, lambda v: v >> 1, lambda v: v.astype(jnp.float32)]
        )
    return rng.choice(
        [
            jnp.sin, jnp.tanh, jax.nn.sigmoid, jnp.floor, jax.nn.relu, jax.nn.gelu, jax.nn.silu,
            lambda v: jnp.exp(-jnp.abs(v)), lambda v: jnp.sqrt(jnp.abs(v)), lambda v: v * 0.5 + 1,
            lambda v: jnp.clip(v, -1, 1), lambda v: v > 0, lambda v: jnp.round(v).astype(jnp.int32),
            lambda v: v.astype(jnp.bfloat16).astype(v.dtype), jnp.square, jnp.sign,
        ]
    )  # fmt: skip


def _binary(rng: np.random.Generator, x: Any) -> Callable[[Any, Any], Any]:
    """An op of two operands of one type, which broadcast."""
    if x.dtype == bool:
        return rng.choice([jnp.logical_and, jnp.logical_or, jnp.logical_xor])
    if x.dtype == np.int32:
        return rng.choice([jnp.add, jnp.subtract, jnp.maximum, jnp.bitwise_xor, jnp.less])
    return rng.choice(
        [jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.less, jnp.arctan2,
         lambda a, b: a / (jnp.abs(b) + 1), lambda a, b: jnp.where(a > b, a, b * 0.5)]
    )  # fmt: skip


def _shaped(rng: np.random.Generator, x: Any) -> Callable[[Any], Any] | None:
    """An op that changes the shape, or moves elements."""
    rank = x.ndim
    if not rank:
        return rng.choice([lambda v: v[None], lambda v: jnp.broadcast_to(v, (3, 4))])
    axis = int(rng.integers(rank))
    extent = x.shape[axis]
    order = tuple(int(i) for i in rng.permutation(rank))
    begin = int(rng.integers(extent))
    place = jnp.asarray(rng.integers(0, extent, 5).astype(np.int32))
    ops: list[Callable[[Any], Any]] = [
        lambda v: jnp.transpose(v, order),
        lambda v: v.reshape(-1),
        lambda v: jnp.flip(v, axis),
        lambda v: jnp.roll(v, begin, axis),
        lambda v: jnp.take(v, place, axis=axis),
        lambda v: lax.slice_in_dim(v, begin, extent, axis=axis),
        lambda v: jnp.concatenate([v, v], axis),
        lambda v: jnp.expand_dims(v, axis),
        lambda v: jnp.sort(v, axis=axis),
        lambda v: jnp.argsort(v, axis=axis, stable=True),
        lambda v: lax.dynamic_index_in_dim(v, place[0], axis, keepdims=False),
        lambda v: v.at[(slice(None),) * axis + (place[0],)].set(0),
        lambda v: lax.cummax(v, axis) if v.dtype != bool else v,
    ]
    return rng.choice(np.array(ops, object))


def _reduced(rng: np.random.Generator, x: Any) -> Callable[[Any], Any] | None:
    """A reduction along a dimension, or something like it."""
    if not x.ndim:
        return None
    axis, keep = int(rng.integers(x.ndim)), bool(rng.integers(2))
    if x.dtype == bool:
        return rng.choice([lambda v: v.any(axis, keepdims=keep), lambda v: v.all(axis)])
    ops = [
        lambda v: v.max(axis, keepdims=keep),
        lambda v: v.argmax(axis),
        lambda v: v.argmin(axis, keepdims=keep),
    ]
    if x.dtype == np.float32:
        ops += [
            lambda v: v.mean(axis, keepdims=keep),
            lambda v: jax.nn.softmax(v, axis),
            lambda v: jax.nn.standardize(v, axis, epsilon=0.1),
            lambda v: jnp.cumsum(v, axis) / v.shape[axis],
            lambda v: jax.nn.logsumexp(v, axis),
        ]
    else:
        ops.append(lambda v: v.min(axis))
    return rng.choice(np.array(ops, object))


def _controlled(rng: np.random.Generator, x: Any) -> Callable[[Any], Any] | None:
    """A loop, a condition, or a function that JAX transforms."""
    count, number = int(rng.integers(0, 5)), int(rng.integers(-3, 4))
    axis = int(rng.integers(x.ndim)) if x.ndim else 0
    if x.dtype == bool:
        return lambda v: lax.fori_loop(0, count, lambda i, c: jnp.logical_xor(c, i > 1), v)
    ops: list[Callable[[Any], Any]] = [
        lambda v: lax.fori_loop(0, count, lambda i, c: c * 2 - i.astype(c.dtype), v),
        lambda v: lax.while_loop(lambda c: c[0] < count, lambda c: (c[0] + 1, -c[1]), (0, v))[1],
        lambda v: lax.cond(v.sum() > number, lambda c: c + 1, lambda c: c * 2, v),
        lambda v: lax.switch(count, [lambda c: c, lambda c: -c, lambda c: c - 1], v),
        lambda v: lax.fori_loop(
            0, count, lambda i, c: c.at[(0,) * v.ndim].add(i.astype(c.dtype)) if v.size else c, v
        ),
    ]
    if x.ndim:
        ops += [
            lambda v: jax.vmap(lambda row: row - row.max(), in_axes=axis, out_axes=axis)(v),
            lambda v: jax.vmap(lambda row: jnp.where(row > number, row, 0).sum())(v),
            lambda v: lax.associative_scan(jnp.maximum, v, axis=axis),
            lambda v: lax.map(lambda row: row * 2 + number, v),
        ]
    if x.ndim and x.dtype != jnp.bfloat16:
        # In bf16 the sums drift apart: the chip rounds ties away from zero, the CPU to even.
        ops += [
            lambda v: lax.scan(lambda c, row: (c + row, c - row), v[0] * 0, v)[1],
            lambda v: lax.scan(lambda c, row: (c + row, c), v[0] * 0, v, reverse=True)[0],
        ]
    if x.dtype == np.float32:
        ops += [
            lambda v: jax.grad(lambda c: jnp.sum(jnp.tanh(c) * c))(v),
            lambda v: jax.grad(lambda c: jnp.sum(jax.nn.softmax(c.ravel()) ** 2))(v),
            lambda v: jax.grad(
                lambda c: jnp.sum(lax.fori_loop(0, 3, lambda i, s: jnp.sin(s) + c, c))
            )(v),
            lambda v: jax.jvp(jnp.tanh, (v,), (v * 0 + 1,))[1],
            lambda v: jax.checkpoint(lambda c: jnp.sin(c) * 2)(v),
        ]
    if x.dtype == np.float32 and x.ndim > 1:
        ops += _layers(x.shape)
    return rng.choice(np.array(ops, object))


def _layers(shape: tuple[int, ...]) -> list[Callable[[Any], Any]]:
    """What level 1 of the optimizer fuses and keeps in L1."""
    rows, columns = shape[-2:]

    def attention(v: Any) -> Any:
        heads = jnp.tanh(v).reshape(1, rows, -1, columns)
        return jax.nn.dot_product_attention(heads, heads, heads * 2)

    def convolution(v: Any) -> Any:
        images = v.reshape(-1, 1, rows, columns)
        weights = jnp.arange(-4, 5, dtype=v.dtype).reshape(1, 1, 3, 3) / 8
        return jax.nn.relu(lax.conv(images, weights, (1, 1), "SAME"))

    def feed_forward(v: Any) -> Any:
        product = jnp.einsum("...ij,...kj->...ik", v, v) / columns
        return jax.nn.gelu(product).mean(-1, keepdims=True) + v

    def pool(v: Any) -> Any:
        window = (1,) * (v.ndim - 2) + (2, 2)
        return lax.reduce_window(v, -np.inf, lax.max, window, (1,) * v.ndim, "SAME")

    return [attention, convolution, feed_forward, pool]


@dataclass
class RandomProgram:
    """A program by its seed: ``function`` of ``arguments`` with some of the ``extents``; with
    ``controls`` there are loops, conditions, gradients and batches."""

    seed: int
    length: int = 12
    extents: Sequence[int] = range(1, 9)
    arguments: list[Any] = field(default_factory=list)
    controls: bool = False

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        for _ in range(3):
            drawn = rng.integers(0, len(self.extents), rng.integers(0, 4))
            shape = tuple(self.extents[int(i)] for i in drawn)
            dtype = str(rng.choice(DTYPES))
            x = rng.standard_normal(shape) * 3
            self.arguments.append(np.asarray(x).astype(dtype))
        self._steps: list[Step] = []
        values = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.arguments]
        while len(self._steps) < self.length:
            step = self.draw(rng, values)
            if step is None:
                continue
            try:
                found = jax.eval_shape(lambda *v, step=step: step(list(v)), *values)
            except (TypeError, ValueError, IndexError):
                continue
            if found.size > 4096 or found.ndim > 5:
                continue
            self._steps.append(step)
            values.append(found)

    def draw(self, rng: np.random.Generator, values: list[Any]) -> Step | None:
        """A step that takes values by their places."""
        # Rather what was computed last.
        i = len(values) - 1 - int(min(rng.geometric(0.4) - 1, len(values) - 1))
        x = values[i]
        if self.controls and rng.random() < 0.3:
            controlled = _controlled(rng, x)
            return None if controlled is None else lambda v: controlled(v[i])
        kind = rng.random()
        if kind < 0.3:
            j = int(rng.integers(len(values)))
            if values[j].dtype != x.dtype:
                return None
            binary = _binary(rng, x)
            return lambda v: binary(v[i], v[j])
        if kind < 0.36 and x.dtype == np.float32 and x.ndim > 1:
            return lambda v: jnp.einsum("...ij,...kj->...ik", v[i], v[i]) / v[i].shape[-1]
        draw = _unary if kind < 0.55 else _reduced if kind < 0.75 else _shaped
        unary = draw(rng, x)
        return None if unary is None else lambda v: unary(v[i])

    @property
    def steps(self) -> list[Step]:
        """Each is given the arguments and what all steps before it returned."""
        return self._steps

    def function(self, *arguments: Any) -> list[Any]:
        """What all steps return."""
        values = list(arguments)
        for step in self._steps:
            values.append(step(values))
        return values[len(arguments) :]

    def last(self, *arguments: Any) -> Any:
        """What the last step returns."""
        return self.function(*arguments)[-1]
