"""The kernel library is compiled once, in advance, for kernels with the same options."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ttmlir import kernel

KERNEL = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  uint32_t page = get_write_ptr(0);
  cb_reserve_back(0, 1);
  for (int i = 0; i < 512; ++i)
    reinterpret_cast<volatile tt_l1_ptr uint32_t *>(page)[i] = VALUE;
  noc_async_write_page(0, TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0)), page);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""
PROGRAM = f"""
from ttmlir import kernel

KERNEL = '''{KERNEL}'''


def run(value, noc=0, **defines):
    program = kernel.Program("filled")
    y = program.output("y", (32, 32))
    program.circular_buffer("in0", pages=1)
    own = kernel.from_cpp(
        KERNEL, kernel.DataMovement(noc), compile_args=[y], defines=dict(VALUE=value, **defines)
    )
    program.add(own, y)
    return program.run().outputs["y"]
"""
#: g++ that lists the headers it reads, of which it marks a precompiled one by "!".
COMPILER = """#!/bin/sh
echo compilation >> {log}
g++ -H "$@" 2> {messages}.$$
status=$?
grep '^!' {messages}.$$ >> {log}
grep -v '^[!.]' {messages}.$$ >&2
exit $status
"""

namespace: dict[str, Callable[..., np.ndarray]] = {}
exec(PROGRAM, namespace)  # also run by processes
run = namespace["run"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ttmlir" / "kernels"


def filled(value: int) -> float:
    """Returns the number of all elements of a page filled with 32-bit words."""
    return float(np.uint32(value << 16).view(np.float32))


def check(value: int, noc: int = 0, **defines: object) -> None:
    assert (run(value << 16 | value, noc, **defines).astype(np.float32) == filled(value)).all()


@pytest.fixture
def used(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Returns how many compilations used a precompiled header since the last call."""
    log = tmp_path / "log"
    compiler = tmp_path / "logged-g++"
    compiler.write_text(COMPILER.format(log=log, messages=tmp_path / "messages"))
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))

    def count() -> int:
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return sum("kernel.h.gch" in line for line in lines if line.startswith("!"))

    return count


def libraries(cache: Path) -> set[Path]:
    return set(cache.glob("*/library-*"))


def test_kernels_share_a_library(cache: Path, used: Callable[[], int]) -> None:
    check(0x3F80)
    assert used() == 1
    made = libraries(cache)
    assert len(made) == 1
    check(0x4000)  # another kernel
    check(0x4040, OTHER="1")  # other options, which the library does not depend on
    assert used() == 2
    assert libraries(cache) == made
    check(0x4080, noc=1)
    assert used() == 1
    assert len(libraries(cache) - made) == 1


def test_macro_of_a_word_of_the_library(cache: Path, used: Callable[[], int]) -> None:
    """A precompiled header is not valid for it: the kernel is compiled with the headers."""
    check(0x3F80, linked="joined")
    assert used() == 0


def test_damaged_libraries(cache: Path, used: Callable[[], int]) -> None:
    check(0x3F80)
    (library,) = libraries(cache)
    header = library / "ttk" / "kernel.h.gch"
    size = header.stat().st_size
    header.write_bytes(bytes(size))  # found when it is used
    used()
    check(0x4000)
    assert used() == 0
    header.write_bytes(b"")  # found by its size
    check(0x4040)
    assert used() == 1
    assert len(libraries(cache)) == 2
    for folder in libraries(cache):
        (folder / "hooks.o").unlink()
    check(0x4080)
    assert used() == 1


def test_errors_name_the_kernel(cache: Path, used: Callable[[], int]) -> None:
    with pytest.raises(kernel.BuildError) as caught:
        run("no_such_name")
    text = str(caught.value)
    assert "kernel.cpp:6:" in text
    assert "no_such_name" in text
    assert "precompiled" not in text


def test_functions_of_the_host_library(cache: Path) -> None:
    """Such kernels are linked with it."""
    program = kernel.Program("prints")
    y = program.output("y", (32, 32))
    program.circular_buffer("in0", pages=1)
    text = KERNEL.replace("void", "#include <cmath>\nvoid", 1).replace(
        "  cb_push_back",
        "  DPRINT << std::cos(float(get_arg_val<uint32_t>(1))) << ENDL();\n  cb_push_back",
    )
    own = kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[y], defines={"VALUE": 0})
    program.add(own, y, 0)
    assert [line.text for line in program.run().prints] == ["1"]


def test_processes_compile_it_at_the_same_time(cache: Path) -> None:
    script = PROGRAM + "import sys\nvalue = int(sys.argv[1])\nrun(value << 16 | value)\n"
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(0x3F80 + i)], stderr=subprocess.PIPE)
        for i in range(3)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors.decode()
    # None is left half-made.
    assert all((folder / "hooks.o").exists() for folder in libraries(cache))
    assert not [path for path in cache.glob("*/*") if len(path.name) == 6]
    check(0x4100)
