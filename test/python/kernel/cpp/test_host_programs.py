"""Host programs in C++ against the same programs of ``ttmlir.kernel``: they run the same kernels, so
the results have the same bits and the clock the same cycles. Each program also compares its results
with a reference of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cpp_programs import BF16, KERNELS, PROGRAMS

from ttmlir import config

HOST = Path(__file__).parent / "host"
# Without a host program.
ONLY_KERNELS = ("softmax",)

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Build = Callable[[Path], Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles a host program by one line."""
    folder = tmp_path_factory.mktemp("host")

    def run(source: Path) -> Path:
        program = folder / source.stem
        if not program.exists():
            flags = ["-Wall", "-Wextra", "-Werror", *config.compile_flags()]
            flags += [f'-DKERNELS="{KERNELS}"', str(source), *config.link_flags()]
            done = subprocess.run(
                ["g++", *flags, "-o", str(program)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
        return program

    return run


@pytest.fixture(scope="session")
def programs(build: Build) -> Path:
    return build(HOST / "programs.cpp")


def call(*command: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - set(ONLY_KERNELS)))
def test_same_results_and_cycles(name: str, programs: Path, tmp_path: Path) -> None:
    import numpy as np

    case = PROGRAMS[name](True)
    for key, value in case.inputs.items():
        (tmp_path / f"{key}.bin").write_bytes(value.tobytes())
    done = call(programs, name, tmp_path)
    assert done.returncode == 0, done.stderr
    result = case.program.run(report=True, **case.inputs)
    found = np.frombuffer((tmp_path / "y.bin").read_bytes(), BF16).reshape(result["y"].shape)
    assert found.tobytes() == result["y"].tobytes()
    (cycles,) = re.findall(r"^cycles (\S+)$", done.stdout, re.MULTILINE)
    kernels = [op.cycles for op in result.report.ops if op.kernels]
    assert float(cycles) == pytest.approx(sum(kernels), rel=1e-12)
