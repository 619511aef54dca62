"""Host programs in C++ against the same programs of ``ttmlir.kernel``: they run the same kernels,
so the results have the same bits and the clock the same cycles. Each program also compares its
results with a reference of its own."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_programs import BF16, KERNELS, PROGRAMS, numbers

from ttmlir import config

HOST = Path(__file__).parent / "host"
EXAMPLES = Path(__file__).parents[4] / "examples" / "host"
# Without a host program.
ONLY_KERNELS = ("softmax",)

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles a host program by one line."""
    folder = tmp_path_factory.mktemp("host")

    def run(source: Path, *options: str) -> Path:
        program = folder / "".join([source.stem, *options])
        if not program.exists():
            flags = ["-Wall", "-Wextra", "-Werror", *options, *config.compile_flags()]
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


def run_program(
    programs: Path, name: str, folder: Path, inputs: dict[str, Any]
) -> tuple[Any, float]:
    """Runs a host program; returns the elements of its result, and its cycles."""
    for key, value in inputs.items():
        (folder / f"{key}.bin").write_bytes(value.tobytes())
    done = call(programs, name, folder)
    assert done.returncode == 0, done.stderr
    (cycles,) = re.findall(r"^cycles (\S+)$", done.stdout, re.MULTILINE)
    return np.frombuffer((folder / "y.bin").read_bytes(), BF16), float(cycles)


def kernel_cycles(result: Any) -> float:
    return float(sum(op.cycles for op in result.report.ops if op.kernels))


@pytest.mark.sampled(4, always=["matmul_reuse", "shard_data_rm"])
@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - set(ONLY_KERNELS)))
def test_same_results_and_cycles(name: str, programs: Path, tmp_path: Path) -> None:
    case = PROGRAMS[name](True)
    found, cycles = run_program(programs, name, tmp_path, case.inputs)
    result = case.program.run(report=True, **case.inputs)
    assert found.tobytes() == result["y"].tobytes()
    assert cycles == pytest.approx(kernel_cycles(result), rel=1e-12)


def test_a_program_at_fixed_addresses(build: Build, tmp_path: Path) -> None:
    """Its heap may start below 4 GiB, like that of Debian's Python."""
    case = PROGRAMS["loopback"](True)
    run_program(build(HOST / "programs.cpp", "-no-pie"), "loopback", tmp_path, case.inputs)


def test_multicast(programs: Path, tmp_path: Path) -> None:
    """The same as the example, whose kernels are in Python."""
    path = EXAMPLES.parent / "kernels" / "matmul_multicast.py"
    spec = importlib.util.spec_from_file_location("matmul_multicast", path)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    inputs = {"a": numbers(128, 256), "b": numbers(256, 192, seed=1)}
    found, cycles = run_program(programs, "matmul_multicast", tmp_path, inputs)
    result = example.build().run(report=True, **inputs)
    assert found.tobytes() == result["c"].tobytes()
    assert cycles == pytest.approx(kernel_cycles(result), rel=1e-12)


MISTAKES = {
    "fault": "kernel 'kernel_0' on noc0 of core (0, 0), cb_push_back at kernel_0.cpp:4: 2 pages",
    "assertion": "at kernel_0.cpp:4: assertion failed: get_arg_val<uint32_t>(0) == 8",
    "division": "core (0, 0), divui at kernel_0.cpp:4: 8 is divided by zero",
    "endless": "has not ended; expected at most 10000",
    "text": "kernel_0.cpp:3:3: error: 'cb_reserve_front' was not declared",
    "waits": "deadlock: 1 threads wait forever",
    "core": "the kernel 'kernel_0' does not run on core (x=1,y=0)",
    "device": "expected a device id from 0 to 0, found 7",
    "path": "the kernel 'no/such.cpp' is not found in",
    "memory": "DRAM exhausted: buffer of 33554432 pages of 2048 bytes requested",
    "size": "expected at most the 4096 bytes of a buffer, found 4100",
    "page": "circular buffer 1: expected a page size that divides 250 bytes, found 100",
    "thrown": "an exception that is not a std::exception",
    "crash": "an invalid memory access in ",
    "nothing": "expected a program with kernels",
}


@pytest.mark.sampled(6, always=["fault", "crash", "division"])
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_end_with_status_1(name: str, build: Build) -> None:
    done = call(build(HOST / "mistakes.cpp"), name, env={**os.environ, "LC_ALL": "C"})
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert MISTAKES[name] in done.stderr


def test_parts_of_the_host_api(build: Build) -> None:
    done = call(build(HOST / "parts.cpp"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0:(x=0,y=0):BR: 42\n" * 2
    assert done.stderr == "info: 6144 elements of a matrix\n"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("vecadd_multi_core", "640 tiles added on 64 cores in "),
        ("matmul_multi_core", "320x256x384 multiplied on 64 cores in "),
    ],
)
def test_examples(name: str, shown: str, build: Build) -> None:
    done = call(build(EXAMPLES / f"{name}.cpp"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(shown)


def test_times_of_programs(build: Build) -> None:
    done = call(
        build(EXAMPLES / "loopback.cpp"), env={**os.environ, "TT_METAL_DEVICE_PROFILER": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("50 pages copied in ")
    program, kernel = done.stderr.splitlines()
    assert re.fullmatch(r"program 1: \d+ cycles \([\d.]+ us\)", program)
    assert re.fullmatch(r"  copy_pages on noc0 of 1 core: cycles \d+ to \d+, busy \d+", kernel)


def test_cmake_finds_the_package(tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("needs cmake")
    package = config.cmake_dir()
    done = call("cmake", "-S", EXAMPLES, "-B", tmp_path, f"-Dttmlir_DIR={package}")
    assert done.returncode == 0, done.stderr
    done = call("cmake", "--build", tmp_path, "--target", "loopback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert call(tmp_path / "loopback").stdout.startswith("50 pages copied in ")


def test_flags() -> None:
    flags = call(sys.executable, "-m", "ttmlir.config", "--cxxflags", "--libs").stdout.split()
    assert flags == [*config.compile_flags(), *config.link_flags()]
    folders = call(sys.executable, "-m", "ttmlir.config", "--includedir", "--libdir", "--cmakedir")
    include, library, package = map(Path, folders.stdout.split())
    assert (include / "tt-metalium" / "host_api.hpp").is_file()
    assert (library / "libtt_metal.so").is_file()
    assert (package / "ttmlir-config.cmake").is_file()
    done = call(sys.executable, "-m", "ttmlir.config")
    assert done.returncode == 2
    assert "expected --cxxflags" in done.stderr
