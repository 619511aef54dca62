"""ttmlir.passes: pipelines and translations from Python, and how they fail."""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path

import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir.dialects import func, tt, ttir, ttnn


def lowered(options: str = "") -> ir.Module:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 64)), name="activation"))
    passes.ttir_to_ttnn_backend_pipeline(b.module, options)
    return b.module


def names(module: ir.Module) -> list[str]:
    (function,) = module.body.operations
    return [op.operation.name for op in function.body.blocks[0].operations]


def test_pipeline_lowers_in_place() -> None:
    module = lowered()
    assert module.operation.verify()
    assert {"ttnn.get_device", "ttnn.empty", "ttnn.relu"} <= set(names(module))
    assert not [name for name in names(module) if name.startswith("ttir.")]


def test_operation_is_as_good_as_its_module() -> None:
    module = lowered()
    assert passes.ttnn_to_flatbuffer_bytes(module.operation) == passes.ttnn_to_flatbuffer_bytes(
        module
    )


def test_options_are_those_of_the_command_line() -> None:
    grids = [
        str(op.operation.results[0].type)
        for module in (lowered("enable-optimizer=false"), lowered("enable-optimizer=true"))
        for op in module.body.operations[0].body.blocks[0].operations
        if op.operation.name == "ttnn.relu"
    ]
    assert grids[0] != grids[1]


def test_doubled_names() -> None:
    import ttmlir.passes
    from ttmlir.overrides import get_ptr, overrides
    from ttmlir.passes import passes as doubled

    pipeline = ttmlir.passes.ttir_to_ttnn_backend_pipeline
    assert doubled.ttir_to_ttnn_backend_pipeline is pipeline
    module = lowered()
    assert overrides.get_ptr(module.operation) == get_ptr(module.operation) != 0


def test_wrong_options(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="Failed to add pipeline to pass manager"):
        lowered("no-such-option=1")


def test_diagnostics_reach_python(capfd: pytest.CaptureFixture[str]) -> None:
    module = ir.Module.parse(
        'func.func @f(%a: tensor<4xi7>) { return } loc("model.py":7:3)', ir.Context()
    )
    with pytest.raises(passes.PassError, match="Failed to run pass manager") as caught:
        passes.ttir_to_ttnn_backend_pipeline(module)
    (diagnostic,) = caught.value.error_diagnostics
    assert str(diagnostic.location) == 'loc("model.py":7:3)'
    assert "tensor<4xi7>" in diagnostic.message
    assert diagnostic.message in str(caught.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("shape", ["8x32x4611686018427387904x1", "4294967296x4294967296"])
def test_huge_shapes(shape: str) -> None:
    module = ir.Module.parse(f"func.func @f(%a: tensor<{shape}xf32>) {{ return }}", ir.Context())
    with pytest.raises(passes.PassError, match=f"cannot be laid out: .*tensor<{shape}xf32>"):
        passes.ttir_to_ttnn_backend_pipeline(module)


def test_pass_managers_know_the_passes() -> None:
    from ttmlir.passmanager import PassManager

    context = ir.Context()
    module = ir.Module.parse("module {}", context)
    PassManager.parse("builtin.module(ttir-load-system-desc)", context).run(module.operation)
    system = module.operation.attributes["tt.system_desc"]
    assert system == tt.ir.SystemDescAttr.get_default(context)


def test_bytes_are_a_binary() -> None:
    data = passes.ttnn_to_flatbuffer_bytes(lowered())
    assert struct.unpack_from("<I", data)[0] == len(data) - 4
    assert data[8:12] == b"TTNN"


def test_capsule_is_the_same_binary() -> None:
    module = lowered()
    binary = ttmlir.runtime.load_binary_from_capsule(passes.ttnn_to_flatbuffer_binary(module))
    assert binary.get_program_name(0) == "forward"
    pointer = passes.SharedVoidPtr()
    assert pointer.capsule is None
    pointer.from_ttnn(module)
    assert ttmlir.runtime.load_binary_from_capsule(pointer.capsule).get_program_name(0) == "forward"


@pytest.mark.parametrize("kind", [str, Path])
def test_file(tmp_path: Path, kind: type) -> None:
    module, path = lowered(), tmp_path / "out.ttnn"
    path.write_bytes(b"old")
    passes.ttnn_to_flatbuffer_file(module, kind(path))
    assert path.read_bytes() == passes.ttnn_to_flatbuffer_bytes(module)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert os.listdir(tmp_path) == ["out.ttnn"]


def test_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"^Failed to open file: .*missing/out\.ttnn\. Error: "):
        passes.ttnn_to_flatbuffer_file(lowered(), tmp_path / "missing" / "out.ttnn")
    with pytest.raises(RuntimeError, match=r"^Failed to write flatbuffer to file: "):
        passes.ttnn_to_flatbuffer_file(lowered(), tmp_path)
    assert os.listdir(tmp_path) == []


def test_module_that_cannot_be_serialized(tmp_path: Path) -> None:
    module = ir.Module.parse("module {}", ir.Context())
    path = tmp_path / "out.ttnn"
    for translate in (
        passes.ttnn_to_flatbuffer_bytes,
        passes.ttnn_to_flatbuffer_binary,
        lambda m: passes.ttnn_to_flatbuffer_file(m, path),
    ):
        with pytest.raises(passes.PassError, match=r"expected the attribute tt\.system_desc"):
            translate(module)
    assert not path.exists()


@pytest.mark.parametrize("wrong", [None, 3, "module {}"])
def test_not_a_module(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"ttmlir\.ir\.Module"):
        passes.ttnn_to_flatbuffer_bytes(wrong)


def test_dialect_modules() -> None:
    context = ir.Context()
    for dialect in (tt, ttir, ttnn):
        dialect.register_dialect(context, load=True)
    assert str(ttnn.BufferType.L1Small) == "l1_small"
    assert str(ttnn.TensorMemoryLayout.BlockSharded) == "block_sharded"
    with context, ir.Location.unknown():
        module = ir.Module.create()
        tensor = ir.RankedTensorType.get([32, 32], ir.F32Type.get())
        with ir.InsertionPoint(module.body):
            function = func.FuncOp("f", ir.FunctionType.get([tensor, tensor], [tensor]))
        block = function.add_entry_block()
        constraint = tt.ir.OperandConstraintAttr.get(context, tt.OperandConstraint.Any)
        with ir.InsertionPoint(block):
            x, out = block.arguments
            op = ttir.AbsOp([tensor], [x], [out], ir.ArrayAttr.get([constraint] * 2))
            func.ReturnOp(op.results)
        assert module.operation.verify()
