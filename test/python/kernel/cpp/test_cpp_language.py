"""The C++ that kernels may use, and what the emulator reports about it: each fault names the line
of the kernel, which is marked ``// here``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ttmlir import errors, kernel

DATAFLOW = '#include "api/dataflow/dataflow_api.h"\n'
PAGE = "  cb_reserve_back(0, 1);\n  const uint32_t page = get_write_ptr(0);\n"
# The output is written at the end, so that only the subject of a test can be a mistake.
WRITE = """
  for (int i = 0; i < 512; ++i)
    reinterpret_cast<volatile tt_l1_ptr uint32_t *>(page)[i] = 0;
  noc_async_write_page(0, TensorAccessor(TensorAccessorArgs<0>(), OUTPUT), page);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
"""


def program(
    text: str, *arguments: Any, config: Any = None, cores: Any = (1, 1), **options: Any
) -> kernel.Program:
    made = kernel.Program("test", cores=cores)
    y = made.output("y", (32, 32))
    made.circular_buffer("in0", pages=1)
    made.circular_buffer("in1", pages=1)
    options["compile_args"] = [y, *options.get("compile_args", ())]
    options["defines"] = {"OUTPUT": str(y.address), **options.get("defines", {})}
    made.semaphore(0)
    own = kernel.from_cpp(text, config or kernel.DataMovement(0), name="subject", **options)
    made.add(own, *arguments)
    return made


def printed(body: str, *arguments: Any, before: str = "", **options: Any) -> list[str]:
    """Returns what a kernel prints that ends by writing the output."""
    text = f"{DATAFLOW}{before}\nvoid kernel_main() {{\n{PAGE}{body}\n{WRITE}\n}}\n"
    return [line.text for line in program(text, *arguments, **options).run().prints]


def fault(text: str, kind: type[errors.Fault], **options: Any) -> errors.Fault:
    """Runs a kernel that fails on the line ``// here``."""
    with pytest.raises(kind) as caught:
        program(text).run(**options)
    (line,) = (i for i, row in enumerate(text.splitlines(), 1) if "// here" in row)
    assert caught.value.location == f"subject.cpp:{line}"
    assert caught.value.kernel == "subject"
    assert f"subject.cpp:{line}" in str(caught.value)
    return caught.value


def inside(body: str) -> str:
    return f"{DATAFLOW}void kernel_main() {{\n{body}\n}}\n"


# What works ---------------------------------------------------------------------------------------


def test_templates_structures_and_arrays() -> None:
    before = """
#include <array>
#define TWICE(x) ((x) * 2)
struct Pair { uint32_t a; int b = -4; };
template <typename T, int times> inline T repeat(T value) {
  T sum{};
  for (int i = 0; i < times; ++i) sum += value;
  return sum;
}
constexpr std::array<uint32_t, 3> table = {5, 6, 7};
static uint32_t sum(const uint32_t *values, uint32_t count) {
  uint32_t total = 0;
  while (count--) total += values[count];
  return total;
}
"""
    body = """
  uint32_t local[10];
  for (uint32_t i = 0; i < 10; ++i) local[i] = TWICE(i);
  Pair pair{.a = table[1]};
  auto add = [&](uint32_t n) { return n + pair.a; };
  DPRINT << sum(local, 10) << " " << repeat<uint32_t, 3>(7) << " " << add(1) << " " << pair.b
         << ENDL();
  switch (local[3]) {
  case 6: DPRINT << "six" << ENDL(); break;
  default: DPRINT << "other" << ENDL();
  }
"""
    assert printed(body, before=before) == ["90 21 7 -4", "six"]


