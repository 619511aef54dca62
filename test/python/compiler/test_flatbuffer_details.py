"""Single fields of the flatbuffer: what is absent, what is normalised, which cores a tensor has."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir.builder import Tensor
from ttmlir.dialects import tt

Json = dict[str, Any]


def content(module: ir.Module) -> Json:
    data = passes.ttnn_to_flatbuffer_bytes(module)
    result: Json = json.loads(ttmlir.runtime.load_binary_from_bytes(data).as_json())
    return result


def operations(b: ttmlir.Builder, *outputs: Tensor, options: str = "") -> dict[str, list[Json]]:
    """The tables of the ops by their type."""
    b.output(*outputs)
    passes.ttir_to_ttnn_backend_pipeline(b.module, options)
    found: dict[str, list[Json]] = {}
    for op in content(b.module)["programs"][0]["operations"]:
        found.setdefault(op["type_type"], []).append(op["type"])
    return found


def test_bytes_in_front() -> None:
    b = ttmlir.Builder()
    b.output(b.input("x", (32, 32)))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    data = passes.ttnn_to_flatbuffer_bytes(b.module)
    assert int.from_bytes(data[:4], "little") == len(data) - 4
    assert data[8:12] == b"TTNN"


def test_system() -> None:
    b = ttmlir.Builder()
    b.output(b.input("x", (32, 32)))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    system = content(b.module)["system_desc"]
    assert system["chip_capabilities"] == ["PCIE HostMMIO"]
    assert system["chip_channels"] == []
    assert system["chip_desc_indices"] == [0]
    assert system["chip_coords"] == [{"rack": 0, "shelf": 0, "y": 0, "x": 0}]
    (chip,) = system["chip_descs"]
    cores = chip["physical_cores"]
    assert cores["worker"][:9] == [{"y": 0, "x": x} for x in range(8)] + [{"y": 1, "x": 0}]
    assert [(c["y"], c["x"]) for c in cores["dram"]] == [
        (y, x) for x in range(4) for y in (8, 9, 10)
    ]
    assert (cores["eth"], cores["eth_inactive"]) == ([], [])
    assert chip["l1_size"] == 1499136
    assert chip["dram_unreserved_end"] == 1073741824


def test_device() -> None:
    b = ttmlir.Builder()
    found = operations(b, b.relu(b.input("x", (32, 32))))
    (device,) = found["GetDeviceOp"]
    assert (device["mesh"], device["chip_ids"]) == ({"y": 1, "x": 1}, [0])
    assert device["out"]["global_id"] == 0


def test_empty_on_the_host() -> None:
    """A tensor on the host names no device and no memory configuration."""
    b = ttmlir.Builder(constraint="system|scalar|none")
    host = b.input("x", (32, 32), memory_space="system")
    found = operations(b, b.relu(host), options="enable-optimizer=false")
    (empty,) = found["EmptyOp"]
    assert "device" not in empty
    assert "memcfg" not in empty
    assert (empty["shape"], empty["dtype"], empty["layout"]) == ([32, 32], "Float32", "RowMajor")


def test_attributes_as_they_are_stored() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 64))
    found = operations(
        b,
        b.concat([x, x], -1),
        b.reshape(x, (64, 32)),
        b.softmax(x, -1),
        b.transpose(x, -2, -1),
        b.add(x, b.constant(2.5, shape=(1, 1))),
    )
    assert found["ConcatOp"][0]["dim"] == 1
    assert found["ReshapeOp"][0]["shape"] == [64, 32]
    assert found["SoftmaxOp"][0]["dimension"] == -1
    assert (found["TransposeOp"][0]["dim0"], found["TransposeOp"][0]["dim1"]) == (-2, -1)
    assert found["FullOp"][0]["fill_value"] == 2.5


def test_sign_of_zero() -> None:
    """A number that equals the default of its field, but is another one."""
    b = ttmlir.Builder()
    (full,) = operations(b, b.constant(-0.0, shape=(32, 32)))["FullOp"]
    assert str(full["fill_value"]) == "-0.0"


def test_convolution_without_bias() -> None:
    b = ttmlir.Builder()
    x, w = b.input("x", (1, 8, 8, 4)), b.input("w", (5, 4, 3, 3))
    bias = b.input("b", (1, 1, 1, 5))
    found = operations(b, b.conv2d(x, w, padding=(1, 1)), b.conv2d(x, w, bias))
    without, with_bias = found["Conv2dOp"]
    assert "bias" not in without
    assert "bias" in with_bias
    sizes = {k: v for k, v in without.items() if isinstance(v, int)}
    expected = dict.fromkeys(("input_height", "input_width"), 8) | {
        "in_channels": 4,
        "out_channels": 5,
        "batch_size": 1,
        "kernel_height": 3,
        "kernel_width": 3,
        "stride_height": 1,
        "stride_width": 1,
        "padding_height": 1,
        "padding_width": 1,
        "dilation_height": 1,
        "dilation_width": 1,
        "groups": 1,
    }
    assert {k: sizes[k] for k in expected} == expected


TILES = {
    "f32": 4096,
    "bf16": 2048,
    "u32": 4096,
    "u16": 2048,
    "u8": 1024,
    "bfp8_b": 1024,
    "bfp4_b": 512,
}


@pytest.mark.parametrize("dtype", TILES)
def test_sizes_of_shards(dtype: str) -> None:
    """Bytes of the tiles of a shard; the exponents of block floats do not count."""
    b = ttmlir.Builder()
    b.output(b.input("x", (64, 96), dtype, memory_space="dram", tiled=True))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    memory = content(b.module)["programs"][0]["inputs"][0]["desc"]["layout"]["memory_desc"]
    assert (memory["shape"], memory["tile_shape"]) == ([2, 3], {"y": 32, "x": 32})
    assert memory["size"] == 6 * TILES[dtype]


# Grid of the device, its map to cores, grid of the tensor, rectangles (y, x, rows, columns).
CORES = [
    ((8, 8), "0, d0, d1", (1, 1), [(0, 0, 1, 1)]),
    ((8, 8), "0, d0, d1", (2, 4), [(0, 0, 2, 4)]),
    ((8, 8), "0, d0, d1", (8, 8), [(0, 0, 8, 8)]),
    ((8, 8), "0, d1, d0", (2, 4), [(0, 0, 4, 1), (0, 1, 4, 1)]),
    ((1, 64), "0, d1 floordiv 8, d1 mod 8", (1, 12), [(0, 0, 1, 8), (1, 0, 1, 4)]),
    ((1, 64), "0, d1 floordiv 8, d1 mod 8", (1, 16), [(0, 0, 2, 8)]),
    (
        (8, 8),
        "0, d0, (d0 + d1) mod 8",
        (3, 2),
        [(0, 0, 1, 2), (1, 1, 1, 2), (2, 2, 1, 2)],
    ),
]


@pytest.mark.parametrize(("device", "worker", "grid", "rectangles"), CORES)
def test_core_ranges(
    device: tuple[int, int],
    worker: str,
    grid: tuple[int, int],
    rectangles: list[tuple[int, int, int, int]],
) -> None:
    """Row by row, to the right first, then downwards where the columns are the same."""
    with ir.Context() as context, ir.Location.unknown():
        system = tt.ir.SystemDescAttr.get_default(context)
        memory = tt.ir.DeviceAttr.from_system_desc(context, system, [])
        mapping = ir.AffineMapAttr.parse(f"affine_map<(d0, d1) -> ({worker})>").value
        own = tt.ir.DeviceAttr.get(
            context, list(device), mapping, memory.l1_map, memory.dram_map, [1], [0]
        )
        tensor = ir.RankedTensorType.get([96, 128], ir.F32Type.get())
        layout = tt.ir.LayoutAttr.get(
            context,
            tensor,
            tt.MemorySpace.DeviceDRAM,
            tt.ir.GridAttr.get(context, list(grid)),
            [(0, -1)],
            tt.OOBVal.Undef,
            tt.TensorMemoryLayout.Interleaved,
        )
        module = ir.Module.parse(
            f"""module attributes {{tt.system_desc = {system}, tt.device = {own}}} {{
              func.func @f(%a: tensor<96x128xf32, {layout}>) {{ return }}
            }}"""
        )
        (program,) = content(module)["programs"]
    found = program["inputs"][0]["desc"]["layout"]["core_range_set"]
    assert [
        (r["loc"]["y"], r["loc"]["x"], r["size"]["y"], r["size"]["x"]) for r in found
    ] == rectangles
