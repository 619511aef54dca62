"""Debugging kernels in C++: lines of their source, and gdb."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ttmlir import kernel
from ttmlir.debugger._console import Console, run_commands

READER = """#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  constexpr uint32_t cb = tt::CBIndex::c_0;
  constexpr auto args = TensorAccessorArgs<0>();
  const auto x = TensorAccessor(args, get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < tiles; ++i) {
    WAYPOINT("PAGE");
    cb_reserve_back(cb, 1);
    noc_async_read_tile(i, x, get_write_ptr(cb));
    noc_async_read_barrier();
    DPRINT << "page " << i << ENDL();
    cb_push_back(cb, 1);
  }
}
"""
WRITER = """#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb = tt::CBIndex::c_0;
  constexpr auto args = TensorAccessorArgs<0>();
  const auto y = TensorAccessor(args, get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) {
    cb_wait_front(cb, 1);
    noc_async_write_tile(i, y, get_read_ptr(cb));
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
}
"""
NUMBERS = np.arange(32 * 128).reshape(32, 128).astype("float32")


def copying(reader: str | Path = READER, *, debug_info: bool = False) -> kernel.Program:
    """Copies four tiles."""
    program = kernel.Program("copy")
    x, y = program.input("x", (32, 128), "f32"), program.output("y", (32, 128), "f32")
    program.circular_buffer("in0", "f32", pages=2)
    made = kernel.from_cpp(
        reader, kernel.DataMovement(0), compile_args=[x], name="reader", debug_info=debug_info
    )
    program.add(made, x, x.pages)
    writer = kernel.from_cpp(WRITER, kernel.DataMovement(1), compile_args=[y], name="writer")
    program.add(writer, y, y.pages)
    return program


@pytest.mark.parametrize("debug_info", [False, True])
def test_stops_at_calls(debug_info: bool) -> None:
    with copying(debug_info=debug_info).debug(x=NUMBERS) as debug:
        assert debug.thread("noc0").line == "reader.cpp:3"
        made = debug.break_at("reader.cpp:12")
        assert made.places == ("reader.cpp:12",)
        for _ in range(4):
            stop = debug.run()
            assert stop.thread is not None
            assert stop.thread.location == "reader.cpp:12"
            assert stop.thread.instruction == "noc_async_read_barrier()"
        assert debug.breakpoints[0].hits == 4
        assert debug.run().reason == "ended"
        assert (debug.result["y"] == NUMBERS).all()


LOOP = """#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    sum += i;
    noc_async_read_barrier();
  }
  for (uint32_t i = 0; i < 4; ++i) {
    sum += i;
    noc_async_read_barrier();
    noc_async_write_barrier();
  }
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t i = 0; i < 8; ++i)
    reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1)[i] = sum;
  noc_async_write_page(0, TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0)), l1);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""


def looping() -> kernel.Program:
    program = kernel.Program("loop")
    y = program.output("y", (1, 8), "i32", layout="row_major")
    program.circular_buffer("in0", "i32", pages=1, page_size=32)
    own = kernel.from_cpp(LOOP, kernel.DataMovement(0), compile_args=[y], name="loop")
    program.add(own, y)
    return program


@pytest.mark.parametrize(("line", "stops", "hits"), [(6, 7, 4), (7, 7, 4), (10, 11, 4)])
def test_each_iteration_of_a_loop_stops(line: int, stops: int, hits: int) -> None:
    with looping().debug() as debug:
        debug.break_at(f"loop.cpp:{line}")
        for _ in range(hits):
            stop = debug.run()
            assert stop.thread is not None
            assert stop.thread.location == f"loop.cpp:{stops}"
        assert debug.run().reason == "ended"
        assert debug.breakpoints[0].hits == hits


def test_a_line_without_a_call_behind_the_thread() -> None:
    """The thread comes back to it by a jump from a later line."""
    with looping().debug() as debug:
        first = debug.break_at("loop.cpp:12")
        stop = debug.run()
        assert stop.thread is not None
        assert stop.thread.location == "loop.cpp:12"
        debug.delete(first.id)
        debug.break_at("loop.cpp:10")
        for _ in range(3):
            stop = debug.run()
            assert stop.thread is not None
            assert stop.thread.location == "loop.cpp:11"
        assert debug.run().reason == "ended"


def test_the_console_says_that_a_breakpoint_has_moved() -> None:
    lines: list[str] = []
    with looping().debug() as debug:
        console = Console(debug, lines.append)
        run_commands(console, ["break loop.cpp:6", "continue", "continue"], lines.append)
    assert lines.count("Breakpoint 1 moved to loop.cpp:7: loop.cpp:6 has no call") == 1


