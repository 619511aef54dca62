"""Small programs as text, and how their results are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

import ttmlir

Array = np.ndarray[Any, np.dtype[Any]]

#: Element type of a front end, and the dtype of its arrays on the host.
ELEMENTS: dict[str, Any] = {
    "f32": np.dtype(np.float32),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
    "i1": np.dtype(np.bool_),
}

#: Relative error of one operation: its rounding, and a few ulp of f32 before it.
TOLERANCE = {"f32": 2e-6, "bf16": 2.0**-8 + 2e-6, "i32": 0.0, "i1": 0.0}


def tensor(shape: Sequence[int], element: str) -> str:
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + f"{element}>"


def function(inputs: Sequence[str], body: Sequence[str], results: Sequence[str]) -> str:
    """A function of %a, %b, .. of the types ``inputs`` that returns %r, %s, .."""
    arguments = ", ".join(f"%{'abcdefgh'[i]}: {t}" for i, t in enumerate(inputs))
    names = ", ".join(f"%{'rstu'[i]}" for i in range(len(results)))
    lines = "\n".join(f"  {line}" for line in body)
    types = ", ".join(results)
    return (
        f"func.func @main({arguments}) -> ({types}) {{\n{lines}\n  return {names} : {types}\n}}\n"
    )


def run(text: str, *inputs: Array) -> Any:
    return ttmlir.compile(text)(*inputs)


def random(rng: np.random.Generator, shape: Sequence[int], element: str) -> Array:
    """Numbers around 0 with some that are whole and some of size 1e3."""
    if element == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if element == "i32":
        return rng.integers(-1000, 1000, shape).astype(np.int32)
    values = rng.standard_normal(shape) * rng.choice([1.0, 3.0, 1000.0], shape, p=[0.5, 0.4, 0.1])
    values = np.where(rng.random(shape) < 0.2, np.rint(values), values)
    return values.astype(ELEMENTS[element])


def wide(array: Array) -> Array:
    """bf16 as f32, which NumPy computes with."""
    return array.astype(np.float32) if array.dtype == ml_dtypes.bfloat16 else array


def check(got: Array, want: Any, element: str, steps: float = 1, scale: float = 0.0) -> None:
    """Compares with what NumPy or JAX gives in f32 for the same inputs.

    Each of ``steps`` operations may be off by the tolerance of the result, and by that of f32 of
    ``scale``, the size of what is summed.
    """
    assert got.dtype == ELEMENTS[element]
    expected = wide(np.asarray(want))
    assert got.shape == expected.shape
    np.testing.assert_allclose(
        wide(got),
        expected,
        rtol=steps * TOLERANCE[element],
        atol=steps * TOLERANCE["f32"] * scale,
    )
