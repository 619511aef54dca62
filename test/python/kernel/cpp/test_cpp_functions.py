"""The functions of the kernel library: the page in the docs, and kernels that call them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cpp_programs import cpp

import ttmlir
from ttmlir import errors, kernel

ROOT = Path(__file__).parents[4]
HEADERS = Path(ttmlir.__file__).parent / "include" / "kernel_api"


def test_page_of_functions() -> None:
    script = ROOT / "tools" / "kernel_functions_page.py"
    page = ROOT / "docs" / "src" / "kernel_functions.md"
    done = subprocess.run(
        [sys.executable, script, HEADERS, page, "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["all_dataflow", "all_compute"])
def test_forms_of_calls(name: str) -> None:
    """They compile; the kernels end before the calls, so the output is not written."""
    program = kernel.Program(name)
    y = program.output("y", (32, 32))
    config = kernel.DataMovement(1) if name == "all_dataflow" else kernel.Compute()
    program.add(cpp(name, config, compile_args=[y]), 0, 0)
    with pytest.raises(errors.UninitializedReadFault):
        program.run()
