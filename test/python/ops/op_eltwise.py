"""Elementwise ops: their references in JAX, domains and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import op_sizes
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
    #: The range of the second input, where it is another one.
    counts: tuple[float, float] | None = None
    #: The reference takes the bits of an element, too.
    sized: bool = False


def truth(function: Callable[..., Any]) -> Callable[..., Any]:
    """1 or 0, as numbers."""
    return lambda *inputs: jnp.where(function(*inputs), 1, 0)


def limits(x: Any) -> Any:
    return jnp.clip(x, np.float32(-0.7), np.float32(1.3))


def leaky(x: Any) -> Any:
    return jnp.where(x >= 0, x, x * np.float64(np.float32(0.01)))


def away_from_zero(x: Any) -> Any:
    return jax.lax.round(x, jax.lax.RoundingMethod.AWAY_FROM_ZERO)


def digamma(x: Any) -> Any:
    return jnp.where(x == 0, -jnp.copysign(jnp.inf, x), jax.scipy.special.digamma(x))


def lgamma(x: Any) -> Any:
    # JAX is some 1e-16 off at its zeros.
    return jnp.where((x == 1) | (x == 2), 0, jax.scipy.special.gammaln(x))


def selu(x: Any) -> Any:
    return np.float32(1.25) * jnp.where(x > 0, x, np.float32(1.5) * jnp.expm1(x))


def left_shift(x: Any, count: Any, bits: int) -> Any:
    return jnp.where((count >= 0) & (count < bits), x << (count & 31), 0)


def right_shift(x: Any, count: Any, bits: int) -> Any:
    return x >> jnp.where((count >= 0) & (count < bits), count, 63)


def logical_right_shift(x: Any, count: Any, bits: int) -> Any:
    return right_shift(x & (2**bits - 1), count, bits)


def population(x: Any, bits: int) -> Any:
    return jax.lax.population_count(x & (2**bits - 1))


def leading_zeros(x: Any, bits: int) -> Any:
    return jax.lax.clz(x & (2**bits - 1)) - (64 - bits)


WIDE = (-100.0, 100.0)
SIGNED = (-(2**15), 2**15)
ANY = (-(2**31), 2**32)
COUNTS = (-3, 40)
BITS = (*INTEGERS, "u8")

OPS: dict[str, Elementwise] = {
    "abs": Elementwise(jnp.abs, 0, WIDE, SIGNED),
    "neg": Elementwise(jnp.negative, 0, WIDE, SIGNED, formats=("si32", "si16", "si8")),
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
    "asin": Elementwise(jnp.arcsin, 1, (-1.1, 1.1)),
    "acos": Elementwise(jnp.arccos, 1, (-1.1, 1.1)),
    "atan": Elementwise(jnp.arctan, 1, (-20, 20)),
    "atan2": Elementwise(jnp.arctan2, 1, WIDE, None, 2),
    "sinh": Elementwise(jnp.sinh, 1, (-60, 60)),
    "cosh": Elementwise(jnp.cosh, 1, (-60, 60)),
    "asinh": Elementwise(jnp.arcsinh, 1, WIDE),
    "acosh": Elementwise(jnp.arccosh, 1, (0, 100)),
    "atanh": Elementwise(jnp.arctanh, 1, (-1.1, 1.1)),
    "erfc": Elementwise(jax.scipy.special.erfc, 1, (-4, 9)),
    "erfinv": Elementwise(jax.scipy.special.erfinv, 1, (-1.1, 1.1)),
    "lgamma": Elementwise(lgamma, 1, (-20, 50)),
    "digamma": Elementwise(digamma, 1, (-20, 50)),
    "exp2": Elementwise(jnp.exp2, 1, (-60, 60)),
    "round": Elementwise(away_from_zero, 0, WIDE),
    "roundeven": Elementwise(jnp.rint, 0, WIDE),
    "trunc": Elementwise(jnp.trunc, 0, WIDE),
    "frac": Elementwise(lambda x: x - jnp.trunc(x), 0, WIDE),
    "signbit": Elementwise(truth(jnp.signbit), 0, WIDE),
    "square": Elementwise(jnp.square, 1, WIDE, (-255, 255)),
    "hardsigmoid": Elementwise(lambda x: jnp.clip(x + 3, 0, 6) / 6, 1, (-5, 5)),
    "relu6": Elementwise(lambda x: jnp.clip(x, 0, 6), 0, (-10, 10), SIGNED),
    "softsign": Elementwise(jax.nn.soft_sign, 1, WIDE),
    "selu": Elementwise(selu, 1, (-10, 10), attributes={"scale": 1.25, "alpha": 1.5}),
    "mish": Elementwise(lambda x: x * jnp.tanh(jnp.logaddexp(x, 0)), 1, (-80, 80)),
    "logical_left_shift": Elementwise(
        left_shift, 0, None, ANY, 2, counts=COUNTS, sized=True, formats=BITS
    ),
    "right_shift": Elementwise(
        right_shift, 0, None, ANY, 2, counts=COUNTS, sized=True, formats=BITS
    ),
    "logical_right_shift": Elementwise(
        logical_right_shift, 0, None, ANY, 2, counts=COUNTS, sized=True, formats=BITS
    ),
    "popcount": Elementwise(population, 0, None, ANY, sized=True, formats=BITS),
    "clz": Elementwise(leading_zeros, 0, None, ANY, sized=True, formats=BITS),
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
    result = draw(shapes(scalars=True, empty=True))
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
    if op.counts:
        arrays[1] = random(rng, inputs[1], dtype, *op.counts)
    if op.sized:
        # As many bits as may be, few ones as well as many.
        arrays[0] = arrays[0] >> rng.integers(0, 32, inputs[0]).astype(arrays[0].dtype)
    if form.is_float and not form.is_block and op.specials:
        arrays = [sprinkle(rng, array, op.specials) for array in arrays]
    if len(arrays) == 2 and form.is_float:
        # Some pairs of equal elements, where the shapes allow it.
        first, second = np.broadcast_arrays(*arrays)
        if second.shape == arrays[1].shape and not form.is_block:
            arrays[1] = np.where(rng.random(second.shape) < 0.1, first, second)
    return [(array, dtype) for array in arrays]


def wrapped(op: Elementwise, dtype: str) -> Callable[..., Any]:
    """The reference in the arithmetic of an integer format, which wraps."""
    host = FORMATS[dtype].host
    bits = {"bits": 8 * host.itemsize} if op.sized else {}
    return lambda *inputs: jnp.asarray(op.reference(*inputs, **bits)).astype(jnp.int64).astype(host)


@st.composite
def elementwise(draw: st.DrawFn, name: str) -> Case:
    op = OPS[name]
    choices = (FLOATS if op.floats else ()) + (op.formats if op.integers else ())
    if op_sizes.current().edges:
        choices = tuple(name for name in choices if not FORMATS[name].is_block)
    dtype = draw(st.sampled_from(choices))
    result, inputs = draw(broadcast(op.arity))
    arrays = operands(draw(generators()), op, inputs, dtype)
    is_float = FORMATS[dtype].is_float
    return Case(
        name,
        arrays,
        result,
        dtype,
        op.reference if is_float else wrapped(op, dtype),
        {key: f32(value) for key, value in op.attributes.items()},
        op.ulps,
        segments=(op.arity, 1),
    )


CAST = ("f32", "bf16", "u32", "u16", "si32", "si16", "si8")


@st.composite
def typecast(draw: st.DrawFn) -> Case:
    """Between all formats: floats are truncated and saturate, NaN becomes 0."""
    source, target = draw(st.sampled_from(CAST)), draw(st.sampled_from(CAST))
    rng, shape = draw(generators()), draw(shapes(scalars=True, empty=True))
    array = random(rng, shape, source, -300, 70000)
    if FORMATS[source].is_float:
        array = sprinkle(rng, array, SPECIALS)
    form = FORMATS[target]

    def reference(x: Any) -> Any:
        if form.is_float:
            return x
        bounds = np.iinfo(form.host)
        if not FORMATS[source].is_float:
            return x.astype(form.host)
        return jnp.clip(jnp.trunc(jnp.where(jnp.isnan(x), 0, x)), bounds.min, bounds.max)

    return Case("typecast", [(array, source)], shape, target, reference, segments=(1, 1))


CASES: dict[str, Strategy] = {
    **{name: elementwise(name) for name in OPS},
    "typecast": typecast(),
}
