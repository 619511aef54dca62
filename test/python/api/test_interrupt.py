"""Ctrl-C, and what else a handler of a signal raises, ends what runs; everything works after."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import ttmlir
from ttmlir import kernel, passes, runtime


class Stop(Exception):
    """What the handler of these tests raises."""


def raise_stop(_number: int, _frame: FrameType | None) -> None:
    raise Stop


@contextmanager
def stopped(after: float) -> Iterator[None]:
    """Expects the body to be ended by a signal that comes after so many seconds."""
    before = signal.signal(signal.SIGALRM, raise_stop)
    came = False
    try:
        signal.setitimer(signal.ITIMER_REAL, after)
        yield
    except Stop:
        came = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert came, "expected to be stopped"


def products(count: int, size: int) -> ttmlir.Builder:
    b = ttmlir.Builder()
    x = result = b.input("x", (size, size), "bf16")
    for _ in range(count):
        result = b.matmul(result, x)
    b.output(result)
    return b


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_ends(backend: str, threads: int) -> None:
    size = 1024
    exe = ttmlir.compile(products(300, size), backend=backend)
    x = np.eye(size, dtype="bfloat16")
    results = np.full((size, size), 7, "bfloat16")
    inputs, outputs = [runtime.from_numpy(x)], [runtime.from_numpy(results)]
    runtime.set_num_threads(threads)
    try:
        with stopped(0.15):
            runtime.submit(exe.device, exe.binary, 0, inputs, outputs)
    finally:
        runtime.set_num_threads(0)
    assert (results == 7).all(), "the run went on to its end"
    small = ttmlir.compile(products(2, 64), backend=backend)
    value = np.random.default_rng(0).integers(-2, 3, (64, 64)).astype("bfloat16")
    expected = (value.astype("f4") @ value.astype("f4")) @ value.astype("f4")
    np.testing.assert_allclose(small(value).astype("f4"), expected, rtol=0.02, atol=8)


def test_nothing_stays_allocated() -> None:
    exe = ttmlir.compile(products(300, 1024))
    small = ttmlir.compile(products(1, 64))
    before = small.report().dram_high_water
    x = np.eye(1024, dtype="bfloat16")
    with stopped(0.15):
        exe(x)
    assert small.report().dram_high_water == before


def endless(x: kernel.Tensor) -> None:
    for i in kernel.range((1 << 31) - 1):
        kernel.store_to_l1(i, 0x100000, 4)


def endless_program() -> kernel.Program:
    program = kernel.Program("endless")
    x = program.input("x", (32, 32))
    program.output("y", (32, 32))
    program.add(kernel.data_movement(noc=0)(endless), x)
    return program


def test_an_endless_kernel_ends() -> None:
    program = endless_program()
    program.compile()
    for _ in range(2):
        with stopped(0.1):
            program.run(x=np.zeros((32, 32), "bfloat16"))


def test_a_wait_for_another_thread_ends() -> None:
    """Runs on one device take turns."""
    exe = ttmlir.compile(products(60, 1024))
    x = np.eye(1024, dtype="bfloat16")
    _ = exe.device
    found: list[np.ndarray] = []
    other = threading.Thread(target=lambda: found.append(exe(x)))
    other.start()
    with stopped(0.1):
        while other.is_alive():
            exe(x)
    other.join()
    assert (found[0] == x).all(), "the other thread is not concerned"


def test_a_pipeline_ends() -> None:
    b = ttmlir.Builder()
    x = result = b.input("x", (64, 64), "bf16")
    for _ in range(3000):
        result = b.relu(b.add(result, x))
    b.output(result)
    module = b.module
    with stopped(0.02):
        passes.ttir_to_ttmetal_backend_pipeline(module)
    assert "ttir." in str(module), "the pipeline went on to its end"
    # The context is as good as before.
    again = ttmlir.ir.Module.parse("func.func @f() { return }", module.context)
    passes.run_pipeline(again, "canonicalize")
    with pytest.raises(passes.PassError, match="nothing"):
        passes.run_pipeline(again, "nothing")


def test_a_translation_ends(tmp_path: Path) -> None:
    b = ttmlir.Builder()
    x = result = b.input("x", (64, 64), "bf16")
    for _ in range(300):
        result = b.softmax(b.add(b.matmul(result, x), x), 1)
    b.output(result)
    module = b.module
    passes.ttir_to_ttmetal_backend_pipeline(module)
    target = tmp_path / "program.ttm"
    with stopped(0.1):
        passes.ttmetal_to_flatbuffer_file(module, target)
    assert not target.exists()
    passes.ttmetal_to_flatbuffer_file(module, target)
    assert ttmlir.load(target).inputs[0].shape == (64, 64)


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], subprocess.Popen[str]]:
    def start(text: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", text]
        return subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start


def test_ttrt_ends(tmp_path: Path, script: Callable[[str], subprocess.Popen[str]]) -> None:
    endless_program().save(tmp_path / "endless.ttm")
    # The signal comes when ttrt has the program in its hands.
    child = script(
        "import os, signal, threading\n"
        "from ttrt.cli import run\n"
        "from ttrt.common.run import Call\n"
        "original = Call.run\n"
        "def measured(*arguments):\n"
        "    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    return original(*arguments)\n"
        "Call.run = measured\n"
        "raise SystemExit(run(['run', 'endless.ttm']))\n"
    )
    _, errors = child.communicate(timeout=120)
    assert child.returncode == 1
    assert errors.strip().endswith("error: interrupted")
    assert "Traceback" not in errors


def test_threads_do_not_outlive_the_interpreter(
    tmp_path: Path, script: Callable[[str], subprocess.Popen[str]]
) -> None:
    """A daemon thread may be in the middle of a run when the main thread ends."""
    ttmlir.compile(products(3, 128), backend="ttmetal").save(tmp_path / "program.ttm")
    child = script(
        "import threading, time, numpy as np, ttmlir\n"
        "exe = ttmlir.load('program.ttm')\n"
        "x = np.zeros((128, 128), 'bfloat16')\n"
        "def forever():\n"
        "    while True:\n"
        "        exe(x)\n"
        "threading.Thread(target=forever, daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )
    _, errors = child.communicate(timeout=120)
    assert (child.returncode, errors) == (0, "")


def test_handlers_that_return_let_a_run_go_on() -> None:
    exe = ttmlir.compile(products(20, 1024))
    x = np.eye(1024, dtype="bfloat16")
    calls: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: calls.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        result = exe(x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert calls
    assert (result == x).all()
