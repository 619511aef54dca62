"""The worked examples: numbers against NumPy, on several grids, with every check, and the same bits
with one and two host threads."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from kernel_cpp import cpp_errors

from ttmlir import kernel
from ttmlir.errors import DeadlockFault

EXAMPLES = Path(__file__).parents[3] / "examples" / "kernels"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
Array = np.ndarray[Any, np.dtype[Any]]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(program: kernel.Program, **inputs: Array) -> Array:
    """The only result, which must not depend on the number of host threads."""
    (name,) = (t.name for t in program.tensors if t.role == "output")
    one, two = (program.run(checks=True, host_threads=n, **inputs)[name] for n in (1, 2))
    assert one.tobytes() == two.tobytes()
    return one


def normal(*shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize(
    ("shape", "cores"), [((256, 192), (2, 3)), ((40, 72), (1, 1)), ((2, 64, 160), (8, 8))]
)
@pytest.mark.parametrize("dtype", ["bf16", "f32"])
def test_eltwise_add(shape: tuple[int, ...], cores: tuple[int, int], dtype: str) -> None:
    host = ml_dtypes.bfloat16 if dtype == "bf16" else np.float32
    a, b = normal(*shape, dtype=host), normal(*shape, dtype=host)[::-1].copy()
    c = run(load("eltwise_add").build(shape, cores, dtype), a=a, b=b)
    expected = a.astype(np.float64) + b.astype(np.float64)
    # f32 passes the unpacker as tf32: 10 bits of mantissa.
    bits = 8 if dtype == "bf16" else 10
    size = np.abs(a.astype(np.float64)) + np.abs(b.astype(np.float64))
    assert c.shape == shape
    assert (np.abs(c.astype(np.float64) - expected) <= 2.0**-bits * size).all()


@pytest.mark.parametrize("cores", [(2, 3), (4, 3), (1, 3), (2, 1), (1, 1)])
def test_matmul_multicast(cores: tuple[int, int]) -> None:
    m, n = 32 * 2 * cores[0], 32 * 2 * cores[1]
    a, b = normal(m, 256, dtype=ml_dtypes.bfloat16), normal(256, n, dtype=ml_dtypes.bfloat16)
    c = run(load("matmul_multicast").build(m, 256, n, cores), a=a, b=b)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    # Sums are kept in f32 and rounded to bf16 once.
    bound = 2.0**-8 * np.abs(wide_a @ wide_b) + 2.0**-16 * (np.abs(wide_a) @ np.abs(wide_b))
    assert (np.abs(c.astype(np.float64) - wide_a @ wide_b) <= bound).all()


@pytest.mark.parametrize("columns", [1, 4, 8])
def test_reduce_sum(columns: int) -> None:
    x = np.random.default_rng(columns).random((96, 256), np.float32)
    y = run(load("reduce_sum").build((96, 256), columns), x=x)
    assert y[0, 0] == pytest.approx(x.sum(dtype=np.float64), rel=2.0**-10)


@pytest.mark.parametrize("cores", [2, 4, 8])
def test_ring(cores: int) -> None:
    ring = load("ring")
    x = normal(32, 32 * cores)
    assert (run(ring.build(cores), x=x) == ring.expected(x, cores)).all()


@pytest.mark.parametrize(
    ("mesh", "target"), [((1, 2), "n300"), ((1, 8), "t3000"), ((2, 2), "t3000")]
)
def test_chips_ring(mesh: tuple[int, int], target: str) -> None:
    program = load("chips_ring").build((64, 96), mesh, target)
    x = [normal(64, 96) * (chip + 1) for chip in range(program.chips)]
    one, two = (program.run(x=x, host_threads=n)["y"] for n in (1, 2))
    wide = np.asarray(x, np.float64)
    # f32 passes the unpacker as tf32: 10 bits of mantissa.
    bound = 2.0**-10 * np.abs(wide).sum(0)
    for chip in range(program.chips):
        assert one[chip].tobytes() == two[chip].tobytes()
        assert (np.abs(one[chip] - wide.sum(0)) <= bound).all()


@pytest.mark.parametrize(("shape", "cores"), [((256, 192), (2, 2)), ((96, 64), (1, 2))])
def test_softmax(shape: tuple[int, int], cores: tuple[int, int]) -> None:
    softmax = load("softmax")
    x = normal(*shape)
    y = run(softmax.build(shape, cores), x=x)
    np.testing.assert_allclose(y, softmax.expected(x), rtol=2.0**-7, atol=1e-6)


def test_deadlock_names_the_culprit() -> None:
    deadlock = load("deadlock")
    lines = (EXAMPLES / "deadlock.py").read_text().splitlines()
    with pytest.raises(DeadlockFault) as caught:
        deadlock.build().run(x=np.zeros((32, 64), np.float32))
    first, second = caught.value.waiters
    assert (first.kernel, first.core, first.thread) == ("send", (0, 0), "noc0")
    assert (second.kernel, second.core, second.thread) == ("receive", (0, 1), "noc0")
    for waiter, text in ((first, "wait(room, 1)"), (second, "wait(arrived, 1)")):
        file, line, _ = waiter.location.rsplit(":", 2)
        assert Path(file).name == "deadlock.py"
        assert text in lines[int(line) - 1]
    assert any("receive" in supplier and "0, 1" in supplier for supplier in first.suppliers)
    assert any("send" in supplier and "0, 0" in supplier for supplier in second.suppliers)
    assert "deadlock.py" in str(caught.value)


def test_their_cpp_is_cpp(tmp_path: Path) -> None:
    kernels = [load(name).build().compile().binary.get_program_kernels(0) for name in NAMES]
    assert all(kernels)
    assert cpp_errors((source for found in kernels for _, source in found), tmp_path) == ""


@pytest.mark.parametrize("name", NAMES)
def test_as_scripts(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
