"""Kernels in C++ that use idioms of public kernels, all of them right: no check may object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cpp_programs import BF16, cpp, numbers

from ttmlir import errors, kernel

START = """
#include "api/dataflow/dataflow_api.h"
#include <array>
#include <cstring>

constexpr uint32_t cb = 0, scratch = 1, bytes = 2048, pages = 4;
using Words = volatile tt_l1_ptr uint32_t *;
static uint32_t calls;
constexpr std::array<uint32_t, 4> order = {2, 0, 3, 1};

template <typename Tensor>
FORCE_INLINE void get(const Tensor &x, uint32_t page, uint32_t l1) {
  ++calls;
  noc_async_read_tile(page, x, l1);
  noc_async_read_barrier();
}
template <typename Tensor>
FORCE_INLINE void put(const Tensor &y, uint32_t page, uint32_t l1) {
  noc_async_write_tile(page, y, l1);
  noc_async_write_barrier();
}

void kernel_main() {
  const uint32_t x_at = get_arg_val<uint32_t>(0), y_at = get_arg_val<uint32_t>(1);
  const auto x = TensorAccessor(TensorAccessorArgs<0>(), x_at);
  const auto y = TensorAccessor(TensorAccessorArgs<1>(), y_at);
"""

#: Bodies that copy the four pages of x to y.
BODIES = {
    "parts_of_pages": """
for (uint32_t i = 0; i < pages; ++i) {
  cb_reserve_back(cb, 1);
  const uint32_t l1 = get_write_ptr(cb);
  for (uint32_t at = 0; at < bytes; at += 512)
    noc_async_read(get_noc_addr(i, x, at), l1 + at, 512);
  noc_async_read_barrier();
  for (uint32_t at = 0; at < bytes; at += 1024)
    noc_async_write(l1 + at, get_noc_addr(i, y, at), 1024);
  noc_async_write_barrier();
  cb_push_back(cb, 1); cb_wait_front(cb, 1); cb_pop_front(cb, 1);
}""",
    "flushed_before_the_source_changes": """
const uint32_t l1 = get_write_ptr(scratch);
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, l1);
  noc_async_write_page(i, y, l1);
  noc_async_writes_flushed();
}
noc_async_write_barrier();""",
    "growing_waits": """
for (uint32_t i = 0; i < pages; ++i) {
  cb_reserve_back(cb, 1);
  get(x, i, get_write_ptr(cb));
  cb_push_back(cb, 1);
  cb_wait_front(cb, i + 1);
  put(y, i, get_read_ptr(cb) + i * bytes);
}
cb_pop_front(cb, pages);""",
    "one_barrier_for_all": """
cb_reserve_back(cb, pages);
uint32_t l1 = get_write_ptr(cb);
for (uint32_t i = 0; i < pages; ++i, l1 += bytes) noc_async_read_page(i, x, l1);
noc_async_read_barrier();
cb_push_back(cb, pages);
cb_wait_front(cb, pages);
for (uint32_t i = 0; i < pages; ++i) noc_async_write_page(i, y, get_read_ptr(cb) + i * bytes);
noc_async_write_barrier();
cb_pop_front(cb, pages);""",
    "two_transactions_in_flight": """
const uint32_t l1[2] = {get_write_ptr(scratch), get_write_ptr(scratch) + bytes};
noc_async_read_set_trid(1);
noc_async_read_page(0, x, l1[0]);
for (uint32_t i = 0; i < pages; ++i) {
  if (i + 1 < pages) {
    noc_async_read_set_trid(1 + (i + 1) % 2);
    noc_async_read_page(i + 1, x, l1[(i + 1) % 2]);
  }
  noc_async_read_barrier_with_trid(1 + i % 2);
  put(y, i, l1[i % 2]);
}
noc_async_read_set_trid(0);""",
    "commands_with_state": """
const uint32_t l1 = get_write_ptr(scratch);
for (uint32_t i = 0; i < pages; ++i) {
  const uint64_t page = get_noc_addr(i, x);
  noc_async_read_one_packet_set_state(page, 512);
  for (uint32_t at = 0; at < bytes; at += 512)
    noc_async_read_one_packet_with_state(uint32_t(page) + at, l1 + at);
  noc_async_read_barrier();
  put(y, i, l1);
}""",
    "copies_within_the_core": """
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, get_write_ptr(scratch));
  cb_reserve_back(cb, 1);
  noc_async_read(get_noc_addr(get_write_ptr(scratch)), get_write_ptr(cb), bytes);
  noc_async_read_barrier();
  put(y, i, get_write_ptr(cb));
  cb_push_back(cb, 1); cb_wait_front(cb, 1); cb_pop_front(cb, 1);
}""",
    "zeros_and_words": """
