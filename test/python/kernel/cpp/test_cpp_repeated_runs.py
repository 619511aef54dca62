"""Runs of kernels in C++ after the first one: those that load no data repeat what they did."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ttmlir import errors, kernel

Array = np.ndarray[Any, np.dtype[Any]]


def rows(*values: int) -> Array:
    """A row of 8 equal integers for each value."""
    return np.repeat(np.array(values, np.int32)[:, None], 8, axis=1)


#: Each core fills a page with a number, and writes it.
FILL = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  BEFORE
  const uint32_t index = core_index();
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  auto *row = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  for (uint32_t i = 0; i < 8; ++i)
    row[i] = index + get_arg_val<uint32_t>(1);
  const auto y = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  noc_async_write_page(index, y, l1);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""


def filled(before: str = "", name: str = "filled") -> kernel.Program:
    program = kernel.Program(name, cores=(1, 4))
    y = program.output("y", (4, 8), "i32", layout="row_major")
    program.circular_buffer("in0", "i32", pages=1, page_size=32)
    body = kernel.from_cpp(
        FILL.replace("BEFORE", before), kernel.DataMovement(0), compile_args=[y], name=name
    )
    program.add(body, y, 5)
    return program


@pytest.mark.parametrize(
    ("before", "printed"),
    [
        ("", []),
        ('DPRINT << "here" << ENDL();', ["here"] * 4),
        # A loop longer than what is kept of a run.
        ("for (int i = 0; i < 10000; ++i) get_tile_size(0);", []),
        ("while (!cb_pages_reservable_at_back(0, 1)) {}", []),
        ("static uint32_t runs = 0; ASSERT(runs++ == 0);", []),
    ],
)
def test_kernels_do_the_same_again(before: str, printed: list[str]) -> None:
    program, other = filled(before), filled("", "other")
    for _ in range(6):
        result = program.run()
        np.testing.assert_array_equal(result["y"], rows(5, 6, 7, 8))
        assert [line.text for line in result.prints] == printed
        np.testing.assert_array_equal(other.run()["y"], rows(5, 6, 7, 8))


def test_a_kernel_follows_the_data_that_it_loads() -> None:
    program = kernel.Program("adds")
    x = program.input("x", (1, 8), "i32", layout="row_major")
    y = program.output("y", (1, 8), "i32", layout="row_major")
    program.circular_buffer("in0", "i32", pages=1, page_size=32)
    text = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  auto *row = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  const auto x = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto y = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(1));
  noc_async_read_page(0, x, l1);
  noc_async_read_barrier();
  for (uint32_t i = 0; i < 8; ++i)
    row[i] = row[i] + 1;
  noc_async_write(l1, y.get_noc_addr(0), row[0] - 1);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""
    program.add(kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[x, y]), x, y)
    for _ in range(3):
        np.testing.assert_array_equal(program.run(x=rows(32))["y"], rows(33))
    with pytest.raises(errors.UninitializedReadFault):
        program.run(x=rows(16))


def test_a_kernel_that_asks_the_host_is_checked_in_each_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What libraries of the host return may differ: here, whether a transfer is waited for."""
    text = (
        FILL.replace("BEFORE", "")
        .replace(
            "  noc_async_write_barrier();\n",
            '  if (!getenv("TTMLIR_TEST_NO_BARRIER")) noc_async_write_barrier();\n',
        )
        .replace("void kernel_main", 'extern "C" char *getenv(const char *);\nvoid kernel_main')
    )
    program = kernel.Program("asks", cores=(1, 4))
    y = program.output("y", (4, 8), "i32", layout="row_major")
    program.circular_buffer("in0", "i32", pages=1, page_size=32)
    program.add(kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[y]), y, 5)
    for _ in range(3):
        np.testing.assert_array_equal(program.run()["y"], rows(5, 6, 7, 8))
    monkeypatch.setenv("TTMLIR_TEST_NO_BARRIER", "1")
    with pytest.raises(errors.Fault):
        program.run()
