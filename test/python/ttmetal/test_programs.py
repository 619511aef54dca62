"""Programs of several ops on both backends: the kernels' results are those of the library."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

GRIDS = ((1, 1), (2, 3), (8, 8))


def mlp() -> ttmlir.Builder:
    b = ttmlir.Builder("mlp")
    x = b.input("x", (40, 70))
    w, bias = b.input("w", (70, 96)), b.input("bias", (96,))
    hidden = b.gelu(b.add(b.matmul(x, w), bias))
    b.output(b.softmax(b.matmul(hidden, b.input("v", (96, 33))), 1))
    return b


def attention() -> ttmlir.Builder:
    b = ttmlir.Builder("attention")
    q, k, v = (b.input(name, (2, 3, 48, 32)) for name in "qkv")
    scores = b.matmul(q, b.transpose(k, 2, 3))
    b.output(b.matmul(b.softmax(scores, 3), v))
    return b


def broadcasts() -> ttmlir.Builder:
    b = ttmlir.Builder("broadcasts")
    x, y = b.input("x", (3, 1, 65, 40), "bf16"), b.input("y", (2, 65, 1), "bf16")
    total = b.exp(b.subtract(b.multiply(x, y), b.maximum(x, y)))
    b.output(b.sum(total, [1, 3], keep_dim=True), total)
    return b


PROGRAMS: dict[Callable[[], ttmlir.Builder], float] = {
    # Products in tf32, which has 10 bits of mantissa; sums of bf16.
    mlp: 2.0**-8,
    attention: 2.0**-8,
    broadcasts: 2.0**-6,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_backends_agree(program: Callable[[], ttmlir.Builder]) -> None:
    library = ttmlir.compile(program(), backend="ttnn")
    numbers = np.random.default_rng(0)
    inputs = [numbers.standard_normal(i.shape).astype(i.dtype) for i in library.inputs]
    expected = library(*inputs)
    for grid in GRIDS:
        kernels = ttmlir.compile(program(), backend="ttmetal", grid=grid)
        found = []
        for threads in (1, 2):
            runtime.set_num_threads(threads)
            found.append(kernels(*inputs))
        for first, second, exact in zip(*map(_results, (*found, expected)), strict=True):
            assert first.tobytes() == second.tobytes()
            wide = exact.astype(np.float64)
            error = np.abs(first.astype(np.float64) - wide).max()
            assert error <= PROGRAMS[program] * np.abs(wide).max()


def _results(value: object) -> tuple[np.ndarray, ...]:
    return value if isinstance(value, tuple) else (value,)  # type: ignore[return-value]


def test_results_of_one_backend_are_inputs_of_the_other() -> None:
    b = ttmlir.Builder("double")
    x = b.input("x", (64, 64))
    b.output(b.add(x, x))
    library = ttmlir.compile(b, results_on_device=True)
    kernels = ttmlir.compile(b, backend="ttmetal", grid=(2, 2))
    ones = np.ones((64, 64), np.float32)
    first = library(ones, keep_on_device=True)
    assert first.is_on_device
    second = kernels(first, keep_on_device=True)
    assert not second.is_on_device
    assert (library(second) == 8).all()