def test_arguments() -> None:
    body = """
  constexpr uint32_t size = get_compile_time_arg_val(2);
  uint32_t array[size] = {get_arg_val<uint32_t>(0)};
  DPRINT << array[0] << " " << size << " " << get_arg_val<int32_t>(1) << " "
         << get_common_arg_val<uint32_t>(0) << " " << get_arg_val<float>(2) << ENDL();
  DPRINT << kernel_compile_time_args[1] << " " << get_named_compile_time_arg_val("width") << " "
         << get_named_compile_time_arg_val("height") << " " << FLAVOUR << ENDL();
"""
    lines = printed(
        body,
        kernel.runtime(11),
        -5,
        kernel.common(13),
        int(np.float32(1.5).view("u4")),
        compile_args=[3, 4],
        named_compile_args={"width": 640, "height": 480},
        defines={"FLAVOUR": '"sour"'},
    )
    assert lines == ["11 4 -5 13 1.5", "3 640 480 sour"]


def test_common_arguments_belong_to_their_kernel() -> None:
    made = kernel.Program("test")
    y = made.output("y", (32, 32))
    made.circular_buffer("in0", pages=1)
    text = f"""{DATAFLOW}
void kernel_main() {{
  DPRINT << get_common_arg_val<uint32_t>(0) << ENDL();
  if (noc_index == 0) {{
  {PAGE} {WRITE}
  }}
}}
"""
    for noc in (0, 1):
        options: Any = {"defines": {"OUTPUT": y.address}, "compile_args": [y], "name": f"k{noc}"}
        own = kernel.from_cpp(text, kernel.DataMovement(noc), **options)
        made.add(own, kernel.common(100 + noc))
    assert sorted(line.text for line in made.run().prints) == ["100", "101"]


def test_memory_of_the_core() -> None:
    body = """
  volatile tt_l1_ptr uint32_t *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(page);
  tt_l1_ptr uint16_t *halves = (tt_l1_ptr uint16_t *)(page + 64);
  volatile tt_l1_ptr std::uint8_t *bytes =
      reinterpret_cast<volatile tt_l1_ptr std::uint8_t *>(page + 128);
  words[0] = 7;
  words[1] = words[0] + 1;
  words[2] = words[1];
  words[2] += 10;
  *words |= 0x100;
  words[3] = 1;
  words[3]++;
  ++words[3];
  uint32_t copy = words[2];
  auto same = words[2];
  same = same + 1;
  for (int i = 0; i < 4; ++i) halves[i] = i * 1000;
  halves[0] = 0xfffff;
  *bytes++ = 1;
  *bytes = 255;
  DPRINT << words[0] << " " << words[1] << " " << copy << " " << same << " " << words[3] << " "
         << halves[0] << " " << halves[3] << " " << (uint32_t)bytes[0] << ENDL();
"""
    assert printed(body) == ["263 8 18 19 3 65535 3000 255"]


def test_every_core_has_its_own_variables() -> None:
    before = """
static uint32_t calls = 40;
uint32_t zeroed;
uint32_t next() { static uint32_t value = 7; return value++; }
"""
    body = """
  ++calls;
  ++zeroed;
  next();
  uint32_t second = next();
  DPRINT << calls << " " << zeroed << " " << second << ENDL();
"""
    text = f"{DATAFLOW}{before}\nvoid kernel_main() {{\n{PAGE}{body}\n"
    text += f"if (core_index() == 0) {{{WRITE}}}\n"
    text += "else { cb_push_back(0, 1); cb_wait_front(0, 1); cb_pop_front(0, 1); } }\n"
    # Pages that are pushed have been written.
    text = text.replace("else {", "else { fill_with_val<uint16_t>(page, 1024, 0); ")
    made = program(text, cores=(2, 2))
    for _ in range(2):
        assert [line.text for line in made.run().prints] == ["41 1 8"] * 4


