"""The names of the package are the same for Python, for type checkers and for editors."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import jedi
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime


def test_the_stub_has_the_names() -> None:
    stub = ast.parse(Path(ttmlir.__file__).with_suffix(".pyi").read_text("utf-8"))
    names = {
        alias.asname
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert names == set(ttmlir.__all__) == set(dir(ttmlir))
    for name in ttmlir.__all__:
        assert getattr(ttmlir, name) is not None


def relu() -> ttmlir.Executable:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (4, 8))))
    return ttmlir.compile(b, results_on_device=True)


def test_a_builder_shows_itself() -> None:
    b = ttmlir.Builder("mlp")
    x = b.input("x", (4, 8))
    assert "func.func @mlp" in str(b)
    b.relu(x)
    assert '"ttir.relu"(%arg0' in str(b)
    assert repr(b) == "<ttmlir.Builder mlp(tensor<4x8xf32>) -> ...>"
    b.output(x)
    assert repr(b) == "<ttmlir.Builder mlp(tensor<4x8xf32>) -> tensor<4x8xf32>>"
    assert "return %arg0" in str(b)


def test_objects_show_themselves() -> None:
    exe = relu()
    assert repr(exe) == "<ttmlir.Executable forward(4x8 float32) -> 4x8 float32>"
    assert str(exe.programs[0]) == "forward(4x8 float32) -> 4x8 float32"
    desc = runtime.get_default_system_desc("n300")
    assert repr(desc) == "<ttmlir.runtime.SystemDesc 2 chips wormhole_b0 of 8x8 cores>"
    assert repr(exe.device) == "<ttmlir.runtime.Device chips [0]>"


def test_results_on_the_device_are_arrays_for_numpy() -> None:
    x = np.arange(-16, 16, dtype=np.float32).reshape(4, 8)
    kept = relu()(x, keep_on_device=True)
    np.testing.assert_array_equal(np.asarray(kept), np.maximum(x, 0))
    assert np.asarray(kept, np.float64).dtype == np.float64


def test_executables_are_pickled() -> None:
    exe = relu()
    copy = pickle.loads(pickle.dumps(exe))
    assert copy.binary.to_bytes() == exe.binary.to_bytes()
    assert (repr(copy), copy.remarks) == (repr(exe), exe.remarks)
    x = np.full((4, 8), -2, np.float32)
    np.testing.assert_array_equal(copy(x), exe(x))


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("ttmlir.", {"Builder", "compile", "load", "kernel", "runtime"}),
        ("ttmlir.Builder().soft", {"softmax"}),
        ("ttmlir.compile('x').", {"report", "save", "mlir", "programs"}),
        ("ttmlir.Builder().input('x', (2, 2)).", {"shape", "dtype", "layout"}),
        ("ttmlir.kernel.noc_async_read", {"noc_async_read", "noc_async_read_page"}),
    ],
)
def test_an_editor_completes(code: str, names: set[str]) -> None:
    project = jedi.Project("/", added_sys_path=[str(Path(ttmlir.__file__).parents[1])])
    script = jedi.Script("import ttmlir\n" + code, project=project)
    assert names <= {found.name for found in script.complete(2, len(code))}
