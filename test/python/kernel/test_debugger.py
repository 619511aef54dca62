"""Debugged runs: where they stop, what they show, and that they compute the same."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from debugged_programs import NUMBERS, deadlock, double, doubling, endless, line, read, write

import ttmlir
from ttmlir import errors, kernel
from ttmlir.debugger import Debugger


@pytest.fixture
def debug() -> Debugger:
    return doubling().debug(x=NUMBERS)


def test_stops_at_a_line(debug: Debugger) -> None:
    with debug:
        assert debug.stop.reason == "launch"
        made = debug.break_at(line("commit"))
        assert [place.rpartition("/")[2] for place in made.places] == [line("commit")]
        for hits in range(1, 7):
            stop = debug.run()
            assert stop.reason == "breakpoint"
            assert stop.breakpoints == (made.id,)
            assert stop.thread is not None
            assert (stop.thread.kernel, stop.thread.name) == ("double", "compute")
            assert stop.thread.instruction == "tile_regs_commit()"
            assert debug.breakpoints[0].hits == hits
        assert debug.run().reason == "ended"
        assert (debug.result["y"] == 2 * NUMBERS).all()
        assert debug.result.prints[5].dprint == "0:(x=0,y=0):NC: page 5"


def test_a_line_without_an_instruction_is_the_next_one(debug: Debugger) -> None:
    file, _, number = line("reserve").rpartition(":")
    with debug:
        start = next(int(p.rpartition(":")[2]) for p in debug.break_at(f"{file}:15").places)
        assert 15 < start < int(number)
        assert debug.break_at(f"{file}:9999").places == ()
        assert debug.break_at("another.py:3").places == ()
        # A part of a name is another name.
        assert debug.break_at(line("push")[1:]).places == ()
        assert debug.break_at(f"kernel/{line('push')}").places != ()


@pytest.mark.parametrize(
    ("conditions", "kernel_name"),
    [
        ({"kernel": "write"}, "write"),
        ({"thread": "compute"}, "double"),
        ({"thread": "noc1", "core": (0, 0)}, "write"),
    ],
)
def test_stops_at_the_start_of_a_kernel(
    debug: Debugger, conditions: dict[str, object], kernel_name: str
) -> None:
    with debug:
        debug.break_at(**conditions)  # type: ignore[arg-type]
        stop = debug.run()
        assert stop.thread is not None
        assert (stop.thread.kernel, stop.thread.steps) == (kernel_name, 0)
        assert debug.run().reason == "ended"


def test_breakpoints_that_are_not_for_now(debug: Debugger) -> None:
    with debug:
        once = debug.break_at(line("push"), once=True)
        elsewhere = debug.break_at(line("reserve"), core=(1, 1))
        disabled = debug.break_at(line("commit"))
        debug.enable(disabled.id, False)
        deleted = debug.break_at(line("print"))
        debug.delete(deleted.id)
        assert debug.run().breakpoints == (once.id,)
        assert debug.run().reason == "ended"
        assert [b.id for b in debug.breakpoints] == [elsewhere.id, disabled.id]
        assert [b.hits for b in debug.breakpoints] == [0, 0]


def test_steps(debug: Debugger) -> None:
    with debug:
        debug.break_at(line("reserve"), once=True)
        debug.run()
        for instruction in ("get_write_ptr", "noc_async_read_page", "noc_async_read_barrier"):
            stop = debug.step()
            assert stop.reason == "step"
            assert stop.thread is not None
            assert stop.thread.opcode == instruction
        stop = debug.step_line()
        assert stop.thread is not None
        assert stop.thread.line.endswith(line("print"))
        assert debug.prints == ()
        debug.step_line()
        assert debug.prints == ("0:(x=0,y=0):NC: page 0",)
        # A thread that waits for the page: the reader goes on, too.
        stop = debug.step_line(debug.thread("noc1"))
        assert stop.thread is not None
        assert stop.thread.kernel == "write"


def test_steps_a_core(debug: Debugger) -> None:
    with debug:
        before = [t.steps for t in debug.threads]
        stop = debug.step_core((0, 0))
        assert stop.reason == "step"
        assert [t.steps for t in debug.threads] == [n + 1 for n in before]
        steps = 0
        while any(t.state != "ended" for t in debug.threads):
            debug.step_core((0, 0))
            steps += 1
        assert steps > 50
        assert debug.run().reason == "ended"
        assert (debug.result["y"] == 2 * NUMBERS).all()


@pytest.mark.parametrize("dtype", ["bf16", "f32", "bfp8_b", "i32"])
def test_shows_tiles(dtype: str) -> None:
    numbers = np.arange(64 * 96).reshape(64, 96) % 50
    typed = numbers.astype({"i32": "int32", "bf16": "bfloat16"}.get(dtype, "float32"))
    with doubling(dtype).debug(x=typed) as debug:
        debug.break_at(line("commit"))
        debug.run()
        core = debug.core(0, 0)
        buffer = core.buffers["in0"]
        assert (buffer.port, buffer.pages, buffer.dtype, buffer.tiled) == (0, 2, dtype, True)
        assert (buffer.available, buffer.room, buffer.waited) == (2, 0, 1)
        assert (buffer.front[0] == numbers[:32, :32]).all()
        assert (buffer.page(1) == numbers[:32, 32:64]).all()
        assert (core.tile(buffer.address, dtype) == numbers[:32, :32]).all()
        assert core.l1(buffer.address, buffer.page_size) == buffer.data[: buffer.page_size]
        (register,) = core.registers
        assert (register.section, register.index) == ("math", 0)
        assert register.kind == ("i32" if dtype == "i32" else "f32")
        assert (register.values == 2 * numbers[:32, :32]).all()


def test_shows_arguments_and_instructions(debug: Debugger) -> None:
    with debug:
        thread = debug.thread("noc0")
        assert set(debug.arguments(thread)) == {"runtime", "common", "compile_time", "registers"}
        code = debug.code(thread)
        assert [text for _, text, is_next in code if is_next] == ["tensor_accessor(r3, tensor 0)"]
        assert any(text.startswith("cb_reserve_back(cb 0, ") for _, text, _ in code)


def test_arguments_of_cores() -> None:
    @kernel.data_movement()
    def show(number: kernel.Value, shared: kernel.Value) -> None:
        kernel.dprint("{} {}", number, shared)

    program = kernel.Program("arguments", cores=(1, 2))
    program.output("y", (32, 32), "bf16")
    program.add(show, kernel.per_core([5, 6]), kernel.common(7))
    with program.debug(checks=False) as debug:
        found = [debug.arguments(thread) for thread in debug.threads]
        assert [f["runtime"] for f in found] == [(5,), (6,)]
        assert [f["common"] for f in found] == [(7,), (7,)]
        # Arguments are of the kernel, not of the line that runs the program.
        assert debug.threads[0].line.startswith(__file__)
        assert debug.step_line().thread.line == debug.threads[0].line  # type: ignore[union-attr]


def test_a_deadlock_can_be_inspected() -> None:
    with deadlock().debug() as debug:
        stop = debug.run()
        assert stop.reason == "deadlock"
        assert [t.core for t in debug.waiting] == [(0, 0), (0, 1)]
        for thread in debug.waiting:
            assert thread.line.endswith(line("exchange"))
            assert thread.waits_for == "semaphore 0 to be 1, which is 0"
            assert len(thread.suppliers) == 1
            assert "2 cores" in thread.suppliers[0]
        assert debug.core(0, 1).semaphores == {0: 0}
        assert debug.watcher_log().splitlines() == [
            "Device 0 worker core(x= 0,y= 0):    W, NSW,   W,   W,   W k_ids:0|1|0",
            "Device 0 worker core(x= 1,y= 0):    W, NSW,   W,   W,   W k_ids:0|1|0",
            "k_id[1]: exchange",
        ]
        stop = debug.run()
        assert stop.reason == "ended"
        assert isinstance(stop.error, errors.DeadlockFault)
        with pytest.raises(errors.DeadlockFault):
            _ = debug.result
        with pytest.raises(ttmlir.InputError, match="has ended"):
            _ = debug.threads


def test_a_fault_can_be_inspected() -> None:
    @kernel.data_movement()
    def pop(tiles: kernel.CircularBuffer) -> None:
        kernel.cb_pop_front(tiles, 1)

    program = kernel.Program("fault")
    program.output("y", (32, 32), "bf16")
    program.add(pop, program.circular_buffer("in0", pages=1))
    with program.debug() as debug:
        stop = debug.run()
        assert stop.reason == "fault"
        assert stop.thread is not None
        assert stop.thread.opcode == "cb_pop_front"
        assert "pages" in stop.message
        assert debug.core(0, 0).buffers["in0"].available == 0
        assert isinstance(debug.run().error, errors.BufferCapacityFault)


def test_the_step_limit_holds() -> None:
    with endless().debug(step_limit=1000) as debug:
        stop = debug.run()
        assert stop.reason == "fault"
        assert "expected at most 1000" in stop.message


def test_interrupts_and_abandons() -> None:
    with endless().debug() as debug:
        timer = threading.Timer(0.1, debug.interrupt)
        timer.start()
        stop = debug.run()
        timer.join()
        assert stop.reason == "interrupt"
        assert stop.thread is not None
        assert stop.thread.kernel == "spin"
        assert stop.thread.steps > 100
    with endless().debug():
        pass
    # The device is free again.
    assert (doubling().run(x=NUMBERS)["y"] == 2 * NUMBERS).all()


def test_results_and_times_are_those_of_a_run() -> None:
    program = doubling()
    plain = program.run(x=NUMBERS, report=True)
    with program.debug(x=NUMBERS, report=True) as debug:
        debug.break_at(line("push"))
        while debug.run().reason != "ended":
            pass
        found = debug.result
    assert found.prints == plain.prints
    assert found.notes == plain.notes
    assert found.report.cycles == plain.report.cycles


def test_chips_of_a_mesh() -> None:
    @kernel.data_movement()
    def signal(flag: kernel.Semaphore) -> None:
        other = 1 - kernel.get_my_device_id()
        there = kernel.get_noc_addr(kernel.my_x(), kernel.my_y(), flag)
        kernel.fabric_semaphore_inc(other, there, 3)
        kernel.fabric_async_write_barrier()
        kernel.noc_semaphore_wait(flag, 3)
        kernel.dprint("done")

    program = kernel.Program("mesh", mesh=(1, 2), target="n300")
    program.output("y", (32, 32), "bf16")
    program.add(signal, program.semaphore(0))
    with program.debug(checks=False) as debug:
        debug.break_at(kernel="signal", core=(0, 0), device=1)
        stop = debug.run()
        assert stop.thread is not None
        assert (stop.thread.device, stop.thread.steps) == (1, 0)
        assert str(stop.thread) == "signal on noc0 of core (0, 0) of device 1"
        (waiter,) = debug.waiting
        assert waiter.device == 0
        assert debug.core(0, 0, device=1).semaphores == {0: 0}
        assert debug.run().reason == "ended"
        assert debug.prints == ("0:(x=0,y=0):NC: done", "1:(x=0,y=0):NC: done")


def test_launches_after_each_other() -> None:
    program = doubling()
    program.then()
    twice, tiles = (
        program.output("twice", (64, 96), "bf16"),
        program.circular_buffer("in1", pages=2),
    )
    x = program.tensors[0]
    program.add(read, x, tiles)
    program.add(write, twice, tiles)
    with program.debug(x=NUMBERS) as debug:
        assert debug.run(launches=True).reason == "launch"
        assert [t.kernel for t in debug.threads] == ["read", "write"]
        debug.break_at(kernel="write")
        assert debug.run().reason == "breakpoint"
        assert debug.run().reason == "ended"
        assert (debug.result["twice"] == NUMBERS).all()


def test_compiled_programs() -> None:
    b = ttmlir.Builder("main")
    b.output(b.relu(b.input("x", (32, 32), "f32")))
    x = np.linspace(-1, 1, 1024, dtype=np.float32).reshape(32, 32)
    with ttmlir.compile(b, backend="ttmetal").debug(x) as debug:
        kernels = {t.kernel for t in debug.threads}
        debug.break_at(kernel=debug.threads[-1].kernel)
        stop = debug.run()
        assert stop.thread is not None
        assert stop.thread.kernel in kernels
        debug.delete(1)
        assert debug.run().reason == "ended"
        assert (debug.result == np.maximum(x, 0)).all()
    with (
        pytest.raises(ttmlir.Error, match="no kernels to debug"),
        ttmlir.compile(b).debug(x),
    ):
        pass
    with pytest.raises(ttmlir.InputError), ttmlir.compile(b, backend="ttmetal").debug():
        pass


def test_refuses_what_does_not_exist(debug: Debugger) -> None:
    with debug:
        for wrong in ("double.py", "double.py:x", ":3", "double.py:0", f"double.py:{1 << 40}"):
            with pytest.raises(ttmlir.InputError, match="expected a line as file:line"):
                debug.break_at(wrong)
        with pytest.raises(ttmlir.InputError, match="expected the thread noc0"):
            debug.break_at(thread="brisc")
        with pytest.raises(ttmlir.InputError, match="no breakpoint 7"):
            debug.delete(7)
        with pytest.raises(ttmlir.InputError, match="found \\(90, 0\\)"):
            debug.core(90, 0)
        with pytest.raises(ttmlir.InputError, match="no kernel runs on noc0"):
            debug.thread("noc0", (1, 0))
        with pytest.raises(ttmlir.InputError, match="no kernel runs on core"):
            debug.step_core((1, 0))
        core = debug.core(0, 0)
        for address, size in ((-1, 4), (0, 1 << 30), (1 << 62, 4)):
            with pytest.raises(ttmlir.InputError, match="L1"):
                core.l1(address, size)
        with pytest.raises(ttmlir.InputError, match="expected a format"):
            core.tile(0, "f64")
        with pytest.raises(ttmlir.InputError, match="a page below 2"):
            core.buffers["in0"].page(2)
        with pytest.raises(ttmlir.InputError, match="has not ended"):
            _ = debug.result


def test_the_device_of_a_stopped_program_is_in_use() -> None:
    with doubling().debug(x=NUMBERS) as debug:
        with pytest.raises(ttmlir.Error, match="a debugger has stopped"):
            doubling().run(x=NUMBERS)
        with pytest.raises(ttmlir.InputError, match="a debugger has stopped"):
            doubling().debug(x=NUMBERS).__enter__()
        assert debug.run().reason == "ended"
        assert (doubling().run(x=NUMBERS)["y"] == 2 * NUMBERS).all()


def test_the_interpreter_ends_while_a_program_is_stopped_or_runs() -> None:
    text = """
from debugged_programs import NUMBERS, doubling, endless
stopped = doubling().debug(x=NUMBERS)
stopped.__enter__()
"""
    folder = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, timeout=60, check=False)
    assert done.returncode == 0


def test_names_of_the_kernels() -> None:
    assert Path(line("commit").rpartition(":")[0]).stem == "debugged_programs"
    assert [k.name for k in (read, double, write)] == ["read", "double", "write"]
