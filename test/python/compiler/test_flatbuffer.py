"""What stands in the flatbuffer of a program, read back through the runtime as JSON."""

from __future__ import annotations

import json
import tempfile
from typing import Any

import pytest

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir.dialects import tt

Json = dict[str, Any]

ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>"
COLLECTIVE_TYPES = {
    *("AllGather", "ReduceScatter", "AllReduce", "CollectivePermute", "MeshPartition"),
    *("AllToAll", "CollectiveBroadcast"),
}


def _collectives() -> str:
    """Every collective on a mesh of 2x4."""
    b = ttmlir.Builder(mesh_shape=(2, 4))
    x = b.mesh_shard(b.input("x", (64, 128)), (0, 1))
    x = b.reduce_scatter(b.all_gather(x, 1, 1), -1, 1, "mean")
    x = b.collective_permute(b.all_reduce(x, 0), [(0, 1), (1, 0)])
    x = b.all_to_all(x, 0, 1, [[0, 4], [1, 5], [2, 6], [3, 7]])
    x = b.mesh_partition(b.collective_broadcast(x, [[3, 1]]), 1)
    b.output(b.mesh_gather(x, (0, 1)))
    return str(b)


COLLECTIVES = _collectives()
MULTIPLY = f"""
func.func @forward(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {{
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%a, %b, %0) <{{operandSegmentSizes = array<i32: 2, 1>,
    operand_constraints = [{ANY}, {ANY}, {ANY}]}}>
    : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}}
"""


def binary(module: ir.Module) -> Json:
    data = passes.ttnn_to_flatbuffer_bytes(module)
    content: Json = json.loads(ttmlir.runtime.load_binary_from_bytes(data).as_json())
    return content


def lowered(text: str) -> ir.Module:
    module = ir.Module.parse(text, ir.Context())
    passes.ttir_to_ttnn_backend_pipeline(module)
    return module


def on_device(functions: str) -> ir.Module:
    """A module of ttnn with the default system and device (`#d`) and two layouts of 64x128 f32,
    `#host` and `#dram`."""
    context = ir.Context()
    system = tt.ir.SystemDescAttr.get_default(context)
    device = tt.ir.DeviceAttr.from_system_desc(context, system, [])
    attributes = f"{{tt.system_desc = {system}, tt.device = {device}}}"
    layout = "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, "
    aliases = (
        f"#d = {device}\n"
        f"#host = {layout}#tt.memory_space<system>>>\n"
        f"#dram = {layout}#tt.memory_space<dram>>, interleaved>\n"
    )
    return ir.Module.parse(f"{aliases}module attributes {attributes} {{\n{functions}\n}}", context)


@pytest.fixture(scope="module")
def multiply() -> Json:
    return binary(lowered(MULTIPLY))


def ids(refs: list[Json]) -> list[int]:
    return [ref["global_id"] for ref in refs]


def test_header(multiply: Json) -> None:
    version = ".".join(str(multiply["version"][k]) for k in ("major", "minor", "patch"))
    assert version == ttmlir.__version__
    assert multiply["ttmlir_git_hash"] == ttmlir.__git_hash__
    (chip,) = multiply["system_desc"]["chip_descs"]
    assert (chip["arch"], chip["grid_size"]) == ("Wormhole_b0", {"y": 8, "x": 8})
    assert len(chip["physical_cores"]["worker"]) == 64


def test_values_are_numbered_in_order_of_emission(multiply: Json) -> None:
    (program,) = multiply["programs"]
    assert program["name"] == "forward"
    assert (ids(program["inputs"]), ids(program["outputs"])) == ([1, 2], [8])
    found = []
    for op in program["operations"]:
        body = op["type"]
        sources = body.get("ins") or [body[k] for k in ("in", "in0") if k in body]
        found.append((op["type_type"], ids(sources), body["out"]["global_id"]))
    assert found == [
        ("GetDeviceOp", [], 0),
        ("ToLayoutOp", [1], 3),
        ("ToDeviceOp", [3], 4),
        ("ToLayoutOp", [2], 5),
        ("ToDeviceOp", [5], 6),
        ("EmptyOp", [], 7),
        ("EltwiseOp", [4, 6], 7),
        ("ToMemoryConfigOp", [7], 8),
    ]


