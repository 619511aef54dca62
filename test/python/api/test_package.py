"""The package itself: lazy imports, versions, and life beside other packages."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageMetadata
from importlib.util import find_spec

import pytest

import ttmlir


def python(code: str) -> str:
    """Output of a new process; its errors fail the test."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_nothing() -> None:
    loaded = python(
        "import sys, ttmlir\n"
        "print([m for m in ('numpy', 'torch', 'ttmlir.ir', 'ttmlir._runtime') if m in sys.modules])"
    )
    assert loaded.strip() == "[]"


def test_torch_is_never_imported() -> None:
    assert "torch" not in python(
        "import sys, numpy, ttmlir\n"
        "b = ttmlir.Builder()\n"
        "b.output(b.relu(b.input('x', (32, 32))))\n"
        "ttmlir.compile(b)(numpy.ones((32, 32), numpy.float32))\n"
        "print([m for m in sys.modules if m == 'torch'])"
    )


def test_all_names_exist() -> None:
    needs_jax = set() if find_spec("jax") else {"jit"}
    for name in set(ttmlir.__all__) - needs_jax:
        assert getattr(ttmlir, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ttmlir.nonsense


def test_version_is_the_packages(package: PackageMetadata) -> None:
    assert ttmlir.__version__ == package["Version"]


@pytest.mark.parametrize("order", ["mlir.ir, ttmlir.ir", "ttmlir.ir, mlir.ir"])
def test_beside_upstream_mlir(order: str) -> None:
    pytest.importorskip("mlir._mlir_libs")
    python(
        f"import {order}\n"
        "import mlir.ir as a, ttmlir.ir as b\n"
        "for ir in (a, b):\n"
        "    print(ir.Module.parse('func.func @f() { return }', ir.Context()))"
    )


def test_errors_of_the_runtime_are_the_packages() -> None:
    names = [name for name in ttmlir.runtime.__all__ if name.endswith("Error")]
    assert len(names) == 9
    for name in names:
        found = getattr(ttmlir.runtime, name)
        assert issubclass(found, ttmlir.runtime.RuntimeError)
        assert issubclass(found, ttmlir.Error)
        assert issubclass(found, RuntimeError)
        assert f"{found.__module__}.{found.__name__}" == f"ttmlir.runtime.{name}"
    assert issubclass(ttmlir.runtime.FileError, OSError)
    assert issubclass(ttmlir.runtime.FormatError, ValueError)
    assert issubclass(ttmlir.runtime.ArgumentError, ValueError)
    assert issubclass(ttmlir.runtime.OutOfMemoryError, ttmlir.OutOfMemoryError)
    assert issubclass(ttmlir.runtime.OutOfMemoryError, MemoryError)


@pytest.mark.parametrize(("target", "room"), [("n150", 14), ("p150", 36)])
def test_addresses_that_a_device_takes(target: str, room: int) -> None:
    """docs/src/threats.md says how many: a device opens within ``room`` GB, not within two less."""
    code = (
        "import resource, numpy, ttmlir\n"
        "b = ttmlir.Builder()\n"
        "b.output(b.relu(b.input('x', (32, 32))))\n"
        f"exe = ttmlir.compile(b, target='{target}')\n"
        "resource.setrlimit(resource.RLIMIT_AS, ({room} * 10**9,) * 2)\n"
        "try:\n"
        "    print(exe(numpy.ones((32, 32), numpy.float32)).sum())\n"
        "except ttmlir.OutOfMemoryError as error:\n"
        "    print(error)\n"
    )
    assert python(code.replace("{room}", str(room))) == "1024.0\n"
    assert "memory" in python(code.replace("{room}", str(room - 2)))
