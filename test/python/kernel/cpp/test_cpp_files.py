"""Files of programs with kernels in C++: they hold the text, which runs only on request."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_programs import PROGRAMS
from ttrt_process import ttrt_in

import ttmlir
from ttmlir import errors, kernel, passes, runtime

READER = """\
#include "dataflow_api.h"
#include "own/sizes.h"

void kernel_main() {
  const uint32_t count = get_common_arg_val<uint32_t>(0);
  constexpr uint32_t scale = get_named_compile_time_arg_val("scale");
  const auto y = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  cb_reserve_back(BUFFER, 1);
  volatile tt_l1_ptr uint32_t *words = (volatile tt_l1_ptr uint32_t *)get_write_ptr(BUFFER);
  for (uint32_t i = 0; i < kWords; ++i)
    words[i] = i * scale + count;
  noc_async_write_page(0, y, get_write_ptr(BUFFER));
  noc_async_write_barrier();
}
"""


def counting(folder: Path) -> kernel.Program:
    """A kernel with headers of its own, in its folder and above, that writes i * 3 + 5."""
    (folder / "kernels" / "own").mkdir(parents=True)
    (folder / "kernels" / "own" / "sizes.h").write_text('#include "../../limits.h"\n')
    (folder / "limits.h").write_text("constexpr uint32_t kWords = 32;\n")
    source = folder / "kernels" / "count.cpp"
    source.write_text(READER)
    program = kernel.Program("count")
    y = program.output("y", (1, 32), "i32", layout="row_major")
    buffer = program.circular_buffer("in0", "i32", pages=1, page_size=128)
    program.add(
        kernel.from_cpp(
            source,
            kernel.DataMovement(1),
            defines={"BUFFER": int(buffer.port), "UNUSED": None},
            compile_args=[y],
            named_compile_args={"scale": 3},
        ),
        y,
        kernel.common(5),
    )
    return program


EXPECTED = np.arange(32, dtype=np.int32).reshape(1, 32) * 3 + 5


@pytest.mark.parametrize("name", ["loopback", "eltwise_binary", "softmax"])
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    case = PROGRAMS[name](True)
    path = tmp_path / f"{name}.ttm"
    case.program.save(path)
    expected = case.program.run(**case.inputs)["y"]
    found = ttmlir.load(path, allow_cpp=True)(*case.inputs.values())
    assert found.tobytes() == expected.tobytes()


def test_headers_are_in_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    program = counting(folder)
    np.testing.assert_array_equal(program.run()["y"], EXPECTED)
    path = tmp_path / "count.ttm"
    program.save(path)
    shutil.rmtree(folder)
    for _ in range(2):
        np.testing.assert_array_equal(ttmlir.load(path, allow_cpp=True)(), EXPECTED)


def test_modules_hold_it(tmp_path: Path) -> None:
    program = counting(tmp_path)
    assert '#ttmetal.cpp_kernel<source = "#include' in program.mlir
    assert "kWords" in program.cpp
    with ttmlir.ir.Context():
        module = ttmlir.ir.Module.parse(program.mlir)
        binary = runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    path = tmp_path / "module.ttm"
    binary.store(str(path))
    np.testing.assert_array_equal(ttmlir.load(path, allow_cpp=True)(), EXPECTED)


def test_it_does_not_run_unless_it_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "count.ttm"
    counting(tmp_path).save(path)
    loaded = ttmlir.load(path)
    assert "kWords" in loaded.cpp
    message = (
        r"kernel 'count' is C\+\+, .* only on request: expected ttmlir.load\(..., allow_cpp=True"
    )
    for executable in (loaded, pickle.loads(pickle.dumps(loaded))):
        with pytest.raises(ttmlir.Error, match=message):
            executable()


def test_ttrt(tmp_path: Path) -> None:
    counting(tmp_path).save(tmp_path / "count.ttm")
    ttrt = ttrt_in(tmp_path)
    done = ttrt("run", "count.ttm")
    assert done.returncode == 1
    assert "allow-cpp" in done.stdout + done.stderr
    done = ttrt("run", "count.ttm", "--allow-cpp", "--non-zero")
    assert done.returncode == 0, done.stdout + done.stderr


def test_faults_name_the_file(tmp_path: Path) -> None:
    program = counting(tmp_path)
    source = tmp_path / "kernels" / "count.cpp"
    source.write_text(READER.replace("  noc_async_write_barrier();\n", ""))
    program = kernel.Program("fails")
    y = program.output("y", (1, 32), "i32", layout="row_major")
    program.circular_buffer("in0", "i32", pages=1, page_size=128)
    body = kernel.from_cpp(
        source,
        kernel.DataMovement(1),
        defines={"BUFFER": 0},
        compile_args=[y],
        named_compile_args={"scale": 1},
    )
    program.add(body, y, kernel.common(5))
    program.save(tmp_path / "fails.ttm")
    with pytest.raises(errors.OutstandingTransferFault) as caught:
        ttmlir.load(tmp_path / "fails.ttm", allow_cpp=True)()
    assert "count.cpp" in str(caught.value)


def change(path: Path, old: str, new: str, folder: Path) -> Path:
    """The file of a program whose module has ``new`` in place of ``old``."""
    text = counting(folder).mlir
    assert old in text
    with ttmlir.ir.Context():
        module = ttmlir.ir.Module.parse(text.replace(old, new))
        path.write_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    return path


def test_rejected_text(tmp_path: Path) -> None:
    path = change(tmp_path / "a.ttm", "cb_reserve_back(", "cb_reserve_front(", tmp_path / "s")
    with pytest.raises(ttmlir.Error, match="cb_reserve_front"):
        ttmlir.load(path, allow_cpp=True)


def test_headers_stay_in_their_folder(tmp_path: Path) -> None:
    away = "../" * 12 + "evil.h"
    path = change(tmp_path / "a.ttm", '"../limits.h" =', f'"{away}" =', tmp_path / "s")
    with pytest.raises(ttmlir.Error, match="expected a header near its kernel"):
        ttmlir.load(path, allow_cpp=True)


def test_wrong_addresses(tmp_path: Path) -> None:
    """Of a module that does not verify."""
    text = counting(tmp_path).mlir.replace("tensors = [", "tensors = [unit, ")
    with pytest.raises(ttmlir.Error, match=r"\(C3\)"):
        ttmlir.compile(text)


def test_other_files_load_with_it(tmp_path: Path) -> None:
    builder = ttmlir.Builder("add")
    x: Any = builder.input("x", (32, 32))
    builder.output(builder.add(x, x))
    for backend in ("ttnn", "ttmetal"):
        path = tmp_path / f"add.{backend}"
        ttmlir.compile(builder, backend=backend).save(path)
        ones = np.ones((32, 32), np.float32)
        np.testing.assert_array_equal(ttmlir.load(path, allow_cpp=True)(ones), 2 * ones)