def test_tensor_descriptions(multiply: Json) -> None:
    empty = multiply["programs"][0]["operations"][5]["type"]
    assert empty["shape"] == [64, 128]
    assert empty["memcfg"] == {"tensor_memory_layout": "Interleaved", "buffer_type": "DRAM"}
    out = empty["out"]
    assert (out["address"], out["size"], out["desc"]["shape"]) == (0, 0, [64, 128])
    layout = out["desc"]["layout"]
    assert layout["stride"] == [128, 1]
    assert layout["core_range_set"] == [{"loc": {"y": 0, "x": 0}, "size": {"y": 8, "x": 8}}]
    memory = layout["memory_desc"]
    assert (memory["shape"], memory["size"]) == ([8, 16], 512)
    assert (memory["memory_space"], memory["memory_layout"]) == ("DeviceDRAM", "Interleaved")


def test_debug_information(multiply: Json) -> None:
    (program,) = multiply["programs"]
    source = program["debug_info"]["mlir"]
    assert source["name"] == "ttnn"
    assert ir.Module.parse(source["source"], ir.Context()).operation.verify()
    text = program["operations"][6]["debug_info"]
    assert text.startswith('%6 = "ttnn.multiply"(%2, %4, %5) ')
    assert text.endswith('loc("-":4:8)')
    assert "#layout" not in text


def test_function_without_operations() -> None:
    text = (
        "func.func @f(%a: tensor<32x32xf32>) -> tensor<32x32xf32> { return %a : tensor<32x32xf32> }"
    )
    (program,) = binary(lowered(text))["programs"]
    assert ids(program["inputs"]) == ids(program["outputs"]) == [1]
    assert program["operations"] == []


def test_numbers_go_on_in_the_next_program() -> None:
    programs = binary(lowered(MULTIPLY + MULTIPLY.replace("@forward", "@again")))["programs"]
    assert [p["name"] for p in programs] == ["forward", "again"]
    assert [ids(p["inputs"]) for p in programs] == [[1, 2], [9, 10]]


def test_in_place_chain_is_one_tensor() -> None:
    layout = (
        "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
        "memref<32x32xf32, #tt.memory_space<dram>>, interleaved>"
    )
    tensor = f"tensor<32x32xf32, {layout}>"
    calls = "\n".join(
        f'%{i} = "ttnn.add"(%a, %b, %{i - 1 if i else "b"}) '
        f"<{{operandSegmentSizes = array<i32: 2, 1>}}> : ({tensor}, {tensor}, {tensor}) -> {tensor}"
        for i in range(2000)
    )
    text = f"""func.func @f(%a: {tensor}, %b: {tensor}) -> {tensor} {{
      {calls}
      return %1999 : {tensor}
    }}"""
    (program,) = binary(on_device(text))["programs"]
    assert ids(program["outputs"]) == [2]
    assert {op["type"]["out"]["global_id"] for op in program["operations"]} == {2}


def test_strides_are_those_of_each_shape() -> None:
    layout = (
        "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
        "memref<1x2x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>"
    )
    text = f"""func.func @f(%a: tensor<32x60xbf16, {layout}>, %b: tensor<32x64xbf16, {layout}>) {{
      return
    }}"""
    (program,) = binary(on_device(text))["programs"]
    first, second = (t["desc"]["layout"] for t in program["inputs"])
    assert (first["stride"], second["stride"]) == ([60, 1], [64, 1])
    assert first["memory_desc"] == second["memory_desc"]
    assert first["memory_desc"]["tile_shape"] == {"y": 32, "x": 32}


def test_optional_dims_of_reductions() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 64))
    b.output(b.sum(x, keep_dim=True), b.mean(x, -1, keep_dim=True))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    found = {
        op["type"]["type"]: op["type"]
        for op in binary(b.module)["programs"][0]["operations"]
        if op["type_type"] == "ReductionOp"
    }
    assert not found["Sum"].get("dim_arg")
    assert found["Mean"]["dim_arg"] in ([-1], [1])
    assert found["Mean"]["keep_dim"]


