"""ttmlir.dialects.tt.ir: every attribute and type can be made and read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttmlir import ir
from ttmlir.dialects import tt


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.mark.parametrize(
    ("cls", "member", "text"),
    [
        (getattr(tt.ir, f"{type(member).__name__}Attr"), member, text)
        for member, text in (
            (tt.Arch.WormholeB0, "#tt.arch<wormhole_b0>"),
            (tt.DataType.BFP_BFloat8, "#tt.supportedDataTypes<bfp_bf8>"),
            (tt.MemorySpace.DeviceL1, "#tt.memory_space<l1>"),
            (tt.OOBVal.NegInf, "#tt.oob_val<neginf>"),
            (tt.IteratorType.Systolic, "#tt.iterator_type<systolic>"),
            (tt.TensorMemoryLayout.None_, "#tt.tensor_memory_layout<none>"),
            (tt.BufferAccess.Stream, "#tt<buffer_access stream>"),
            (tt.ReduceType.Mean, "#tt.reduce_type<mean>"),
            (tt.MeshShardType.Devices, "#tt.shard_type<devices>"),
            (tt.MeshShardDirection.ShardToFull, "#tt.shard_direction<shard_to_full>"),
            (tt.ArgumentType.Parameter, "#tt.argument_type<parameter>"),
            (tt.Topology.Linear, "#tt.topology<linear>"),
            (tt.ChipCapability.HostMMIO, "2 : i32"),
        )
    ],
)
def test_enumerations(context: ir.Context, cls: type, member: int, text: str) -> None:
    attr = cls.get(context, member)
    assert str(attr) == text
    assert cls(attr).value is member
    assert cls.get(context, int(member)) == attr
    assert ir.Attribute.parse(text) == attr
    with pytest.raises(ValueError, match=r"unknown \w+ 4096"):
        cls.get(context, 4096)


# Members in the order of their values, which are in files and scripts.
VALUES = {
    tt.DataType: "Float32 Float16 BFloat16 BFP_Float8 BFP_BFloat8 BFP_Float4 BFP_BFloat4 "
    "BFP_Float2 BFP_BFloat2 UInt32 UInt16 UInt8",
    tt.Arch: "Grayskull WormholeB0 Blackhole",
    tt.MemorySpace: "System SystemMMIO DeviceDRAM DeviceL1",
    tt.TensorMemoryLayout: "None_ Interleaved SingleBank HeightSharded WidthSharded BlockSharded",
    tt.IteratorType: "Parallel Systolic Broadcast",
    tt.OOBVal: "Undef Zero One Inf NegInf",
    tt.ReduceType: "Sum Mean Max Min Std Var",
    tt.MeshShardType: "Replicate Devices Maximal",
    tt.MeshShardDirection: "FullToShard ShardToFull",
    tt.Topology: "Ring Linear",
}
BITS = {
    tt.ChipCapability: "PCIE HostMMIO",
    tt.BufferAccess: "Alias Stream",
    tt.OperandConstraint: "System DRAM L1 Scalar Tile None_ Interleaved SingleBank HeightSharded "
    "WidthSharded BlockSharded",
}


@pytest.mark.parametrize("enum", VALUES)
def test_values(enum: type) -> None:
    for value, name in enumerate(VALUES[enum].split()):
        assert int(getattr(enum, name)) == value


@pytest.mark.parametrize("enum", BITS)
def test_bits(enum: type) -> None:
    for bit, name in enumerate(BITS[enum].split()):
        assert int(getattr(enum, name)) == 1 << bit


def test_groups_of_constraints() -> None:
    groups = {
        "AnyLayout": 2016,
        "Any": 2047,
        "AnyDevice": 2046,
        "AnyDeviceTile": 2038,
        "L1BlockSharded": 1052,
    }
    assert {n: int(getattr(tt.OperandConstraint, n)) for n in groups} == groups


def test_operand_constraint_takes_both_orders(context: ir.Context) -> None:
    any_device = tt.ir.OperandConstraintAttr.get(context, tt.OperandConstraint.AnyDevice)
    assert any_device == tt.ir.OperandConstraintAttr.get(2046, context)
    assert any_device.value == tt.OperandConstraint.AnyDevice


def test_grid(context: ir.Context) -> None:
    grid = tt.ir.GridAttr.get(context, [8, 8])
    assert (str(grid), grid.shape) == ("#tt.grid<8x8>", [8, 8])
    mapping = ir.AffineMap.get_identity(2)
    assert tt.ir.GridAttr.get(context, [2, 3], mapping).mapping == mapping
    with pytest.raises(ValueError, match="positive"):
        tt.ir.GridAttr.get(context, [0, 8])


def test_layout(context: ir.Context) -> None:
    tensor = ir.RankedTensorType.get([2, 3, 64, 128], ir.F32Type.get())
    one = tt.ir.GridAttr.get(context, [1, 1])
    layout = tt.ir.LayoutAttr.get(
        context, tensor, tt.MemorySpace.DeviceL1, one, [(0, -1)], tt.OOBVal.Zero, 0
    )
    assert str(layout.memref) == "memref<384x128xf32, #tt.memory_space<l1>>"
    assert str(layout.linear) == "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
    assert layout.stride([2, 3, 64, 128]) == [24576, 8192, 128, 1]
    assert layout.shard_shape == [384, 128]
    assert layout.oobval is tt.OOBVal.Zero
    assert layout.memory_space is tt.MemorySpace.DeviceL1
    assert layout.memory_layout is tt.TensorMemoryLayout.None_
    assert layout.grid_attr == one
    assert layout.wrapped() == layout
    encoded = ir.RankedTensorType.get([2, 3, 64, 128], ir.F32Type.get(), layout)
    assert tt.ir.LayoutAttr.getLayout(encoded) == layout
    with pytest.raises(ValueError, match=r"expected a ranked tensor type with a #tt\.layout"):
        tt.ir.LayoutAttr.getLayout(tensor)
    with pytest.raises(ValueError, match="rank"):
        layout.stride([64, 128])


def test_layout_derivations(context: ir.Context) -> None:
    tensor = ir.RankedTensorType.get([64, 128], ir.F32Type.get())
    grid = tt.ir.GridAttr.get(context, [2, 4])
    layout = tt.ir.LayoutAttr.get(context, tensor, 3, tt.ir.GridAttr.get(context, [1, 1]))
    for name in ("with_grid", "with_grid_"):
        split = getattr(tt.ir.LayoutAttr, name)(context, layout, [64, 128], grid, [(0, -1)])
        assert split.shard_shape == [32, 32]
    tile = tt.ir.TileType.get(context, 32, 32, tt.DataType.BFloat16)
    for name in ("with_element_type", "with_element_type_"):
        tiled = getattr(tt.ir.LayoutAttr, name)(context, layout, tile)
        assert tiled.is_tiled
        assert str(tiled.memref).startswith("memref<2x4x!tt.tile<32x32, bf16>")
    with pytest.raises(ValueError, match=r"expected #tt\.grid, found"):
        tt.ir.LayoutAttr.get(context, tensor, 3, layout)


def test_huge_layouts(context: ir.Context) -> None:
    one = tt.ir.GridAttr.get(context, [1, 1])
    huge = ir.RankedTensorType.get([2**40, 2**40], ir.F32Type.get())
    with pytest.raises(ValueError, match=r"at most 2\^40 elements"):
        tt.ir.LayoutAttr.get(context, huge, tt.MemorySpace.DeviceDRAM, one)
    with pytest.raises(ValueError, match=r"at most 2\^40 points"):
        tt.ir.GridAttr.get(context, [2**40, 2**40])
    steep = ir.Attribute.parse(
        "#tt.layout<(d0, d1) -> (d0 * 4611686018427387904, d1), undef, <1x1>, "
        "memref<1x1xf32, #tt.memory_space<system>>>"
    )
    with pytest.raises(ir.MLIRError, match=r"C5.*linear map of at most 2\^56"):
        ir.RankedTensorType.get([2, 2], ir.F32Type.get(), steep)


def test_buffer_and_allocation(context: ir.Context) -> None:
    memref = ir.MemRefType.get([64, 128], ir.F32Type.get())
    buffer = tt.ir.BufferAttr.get(context, memref, tt.BufferAccess.Alias)
    assert (buffer.memref, buffer.buffer_access) == (memref, tt.BufferAccess.Alias)
    place = tt.ir.ArgumentAllocationAttr.get(context, 1024, 32768, tt.MemorySpace.DeviceL1)
    assert str(place) == "#tt.arg_alloc<1024, 32768, l1>"
    assert (place.address, place.size, place.memory_space) == (1024, 32768, 3)


def test_system_is_rebuilt_from_what_it_says(context: ir.Context) -> None:
    system = tt.ir.SystemDescAttr.get_default(context)
    (chip,) = system.chip_descs
    cores = chip.chip_physical_cores
    assert cores == tt.ir.ChipPhysicalCoresAttr.get(
        context,
        [tt.ir.CoreCoordAttr.get(context, c.y, c.x) for c in cores.worker],
        [tt.ir.CoreCoordAttr.get(context, c.y, c.x) for c in cores.dram],
    )
    again = tt.ir.ChipDescAttr.get(
        context,
        chip.arch,
        chip.grid,
        chip.l1_size,
        chip.num_dram_channels,
        chip.dram_channel_size,
        chip.noc_l1_address_align_bytes,
        chip.pcie_address_align_bytes,
        chip.noc_dram_address_align_bytes,
        chip.l1_unreserved_base,
        chip.erisc_l1_unreserved_base,
        chip.dram_unreserved_base,
        chip.dram_unreserved_end,
        cores,
        chip.supported_data_types,
        [tt.ir.TileSizeAttr.get(context, t.y, t.x) for t in chip.supported_tile_sizes],
    )
    assert again == chip
    (place,) = system.chip_coords
    assert system == tt.ir.SystemDescAttr.get(
        context,
        [again],
        system.chip_desc_indices,
        [tt.ir.ChipCapabilityAttr.get(context, tt.ChipCapability(3))],
        [tt.ir.ChipCoordAttr.get(context, place.rack, place.shelf, place.y, place.x)],
        system.chip_channels,
    )
    with pytest.raises(ValueError, match="C3"):
        tt.ir.SystemDescAttr.get(context, [chip], [0], [], [place])


def test_named_systems(context: ir.Context) -> None:
    assert "n150" in tt.ir.SystemDescAttr.names()
    n300 = tt.ir.SystemDescAttr.from_name(context, "n300")
    assert len(n300.chip_desc_indices) == 2
    channel = n300.chip_channels[0]
    assert channel == tt.ir.ChipChannelAttr.get(
        context,
        channel.device_id0,
        channel.ethernet_core_coord0,
        channel.device_id1,
        channel.ethernet_core_coord1,
    )
    with pytest.raises(ValueError, match="unknown system 'n1500', expected one of n150"):
        tt.ir.SystemDescAttr.from_name(context, "n1500")


def test_device(context: ir.Context) -> None:
    system = tt.ir.SystemDescAttr.get_default(context)
    device = tt.ir.DeviceAttr.from_system_desc(context, system, [])
    assert (device.worker_grid.shape, device.mesh_shape, device.chip_ids) == ([8, 8], [], [0])
    assert device == tt.ir.DeviceAttr.get(
        context,
        device.worker_grid.shape,
        device.worker_grid.mapping,
        device.l1_map,
        device.dram_map,
        device.mesh_shape,
        device.chip_ids,
    )
    parsed = tt.ir.DeviceAttr.unwrap(ir.Attribute.parse(str(device)))
    assert str(parsed) == str(device)
    handle = tt.ir.DeviceType.get(context, device)
    assert isinstance(handle, ir.Type)
    assert handle.desc == device
    with pytest.raises(ValueError, match="chip"):
        tt.ir.DeviceAttr.from_system_desc(context, system, [2, 1, 1])


def test_tile(context: ir.Context) -> None:
    tile = tt.ir.TileType.get(context, 32, 32, tt.DataType.BFP_BFloat8)
    assert (str(tile), tile.shape, tile.data_type) == (
        "!tt.tile<32x32, bfp_bf8>",
        [32, 32],
        tt.DataType.BFP_BFloat8,
    )
    assert (tile.size_bytes, tile.storage_size_bytes) == (1024, 1088)
    assert tile.element_type == ir.BF16Type.get()
    with pytest.raises(ValueError, match="32x32"):
        tt.ir.TileType.get(context, 16, 32, tt.DataType.BFP_BFloat8)


def test_modules_give_the_classes(context: ir.Context) -> None:
    module = ir.Module.parse("module attributes {tt.x = #tt.grid<2x3>} {}")
    assert module.operation.attributes["tt.x"].shape == [2, 3]


def test_every_attribute_and_type_has_its_class() -> None:
    """Those of the definitions; a list of enumerators is an ArrayAttr of MLIR's."""
    from ttmlir.dialects import ttnn

    dialects = Path(__file__).parents[3] / "cpp" / "dialects"
    for module, folder, prefix in ((tt.ir, "TT", "TT"), (ttnn.ir, "TTNN", "TTNN")):
        text = "\n".join(p.read_text() for p in sorted((dialects / folder).glob("*.td")))
        attributes = set(re.findall(rf"^def {prefix}_(\w+Attr)\b", text, re.M))
        attributes -= {name for name in attributes if name.endswith("ArrayAttr")}
        types = {
            f"{n}Type" for n in re.findall(rf"^def {prefix}_(\w+) : {prefix}_Type<", text, re.M)
        }
        assert len(attributes) >= 7
        for name in attributes | types:
            cls = getattr(module, name)
            assert callable(cls.get), name
            assert {m for m in vars(cls) if not m.startswith("_")} - {"get"}, name