def test_prints() -> None:
    body = r"""
  DPRINT << "hex " << HEX() << 255 << DEC() << " dec " << 255 << ENDL();
  DPRINT << SETW(6) << 42 << '|' << BF16(0x3f80) << ' ' << F32(2.5f) << "\n";
  DPRINT << "one\ntwo\n" << "three";
  DPRINT << ENDL();
  DEVICE_PRINT("{} and {:x}\n", -3, 255u);
  DPRINT_DATA0(DPRINT << "data0" << ENDL());
  DPRINT_DATA1(DPRINT << "data1" << ENDL());
"""
    expected = ["hex ff dec 255", "    42|1 2.5", "one", "two", "three", "-3 and ff", "data0"]
    assert printed(body) == expected


def test_prints_slices_of_tiles() -> None:
    body = """
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint16_t *>(page);
  for (uint32_t i = 0; i < 1024; ++i) words[i] = 0x3f80 + (i % 64 == 5 ? 0x80 : 0);
  DPRINT << "row " << TSLICE(0, 0, (SliceRange{.h0 = 4, .h1 = 5, .hs = 1, .w0 = 3, .w1 = 8,
                                               .ws = 2}), TSLICE_INPUT_CB, TSLICE_WR_PTR, false)
         << ENDL();
  DPRINT << TSLICE(0, 0, SliceRange::hw0_32_16(), TSLICE_OUTPUT_CB, TSLICE_WR_PTR, true, false);
  DPRINT << "end" << ENDL();
"""
    # The tile has rows of 16 numbers: 5 of every 64 is column 5 of every fourth row.
    assert printed(body) == ["row 1 2 1", "1 1", "1 1", "end"]


@pytest.mark.parametrize(
    ("slice_", "message"),
    [
        ("7, 0, SliceRange::hw041()", "circular buffer 7 does not exist"),
        ("0, 1, SliceRange::hw041()", "expected a tile below 1"),
        ("0, 0, (SliceRange{0, 33, 1, 0, 1, 1})", "expected a range within 32x32"),
        ("0, 0, (SliceRange{0, 4, 0, 0, 1, 1})", "expected a range within 32x32"),
    ],
)
def test_slices_that_do_not_exist(slice_: str, message: str) -> None:
    found = fault(inside(f"  DPRINT << TSLICE({slice_}) << ENDL(); // here"), errors.OperandFault)
    assert message in str(found)


