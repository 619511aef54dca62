"""Functions of floats on integers: kernels convert, as the library does."""

from __future__ import annotations

import numpy as np
import pytest

import ttmlir


@pytest.mark.parametrize("dtype", ["i32", "u32", "u16", "u8"])
@pytest.mark.parametrize(
    "op",
    [
        "sqrt",
        "floor",
        "ceil",
        "round",
        "roundeven",
        "trunc",
        "frac",
        "atan",
        "isfinite",
        "reciprocal",
        "leaky_relu",
    ],
)
def test_functions_of_integers(op: str, dtype: str) -> None:
    builder = ttmlir.Builder(op)
    x = builder.input("x", (70, 50), dtype)
    options = {"parameter": 0.5} if op == "leaky_relu" else {}
    builder.output(getattr(builder, op)(x, **options))
    library = ttmlir.compile(builder, backend="ttnn")
    kernels = ttmlir.compile(builder, backend="ttmetal", grid=(2, 2))
    numbers = np.arange(70 * 50).reshape(70, 50) % 199 + 1
    if dtype == "i32" and op in ("floor", "ceil", "round", "roundeven", "trunc"):
        numbers += 1 << 30  # more bits than f32 has
    inputs = numbers.astype(library.inputs[0].dtype)
    expected = {
        "sqrt": lambda: np.sqrt(inputs.astype(np.float64)),
        "isfinite": lambda: np.ones_like(inputs),
        "frac": lambda: np.zeros_like(inputs),
        "atan": lambda: np.arctan(inputs.astype(np.float64)),
        "reciprocal": lambda: inputs == 1,
    }.get(op, lambda: inputs)()
    expected = expected.astype(inputs.dtype)
    np.testing.assert_array_equal(library(inputs), expected)
    np.testing.assert_array_equal(kernels(inputs), expected)
