"""Cases of ops on quantized tensors."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from op_formats import FORMATS, Array, random
from op_program import Case, Strategy, generators, i32, shapes

#: Scale and zero point of the quantized formats.
NUMBERS = {"q8": (0.5, 3), "qu8": (0.25, 128), "q16": (0.125, -7)}


EVERY = shapes(scalars=True, empty=True)


def real(x: Any, scale: Any, zero: Any) -> Any:
    return (x - zero) * scale


def stored(x: Any, scale: Any, zero: Any, name: str) -> Any:
    bounds = np.iinfo(FORMATS[name].host)
    # Scales are powers of 2: the quotient is the same in f32.
    return jnp.clip(jnp.round(x / scale) + zero, bounds.min, bounds.max)


def integers(rng: np.random.Generator, shape: tuple[int, ...], name: str) -> Array:
    bounds = np.iinfo(FORMATS[name].host)
    return random(rng, shape, name, bounds.min, bounds.max)


@st.composite
def quantize(draw: st.DrawFn) -> Case:
    name, rng, shape = draw(st.sampled_from(sorted(NUMBERS))), draw(generators()), draw(EVERY)
    x = np.round(random(rng, shape, "f32", -90, 90) * 8) / 8
    return Case("quantize", [(x, "f32")], shape, name, lambda x: stored(x, *NUMBERS[name], name))


@st.composite
def dequantize(draw: st.DrawFn) -> Case:
    name, rng, shape = draw(st.sampled_from(sorted(NUMBERS))), draw(generators()), draw(EVERY)
    return Case(
        "dequantize",
        [(integers(rng, shape, name), name)],
        shape,
        "f32",
        lambda x: real(x, *NUMBERS[name]),
    )


@st.composite
def requantize(draw: st.DrawFn) -> Case:
    names = st.sampled_from(sorted(NUMBERS))
    before, after, rng, shape = draw(names), draw(names), draw(generators()), draw(EVERY)
    return Case(
        "requantize",
        [(integers(rng, shape, before), before)],
        shape,
        after,
        lambda x: stored(real(x, *NUMBERS[before]), *NUMBERS[after], after),
    )


@st.composite
def unrolled(draw: st.DrawFn, op: str) -> Case:
    """Scales and zero points as operands, of the tensor or along an axis."""
    rng, shape = draw(generators()), draw(shapes(1, 4, scalars=True, empty=True))
    axis = draw(st.sampled_from([None, *range(-len(shape), len(shape))]))
    count = 1 if axis is None else shape[axis]
    spread = [1] * len(shape)
    if axis is not None:
        spread[axis] = count
    name = draw(st.sampled_from(["si8", "u8", "si16"]))
    pairs = 2 if op == "requantize" else 1
    numbers: list[tuple[Array, str]] = []
    for _ in range(pairs):
        scale = rng.choice(np.float32([0.125, 0.25, 0.5, 2]), count)
        numbers += [(scale, "f32"), (random(rng, (count,), "si32", -9, 9), "si32")]
    if op == "quantize":
        x = (np.round(random(rng, shape, "f32", -90, 90) * 8) / 8, "f32")
    else:
        x = (integers(rng, shape, name), name)

    def reference(x: Any, *numbers: Any) -> Any:
        scale, zero, *rest = (n.reshape(spread if axis is not None else (1,)) for n in numbers)
        if op == "quantize":
            return stored(x, scale, zero, name)
        value = real(x, scale, zero)
        return value if op == "dequantize" else stored(value, *rest, name)

    return Case(
        f"{op}_unrolled",
        [x, *numbers],
        shape,
        "f32" if op == "dequantize" else name,
        reference,
        {} if axis is None else {"axis": i32(axis)},
    )


CASES: dict[str, Strategy] = {
    "quantize": quantize(),
    "dequantize": dequantize(),
    "requantize": requantize(),
    **{f"{op}_unrolled": unrolled(op) for op in ("quantize", "dequantize", "requantize")},
}
