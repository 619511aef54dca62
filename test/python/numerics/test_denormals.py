"""The table of halves and denormals in docs/src/numbers.md."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import ttmlir

#: The exponent of the smallest number, and what half of it is.
FORMATS = {
    "f32": (np.float32, -149, 0.0),
    "f16": (np.float16, -24, 1.0),
    "bf16": (ml_dtypes.bfloat16, -133, 1.0),
}


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", FORMATS)
def test_smallest_numbers(dtype: str, backend: str) -> None:
    kind, exponent, half = FORMATS[dtype]
    smallest = 2.0**exponent
    x = (np.array([[1.0, -1.0, 2.0, 3.0, 4.0]]) * smallest).astype(kind)
    b = ttmlir.Builder("half")
    b.output(b.multiply(b.input("x", x.shape, dtype), b.full((1, 1), 0.5, dtype=dtype)))
    found = np.asarray(ttmlir.compile(b, backend=backend)(x)).astype(np.float64) / smallest
    # 1.5 lies half-way, too: 2 is the even number.
    assert found.tolist() == [[half, -half, 1.0, 2.0, 2.0]]
