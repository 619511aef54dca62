"""Linear algebra and transforms at real sizes: how many ops they become, and their numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import passes

STEP = 2.0**-23


def compiled(op: str, *shapes: tuple[int, ...], backend: str = "ttnn", **more: Any) -> Any:
    b = ttmlir.Builder()
    made = getattr(b, op)(*(b.input(f"x{i}", s) for i, s in enumerate(shapes)), **more)
    b.output(*(made if isinstance(made, tuple) else (made,)))
    return ttmlir.compile(b, backend=backend)


def positive(size: int) -> Any:
    half = np.random.default_rng(size).uniform(-1, 1, (size, size))
    return (half @ half.T / size + 0.5 * np.eye(size)).astype(np.float32)


def count_ops(op: str, *shapes: tuple[int, ...]) -> int:
    b = ttmlir.Builder()
    b.output(getattr(b, op)(*(b.input(f"x{i}", s) for i, s in enumerate(shapes))))
    passes.run_pipeline(b.module, "ttir-expand-composites")
    return len(re.findall(r'= "ttir\.', str(b.module)))


@pytest.mark.parametrize("size", [512, 1024, 2048])
def test_a_block_of_equations_becomes_few_ops(size: int) -> None:
    assert count_ops("triangular_solve", (size, size), (size, 8)) <= 8 * size // 32 + 40
    assert count_ops("cholesky", (size, size)) <= (6 * 32 + 50) * size // 32


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_solutions_of_a_thousand_equations(backend: str) -> None:
    rng = np.random.default_rng(0)
    a = np.linalg.cholesky(positive(1024)).astype(np.float32)
    b = rng.uniform(-1, 1, (1024, 16)).astype(np.float32)
    found = compiled("triangular_solve", a.shape, b.shape, backend=backend)(a, b)
    wide = a.astype(np.float64)
    inverse = np.linalg.inv(wide)
    # A sum of each row is off by a part of the root of its terms.
    bound = 32 * STEP * np.abs(inverse) @ np.abs(wide) @ np.abs(inverse) @ np.abs(b)
    assert (np.abs(found - inverse @ b) <= bound).all()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_factors_of_a_large_matrix(backend: str) -> None:
    size = {"ttnn": 1024, "ttmetal": 256}[backend]
    a = positive(size)
    found = compiled("cholesky", a.shape, backend=backend)(a).astype(np.float64)
    assert (np.triu(found, 1) == 0).all()
    # The product is a again, but for sums that are off by a part of the root of their terms.
    bound = np.sqrt(size) * STEP * np.abs(found) @ np.abs(found).T
    assert (np.abs(found @ found.T - a) <= bound).all()


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_a_matrix_that_is_not_positive_definite(backend: str) -> None:
    a = np.eye(40, dtype=np.float32)
    a[35, 35] = -1
    found = compiled("cholesky", a.shape, backend=backend)(a)
    assert np.isnan(found[35, 35])


#: Powers of two, many factors, a prime of one product, primes that are convolutions.
@pytest.mark.parametrize("length", [4096, 5040, 509, 1021, 4099, 65536])
def test_transforms_of_any_length(length: int) -> None:
    x = np.random.default_rng(length).standard_normal((2, length)).astype(np.float32)
    b = ttmlir.Builder()
    parts = b.input("real", x.shape), b.input("imaginary", x.shape)
    b.output(*b.fft(parts[0], "fft", [length], imaginary=parts[1]))
    real, imaginary = ttmlir.compile(b)(x, x[::-1].copy())
    expected = np.fft.fft(x + 1j * x[::-1])
    # Each number is a sum of all, whose roundings are those of as many steps as it has factors.
    bound = 4 * STEP * np.log2(length) * np.sqrt(length)
    assert np.abs(real + 1j * imaginary - expected).max() <= bound * np.abs(x).max()