def test_several_chips() -> None:
    context = ir.Context()
    system = tt.ir.SystemDescAttr.from_name(context, "n300")
    device = tt.ir.DeviceAttr.from_system_desc(context, system, [2, 1, 1])
    module = ir.Module.parse(
        f"""module attributes {{tt.system_desc = {system}, tt.device = {device}}} {{
          func.func @f() {{
            %0 = "ttnn.get_device"() : () -> !tt.device<{device}>
            return
          }}
        }}""",
        context,
    )
    (operation,) = binary(module)["programs"][0]["operations"]
    assert operation["type"]["mesh"] == {"y": 2, "x": 1}
    assert operation["type"]["mesh_shape"] == [2, 1, 1]
    assert operation["type"]["chip_ids"] == [0, 1]


def test_collectives() -> None:
    module = ir.Module.parse(COLLECTIVES, ir.Context())
    with tempfile.TemporaryDirectory() as folder:
        system = f"{folder}/t3000.ttsys"
        runtime.get_default_system_desc("t3000").store(system)
        options = passes.TTIRToTTNNBackendPipelineOptions(
            system_desc_path=system, mesh_shape=(2, 4)
        )
        passes.run_pipeline(module, options.pipeline, options)
    found = [op["type"] for op in binary(module)["programs"][0]["operations"]]
    shards = [op for op in found if "shard_type" in op]
    assert [op["shard_direction"] for op in shards] == ["FullToShard", "ShardToFull"]
    assert shards[0]["shard_shape"] == [2, 4]
    assert shards[0]["shard_dims"] == [0, 1]
    collectives = [
        {key: value for key, value in op.items() if key not in ("in", "out")}
        for op in found
        if op.get("type") in COLLECTIVE_TYPES
    ]
    # What an op does not have is not in its table.
    assert collectives == [
        {"type": "AllGather", "dim": 1, "cluster_axis": 1},
        {"type": "ReduceScatter", "reduce_type": "Mean", "dim": -1, "cluster_axis": 1},
        {"type": "AllReduce", "reduce_type": "Sum", "cluster_axis": 0},
        {"type": "CollectivePermute", "groups": [0, 1, 1, 0], "group_size": 2},
        {
            **{"type": "AllToAll", "dim": 0, "concat_dim": 1, "split_count": 2},
            **{"groups": [0, 4, 1, 5, 2, 6, 3, 7], "group_size": 2},
        },
        {"type": "CollectiveBroadcast", "groups": [3, 1], "group_size": 2},
        {"type": "MeshPartition", "dim": 1},
    ]


def test_debug_info_is_what_each_op_prints() -> None:
    module = on_device("""
    func.func @forward(%a: tensor<64x128xf32, #dram>, %b: tensor<64x128xf32, #host>)
        -> tensor<64x128xf32, #dram> {
      %0 = "ttnn.get_device"() : () -> !tt.device<#d> loc("a device")
      %1 = "ttnn.to_device"(%b, %0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}>
        : (tensor<64x128xf32, #host>, !tt.device<#d>) -> tensor<64x128xf32, #dram>
      %2 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<f32>,
          layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>,
          memory_config = #ttnn.memory_config<<interleaved>, <dram>>}>
        : (!tt.device<#d>) -> tensor<64x128xf32, #dram> loc(fused["x", "y"])
      %3 = "ttnn.add"(%a, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>}>
        {note = "kept", flag} : (tensor<64x128xf32, #dram>, tensor<64x128xf32, #dram>,
        tensor<64x128xf32, #dram>) -> tensor<64x128xf32, #dram> loc("add")
      "ttnn.dealloc"(%1) : (tensor<64x128xf32, #dram>) -> ()
      return %3 : tensor<64x128xf32, #dram>
    }""")
    (function,) = module.body.operations
    expected = [
        op.operation.get_asm(
            enable_debug_info=True, use_local_scope=True, skip_regions=True, assume_verified=True
        )
        for op in function.body.blocks[0].operations
    ][:-1]
    (program,) = binary(module)["programs"]
    found = [op["debug_info"] for op in program["operations"]]
    assert found == expected
    assert found[0].startswith('%0 = "ttnn.get_device"() : () -> !tt.device<')
    assert 'loc("a device")' in found[0]
    assert '{flag, note = "kept"}' in found[3]
