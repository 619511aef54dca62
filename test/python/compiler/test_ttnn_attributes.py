"""ttmlir.dialects.ttnn.ir: every attribute can be made and read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir.dialects import tt, ttnn


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.mark.parametrize(
    ("cls", "member", "text"),
    [
        (ttnn.ir.LayoutAttr, ttnn.Layout.Tile, "#ttnn.layout<tile>"),
        (
            ttnn.ir.TensorMemoryLayoutAttr,
            ttnn.TensorMemoryLayout.BlockSharded,
            "#ttnn.tensor_memory_layout<block_sharded>",
        ),
        (ttnn.ir.BufferTypeAttr, ttnn.BufferType.SystemMemory, "#ttnn.buffer_type<system_memory>"),
    ],
)
def test_enumerations(context: ir.Context, cls: type, member: int, text: str) -> None:
    attr = cls.get(context, member)
    assert str(attr) == text
    assert attr.value is member
    assert cls.get(context, int(member)) == attr == ir.Attribute.parse(text)
    with pytest.raises(ValueError, match=r"unknown \w+ 99"):
        cls.get(context, 99)


def test_same_names_as_in_tt_are_other_classes(context: ir.Context) -> None:
    ours = ttnn.ir.TensorMemoryLayoutAttr.get(context, ttnn.TensorMemoryLayout.Interleaved)
    theirs = tt.ir.TensorMemoryLayoutAttr.get(context, tt.TensorMemoryLayout.Interleaved)
    assert (int(ours.value), int(theirs.value)) == (0, 1)
    assert ours != theirs
    with pytest.raises(ValueError, match="Cannot cast attribute"):
        tt.ir.TensorMemoryLayoutAttr(ours)


def test_memory_config(context: ir.Context) -> None:
    config = ttnn.ir.MemoryConfigAttr.get(
        context, ttnn.TensorMemoryLayout.HeightSharded, ttnn.BufferType.L1
    )
    assert str(config) == "#ttnn.memory_config<<height_sharded>, <l1>>"
    assert config.tensor_memory_layout is ttnn.TensorMemoryLayout.HeightSharded
    assert config.buffer_type is ttnn.BufferType.L1
    with pytest.raises(ValueError, match="unknown TensorMemoryLayout 7"):
        ttnn.ir.MemoryConfigAttr.get(context, 7, 0)
    with pytest.raises(ValueError, match="unknown BufferType 8"):
        ttnn.ir.MemoryConfigAttr.get(context, 0, 8)


def test_compute_config(context: ir.Context) -> None:
    cls = ttnn.ir.DeviceComputeKernelConfigAttr
    config = cls.get(context, tt.MathFidelity.HiFi2, fp32_dest_acc_en=True, packer_l1_acc=False)
    text = "math_fidelity = hifi2, fp32_dest_acc_en = true, packer_l1_acc = false"
    assert str(config) == f"#ttnn.device_compute_kernel_config<{text}>"
    assert ir.Attribute.parse(str(config)) == config
    assert config.math_fidelity is tt.MathFidelity.HiFi2
    assert (config.math_approx_mode, config.fp32_dest_acc_en, config.packer_l1_acc) == (
        None,
        True,
        False,
    )
    assert cls.get(context).math_fidelity is None
    assert ir.Attribute.parse(str(cls.get(context))) == cls.get(context)
    with pytest.raises(ValueError, match="unknown MathFidelity 1"):
        cls.get(context, 1)


def test_shapes(context: ir.Context) -> None:
    shape = ttnn.ir.ShapeAttr.get(context, [64, 128])
    assert (str(shape), shape.shape) == ("#ttnn.shape<64x128>", [64, 128])
    mesh = ttnn.ir.MeshShapeAttr.get(context, 1, 2)
    assert (str(mesh), mesh.y, mesh.x) == ("#ttnn<mesh_shape 1x2>", 1, 2)
    assert ir.Attribute.parse(str(mesh)) == mesh


def test_core_range(context: ir.Context) -> None:
    cores = ttnn.ir.CoreRangeAttr.get(context, [0, 0], [8, 8])
    assert (str(cores), cores.offset, cores.size) == ("#ttnn.core_range<0x0, 8x8>", [0, 0], [8, 8])
    with pytest.raises(ValueError, match="expected a positive size, found 0x8"):
        ttnn.ir.CoreRangeAttr.get(context, [0, 0], [0, 8])
    with pytest.raises(ValueError, match="2 extents each, found 1 and 2"):
        ttnn.ir.CoreRangeAttr.get(context, [0], [8, 8])


def test_attributes_of_a_program() -> None:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (64, 128))))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    (empty,) = [
        op.operation
        for op in b.module.body.operations[0].body.blocks[0].operations
        if op.operation.name == "ttnn.empty"
    ]
    assert empty.attributes["shape"].shape == [64, 128]
    assert empty.attributes["layout"].value is ttnn.Layout.Tile
    assert empty.attributes["dtype"].value is tt.DataType.Float32
    config = empty.attributes["memory_config"]
    assert config.tensor_memory_layout is ttnn.TensorMemoryLayout.Interleaved
    assert config.buffer_type is ttnn.BufferType.DRAM