def test_slices_of_compute_kernels() -> None:
    made = kernel.Program("slices")
    x, y = made.input("x", (32, 32), "i32"), made.output("y", (32, 32), "i32")
    made.circular_buffer("in0", "i32", pages=1)
    made.circular_buffer("out0", "i32", pages=1)
    move = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const auto tensor = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  if constexpr (READS) {
    cb_reserve_back(0, 1);
    noc_async_read_tile(0, tensor, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  } else {
    cb_wait_front(16, 1);
    noc_async_write_tile(0, tensor, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
"""
    negate = """
#include "compute_kernel_api.h"
namespace NAMESPACE { void MAIN {
  init_sfpu(0, 16);
  copy_tile_init(0);
  cb_wait_front(0, 1);
  DPRINT_UNPACK(DPRINT << TSLICE(0, 0, SliceRange::h0_32_w0(), false) << ENDL());
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  tile_regs_commit();
  cb_pop_front(0, 1);
  cb_reserve_back(16, 1);
  tile_regs_wait();
  pack_tile(0, 16);
  DPRINT_PACK(DPRINT << TSLICE(16, 0, SliceRange::h0_w0_32(), false) << ENDL());
  tile_regs_release();
  cb_push_back(16, 1);
} }
"""
    for noc, tensor in enumerate((x, y)):
        reads = {"READS": str(1 - noc)}
        config = kernel.DataMovement(noc)
        made.add(kernel.from_cpp(move, config, defines=reads, compile_args=[tensor]), tensor)
    made.add(kernel.from_cpp(negate, kernel.Compute(fp32_dest_acc_en=True)))
    numbers = np.arange(-500, 524, dtype=np.int32).reshape(32, 32)
    first, second = (line.text for line in made.run(x=numbers).prints)
    assert first == " ".join(map(str, numbers[:, 0]))
    assert second == " ".join(map(str, numbers[0]))


def test_address_generators_of_2024() -> None:
    made = kernel.Program("copy")
    x, y = made.input("x", (64, 64)), made.output("y", (64, 64))
    made.circular_buffer("in0", pages=2)
    text = """
#include "dataflow_api.h"
void kernel_main() {
  uint32_t from_address = get_arg_val<uint32_t>(0);
  const uint32_t tile_bytes = get_tile_size(tt::CB::c_in0);
  const DataFormat format = get_dataformat(tt::CB::c_in0);
  const InterleavedAddrGenFast<true> from = {
      .bank_base_address = from_address, .page_size = tile_bytes, .data_format = format};
  const InterleavedAddrGen<true> to = {
      .bank_base_address = get_arg_val<uint32_t>(1), .page_size = tile_bytes};
  for (uint32_t i = 0; i < 4; ++i) {
    cb_reserve_back(tt::CB::c_in0, 1);
    uint32_t l1 = get_write_ptr(tt::CB::c_in0);
    if (i % 2) noc_async_read_tile(i, from, l1);
    else noc_async_read(get_noc_addr(i, from), l1, tile_bytes);
    noc_async_read_barrier();
    cb_push_back(tt::CB::c_in0, 1);
    cb_wait_front(tt::CB::c_in0, 1);
    noc_async_write(l1, get_noc_addr(i, to), tile_bytes);
    noc_async_write_barrier();
    cb_pop_front(tt::CB::c_in0, 1);
  }
}
"""
    made.add(kernel.from_cpp(text, kernel.DataMovement(0)), x, y)
    values = np.arange(4096).reshape(64, 64).astype("bfloat16")
    assert (made.run(x=values)["y"] == values).all()


def test_objects_of_2026() -> None:
    made = kernel.Program("copy")
    x, y = made.input("x", (64, 64)), made.output("y", (64, 64))
    made.circular_buffer("in0", pages=2)
    text = """
#include "api/dataflow/dataflow_api.h"
#include "experimental/noc.h"
void kernel_main() {
  experimental::CircularBuffer cb(get_compile_time_arg_val(2));
  experimental::Noc noc;
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto to = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(1));
  for (uint32_t i = 0; i < 4; ++i) {
    cb.reserve_back(1);
    noc.async_read(from, cb, 2048, {.page_id = i}, {.offset_bytes = 0});
    noc.async_read_barrier();
    cb.push_back(1);
    cb.wait_front(1);
    noc.async_write(cb, to, 2048, {.offset_bytes = 0}, {.page_id = i});
    noc.async_write_barrier();
    cb.pop_front(1);
  }
}
"""
    made.add(kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[x, y, 0]), x, y)
    values = np.arange(4096).reshape(64, 64).astype("bfloat16")
    assert (made.run(x=values)["y"] == values).all()


def test_full_buffers_of_shards() -> None:
    """A buffer over shards in L1 that no kernel pushes to is full, which the object tells."""
    made = kernel.Program("shards", cores=(1, 2))
    x = made.input("x", (32, 64), memory="l1", grid=(1, 2))
    y = made.output("y", (32, 64))
    made.circular_buffer("in0", tensor=x)
    text = f"""{DATAFLOW}
void kernel_main() {{
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  cb_wait_front(0, 1);
  noc_async_write_page(get_absolute_logical_x(), to, get_read_ptr(0));
  noc_async_write_barrier();
  cb_pop_front(0, 1);
}}
"""
    made.add(kernel.from_cpp(text, kernel.DataMovement(1), compile_args=[y]), y)
    values = np.arange(2048).reshape(32, 64).astype("bfloat16")
    assert (made.run(x=values)["y"] == values).all()


# Mistakes -----------------------------------------------------------------------------------------


def test_a_page_that_is_not_reserved() -> None:
    text = inside(
        "  volatile tt_l1_ptr uint32_t *words =\n"
        "      reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_write_ptr(0));\n"
        "  words[1] = 5; // here\n"
        "  cb_push_back(0, 1);"
    )
    found = fault(text, errors.PageNotReservedFault)
    assert found.bytes == 4


def test_uninitialized_memory() -> None:
    text = inside(
        f"{PAGE}  auto words = reinterpret_cast<volatile tt_l1_ptr uint16_t *>(page);\n"
        "  words[0] = 1;\n"
        "  uint32_t next = words[1]; // here\n"
        "  words[2] = next;"
    )
    assert fault(text, errors.UninitializedReadFault).bytes == 2


def test_a_helper_function_is_named_where_it_fails() -> None:
    text = (
        f"{DATAFLOW}inline void fill(uint32_t cb) {{\n  cb_push_back(cb, 1); // here\n}}\n"
        "void kernel_main() {\n  fill(0);\n}\n"
    )
    fault(text, errors.PageNotReservedFault)


def test_a_missing_barrier() -> None:
    text = (
        inside(
            f"{PAGE}  noc_async_read(get_noc_addr(page + 64), page, 64); // here".replace(
                "get_noc_addr(page + 64)", "get_noc_addr(MEM_ZEROS_BASE)"
            )
            + "\n  cb_push_back(0, 1);"
        )
        .replace(" // here", "")
        .replace("cb_push_back(0, 1);", "cb_push_back(0, 1); // here")
    )
    fault(text, errors.PendingTransferFault)


def test_an_assertion() -> None:
    text = inside("  uint32_t three = core_index() + 3;\n  ASSERT(three == 4); // here")
    assert "three == 4" in str(fault(text, errors.AssertionFault))


@pytest.mark.parametrize("division", ["7 / n", "7 % n", "1 / n", "int(n) / -int(n)"])
def test_a_division_by_zero(division: str) -> None:
    text = inside(
        "  const uint32_t n = core_index();\n"
        f"  const uint32_t result = {division}; // here\n"
        "  DPRINT << result << ENDL();"
    )
    assert "is divided by zero" in str(fault(text, errors.DivisionByZeroFault))


@pytest.mark.parametrize("type", ["int32_t", "int64_t"])
@pytest.mark.parametrize("operator", ["/", "%"])
def test_a_quotient_out_of_range(type: str, operator: str) -> None:
    text = inside(
        f"  const {type} lowest = {type}(uint64_t(1) << (8 * sizeof({type}) - 1));\n"
        f"  const {type} one = {type}(core_index()) - 1;\n"
        f"  const {type} result = (lowest + {type}(core_index())) {operator} one; // here\n"
        "  DPRINT << uint32_t(result) << ENDL();"
    )
    assert "divided by -1" in str(fault(text, errors.OperandFault))


def test_other_arithmetic_wraps() -> None:
    body = (
        "  const int32_t highest = int32_t(0x7fffffffu - core_index());\n"
        "  DPRINT << highest + 1 << ' ' << highest * 2 << ' ' << -(highest + 1) << ENDL();"
    )
    assert printed(body) == ["-2147483648 -2 -2147483648"]


@pytest.mark.parametrize(
    "array",
    ["uint32_t a[3]", "int8_t a[3][5]", "struct { int n, a[3]; } s"],
)
@pytest.mark.parametrize("index", [3, -1])
def test_an_index_beyond_an_array(array: str, index: int) -> None:
    element = "s.a[i]" if "struct" in array else "a[i][i]" if "[5]" in array else "a[i]"
    text = inside(
        f"  {array}{{}};\n"
        f"  const int i = core_index() + {index};\n"
        f"  {element} = 1; // here\n"
        f"  DPRINT << uint32_t({element}) << ENDL();"
    )
    found = fault(text, errors.OutOfBoundsFault)
    assert f"expected an index of a local array below 3, found {index}" in str(found)


def test_an_index_beyond_a_standard_array() -> None:
    body = "  std::array<uint32_t, 3> a{};\n  DPRINT << a[core_index() + 4] << ENDL();"
    with pytest.raises(errors.OutOfBoundsFault, match="of a local array below 3, found 4"):
        program("#include <array>\n" + inside(body)).run()


def test_a_missing_argument() -> None:
    fault(inside("  get_arg_val<uint32_t>(0); // here"), errors.ArgumentIndexFault)


def test_a_circular_buffer_beyond_the_last() -> None:
    fault(inside("  cb_reserve_back(77, 1); // here"), errors.BufferMisuseFault)


def test_an_address_that_is_no_tensor() -> None:
    text = inside(
        f"{PAGE}  const InterleavedAddrGen<true> nothing = {{.bank_base_address = 4096 * 99,\n"
        "                                            .page_size = 2048};\n"
        "  noc_async_read_page(0, nothing, page); // here"
    )
    fault(text, errors.OperandFault)


@pytest.mark.parametrize(
    "access",
    [
        "*reinterpret_cast<volatile uint32_t *>(page) = 1;",
        "uint16_t *halves = (uint16_t *)page; halves[core_index()]++;",
        "volatile int *nothing = nullptr; *nothing = 1;",
        "memset((void *)page, 0, 64);",
    ],
)
def test_a_pointer_without_tt_l1_ptr(access: str) -> None:
    text = inside(f"{PAGE}  {access} // here")
    assert "tt_l1_ptr" in str(fault(text, errors.OperandFault))


def test_the_other_network() -> None:
    assert "the NoC of the other data movement kernel" in str(
        fault(inside("  noc_async_read_barrier(1); // here"), errors.OperandFault)
    )


def test_a_deadlock() -> None:
    with pytest.raises(errors.DeadlockFault) as caught:
        program(inside("  cb_wait_front(0, 1); // here")).run()
    (waiter,) = caught.value.waiters
    assert waiter.location == "subject.cpp:3"


def test_a_race() -> None:
    """Two threads use a word without synchronization; the fault names both lines' kernels."""
    made = kernel.Program("race")
    y = made.output("y", (32, 32))
    made.circular_buffer("in0", pages=1)
    texts = [
        inside("  reinterpret_cast<volatile tt_l1_ptr uint32_t *>(200000)[0] = noc_index;\n")
        for _ in range(2)
    ]
    for noc, text in enumerate(texts):
        own = kernel.from_cpp(text, kernel.DataMovement(noc), name=f"k{noc}")
        made.add(own, y)
    with pytest.raises(errors.DataRaceFault) as caught:
        made.run()
    assert caught.value.location in ("k0.cpp:3", "k1.cpp:3")


# Kernels that do not end --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loop",
    [
        "for (volatile int i = 0;; i = i + 1) {} // here",
        "while (!cb_pages_available_at_front(0, 1)) {} // here",
        "auto *flag = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));\n"
        "  while (*flag == 0) {} // here",
    ],
)
def test_step_limit(loop: str) -> None:
    text = inside(f"  {loop}")
    fault(text, errors.StepLimitFault, step_limit=100_000)


def test_an_interrupt() -> None:
    import _thread
    import threading

    made = program(inside("  volatile int i = 0;\n  while (true) i = i + 1;"))
    made.compile()
    threading.Timer(1.0, _thread.interrupt_main).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        made.run(step_limit=1 << 60)
    assert time.monotonic() - begin < 10


def test_a_loop_without_statements() -> None:
    refused(
        inside("  core_index();\n  while (true) {}"),
        "after subject.cpp:",
        "an endless loop has no statements",
    )


# Programs that cannot be built --------------------------------------------------------------------


def refused(text: str, *parts: str, **options: Any) -> str:
    with pytest.raises(kernel.BuildError) as caught:
        program(text, **options).compile()
    message = str(caught.value)
    for part in parts:
        assert part in message, message
    return message


def test_messages_of_the_compiler() -> None:
    text = inside("  uint32_t a = get_write_ptr(0)\n  uint32_t b = a;")
    message = refused(text, "'subject.cpp' does not compile", "subject.cpp:4:", "expected")
    assert "warning" not in message


def test_messages_name_the_path_as_it_was_given(tmp_path: Any, monkeypatch: Any) -> None:
    (tmp_path / "wrong.cpp").write_text(inside("  nothing();"))
    monkeypatch.chdir(tmp_path)
    made = kernel.Program("test")
    y = made.output("y", (32, 32))
    made.add(kernel.from_cpp("wrong.cpp", kernel.DataMovement(0)), y)
    with pytest.raises(kernel.BuildError, match=r"(?m)^wrong\.cpp:3:3: error: .*nothing"):
        made.compile()


def test_a_header_beside_the_kernel(tmp_path: Any) -> None:
    (tmp_path / "shared.hpp").write_text("constexpr uint32_t answer = 42;\n")
    (tmp_path / "own.cpp").write_text(
        DATAFLOW + '#include "shared.hpp"\nvoid kernel_main() { ASSERT(answer != 42); }\n'
    )
    made = kernel.Program("test")
    made.output("y", (32, 32))
    made.add(kernel.from_cpp(tmp_path / "own.cpp", kernel.DataMovement(0)))
    with pytest.raises(errors.AssertionFault) as caught:
        made.run()
    assert caught.value.location == f"{tmp_path / 'own.cpp'}:3"
    # A header that changes is compiled again.
    (tmp_path / "shared.hpp").write_text("constexpr uint32_t answer = 43;\n")
    made = kernel.Program("test")
    made.output("y", (32, 32))
    made.add(kernel.from_cpp(tmp_path / "own.cpp", kernel.DataMovement(0)))
    with pytest.raises(errors.UninitializedReadFault):
        made.run()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("noc_async_read_shard(1);", "noc_async_read_shard is not supported by the emulator"),
        ('asm volatile("nop");', "inline assembly is not supported by the emulator"),
        ("volatile tt_reg_ptr uint32_t *r = nullptr;", "registers of the chip are not supported"),
        ("get_compile_time_arg_val(9);", "was not given a compile-time argument of this index"),
        ('get_named_compile_time_arg_val("no");', "was_not_given_a_compile_time_argument"),
        ("TensorAccessor(TensorAccessorArgs<1>(), 0);", "expected one in compile_args"),
    ],
)
def test_unsupported(body: str, message: str) -> None:
    refused(inside(f"  {body}"), message, "subject.cpp:3", compile_args=[5])


