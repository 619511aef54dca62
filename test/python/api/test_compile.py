"""ttmlir.compile: what it takes, and how it fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import ir

SOURCE = """
func.func @double(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>,
    operand_constraints = [#tt.operand_constraint<any_device>,
      #tt.operand_constraint<any_device>, #tt.operand_constraint<any_device>]}>
    : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}
"""
X = np.arange(32 * 64, dtype=np.float32).reshape(32, 64)


def doubles(exe: ttmlir.Executable) -> None:
    np.testing.assert_array_equal(exe(X), 2 * X)


def test_text() -> None:
    doubles(ttmlir.compile(SOURCE))


@pytest.mark.parametrize("kind", [str, Path])
def test_path(tmp_path: Path, kind: type) -> None:
    file = tmp_path / "double.mlir"
    file.write_text(SOURCE)
    doubles(ttmlir.compile(kind(file)))


def test_bytecode(tmp_path: Path) -> None:
    module = ir.Module.parse(SOURCE, ir.Context())
    with open(tmp_path / "double.mlirbc", "wb") as file:
        module.operation.write_bytecode(file)
    doubles(ttmlir.compile(tmp_path / "double.mlirbc"))


def test_module_stays_as_it_was() -> None:
    module = ir.Module.parse(SOURCE, ir.Context())
    before = str(module)
    doubles(ttmlir.compile(module))
    assert str(module) == before


def test_builder_compiles_twice() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 64))
    b.output(b.add(x, x))
    doubles(ttmlir.compile(b))
    doubles(ttmlir.compile(b))


@pytest.mark.parametrize("target", ["n150", "n300", "t3000", "p150", "e150"])
def test_targets(target: str) -> None:
    assert target in ttmlir.targets()
    doubles(ttmlir.compile(SOURCE, target=target))


def test_system_desc_file(tmp_path: Path) -> None:
    file = tmp_path / "system_desc.ttsys"
    ttmlir.runtime.get_default_system_desc("n150").store(str(file))
    doubles(ttmlir.compile(SOURCE, system_desc=file))


def test_options() -> None:
    exe = ttmlir.compile(SOURCE, enable_optimizer=False)
    doubles(exe)
    assert "ttnn.add" in exe.mlir


def test_syntax_error_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.mlir"
    file.write_text("func.func @f() {\n  nonsense\n}\n")
    with pytest.raises(ttmlir.CompileError, match=r"bad\.mlir:2:3: error:") as caught:
        ttmlir.compile(file)
    (first, *_) = caught.value.diagnostics
    assert first.severity == "error"
    assert first.location.endswith("bad.mlir:2:3")


def test_verifier_error_has_its_place() -> None:
    wrong = SOURCE.replace("-> tensor<32x64xf32>\n  return", "-> tensor<32x63xf32>\n  return")
    with pytest.raises(ttmlir.CompileError) as caught:
        ttmlir.compile(wrong)
    assert any("<string>:4:" in str(d.location) for d in caught.value.diagnostics)


def test_not_mlir_at_all(tmp_path: Path) -> None:
    file = tmp_path / "noise.mlir"
    file.write_bytes(bytes(range(128, 256)))
    with pytest.raises(ttmlir.CompileError, match="neither MLIR text nor MLIR bytecode"):
        ttmlir.compile(file)


def test_missing_file() -> None:
    with pytest.raises(ttmlir.Error, match=r"'nowhere\.mlir' cannot be read: No such file"):
        ttmlir.compile("nowhere.mlir")


def test_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.mlir"
    os.mkfifo(pipe)
    for path, kind in (("/", "a folder"), (pipe, "a pipe"), ("/dev/zero", "a device")):
        expected = rf"'{path}' cannot be read: expected a regular file, found {kind}$"
        with pytest.raises(ttmlir.Error, match=expected):
            ttmlir.compile(path)
        with pytest.raises(ttmlir.kernel.BuildError, match=expected):
            ttmlir.kernel.parse(path, ttmlir.kernel.DataMovement(0))
    with pytest.raises(ttmlir.Error, match=r"expected a regular file, found a pipe"):
        ttmlir.compile("func.func private @f()\n", system_desc=pipe)


def test_text_taken_for_a_path() -> None:
    with pytest.raises(ttmlir.Error, match=r"'\({100}\.\.\.\({100}' cannot be read: ") as caught:
        ttmlir.compile("(" * 10**6)
    assert len(str(caught.value)) < 300
    with pytest.raises(ttmlir.Error, match=r"\.\.\.d{100}' cannot be read: File name"):
        ttmlir.compile("func.func private @f()\n", system_desc="d" * 10**6)
    # Python 3.13 puts the name of the call before its reason.
    with pytest.raises(ttmlir.Error, match=r"cannot be read: (open: )?embedded null"):
        ttmlir.compile("a\0b")


def test_a_system_that_is_none(tmp_path: Path) -> None:
    """An error of the runtime is one of the package."""
    file = tmp_path / "wrong.ttsys"
    file.write_bytes(bytes(100))
    with pytest.raises(ttmlir.Error, match=r"wrong\.ttsys: unsupported binary format") as caught:
        ttmlir.compile("func.func private @f()\n", system_desc=file)
    assert isinstance(caught.value, ttmlir.runtime.FormatError)


def test_wrong_source_type() -> None:
    with pytest.raises(TypeError, match="found int"):
        ttmlir.compile(3)  # type: ignore[arg-type]


def test_unknown_backend_and_target() -> None:
    with pytest.raises(ttmlir.Error, match="grid: not an option of backend 'ttnn'"):
        ttmlir.compile(SOURCE, grid=(1, 1))
    with pytest.raises(ttmlir.Error, match="enable_optimizer: not an option of backend"):
        ttmlir.compile(SOURCE, backend="ttmetal", enable_optimizer=False)
    with pytest.raises(ttmlir.Error, match="backend 'cuda' is unknown"):
        ttmlir.compile(SOURCE, backend="cuda")
    with pytest.raises(ttmlir.Error, match="no target 'n151', expected one of n150"):
        ttmlir.compile(SOURCE, target="n151")


def test_bad_system_desc(tmp_path: Path) -> None:
    with pytest.raises(ttmlir.FileError, match="cannot be read: No such file"):
        ttmlir.compile(SOURCE, system_desc=tmp_path / "none.ttsys")
    broken = tmp_path / "broken.ttsys"
    broken.write_bytes(b"noise")
    with pytest.raises((ttmlir.Error, ttmlir.runtime.RuntimeError)):
        ttmlir.compile(SOURCE, system_desc=broken)


def test_wrong_product_without_bias() -> None:
    constraints = ", ".join(["#tt.operand_constraint<any_device>"] * 3)
    source = f"""func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x9xf32>) -> tensor<3x3xf32> {{
      %0 = tensor.empty() : tensor<3x3xf32>
      %1 = "ttir.linear"(%a, %b, %0) <{{operand_constraints = [{constraints}]}}>
        : (tensor<8x4xf32>, tensor<8x9xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      return %1 : tensor<3x3xf32>
    }}"""
    with pytest.raises(ttmlir.CompileError, match="matching inner dimensions: a is 8x4") as caught:
        ttmlir.compile(source)
    assert [d.severity for d in caught.value.diagnostics] == ["error"]


def test_reported_error_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the step that reported it returned."""
    from ttmlir import passes

    translate = passes.ttnn_to_flatbuffer_bytes

    def report(module: ir.Module, **options: Any) -> bytes:
        ir.Location.file("double.mlir", 3, 7, module.context).emit_error("is not what it seems")
        return translate(module, **options)

    monkeypatch.setattr(passes, "ttnn_to_flatbuffer_bytes", report)
    with pytest.raises(ttmlir.CompileError, match="is not what it seems") as caught:
        ttmlir.compile(SOURCE)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.location == "double.mlir:3:7"


def test_body_without_a_dialect() -> None:
    source = """func.func @f(%a: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.reduce { oob } ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(ttmlir.CompileError, match=r"'\.oob' op created with unregistered dialect"):
        ttmlir.compile(source)


@pytest.mark.parametrize("bracket", ["(", "[", "{", "tuple<"])
def test_deep_nesting(bracket: str) -> None:
    with pytest.raises(ttmlir.CompileError, match="nested at most 1000 deep") as caught:
        ttmlir.compile("module {\n" + bracket * 50_000)
    assert caught.value.diagnostics[0].location == "<string>:2:1"


def test_types_of_too_many_elements() -> None:
    with pytest.raises(ttmlir.CompileError, match=r"at most 2\^60 elements") as caught:
        ttmlir.compile("func.func private @f() ->\n tensor<2x9223372036854775807xf32>")
    assert caught.value.diagnostics[0].location == "<string>:2:1"
