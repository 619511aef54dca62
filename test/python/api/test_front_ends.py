"""The registry of front ends, and one of another package."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import frontends
from ttmlir.frontends import Source, find, front_ends

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "front_end"
TTIR = "func.func @f(%x: tensor<32xf32>) -> tensor<32xf32> {\n  return %x : tensor<32xf32>\n}\n"
TOSA = """func.func @f(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = tosa.tanh %x : (tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
"""
LINALG = """func.func @f(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = math.tanh %x : tensor<32xf32>
  return %0 : tensor<32xf32>
}
"""
STABLEHLO = """func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = stablehlo.tanh %x : tensor<32xf32>
  return %0 : tensor<32xf32>
}
"""
FORMULAS = "formulas\nx: 3x4\nw: 4x5\nh = relu(x @ w) / 2\nreturn h, sum(tanh(h))\n"


def builder() -> ttmlir.Builder:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    return b


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (builder, "builder"),
        (lambda: builder().module, "ttir"),
        (lambda: TTIR, "ttir"),
        (lambda: TOSA, "tosa"),
        (lambda: LINALG, "linalg"),
        (lambda: STABLEHLO, "stablehlo"),
        (lambda: abs, "jax"),
        (lambda: "missing/model.onnx", "onnx"),
        (lambda: Path("missing/model.onnx"), "onnx"),
        (lambda: b"\x08\x01", "onnx"),
        # Its error comes from the parser.
        (lambda: "func.func @f(", "ttir"),
    ],
)
def test_a_source_is_recognized(source: Any, name: str) -> None:
    assert find(Source(source())).name == name


def test_a_source_of_no_front_end() -> None:
    with pytest.raises(TypeError, match=r"expected a ttmlir\.Builder, .* or MLIR, found float"):
        find(Source(1.5))


def test_names_are_different() -> None:
    names = [entry.name for entry in front_ends()]
    assert len(set(names)) == len(names)


def test_a_keyword_of_another_front_end() -> None:
    with pytest.raises(TypeError, match=r"takes shapes for a model of ONNX, found Builder"):
        ttmlir.compile(builder(), shapes={"n": 1})  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"takes dtype for a module of PyTorch or a model of ONNX"):
        ttmlir.compile(TTIR, dtype="bf16")
    with pytest.raises(TypeError, match=r"takes example arguments for a module of PyTorch, "):
        ttmlir.compile(builder(), np.ones(3))
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'shape'; did you mean"):
        ttmlir.compile(builder(), shape={"n": 1})  # type: ignore[call-overload]


def test_overloads_have_the_keywords_that_front_ends_declare() -> None:
    """They are written by hand."""
    path = ROOT / "python" / "ttmlir" / "compiler.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = [
        {argument.arg for argument in node.args.kwonlyargs}
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.name == "compile"
        and ast.unparse(node.decorator_list[0]) == "overload"
    ]
    declared = [{keyword.name for keyword in entry.keywords} for entry in frontends._built_in()]
    assert sorted({*map(frozenset, typed)}, key=sorted) == sorted(
        {*map(frozenset, declared)}, key=sorted
    )


def test_the_book_has_a_table_of_the_keywords_of_front_ends() -> None:
    def names(entries: list[frontends.FrontEnd]) -> str:
        return ", ".join(f"`{entry.name}`" for entry in entries)

    entries = frontends._built_in()
    keywords = {(k.name, k.description): k for entry in entries for k in entry.keywords}
    expected = [
        f"| example arguments after the source | {names([e for e in entries if e.takes_examples])} "
        "| shapes and dtypes of later calls |"
    ]
    for keyword in keywords.values():
        owners = names([entry for entry in entries if keyword in entry.keywords])
        text = keyword.description.replace("``", "`")
        expected.append(f"| `{keyword.name}` | {owners} | {text} |")
    page = (ROOT / "docs" / "src" / "python.md").read_text(encoding="utf-8")
    table = page.partition("| keyword | front ends | description |\n| --- | --- | --- |\n")[2]
    assert table.partition("\n\n")[0].splitlines() == expected


def test_help_has_the_keywords_of_front_ends() -> None:
    text = ttmlir.compile.__doc__ or ""
    assert "shapes (onnx): extents by name" in text
    assert "form (tosa, linalg, ttir): " in text


def test_one_that_does_not_load_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name, value = "broken", "no_such_package:FRONT_END"

        def load(self) -> Any:
            raise ImportError("No module named 'no_such_package'")

    class Wrong(Point):
        name = "wrong"

        def load(self) -> Any:
            return 3

    monkeypatch.setattr(frontends.metadata, "entry_points", lambda group: [Point(), Wrong()])
    with pytest.warns(UserWarning, match="is left out") as warned:
        assert list(frontends._load()) == []
    first, second = (str(warning.message) for warning in warned)
    assert first.startswith("the front end 'broken' of no_such_package:FRONT_END is left out: Imp")
    assert second.endswith("expected a ttmlir.frontends.FrontEnd, found int")


USE = f"""
import sys
import numpy as np
import ttmlir

program = {FORMULAS!r}
exe = ttmlir.compile(program)
x, w = np.ones((3, 4), np.float32), np.full((4, 5), 0.25, np.float32)
for h, total in (exe(x, w), exe(x, w=w)):
    print(h.shape, h[0, 0], total.shape, round(float(total[0]), 4))
assert exe.input_names == ("x", "w")
print(exe.compare(program, x, w).first_off)
for wrong in (program.replace("tanh", "sinh"), "formulas\\nx: 3xx\\n", "formulas\\nx: 3\\n",
              program.replace("4x5", "3x5")):
    try:
        ttmlir.compile(wrong)
    except ttmlir.CompileError as error:
        print(error)
try:
    exe(x)
except ttmlir.InputError as error:
    print(error)
"""


def test_the_front_end_of_another_package(tmp_path: Path) -> None:
    """That of the documentation, installed by pip."""
    install = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    more = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(tmp_path / "site")]
    subprocess.run([*install, *more, str(EXAMPLE)], check=True)
    file = tmp_path / "use.py"
    file.write_text(USE, encoding="utf-8")
    paths = [str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == ["(3, 5) 0.5 (1,) 6.9318"] * 2 + ["None"]
    errors = [line for line in done.stdout.splitlines() if line.startswith("<string>:")]
    assert errors == [
        "<string>:5:1: error: 'sinh(h)' is not supported",
        "<string>:2:1: error: expected a shape or a formula, found 'x: 3xx'",
        "<string>:1:1: error: expected a line that begins with return",
        "<string>:4:1: error: matmul: Input A and B must have matching inner dimensions: a is 3x4, "
        "b is 3x5, expected b to have 4 rows",
    ]
    assert done.stdout.splitlines()[-1] == "expected x, w, found x"
