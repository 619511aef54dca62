"""The package beside others in one process, and what it is linked against."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import ttmlir.ir

USE = """
import importlib, sys
for name in sys.argv[1:]:
    ir = importlib.import_module(name)
    with ir.Context(), ir.Location.unknown():
        function = ir.Module.parse("func.func @f(%a: i32) -> i32 { return %a : i32 }")
        assert function.operation.verify()
"""


def has_upstream() -> bool:
    return importlib.util.find_spec("mlir") is not None and bool(
        importlib.util.find_spec("mlir.ir")
    )


@pytest.mark.parametrize("order", [("mlir.ir", "ttmlir.ir"), ("ttmlir.ir", "mlir.ir")])
def test_upstream_bindings_in_one_process(order: tuple[str, str]) -> None:
    if not has_upstream():
        pytest.skip("the upstream bindings (xtc-mlir-python-bindings) are not installed")
    subprocess.run([sys.executable, "-c", USE, *order], check=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the output of ldd")
def test_nothing_needs_libllvm() -> None:
    libraries = list((Path(ttmlir.ir.__file__).parent / "_mlir_libs").glob("*.so"))
    assert len(libraries) >= 4
    needed = subprocess.run(
        ["ldd", *map(str, libraries)], check=True, capture_output=True, text=True
    ).stdout
    assert "libLLVM" not in needed
    assert "not found" not in needed


def test_stubs_are_there() -> None:
    package = Path(ttmlir.ir.__file__).parent
    assert (package / "py.typed").exists()
    for stub in ("_mlir/ir", "_ttmlir/__init__", "_ttmlir/tt_ir", "_ttmlir/passes"):
        assert (package / "_mlir_libs" / f"{stub}.pyi").stat().st_size > 100
