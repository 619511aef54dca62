"""Local arrays of kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ttmlir import errors, kernel

Array = np.ndarray[Any, np.dtype[Any]]


def program_of(body: Callable[[Any, Any], None]) -> kernel.Program:
    """A kernel that reads a row of 32 integers and writes one; `body` gets their addresses."""
    program = kernel.Program("arrays")
    x = program.input("x", (1, 32), "i32", layout="row_major")
    y = program.output("y", (1, 32), "i32", layout="row_major")
    buffer = program.circular_buffer("in0", "i32", pages=2, page_size=128)

    @kernel.data_movement(noc=0)
    def main() -> None:
        kernel.cb_reserve_back(buffer, 2)
        address = kernel.get_write_ptr(buffer)
        kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
        kernel.noc_async_read_barrier()
        body(address, address + 128)
        kernel.noc_async_write_page(0, kernel.tensor_accessor(y), address + 128)
        kernel.noc_async_write_barrier()

    program.add(main)
    return program


def run(body: Callable[[Any, Any], None], x: Array) -> Array:
    result: Array = program_of(body).run(x=x.reshape(1, 32))["y"][0]
    return result


def histogram(source: Any, target: Any) -> None:
    counts = kernel.array(32)
    for i in kernel.range(32):
        number = kernel.load_from_l1(source + i * 4, 4)
        counts[number] = counts[number] + 1
    for i in kernel.range(len(counts)):
        kernel.store_to_l1(counts[i], target + i * 4, 4)


def insertion_sort(source: Any, target: Any) -> None:
    numbers = kernel.array([kernel.load_from_l1(source + i * 4, 4) for i in range(32)])
    for i in kernel.range(1, 32):
        number = numbers[i]
        loop = kernel.while_(
            lambda at, goes_on: (at > 0) & (goes_on != 0),
            carried=(i, 1),
        )
        for at, _ in loop:
            before = numbers[at - 1]
            less = number < before
            numbers[at] = kernel.select(less, before, numbers[at])
            loop.next(kernel.select(less, at - 1, at), kernel.select(less, 1, 0))
        numbers[loop.results[0]] = number
    for i in kernel.range(32):
        kernel.store_to_l1(numbers[i], target + i * 4, 4)


GENERATOR = np.random.default_rng(20261130)


def test_counts() -> None:
    x = GENERATOR.integers(0, 32, 32, dtype=np.int32)
    np.testing.assert_array_equal(run(histogram, x), np.bincount(x, minlength=32))


def test_sorts() -> None:
    x = GENERATOR.integers(-1000, 1000, 32, dtype=np.int32)
    np.testing.assert_array_equal(run(insertion_sort, x), np.sort(x))


def test_an_array_in_a_loop_is_made_once_and_set_again() -> None:
    def body(source: Any, target: Any) -> None:
        for i in kernel.range(32):
            pair = kernel.array([i, 7])
            pair[0] = pair[0] + pair[1]
            kernel.store_to_l1(pair[0], target + i * 4, 4)

    x = np.zeros(32, np.int32)
    np.testing.assert_array_equal(run(body, x), np.arange(32) + 7)
    assert program_of(body).mlir.count("memref.alloca") == 1


def test_text_in_cpp() -> None:
    text = program_of(histogram).cpp
    assert "int32_t" in text
    assert "[32]" in text


@pytest.mark.parametrize("index", [32, -1])
def test_an_index_of_the_kernel_beyond_the_end(index: int) -> None:
    def body(source: Any, target: Any) -> None:
        numbers = kernel.array(32)
        number = kernel.load_from_l1(source, 4)
        kernel.store_to_l1(numbers[number], target, 4)

    x = np.full(32, index, np.int32)
    message = f"index of a local array below 32, found {index}"
    with pytest.raises(errors.OutOfBoundsFault, match=message) as caught:
        run(body, x)
    assert "test_arrays.py" in caught.value.location


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: kernel.array(0), "1 to 1024 elements, found 0"),
        (lambda: kernel.array(1025), "1 to 1024 elements, found 1025"),
        (lambda: kernel.array([]), "found 0"),
        (lambda: kernel.array(4)[4], "index from 0 to 3, found 4"),
        (lambda: kernel.array(4)[-1], "index from 0 to 3, found -1"),
        (lambda: kernel.array(4)[1.5], "index: expected an integer, found 1.5"),
    ],
)
def test_wrong_uses(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(kernel.BuildError, match=message):
        _ = program_of(lambda source, target: make()).mlir


def test_outside_of_a_kernel() -> None:
    with pytest.raises(kernel.BuildError, match="outside"):
        kernel.array(4)
