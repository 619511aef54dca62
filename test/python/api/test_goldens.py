"""Goldens: from compile() into the file, and out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import passes, runtime

X = np.linspace(-2, 2, 32 * 32, dtype=np.float32).reshape(32, 32)


def two_programs() -> ttmlir.Builder:
    b = ttmlir.Builder("first")
    b.output(b.relu(b.input("x", (32, 32))))
    b.function("second")
    b.output(b.abs(b.input("x", (32, 32), "bf16")))
    return b


def one_program() -> ttmlir.Builder:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    return b


def test_goldens_are_what_was_given() -> None:
    goldens = {"input_0": X, "output_0": np.maximum(X, 0)}
    exe = ttmlir.compile(one_program(), goldens=goldens)
    found = runtime.get_goldens(exe.binary, 0)
    assert list(found) == ["input_0", "output_0"]
    for key, value in goldens.items():
        np.testing.assert_array_equal(found[key], value, strict=True)
    assert runtime.get_goldens(ttmlir.compile(one_program()).binary, 0) == {}


def test_each_program_has_its_own() -> None:
    half = X.astype(ml_dtypes.bfloat16)
    goldens = {"first": {"output_0": X}, "second": {"input_0": half, "output_0": abs(half)}}
    exe = ttmlir.compile(two_programs(), goldens=goldens)
    first, second = (runtime.get_goldens(exe.binary, i) for i in (0, 1))
    assert (list(first), list(second)) == (["output_0"], ["input_0", "output_0"])
    assert second["input_0"].dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(second["output_0"], abs(half))


def test_the_file_stays_a_file_of_the_same_module(tmp_path: Path) -> None:
    b = one_program()
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    path = tmp_path / "out.ttnn"
    passes.ttnn_to_flatbuffer_file(b.module, path, goldens={"output_0": X})
    assert path.read_bytes() == passes.ttnn_to_flatbuffer_bytes(b.module, goldens={"output_0": X})
    capsule = passes.ttnn_to_flatbuffer_binary(b.module, goldens={"output_0": X})
    assert runtime.load_binary_from_capsule(capsule).to_bytes() == path.read_bytes()
    exe = ttmlir.load(path)
    assert exe.mlir == ttmlir.compile(one_program(), optimization_level=0).mlir
    np.testing.assert_array_equal(exe(X), np.maximum(X, 0))


@pytest.mark.parametrize(
    ("goldens", "message"),
    [
        ({"output_1": X}, "expected input_<i> or output_<i> for one of 1 inputs and 1 outputs"),
        ({"result": X}, "'forward' has no tensor|has no tensor for the golden 'result'"),
        ({"output_0": X[:31]}, r"expected shape \[32, 32\], found \[31, 32\]"),
        ({"f": {"output_0": X}}, "has no function 'f' for the golden 'output_0'"),
        (
            {"forward": {"output_0": X}, "output_0": X},
            "golden 'output_0' is given twice",
        ),
    ],
)
def test_goldens_that_do_not_fit(goldens: Any, message: str) -> None:
    with pytest.raises(ttmlir.CompileError, match=message):
        ttmlir.compile(one_program(), goldens=goldens)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="golden 'output_0': dtype complex64 has no counterpart"):
        ttmlir.compile(one_program(), goldens={"output_0": X.astype(np.complex64)})


def test_goldens_without_a_program() -> None:
    with pytest.raises(ttmlir.CompileError, match=r"by program name.*first, second"):
        ttmlir.compile(two_programs(), goldens={"output_0": X})
