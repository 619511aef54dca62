"""Sums of millions: each addition rounds what has been added up so far."""

from __future__ import annotations

import numpy as np
import pytest

import ttmlir

UNIT = 2.0**-23


@pytest.mark.parametrize("op", ["sum", "mean"])
@pytest.mark.parametrize(
    ("shape", "dims"),
    [((3000, 1000), [0, 1]), ((3000, 1000), [0]), ((2, 200_001), [1]), ((500, 7, 40), [0])],
    ids=str,
)
def test_error_of_a_long_sum(op: str, shape: tuple[int, ...], dims: list[int]) -> None:
    """As far from a mean of 0 as from each other, numbers are off by a few units."""
    b = ttmlir.Builder()
    b.output(getattr(b, op)(b.input("x", shape), dims, keep_dim=True))
    x = np.random.default_rng(3).uniform(96, 104, shape).astype(np.float32)
    found = ttmlir.compile(b, backend="ttmetal")(x).astype(np.float64)
    expected = getattr(np, op)(x.astype(np.float64), axis=tuple(dims), keepdims=True)
    assert (np.abs(found / expected - 1) <= 8 * UNIT).all()