const uint32_t from = get_write_ptr(scratch), to = from + bytes;
for (uint32_t i = 0; i < pages; ++i) {
  for (uint32_t at = 0; at < bytes; at += MEM_ZEROS_SIZE)
    noc_async_read(get_noc_addr(MEM_ZEROS_BASE), to + at, MEM_ZEROS_SIZE);
  get(x, i, from);
  for (uint32_t word = 0; word < bytes / 4; ++word)
    reinterpret_cast<Words>(to)[word] |= reinterpret_cast<Words>(from)[word];
  put(y, i, to);
}""",
    "halves_and_bytes": """
const uint32_t from = get_write_ptr(scratch), to = from + bytes;
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, from);
  auto *a = reinterpret_cast<volatile tt_l1_ptr uint16_t *>(from);
  auto *b = reinterpret_cast<volatile tt_l1_ptr uint16_t *>(to);
  for (uint32_t j = 0; j < 512; ++j) b[j] = a[j];
  auto *c = reinterpret_cast<volatile tt_l1_ptr uint8_t *>(from + 1024);
  auto *d = reinterpret_cast<volatile tt_l1_ptr uint8_t *>(to + 1024);
  for (uint32_t j = 0; j < 1024; ++j) *d++ = *c++;
  put(y, i, to);
}""",
    "moved_by_the_core": """
const uint32_t l1 = get_write_ptr(scratch);
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, l1);
  tt_memmove(l1 + bytes, l1, bytes);
  put(y, i, l1 + bytes);
}""",
    "semaphore_as_a_counter": """
Words count = reinterpret_cast<Words>(get_semaphore(0));
*count = 0;
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, get_write_ptr(scratch));
  put(y, i, get_write_ptr(scratch));
  *count += 1;
}
noc_semaphore_wait(count, pages);
noc_semaphore_set(count, 0);""",
    "signals_to_itself": """
Words count = reinterpret_cast<Words>(get_semaphore(0));
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, get_write_ptr(scratch));
  put(y, i, get_write_ptr(scratch));
  noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 1);
  noc_semaphore_wait_min(count, i + 1);
}
noc_async_atomic_barrier();
noc_semaphore_set(count, 0);""",
    "flag_by_an_inline_write": """
Words flag = reinterpret_cast<Words>(get_semaphore(1));
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, get_write_ptr(scratch));
  put(y, i, get_write_ptr(scratch));
  noc_inline_dw_write(get_noc_addr(get_semaphore(1)), VALID);
  noc_async_write_barrier();
  noc_semaphore_wait(flag, VALID);
  *flag = INVALID;
}""",
    "polls_a_buffer": """
uint32_t read = 0, written = 0;
while (written < pages) {
  if (read < pages && cb_pages_reservable_at_back(cb, 1)) {
    cb_reserve_back(cb, 1);
    get(x, read++, get_write_ptr(cb));
    cb_push_back(cb, 1);
  }
  if (cb_pages_available_at_front(cb, 2) || read == pages) {
    cb_wait_front(cb, 1);
    put(y, written++, get_read_ptr(cb));
    cb_pop_front(cb, 1);
  }
}""",
    "kind_of_memory_at_run_time": """
const bool is_dram = get_arg_val<uint32_t>(2) == 1;
const InterleavedAddrGenFast<true> in_dram = {x_at, bytes, get_dataformat(cb)};
const InterleavedAddrGenFast<false> in_l1 = {x_at, bytes, get_dataformat(cb)};
for (uint32_t i = 0; i < pages; ++i) {
  const uint32_t l1 = get_write_ptr(scratch);
  if (is_dram) noc_async_read_tile(i, in_dram, l1);
  else noc_async_read_tile(i, in_l1, l1);
  noc_async_read_barrier();
  put(y, i, l1);
}""",
    "loop_with_break": """
uint32_t i = 0;
while (true) {
  get(x, i, get_write_ptr(scratch));
  put(y, i, get_write_ptr(scratch));
  if (++i == pages) break;
}
if (calls != pages) return;
ASSERT(calls == pages);""",
    "order_of_a_table": """
uint32_t l1[pages];
for (uint32_t &at : l1) at = get_write_ptr(scratch) + (&at - l1) * bytes;
for (uint32_t page : order) get(x, page, l1[page]);
uint32_t copied[pages];
memcpy(copied, l1, sizeof l1);
for (uint32_t page : order) put(y, page, copied[page]);""",
    "reserved_as_a_whole_pushed_one_by_one": """
cb_reserve_back(cb, pages);
const uint32_t l1 = get_write_ptr(cb);
for (uint32_t i = 0; i < pages; ++i) {
  get(x, i, l1 + i * bytes);
  cb_push_back(cb, 1);
}
for (uint32_t i = 0; i < pages; i += 2) {
  cb_wait_front(cb, 2);
  put(y, i, get_read_ptr(cb));
  put(y, i + 1, get_read_ptr(cb) + bytes);
  cb_pop_front(cb, 2);
}""",
    "full_barrier": """
