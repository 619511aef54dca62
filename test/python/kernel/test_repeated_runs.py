"""Runs of a program after the first one: the checks find what depends on data in each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mistakes import drop

from ttmlir import errors, kernel

Array = np.ndarray[Any, np.dtype[Any]]


def rows(*values: int) -> Array:
    """A row of 8 equal integers for each value."""
    return np.repeat(np.array(values, np.int32)[:, None], 8, axis=1)


def copies(page: Callable[[Any], Any], results: int) -> kernel.Program:
    """Each core copies the page of ``x`` at its index to one of ``y``."""

    @kernel.data_movement()
    def body(x: kernel.Tensor, y: kernel.Tensor, row: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(row, 1)
        address, index = kernel.get_write_ptr(row), kernel.core_index()
        kernel.noc_async_read_page(index, kernel.tensor_accessor(x), address)
        kernel.noc_async_read_barrier()
        kernel.noc_async_write_page(page(index), kernel.tensor_accessor(y), address)
        kernel.noc_async_write_barrier()
        drop(row)

    program = kernel.Program(cores=(1, 4))
    x = program.input("x", (4, 8), "i32", layout="row_major")
    y = program.output("y", (results, 8), "i32", layout="row_major")
    program.add(body, x, y, program.circular_buffer("in0", "i32", pages=1, page_size=32))
    return program


def test_results_follow_the_inputs() -> None:
    program = copies(lambda index: index, 4)
    for first in range(4):
        x = rows(first, 7, -first, 3)
        np.testing.assert_array_equal(program.run(x=x)["y"], x)


def test_writes_of_equal_data_are_a_race_once_they_differ() -> None:
    """Nothing orders the writes to page 0: only that they write the same excuses them."""
    program = copies(lambda index: 0, 1)
    for _ in range(2):
        np.testing.assert_array_equal(program.run(x=rows(5, 5, 5, 5))["y"], rows(5))
    with pytest.raises(errors.DataRaceFault):
        program.run(x=rows(5, 5, 6, 5))
    np.testing.assert_array_equal(program.run(x=rows(6, 6, 6, 6))["y"], rows(6))


def test_addresses_that_depend_on_data_are_checked_in_each_run() -> None:
    @kernel.data_movement()
    def body(x: kernel.Tensor, y: kernel.Tensor, row: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(row, 1)
        address = kernel.get_write_ptr(row)
        kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
        kernel.noc_async_read_barrier()
        bytes = kernel.load_from_l1(address, 4)
        target = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(y), 0, 0)
        kernel.noc_async_write(address, target, bytes)
        kernel.noc_async_write_barrier()
        drop(row)

    program = kernel.Program()
    x = program.input("x", (1, 8), "i32", layout="row_major")
    y = program.output("y", (1, 8), "i32", layout="row_major")
    program.add(body, x, y, program.circular_buffer("in0", "i32", pages=1, page_size=32))
    for _ in range(2):
        np.testing.assert_array_equal(program.run(x=rows(32))["y"], rows(32))
    with pytest.raises(errors.UninitializedReadFault):
        program.run(x=rows(16))


def test_notes_are_those_of_the_first_run() -> None:
    @kernel.data_movement()
    def body(y: kernel.Tensor, row: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(row, 1)
        address = kernel.get_write_ptr(row)
        kernel.fill_with_val(address, 8, 3, 4)
        kernel.noc_async_write_page(0, kernel.tensor_accessor(y), address)
        kernel.noc_async_write_barrier()

    program = kernel.Program()
    y = program.output("y", (1, 8), "i32", layout="row_major")
    program.add(body, y, program.circular_buffer("in0", "i32", pages=1, page_size=32))
    first, second = program.run(), program.run()
    assert first.notes
    assert first.notes == second.notes
    np.testing.assert_array_equal(second["y"], rows(3))
