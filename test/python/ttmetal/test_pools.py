"""Pooling by kernels: windows of many places, whole images, integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import ttmlir
from ttmlir import Builder

Array = np.ndarray[Any, Any]
Pair = tuple[int, int]

#: Image, window, stride, padding along both dimensions.
CASES: dict[str, tuple[tuple[int, ...], Pair, Pair, Pair]] = {
    "resnet": ((1, 112, 112, 64), (3, 3), (2, 2), (1, 1)),
    "global": ((2, 7, 7, 200), (7, 7), (1, 1), (0, 0)),
    "whole image": ((1, 112, 96, 3), (112, 96), (1, 1), (0, 0)),
    "more than 4096 places": ((1, 90, 80, 5), (65, 64), (4, 3), (0, 0)),
    "ragged": ((2, 17, 23, 5), (4, 3), (3, 2), (2, 1)),
    "a column": ((1, 40, 33, 2), (40, 1), (1, 1), (0, 0)),
}


def windows(x: Array, window: Pair, stride: Pair, padding: Pair, value: float) -> Array:
    """(N, OH, OW, C, KH, KW)."""
    (top, left) = padding
    padded = np.pad(x, ((0, 0), (top, top), (left, left), (0, 0)), constant_values=value)
    return sliding_window_view(padded, window, (1, 2))[:, :: stride[0], :: stride[1]]


def run(kind: str, dtype: str, case: str, x: Array, **options: Any) -> Array:
    shape, window, stride, padding = CASES[case]
    b = Builder("pool")
    method = getattr(b, kind)
    b.output(method(b.input("x", shape, dtype), window, stride=stride, padding=padding, **options))
    return np.asarray(ttmlir.compile(b, backend="ttmetal")(x))


@pytest.mark.parametrize("case", CASES)
def test_max(case: str) -> None:
    shape, *window = CASES[case]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    expected = windows(x, *window, -np.inf).max((-2, -1))
    np.testing.assert_array_equal(run("max_pool2d", "f32", case, x), expected)


@pytest.mark.parametrize("dtype", ["i32", "u8"])
@pytest.mark.parametrize("case", ["ragged", "global"])
def test_max_of_integers(case: str, dtype: str) -> None:
    shape, *window = CASES[case]
    kind = np.dtype(np.int32 if dtype == "i32" else np.uint8)
    low = -(2**30) if dtype == "i32" else 0
    x = np.random.default_rng(2).integers(low, 200, shape).astype(kind)
    expected = windows(x, *window, np.iinfo(kind).min).max((-2, -1))
    np.testing.assert_array_equal(run("max_pool2d", dtype, case, x), expected)


@pytest.mark.parametrize("included", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_mean(case: str, included: bool) -> None:
    shape, *window = CASES[case]
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    wide = windows(x.astype(np.float64), *window, 0)
    count = windows(np.ones(shape), *window, float(included)).sum((-2, -1))
    found = run("avg_pool2d", "f32", case, x, count_include_pad=included)
    # A sum of n numbers in f32 is off by less than n units of the sum of their magnitudes.
    bound = np.abs(wide).sum((-2, -1)) * np.prod(window[0]) * 2.0**-24 / count
    assert (np.abs(found - wide.sum((-2, -1)) / count) <= bound).all()