const uint32_t l1 = get_write_ptr(scratch);
for (uint32_t i = 0; i < pages; ++i) {
  noc_async_read_page(i, x, l1 + i * bytes);
  noc_async_full_barrier();
  noc_async_write_page(i, y, l1 + i * bytes);
}
noc_async_full_barrier();""",
    "objects": """
CircularBuffer buffer(cb);
Noc noc;
for (uint32_t i = 0; i < pages; ++i) {
  buffer.reserve_back(1);
  noc.async_read(x, buffer, bytes, {.page_id = i}, {.offset_bytes = 0});
  noc.async_read_barrier();
  buffer.push_back(1);
  buffer.wait_front(1);
  noc.async_write(buffer, y, bytes, {}, {.page_id = i});
  noc.async_writes_flushed();
  buffer.pop_front(1);
}
noc.async_write_barrier();""",
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", BODIES)
def test_idiom(name: str) -> None:
    program = kernel.Program(name)
    x, y = program.input("x", (64, 64)), program.output("y", (64, 64))
    program.circular_buffer("in0", pages=4)
    program.circular_buffer("in1", pages=4)
    program.semaphore(0), program.semaphore(0)
    text = f"{START}{BODIES[name]}\n}}\n"
    config = kernel.DataMovement(0)
    program.add(kernel.from_cpp(text, config, compile_args=[x, y], name=name), x, y, 1)
    values = numbers(64, 64)
    result = program.run(x=values)
    assert (result["y"] == values).all()
    assert result.notes == ()


#: Constants of which only the numbers that an operation uses are written.
CONSTANTS = {
    "scalar": ("words[0] = one;", "mul_tiles_bcast_scalar"),
    "column": (
        "for (int face = 0; face < 4; face += 2)\n"
        "  for (int row = 0; row < 16; ++row) words[face * 128 + row * 8] = one;",
        "mul_tiles_bcast_cols",
    ),
    "row": (
        "for (int face = 0; face < 2; ++face)\n"
        "  for (int i = 0; i < 8; ++i) words[face * 128 + i] = one | one << 16;",
        "mul_tiles_bcast_rows",
    ),
}


def times_one(fill: str, call: str) -> kernel.Program:
    """x times a constant tile of which a kernel writes a part with ``fill``."""
    program = kernel.Program("times_one")
    x, y = program.input("x", (64, 64)), program.output("y", (64, 64))
    for port in ("in0", "in1", "out0"):
        program.circular_buffer(port)
    text = f"""{START}
  const uint32_t one = get_arg_val<uint32_t>(2);
  cb_reserve_back(1, 1);
  Words words = reinterpret_cast<Words>(get_write_ptr(1));
  {fill}
  cb_push_back(1, 1);
  for (uint32_t i = 0; i < pages; ++i) {{
    cb_reserve_back(cb, 1);
    get(x, i, get_write_ptr(cb));
    cb_push_back(cb, 1);
  }}
}}
"""
    one = int(np.array(1, BF16).view("u2"))
    config = kernel.DataMovement(0)
    program.add(kernel.from_cpp(text, config, compile_args=[x, y], name="reader"), x, y, one)
    kind = call.removeprefix("mul_tiles_bcast_")
    init = f"{call}_init_short" if kind == "scalar" else f"mul_bcast_{kind}_init_short"
    multiply = f"""
#include "api/compute/bcast.h"
void kernel_main() {{
  binary_op_init_common(0, 1, 16);
  cb_wait_front(1, 1);
  {init}(0, 1);
  for (int i = 0; i < 4; ++i) {{
    cb_wait_front(0, 1);
    tile_regs_acquire();
    {call}(0, 1, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }}
}}
"""
    program.add(kernel.from_cpp(multiply, kernel.Compute(), name="multiply"))
    program.add(cpp("write_tiles", kernel.DataMovement(1), compile_args=[y]), y, 0, y.pages)
    return program


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_that_are_written_in_part(name: str) -> None:
    values: Any = numbers(64, 64)
    assert (times_one(*CONSTANTS[name]).run(x=values)["y"] == values).all()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("scalar", "words[0]", "words[1]"),
        ("column", "row < 16", "row < 15"),
        ("row", "face < 2", "face < 1"),
    ],
)
def test_constants_that_are_not_complete(name: str, old: str, new: str) -> None:
    fill, call = CONSTANTS[name]
    assert old in fill
    program = times_one(fill.replace(old, new), call)
    with pytest.raises(errors.UninitializedReadFault, match="which nothing has written") as caught:
        program.run(x=numbers(64, 64))
    assert caught.value.kernel == "multiply"
