"""Elementwise ops: their references in JAX, domains and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from op_formats import FLOATS, FORMATS, INTEGERS, Array, Shape, random, sprinkle
from op_program import Case, Strategy, f32, generators, shapes

NAN, INF = float("nan"), float("inf")
SPECIALS = (NAN, INF, -INF, 0.0, -0.0)


@dataclass(frozen=True)
class Elementwise:
    """An op: its reference, its error in ulps of f32, the range of its inputs for floats and for
    integers (none: not for integers) and the attributes that it takes."""

    reference: Callable[..., Any]
    ulps: float = 0.0
    floats: tuple[float, float] | None = (-4.0, 4.0)
    integers: tuple[float, float] | None = None
    arity: int = 1
    specials: tuple[float, ...] = SPECIALS
    attributes: Mapping[str, float] = field(default_factory=dict)
    formats: tuple[str, ...] = INTEGERS


def truth(function: Callable[..., Any]) -> Callable[..., Any]:
    """1 or 0, as numbers."""
    return lambda *inputs: jnp.where(function(*inputs), 1, 0)


def limits(x: Any) -> Any:
    return jnp.clip(x, np.float32(-0.7), np.float32(1.3))


def leaky(x: Any) -> Any:
    return jnp.where(x >= 0, x, x * np.float64(np.float32(0.01)))


WIDE = (-100.0, 100.0)
SIGNED = (-(2**15), 2**15)
ANY = (-(2**31), 2**32)

OPS: dict[str, Elementwise] = {
    "abs": Elementwise(jnp.abs, 0, WIDE, SIGNED),
    "neg": Elementwise(jnp.negative, 0, WIDE, SIGNED, formats=("si32",)),
    "relu": Elementwise(lambda x: jnp.maximum(x, 0), 0, WIDE, SIGNED),
    "exp": Elementwise(jnp.exp, 2, (-60, 60)),
    "expm1": Elementwise(jnp.expm1, 4, (-5, 5)),
    "log": Elementwise(jnp.log, 2, (-1, 1000)),
    "log1p": Elementwise(jnp.log1p, 4, (-1.5, 3)),
    "sqrt": Elementwise(jnp.sqrt, 1, (-1, 1000)),
    "rsqrt": Elementwise(lambda x: 1 / jnp.sqrt(x), 2, (-1, 1000)),
    "cbrt": Elementwise(jnp.cbrt, 2, WIDE),
    "reciprocal": Elementwise(lambda x: 1 / x, 1, WIDE),
    "sigmoid": Elementwise(lambda x: 1 / (1 + jnp.exp(-x)), 4, (-80, 80)),
    "silu": Elementwise(
        lambda x: jnp.where(x == -jnp.inf, jnp.nan, x / (1 + jnp.exp(-x))), 4, (-80, 80)
    ),
    "gelu": Elementwise(lambda x: jax.nn.gelu(x, approximate=False), 4, (-5, 5)),
    "erf": Elementwise(jax.scipy.special.erf, 4, (-4, 4)),
    "tanh": Elementwise(jnp.tanh, 2, (-12, 12)),
    "sin": Elementwise(jnp.sin, 4, WIDE),
    "cos": Elementwise(jnp.cos, 4, WIDE),
    "tan": Elementwise(jnp.tan, 4, (-1.5, 1.5)),
    "ceil": Elementwise(jnp.ceil, 0, WIDE),
    "floor": Elementwise(jnp.floor, 0, WIDE),
    "sign": Elementwise(jnp.sign, 0, WIDE, SIGNED),
    "isfinite": Elementwise(truth(jnp.isfinite), 0, WIDE),
    "logical_not": Elementwise(truth(lambda x: x == 0), 0, (-1, 1), (-1, 2)),
    "bitwise_not": Elementwise(jnp.invert, 0, None, ANY),
    "leaky_relu": Elementwise(leaky, 1, WIDE, attributes={"parameter": 0.01}),
    "clamp": Elementwise(limits, 0, (-4, 4), attributes={"min": -0.7, "max": 1.3}),
    "add": Elementwise(jnp.add, 1, WIDE, (0, 2**15), 2),
    "subtract": Elementwise(jnp.subtract, 1, WIDE, SIGNED, 2),
    "multiply": Elementwise(jnp.multiply, 1, WIDE, (0, 255), 2),
    "div": Elementwise(jnp.divide, 1, WIDE, None, 2),
    "remainder": Elementwise(jnp.fmod, 0, WIDE, None, 2),
    "power": Elementwise(jnp.power, 4, (-4, 4), None, 2),
    "maximum": Elementwise(jnp.maximum, 0, WIDE, ANY, 2),
    "minimum": Elementwise(jnp.minimum, 0, WIDE, ANY, 2),
    "eq": Elementwise(truth(jnp.equal), 0, (-1, 1), (0, 3), 2),
    "ne": Elementwise(truth(jnp.not_equal), 0, (-1, 1), (0, 3), 2),
    "gt": Elementwise(truth(jnp.greater), 0, WIDE, ANY, 2),
    "ge": Elementwise(truth(jnp.greater_equal), 0, WIDE, ANY, 2),
    "lt": Elementwise(truth(jnp.less), 0, WIDE, ANY, 2),
    "le": Elementwise(truth(jnp.less_equal), 0, WIDE, ANY, 2),
    "logical_and": Elementwise(truth(jnp.logical_and), 0, (-1, 1), (0, 1), 2),
    "logical_or": Elementwise(truth(jnp.logical_or), 0, (-1, 1), (0, 1), 2),
    "logical_xor": Elementwise(truth(jnp.logical_xor), 0, (-1, 1), (0, 1), 2),
    "bitwise_and": Elementwise(jnp.bitwise_and, 0, None, ANY, 2),
    "bitwise_or": Elementwise(jnp.bitwise_or, 0, None, ANY, 2),
    "bitwise_xor": Elementwise(jnp.bitwise_xor, 0, None, ANY, 2),
    "where": Elementwise(lambda c, x, y: jnp.where(c != 0, x, y), 0, (-2, 2), (0, 2), 3),
}


@st.composite
def broadcast(draw: st.DrawFn, count: int) -> tuple[Shape, list[Shape]]:
    """A shape, and ``count`` that broadcast to it by NumPy's rules: each dimension of the result is
    that of one input at least, leading ones may be missing."""
    result = draw(shapes())
    if count == 1:
        return result, [result]
    full = [draw(st.integers(0, count - 1)) for _ in result]
    inputs = []
    for i in range(count):
        extents = [
            extent if owner == i or draw(st.booleans()) else 1
            for extent, owner in zip(result, full, strict=True)
        ]
        while len(extents) > 1 and extents[0] == 1 and i and draw(st.booleans()):
            extents.pop(0)
        inputs.append(tuple(extents))
    return result, inputs


def operands(
    rng: np.random.Generator, op: Elementwise, inputs: list[Shape], dtype: str
) -> list[tuple[Array, str]]:
    form = FORMATS[dtype]
    low, high = (op.floats if form.is_float else op.integers) or (0, 0)
    arrays = [random(rng, shape, dtype, low, high) for shape in inputs]
    if form.is_float and not form.is_block and op.specials:
        arrays = [sprinkle(rng, array, op.specials) for array in arrays]
    if len(arrays) == 2 and form.is_float:
        # Some pairs of equal elements, where the shapes allow it.
        first, second = np.broadcast_arrays(*arrays)
        if second.shape == arrays[1].shape and not form.is_block:
            arrays[1] = np.where(rng.random(second.shape) < 0.1, first, second)
    return [(array, dtype) for array in arrays]


def wrapped(reference: Callable[..., Any], dtype: str) -> Callable[..., Any]:
    """The reference in the arithmetic of an integer format, which wraps."""
    host = FORMATS[dtype].host
    return lambda *inputs: np.asarray(reference(*inputs)).astype(np.int64).astype(host)


@st.composite
def elementwise(draw: st.DrawFn, name: str) -> Case:
    op = OPS[name]
    choices = (FLOATS if op.floats else ()) + (op.formats if op.integers else ())
    dtype = draw(st.sampled_from(choices))
    result, inputs = draw(broadcast(op.arity))
    arrays = operands(draw(generators()), op, inputs, dtype)
    is_float = FORMATS[dtype].is_float
    return Case(
        name,
        arrays,
        result,
        dtype,
        op.reference if is_float else wrapped(op.reference, dtype),
        {key: f32(value) for key, value in op.attributes.items()},
        op.ulps,
        segments=(op.arity, 1),
    )


CAST = ("f32", "bf16", "u32", "u16", "si32")


@st.composite
def typecast(draw: st.DrawFn) -> Case:
    """Between all formats: floats are truncated and saturate, NaN becomes 0."""
    source, target = draw(st.sampled_from(CAST)), draw(st.sampled_from(CAST))
    rng, shape = draw(generators()), draw(shapes())
    array = random(rng, shape, source, -300, 70000)
    if FORMATS[source].is_float:
        array = sprinkle(rng, array, SPECIALS)
    form = FORMATS[target]

    def reference(x: Any) -> Any:
        if form.is_float:
            return x
        bounds = np.iinfo(form.host)
        if not FORMATS[source].is_float:
            return np.asarray(x).astype(form.host)
        return np.clip(np.trunc(np.where(np.isnan(x), 0, x)), bounds.min, bounds.max)

    return Case("typecast", [(array, source)], shape, target, reference, segments=(1, 1))


CASES: dict[str, Strategy] = {
    **{name: elementwise(name) for name in OPS},
    "typecast": typecast(),
}