def test_headers_of_the_other_kind() -> None:
    refused(inside(""), "for data movement kernels", config=kernel.Compute())


def test_no_compiler(monkeypatch: Any) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    refused(inside(""), "needs g++", "no-such-compiler")


def arguments(given: Sequence[Any] = (), **options: Any) -> None:
    program(inside(""), *given, **options).compile()


def test_wrong_arguments() -> None:
    other = kernel.Program("other").output("y", (32, 32))
    with pytest.raises(kernel.BuildError, match="another program"):
        arguments([other])
    with pytest.raises(kernel.BuildError, match="another program"):
        arguments(compile_args=[other])
    with pytest.raises(kernel.BuildError, match="expected a number, found str"):
        arguments(["text"])
    with pytest.raises(kernel.BuildError, match="compile-time arguments to from_cpp"):
        arguments([kernel.compile_time(3)])
    with pytest.raises(kernel.BuildError, match="identifier"):
        arguments(defines={"a b": 1})
    with pytest.raises(kernel.BuildError, match="expected DataMovement"):
        kernel.from_cpp("\n", "reader")  # type: ignore[arg-type]
    with pytest.raises(kernel.BuildError, match="no-such-file"):
        kernel.from_cpp("no-such-file.cpp", kernel.DataMovement(0))
