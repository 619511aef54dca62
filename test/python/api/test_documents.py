"""What the documents and docstrings show is run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import ttmlir

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "name",
    ["builder", "compiler", "passes", "runtime"]
    + [f"dialects.{name}" for name in ("tt", "ttnn", "ttkernel", "ttmetal")],
)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(f"ttmlir.{name}")
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    names: dict[str, object] = {}
    exec(second, names)
    assert (tmp_path / "mlp.ttnn").exists()

    b = ttmlir.Builder()
    x, w, bias = b.input("x", (32, 64)), b.input("w", (64, 32)), b.input("b", (1, 32))
    b.output(b.add(b.matmul(x, w), bias))
    (tmp_path / "mlp.mlir").write_text(str(b))
    names = {
        "x": np.ones((32, 64), np.float32),
        "w1": np.ones((64, 32), np.float32),
        "b1": np.ones((1, 32), np.float32),
    }
    exec(first, names)
    assert (names["y"] == np.full((32, 32), 65)).all()


def test_the_page_on_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "src" / "kernels.md").read_text()
    parts = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(parts) == 5
    # As one file, which the locations of faults name.
    code = compile("".join(parts), "kernels.md", "exec")
    exec(code, {})
    printed = capsys.readouterr().out
    assert re.search(r"forgetful \(0, 0\) kernels\.md:\d+", printed)
    assert re.search(r"output 0, .* 4096 bytes, in 2 of 3 tiles, from tile 1 on", printed)


def test_the_page_on_meshes() -> None:
    """Its parts on collectives, on running and on devices."""
    page = (ROOT / "docs" / "src" / "mesh.md").read_text()
    parts = dict(re.findall(r"## ([^\n]+)\n(?:(?!\n## ).)*?```python\n(.*?)```", page, re.S))
    names: dict[str, object] = {}
    exec(parts["Collectives"], names)
    exe = names["exe"]
    assert isinstance(exe, ttmlir.Executable)
    assert (exe(np.ones((32, 64), np.float32), np.ones((64, 96), np.float32)) == 64).all()

    b = ttmlir.Builder(mesh_shape=(2, 4))
    b.output(b.matmul(b.input("x", (4, 2)), b.input("w", (2, 3))))
    names |= {"source": b, "x": np.ones((4, 2), "f"), "w": np.ones((2, 3), "f")}
    exec(parts["Running on a mesh"], names)

    b = ttmlir.Builder(mesh_shape=(2, 4))
    b.output(b.relu(b.input("x", (4, 2))))
    array = np.arange(64, dtype=np.float32).reshape(8, 8) - 9
    names |= {"array": array, "binary": ttmlir.compile(b, target="t3000").binary}
    code = parts["Devices and tensors of a mesh"].splitlines()
    exec("\n".join(code[:-1]), names)
    assert (eval(code[-1], names) == np.maximum(array, 0)).all()


def test_the_page_on_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts on building and on attributes, which need nothing else."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "src" / "python.md").read_text()
    parts = dict(re.findall(r"## ([^\n]+)\n.*?```python\n(.*?)```", page, re.S))
    names: dict[str, object] = {"ttmlir": ttmlir}
    exec(parts["Building programs"], names)
    exec(parts["Attributes and types"], names)
    exe = names["exe"]
    assert isinstance(exe, ttmlir.Executable)
    assert [i.shape for i in exe.inputs] == [(64, 128), (128, 96)]
