"""Arrays that kernels read, and results that they write, where the host has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ttmlir

Array = NDArray[np.float32]


def compiled(build: Callable[[ttmlir.Builder], list[Any]]) -> ttmlir.Executable:
    b = ttmlir.Builder("rows")
    b.output(*build(b))
    return ttmlir.compile(b, backend="ttmetal", target="n150")


def numbers(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


@pytest.mark.parametrize("shape", [(64, 96), (2, 40, 70), (3, 2, 1, 5), (1, 1000)])
def test_every_call_has_a_result_of_its_own(shape: tuple[int, ...]) -> None:
    exe = compiled(lambda b: [b.input("x", shape) + b.input("y", shape)])
    x, y = numbers(*shape), numbers(*shape, seed=1)
    kept = x.copy()
    first = exe(x, y)
    second = exe(y, y)
    np.testing.assert_array_equal(first, kept + y)
    np.testing.assert_array_equal(second, y + y)
    first[...] = 0
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(exe(x, y), kept + y)


def test_an_input_is_read_more_than_once_and_returned() -> None:
    def build(b: ttmlir.Builder) -> list[Any]:
        x = b.input("x", (96, 64))
        return [x, x + x, b.matmul(x, b.transpose(x, dim0=0, dim1=1)), b.relu(x)]

    x = numbers(96, 64)
    same, twice, product, positive = compiled(build)(x)
    np.testing.assert_array_equal(same, x)
    np.testing.assert_array_equal(twice, x + x)
    np.testing.assert_array_equal(positive, np.maximum(x, 0))
    np.testing.assert_allclose(product, x @ x.T, rtol=1e-2, atol=0.3)
    same[...] = 0
    assert x.any()


def test_one_result_at_several_positions() -> None:
    def build(b: ttmlir.Builder) -> list[Any]:
        y = b.exp(b.input("x", (64, 64)))
        return [y, y]

    first, second = compiled(build)(numbers(64, 64))
    first[...] = 0
    assert second.all()


def test_arrays_that_are_not_contiguous_and_of_other_types() -> None:
    exe = compiled(lambda b: [b.input("x", (64, 64)) + b.input("y", (64, 64))])
    x = numbers(128, 128)
    np.testing.assert_array_equal(exe(x[::2, ::2], x[:64, :64].T), x[::2, ::2] + x[:64, :64].T)
    wide = np.arange(64 * 64).reshape(64, 64).astype(np.float64)
    np.testing.assert_array_equal(exe(wide.astype(np.float32), x[:64, :64]).shape, (64, 64))


@pytest.mark.parametrize("checks", [True, False])
def test_without_checks_the_numbers_are_the_same(checks: bool) -> None:
    exe = compiled(lambda b: [b.input("x", (40, 70)) * b.input("y", (40, 70))])
    options = ttmlir.runtime.get_device_options(exe.device)
    before = options.checks
    options.checks = checks
    ttmlir.runtime.set_device_options(exe.device, options)
    try:
        x, y = numbers(40, 70), numbers(40, 70, seed=1)
        np.testing.assert_array_equal(exe(x, y), x * y)
    finally:
        options.checks = before
        ttmlir.runtime.set_device_options(exe.device, options)


def test_a_kept_result_is_on_the_device() -> None:
    exe = compiled(lambda b: [b.input("x", (64, 64)) + 1.0])
    x = numbers(64, 64)
    kept = exe(x, keep_on_device=True)
    np.testing.assert_array_equal(exe(kept), x + 1 + 1)


def test_an_update_in_place_of_an_array() -> None:
    """The caller's array is no memory of the program, though the argument is given up."""

    def build(b: ttmlir.Builder) -> list[Any]:
        state = b.input("state", (64, 64), donated=True)
        return [state + b.input("x", (64, 64))]

    exe = compiled(build)
    state, x = numbers(64, 64), numbers(64, 64, seed=1)
    kept = state.copy()
    np.testing.assert_array_equal(exe(state, x), kept + x)
    np.testing.assert_array_equal(state, kept)


def test_the_report_counts_what_crosses() -> None:
    exe = compiled(lambda b: [b.input("x", (64, 64)) + b.input("y", (64, 64))])
    report = exe.report()
    assert report.host_to_device_bytes == 2 * 64 * 64 * 4
    assert report.device_to_host_bytes == 64 * 64 * 4
    assert [op.name for op in report.ops if op.kernels] == ["eltwise.add"]
