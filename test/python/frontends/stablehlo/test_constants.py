"""Constants of every element type, bit by bit: splats, a few elements, and as many as MLIR prints
in hexadecimal."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import ttmlir

DTYPES = ["bool", "int8", "int16", "int32", "uint8", "uint16", "uint32"]
FLOATS = ["float16", "bfloat16", "float32"]


def drawn(dtype: str, count: int) -> np.ndarray[Any, Any]:
    """Elements of any bits."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    rng = np.random.default_rng(count)
    if dtype == "bool":
        return rng.integers(0, 2, count).astype(bool)
    return rng.integers(0, 256, count * kind.itemsize).astype(np.uint8).view(kind)


def compiled(function: Any, source: str, *args: Any) -> ttmlir.Executable:
    return ttmlir.compile(
        function if source == "function" else jax.jit(function).lower(*args).as_text(),
        *(args if source == "function" else ()),
    )


@pytest.mark.parametrize("source", ["function", "text"])
@pytest.mark.parametrize("count", [1, 6, 150])
@pytest.mark.parametrize("dtype", DTYPES + FLOATS)
def test_elements(dtype: str, count: int, source: str) -> None:
    known = drawn(dtype, count)
    if dtype in FLOATS:
        bits = known.view(f"uint{8 * known.itemsize}")

        def function(x: jax.Array) -> Any:
            return jax.lax.bitcast_convert_type(jnp.asarray(known), bits.dtype) ^ x
    else:
        bits = known

        def function(x: jax.Array) -> Any:
            return jnp.asarray(known) ^ x

    x = np.zeros(count, bits.dtype)
    np.testing.assert_array_equal(np.asarray(compiled(function, source, x)(x)), bits)


@pytest.mark.parametrize("dtype", [*DTYPES[1:], *FLOATS])
def test_places_of_constants(dtype: str) -> None:
    """What a loop begins with, what is padded with, what a reduction begins with, and a splat."""
    known = np.arange(6).astype(getattr(ml_dtypes, dtype, dtype))

    def function(x: jax.Array) -> Any:
        begin = jnp.asarray(known)
        looped = jax.lax.fori_loop(0, 3, lambda i, y: y + x, begin)
        padded = jax.lax.pad(x, begin[2], [(1, 1, 0)])
        summed = jax.lax.reduce(x, begin[5], jax.lax.add, (0,))
        return looped, padded, summed, x + jnp.full(6, begin[3])

    x = np.ones(6, known.dtype)
    for found, expected in zip(ttmlir.compile(function, x)(x), function(x), strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