def test_a_line_without_a_call_is_the_next_one() -> None:
    with copying().debug(x=NUMBERS) as debug:
        debug.break_at("reader.cpp:9")
        for i in range(4):
            stop = debug.run()
            assert stop.thread is not None
            assert stop.thread.location == "reader.cpp:10"
            assert debug.prints == tuple(f"0:(x=0,y=0):NC: page {k}" for k in range(i))
        assert debug.breakpoints[0].places == ("reader.cpp:10",)
        assert debug.break_at("reader.cpp:99").places == ()
        assert debug.run().reason == "ended"


def test_steps_and_state() -> None:
    with copying().debug(x=NUMBERS) as debug:
        debug.break_at(kernel="reader")
        stop = debug.run()
        assert stop.thread is not None
        assert stop.thread.opcode == "C++"
        debug.break_at("reader.cpp:10", once=True)
        debug.run()
        for instruction in ("get_write_ptr(cb 0)", "noc_async_read_page(0, ", "noc_async_read_b"):
            stop = debug.step()
            assert stop.thread is not None
            assert stop.thread.instruction.startswith(instruction)
        stop = debug.step_line()
        assert stop.thread is not None
        assert stop.thread.line == "reader.cpp:14"
        core = debug.core(0, 0)
        assert (core.tile(core.buffers["in0"].address, "f32") == NUMBERS[:, :32]).all()
        assert debug.arguments(stop.thread)["runtime"][1] == 4
        assert debug.watcher_log().splitlines() == [
            "Device 0 worker core(x= 0,y= 0):    R,PAGE,   W,   W,   W k_ids:2|1|0",
            "k_id[1]: reader",
            "k_id[2]: writer",
        ]
        while any(t.state != "ended" for t in debug.threads):
            debug.step_core()
        assert debug.run().reason == "ended"
        assert (debug.result["y"] == NUMBERS).all()


def test_the_console_shows_the_text_of_the_kernel() -> None:
    lines: list[str] = []
    with copying().debug(x=NUMBERS) as debug:
        run_commands(Console(debug, lines.append), ["b reader.cpp:12", "run", "l"], lines.append)
    assert "reader.cpp:12   noc_async_read_barrier();" in lines[3]
    assert "B->  12     noc_async_read_barrier();   <- noc0" in lines


def test_times_are_those_of_a_run() -> None:
    plain = copying().run(x=NUMBERS, report=True)
    with copying().debug(x=NUMBERS, report=True) as debug:
        debug.break_at("reader.cpp:12")
        while debug.run().reason != "ended":
            pass
        found = debug.result
    assert found.report.cycles == plain.report.cycles
    described = copying(debug_info=True).run(x=NUMBERS, report=True)
    assert described.report.cycles == plain.report.cycles


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from test_cpp_debugging import NUMBERS, copying
copying(sys.argv[2] if len(sys.argv) > 2 else __import__("test_cpp_debugging").READER,
        debug_info=True).run(x=NUMBERS, host_threads=1)
"""


@pytest.mark.skipif(shutil.which("gdb") is None, reason="needs gdb")
@pytest.mark.parametrize("in_file", [False, True])
def test_gdb_shows_the_lines_of_the_kernel(tmp_path: Path, in_file: bool) -> None:
    script = tmp_path / "run.py"
    script.write_text(SCRIPT)
    arguments = [str(Path(__file__).parent)]
    if in_file:
        (tmp_path / "reader.cpp").write_text(READER)
        arguments.append(str(tmp_path / "reader.cpp"))
    commands = ["set breakpoint pending on", "set debuginfod enabled off", "break reader.cpp:12"]
    commands += ["run", "backtrace 1", "next", "next", "print i", "continue", "print i", "kill"]
    done = subprocess.run(
        [
            *("gdb", "--batch", "-nx"),
            *(word for command in commands for word in ("-ex", command)),
            *("--args", sys.executable, str(script), *arguments),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    if "ptrace" in done.stderr and "not permitted" in done.stderr:
        pytest.skip("gdb may not trace processes here")
    shown = done.stdout
    assert "hit Breakpoint 1, kernel_main () at " in shown, done.stdout + done.stderr
    assert "12\t    noc_async_read_barrier();" in shown
    assert '13\t    DPRINT << "page " << i << ENDL();' in shown
    assert "14\t    cb_push_back(cb, 1);" in shown
    assert "$1 = 0" in shown
    assert "$2 = 1" in shown
