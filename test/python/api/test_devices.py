"""A device is open as long as somebody uses it: an executable, or a result on it."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import ttmlir
from ttmlir import kernel, runtime

ONES = np.ones((32, 32), np.float32)


def double(target: str = "p150", backend: str = "ttnn") -> ttmlir.Executable:
    """For a system that no other test keeps open."""
    b = ttmlir.Builder()
    x = b.input("x", (32, 32))
    b.output(b.add(x, x))
    if backend == "ttmetal":
        return ttmlir.compile(b, target=target, backend=backend)
    return ttmlir.compile(b, target=target, results_on_device=True)


def is_closed(device: runtime.WeakDevice) -> bool:
    gc.collect()
    return device() is None


def address_space() -> int:
    """Bytes that the process has mapped; a device of this system takes tens of GB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * 4096


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_closed_when_the_last_user_is_gone(backend: str) -> None:
    exe = double(backend=backend)
    before = address_space()
    np.testing.assert_array_equal(exe(ONES), 2 * ONES)
    device = runtime.WeakDevice(exe.device)
    assert not is_closed(device)
    assert address_space() - before > 1 << 33
    del exe
    assert is_closed(device)
    assert address_space() - before < 1 << 32


def test_two_users_share_a_device() -> None:
    first, second = double(), double()
    device = runtime.WeakDevice(first.device)
    kept = first(ONES, keep_on_device=True)
    runtime.enable_report(first.device, True)
    np.testing.assert_array_equal(second(kept), 4 * ONES)
    # The run of the second, in the report of the device as the first one has it.
    assert "eltwise.add" in [op.name for op in runtime.get_report(first.device).ops]
    runtime.enable_report(first.device, False)
    del first, kept
    assert not is_closed(device)
    np.testing.assert_array_equal(second(ONES), 2 * ONES)
    del second
    assert is_closed(device)


def test_a_result_on_the_device_keeps_it_open() -> None:
    exe = double()
    device = runtime.WeakDevice(exe.device)
    kept = exe(ONES, keep_on_device=True)
    assert kept.is_on_device
    del exe
    assert not is_closed(device)
    exe = double()
    again = device()
    assert again is not None
    # The next executable takes the same device: what is set on one handle is read from the other.
    runtime.set_device_options(again, runtime.DeviceOptions(step_limit=12345))
    assert runtime.get_device_options(exe.device).step_limit == 12345
    np.testing.assert_array_equal(exe(kept), 4 * ONES)
    del exe, again
    np.testing.assert_array_equal(runtime.to_numpy(kept), 2 * ONES)
    del kept
    assert is_closed(device)


def test_a_shard_keeps_the_device_of_its_mesh_open() -> None:
    opened = runtime.open_mesh_device([1, 2], system_desc=runtime.get_default_system_desc("n300"))
    part = runtime.create_sub_mesh_device(opened, [1, 1])
    device = runtime.WeakDevice(opened)
    del opened
    assert not is_closed(device)
    del part
    assert is_closed(device)


def test_a_closed_device_is_not_what_the_next_one_gets() -> None:
    """Its options and its tensors are gone with it."""
    exe = double()
    runtime.set_device_options(exe.device, runtime.DeviceOptions(step_limit=12345))
    device = runtime.WeakDevice(exe.device)
    del exe
    assert is_closed(device)
    exe = double()
    default = runtime.get_default_device_options().step_limit
    assert runtime.get_device_options(exe.device).step_limit == default


def wrong_input(exe: ttmlir.Executable) -> None:
    exe(np.ones((3, 3), np.float32))


def runs_too_long(exe: ttmlir.Executable) -> None:
    """The run itself fails: the device has been told to stop early."""
    runtime.set_device_options(exe.device, runtime.DeviceOptions(step_limit=1))
    exe(ONES)


@pytest.mark.parametrize(
    ("backend", "fail", "kind"),
    [
        ("ttnn", wrong_input, ttmlir.InputError),
        ("ttmetal", wrong_input, ttmlir.InputError),
        ("ttmetal", runs_too_long, ttmlir.errors.Fault),
    ],
)
def test_closed_after_an_exception(
    backend: str, fail: Callable[[ttmlir.Executable], None], kind: type[Exception]
) -> None:
    exe = double(backend=backend)
    device = runtime.WeakDevice(exe.device)
    with pytest.raises(kind) as caught:
        fail(exe)
    # It can be used after.
    runtime.set_device_options(exe.device, runtime.get_default_device_options())
    np.testing.assert_array_equal(exe(ONES), 2 * ONES)
    del exe, caught
    assert is_closed(device)


def test_a_program_of_kernels_closes_its_device() -> None:
    @kernel.data_movement(noc=0)
    def write(y: kernel.Tensor, buffer: kernel.CircularBuffer) -> None:
        pages = kernel.tensor_accessor(y)
        kernel.cb_reserve_back(buffer, 1)
        kernel.noc_async_write_page(0, pages, kernel.get_write_ptr(buffer))
        kernel.noc_async_write_barrier()

    program = kernel.Program("zeros", target="p150")
    y = program.output("y", (32, 32), "f32")
    program.add(write, y, program.circular_buffer("in0", "f32"))
    device = runtime.WeakDevice(program.compile().device)
    program.run(checks=False)
    del program
    assert is_closed(device)


@pytest.mark.parametrize(
    "end",
    [
        "",
        "cycle = [exe, kept]; cycle.append(cycle); del exe, kept",
        "import sys; sys.exit(0)",
        "import atexit; atexit.register(lambda: print(kept.to_array().sum()))",
        "import threading; t = threading.Thread(target=lambda: exe(x), daemon=True); t.start()",
    ],
)
def test_the_interpreter_exits_with_open_devices(end: str) -> None:
    code = (
        "import numpy as np, ttmlir\n"
        "b = ttmlir.Builder()\n"
        "b.output(b.relu(b.input('x', (32, 32))))\n"
        "x = np.ones((32, 32), np.float32)\n"
        "exe = ttmlir.compile(b, results_on_device=True)\n"
        "kept = exe(x, keep_on_device=True)\n"
        "print(exe(kept).sum())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + end], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1024.0\n")
