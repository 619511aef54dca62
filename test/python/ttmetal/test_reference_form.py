"""Programs on shards in L1, made by the pipeline with default-memory-space=l1 or by single passes:
what stands in their files, what they compute with all checks on, and the C++ of their kernels."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from kernel_cpp import cpp_errors

import ttmlir
from ttmlir import Executable, ir, passes, runtime
from ttmlir.passmanager import PassManager

Array = np.ndarray[Any, np.dtype[Any]]

ANY_DEVICE = "#tt.operand_constraint<any_device>"
MOVES = (
    "builtin.module(ttir-load-system-desc,ttir-implicit-device,{}ttir-allocate,"
    "convert-ttir-to-ttmetal)"
)
PIPELINE = (
    "builtin.module(ttir-load-system-desc,ttir-implicit-device,ttir-generic,"
    "ttir-layout{default-device-memory-layout=none default-memory-space=l1 init-memory-space=l1},"
    "ttir-generic-region-operands-to-memref,ttir-allocate,convert-ttir-to-ttmetal)"
)
ROWS = "(d0, d1) -> (d0, d1)"
CUBE = "(d0, d1, d2) -> (d0 * 32 + d1, d2)"
PACKED = "(d0, d1, d2) -> (d0 * 20 + d1, d2)"
FOUR = "(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3)"
ROW = "(d0) -> (0, d0)"
DTYPES = {
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.uint32),
    "i16": np.dtype(np.uint16),
    "i8": np.dtype(np.uint8),
}


def compiled(text: str, pipeline: str) -> Executable:
    with ir.Context():
        module = ir.Module.parse(text)
        PassManager.parse(pipeline).run(module.operation)
        return Executable(
            runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
        )


def binary_op(name: str, shape: str, dtype: str = "f32") -> str:
    tensor = f"tensor<{shape}x{dtype}>"
    return f"""
func.func @{name}(%a: {tensor}, %b: {tensor}) -> {tensor} {{
  %0 = tensor.empty() : {tensor}
  %1 = "ttir.{name}"(%a, %b, %0) <{{operandSegmentSizes = array<i32: 2, 1>,
    operand_constraints = [{", ".join([ANY_DEVICE] * 3)}]}}>
    : ({tensor}, {tensor}, {tensor}) -> {tensor}
  return %1 : {tensor}
}}"""


def layout(linear: str, grid: str, memref: str, space: str) -> str:
    return f"#tt.layout<{linear}, undef, <{grid}>, memref<{memref}, #tt.memory_space<{space}>>>"


def tiles(count: str, dtype: str = "f32") -> str:
    return f"{count}x!tt.tile<32x32, {dtype}>"


def l1(linear: str, grid: str, memref: str) -> str:
    return layout(linear, grid, memref, "l1")


def dram(linear: str, grid: str, memref: str) -> str:
    return layout(linear, grid, memref, "dram")


def move(tensor: str, layouts: list[str], split: bool = False) -> Executable:
    """A tensor, such as 2x3xf32, that goes from each layout to the next one."""
    types = [f"tensor<{tensor}, {one}>" for one in layouts]
    text = f"func.func @move(%v0: {types[0]}) -> {types[-1]} {{\n"
    for i, (source, target) in enumerate(itertools.pairwise(types), 1):
        text += f"%e{i} = tensor.empty() : {target}\n"
        text += f'%v{i} = "ttir.to_layout"(%v{i - 1}, %e{i}) : ({source}, {target}) -> {target}\n'
    text += f"return %v{len(types) - 1} : {types[-1]}\n}}"
    return compiled(text, MOVES.format("ttir-split-compound-layout," if split else ""))


def check_cpp(executable: Executable, folder: Path) -> None:
    sources = [source for _, source in executable.binary.get_program_kernels(0)]
    assert sources
    assert cpp_errors(sources, folder) == ""


def commands(executable: Executable) -> list[str]:
    """The commands of the only queue of a program, with the ids that they use."""
    (program,) = json.loads(executable.binary.as_json())["programs"]
    (device,) = program["device_programs"]
    (queue,) = device["command_queues"]
    assert queue["name"] == program["name"]
    assert device["inputs"] == program["inputs"]
    assert device["outputs"] == program["outputs"]
    lines = [f"inputs {[ref['global_id'] for ref in program['inputs']]}"]
    for command in queue["commands"]:
        kind, value = command["type_type"].removesuffix("Command"), command["type"]
        if "src" in value:
            lines.append(f"{kind} {value['src']['global_id']} -> {value['dst']['global_id']}")
            continue
        if kind != "EnqueueProgram":
            ref = value["ref"]
            place = f" @{ref['address']} size {ref['size']}" if kind == "CreateBuffer" else ""
            lines.append(f"{kind} {ref['global_id']}{place}")
            continue
        lines.append(f"{kind} {[ref['global_id'] for ref in value['operands']]}")
        for kernel in value["program"]["kernels"]:
            (cores,) = kernel["core_range_set"]
            (y, x), size = cores["loc"].values(), cores["size"]
            place = f"{y},{x} {size['y']}x{size['x']}"
            buffers = ", ".join(
                f"{cb['global_id']}: port {cb['desc']['port']} of {cb['tensor_ref']['global_id']}"
                f" @{cb['address']} {cb['desc']['num_buffers']}x{cb['desc']['page_size']}"
                for cb in kernel["cbs"]
            )
            assert "runtime_args" not in kernel
            lines.append(f"  {kernel['kernel']['config_type']} {place} [{buffers}]")
    lines.append(f"outputs {[ref['global_id'] for ref in program['outputs']]}")
    return lines


def test_commands_of_simple_eltwise() -> None:
    executable = compiled(binary_op("multiply", "64x128"), PIPELINE)
    assert commands(executable) == [
        "inputs [1, 2]",
        "CreateBuffer 3 @66560 size 32768",
        "EnqueueProgram [1, 3]",
        "  TensixConfig 0,0 1x1 [4: port 0 of 1 @1024 1x4096, 5: port 16 of 3 @66560 1x4096]",
        "CreateBuffer 6 @99328 size 32768",
        "EnqueueProgram [2, 6]",
        "  TensixConfig 0,0 1x1 [7: port 0 of 2 @33792 1x4096, 8: port 16 of 6 @99328 1x4096]",
        "CreateBuffer 9 @132096 size 32768",
        "EnqueueProgram [3, 6, 9]",
        "  TensixConfig 0,0 1x1 [10: port 0 of 3 @66560 1x4096, 11: port 1 of 6 @99328 1x4096, "
        "12: port 16 of 9 @132096 1x4096]",
        "DeallocateBuffer 6",
        "DeallocateBuffer 3",
        "CreateBuffer 13 @164864 size 32768",
        "EnqueueProgram [9, 13]",
        "  TensixConfig 0,0 1x1 [14: port 0 of 9 @132096 1x4096, 15: port 16 of 13 @164864 1x4096]",
        "DeallocateBuffer 9",
        "outputs [13]",
    ]


@pytest.mark.parametrize("shape", ["64x128", "50x70", "1x1", "2x32x64", "3x20x40", "2x2x32x64"])
@pytest.mark.parametrize(("name", "dtype"), [("add", "f32"), ("multiply", "f32"), ("add", "bf16")])
def test_simple_eltwise(name: str, dtype: str, shape: str, tmp_path: Path) -> None:
    executable = compiled(binary_op(name, shape, dtype), PIPELINE)
    rng = np.random.default_rng(0)
    extents = [int(extent) for extent in shape.split("x")]
    a, b = (rng.uniform(-1, 1, extents).astype(DTYPES[dtype]) for _ in range(2))
    operation: Callable[[Array, Array], Array] = {"add": np.add, "multiply": np.multiply}[name]
    expected = operation(a.astype(np.float64), b.astype(np.float64))
    # One rounding, to the nearest.
    result = np.asarray(executable(a, b)).astype(np.float64)
    rounding = {"f32": 2.0**-24, "bf16": 2.0**-8}[dtype]
    np.testing.assert_allclose(result, expected, rtol=rounding, atol=0)
    if shape == "64x128":
        check_cpp(executable, tmp_path)


@pytest.mark.parametrize("name", ["add", "multiply"])
def test_eltwise_on_shards(name: str) -> None:
    """Kernels run on the cores of the shards."""
    shards = l1(ROWS, "2x4", "32x64xf32")
    text = binary_op(name, "64x256").replace("xf32>", f"xf32, {shards}>")
    executable = compiled(text, PIPELINE)
    a, b = (np.random.default_rng(i).uniform(0, 1, (64, 256)).astype(np.float32) for i in (1, 2))
    expected = {"add": np.add, "multiply": np.multiply}[name](a, b)
    np.testing.assert_array_equal(np.asarray(executable(a, b)), expected)
    assert "  TensixConfig 0,0 2x4 [" in "\n".join(commands(executable))


def test_f32_in_l1_is_not_rounded_to_16_bits() -> None:
    """A norm of many ops on shards, and the sum that 16 bits cannot hold."""
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((31, 64)) + 3).astype(np.float32)
    b = ttmlir.Builder()
    shards = b.to_layout(
        b.input("x", x.shape), memory_space="l1", grid=(1, 1), memory_layout="block_sharded"
    )
    b.output(b.layer_norm(shards, normalized_shape=(64,)), b.add(shards, shards))
    norm, total = ttmlir.compile(b, backend="ttmetal")(x)
    centered = x - x.mean(-1, dtype=np.float64, keepdims=True)
    expected = centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(norm, expected, rtol=0, atol=2e-6)
    np.testing.assert_array_equal(total, x + x)


def test_pipeline_and_single_passes_write_one_program() -> None:
    text = binary_op("multiply", "64x128")
    single = compiled(text, PIPELINE)
    whole = ttmlir.compile(text, backend="ttmetal", default_memory_space="l1")
    assert commands(whole) == commands(single)


LAYOUTS = {
    "simple": ("4x16xf32", l1(ROWS, "1x1", "4x16xf32"), l1(ROWS, "4x1", "1x16xf32")),
    "gathered": ("4x16xf32", l1(ROWS, "4x1", "1x16xf32"), l1(ROWS, "1x1", "4x16xf32")),
    "sharded": ("256x256xf32", l1(ROWS, "2x4", "128x64xf32"), l1(ROWS, "8x8", "32x32xf32")),
    "uneven": ("100x64xf32", l1(ROWS, "8x1", "13x64xf32"), l1(ROWS, "1x1", "100x64xf32")),
    "from dram": ("256x256xf32", dram(ROWS, "1x1", "256x256xf32"), l1(ROWS, "8x8", "32x32xf32")),
    "to dram": ("256x256xf32", l1(ROWS, "8x8", "32x32xf32"), dram(ROWS, "1x1", "256x256xf32")),
    "tiles from dram": (
        "256x256xf32",
        dram(ROWS, "2x4", tiles("4x2")),
        l1(ROWS, "4x4", tiles("2x2")),
    ),
    "tiles to dram": (
        "256x256xbf16",
        l1(ROWS, "4x4", tiles("2x2", "bf16")),
        dram(ROWS, "8x8", tiles("1x1", "bf16")),
    ),
    "reblocking": ("256x256xf32", l1(ROWS, "1x8", tiles("8x1")), l1(ROWS, "8x1", tiles("1x8"))),
    "uneven tiles": ("96x96xf32", l1(ROWS, "1x1", tiles("3x3")), l1(ROWS, "2x2", tiles("2x2"))),
    "rank 1": ("256xf32", l1(ROW, "1x1", "1x256xf32"), l1(ROW, "1x4", "1x64xf32")),
    "rank 3": ("2x32x64xf32", l1(CUBE, "2x1", tiles("1x2")), l1(CUBE, "1x2", tiles("2x1"))),
    "rank 3 rows": ("2x20x64xf32", l1(PACKED, "1x1", "40x64xf32"), l1(CUBE, "1x1", "64x64xf32")),
    "rank 4": ("2x2x32x64xf32", l1(FOUR, "2x2", "64x32xf32"), dram(FOUR, "1x1", "128x64xf32")),
}


def check_move(executable: Executable, tensor: str) -> None:
    *extents, dtype = tensor.split("x")
    shape = [int(extent) for extent in extents]
    x = (np.arange(np.prod(shape)) % 251).reshape(shape).astype(DTYPES[dtype])
    np.testing.assert_array_equal(np.asarray(executable(x)), x)


@pytest.mark.parametrize("name", LAYOUTS)
def test_moves(name: str, tmp_path: Path) -> None:
    tensor, *layouts = LAYOUTS[name]
    executable = move(tensor, layouts)
    check_move(executable, tensor)
    if name in ("simple", "to dram"):
        check_cpp(executable, tmp_path)


def test_commands_of_a_move() -> None:
    tensor, *layouts = LAYOUTS["simple"]
    assert commands(move(tensor, layouts)) == [
        "inputs [1]",
        "CreateBuffer 2 @1280 size 64",
        "EnqueueProgram [1, 2]",
        *(f"  NocConfig {y},0 1x1 []" for y in range(4)),
        "outputs [2]",
    ]


def test_through_the_host() -> None:
    shards, host = l1(ROWS, "2x2", "32x64xf32"), layout(ROWS, "1x1", "64x128xf32", "system")
    executable = move("64x128xf32", [shards, host, shards])
    check_move(executable, "64x128xf32")
    assert commands(executable) == [
        "inputs [1]",
        "CreateBuffer 2 @0 size 32768",
        "EnqueueReadBuffer 1 -> 2",
        "CreateBuffer 3 @9216 size 8192",
        "EnqueueWriteBuffer 2 -> 3",
        "DeallocateBuffer 2",
        "outputs [3]",
    ]


@pytest.mark.parametrize("dtype", DTYPES)
def test_tiles_and_back(dtype: str, tmp_path: Path) -> None:
    tile = {"i32": "u32", "i16": "u16", "i8": "u8"}.get(dtype, dtype)
    rows, blocks = l1(ROWS, "2x2", f"64x64x{dtype}"), l1(ROWS, "2x2", tiles("2x2", tile))
    executable = move(f"128x128x{dtype}", [rows, blocks, rows])
    check_move(executable, f"128x128x{dtype}")
    check_cpp(executable, tmp_path)


@pytest.mark.parametrize(
    ("shape", "linear", "rows", "blocks"),
    [
        ("50x70xf32", ROWS, "50x70xf32", "2x3"),
        ("3x20x40xf32", PACKED, "60x40xf32", "2x2"),
        ("2x32x64xf32", CUBE, "64x64xf32", "2x2"),
    ],
)
def test_parts_of_tiles(shape: str, linear: str, rows: str, blocks: str, tmp_path: Path) -> None:
    there, back = l1(linear, "1x1", rows), l1(linear, "1x1", tiles(blocks))
    executable = move(shape, [there, back, there])
    check_move(executable, shape)
    check_cpp(executable, tmp_path)


@pytest.mark.parametrize("backwards", [False, True])
def test_compound_moves(backwards: bool) -> None:
    layouts = [dram(ROWS, "1x1", "256x256xf32"), l1(ROWS, "2x2", tiles("4x4"))]
    layouts = layouts[::-1] if backwards else layouts
    check_move(move("256x256xf32", layouts, split=True), "256x256xf32")


def test_ttrt_runtime(tmp_path: Path) -> None:
    """The calls of ttrt's own scripts: borrowed memory, a queue for each device."""
    from ttrt import binary
    from ttrt import runtime as rt

    path = tmp_path / "out.ttm"
    compiled(binary_op("add", "64x128"), PIPELINE).save(path)
    fbb = binary.load_binary_from_path(str(path))
    assert fbb.file_identifier == "TTM0"
    rt.set_compatible_runtime(fbb)
    assert rt.get_current_runtime() == rt.DeviceRuntime.TTMetal
    with pytest.raises(
        runtime.ArgumentError, match=r"one number of command queues per device \(1\), found 2"
    ):
        rt.open_device([0], [1, 1])
    device = rt.open_device([0], [1])
    x = np.arange(64 * 128, dtype=np.float32).reshape(64, 128) % 64
    out = np.zeros_like(x)
    a, b, c = (
        rt.create_tensor(array.ctypes.data, [64, 128], [128, 1], 4, rt.DataType.Float32)
        for array in (x, x, out)
    )
    for _ in range(2):
        event = rt.submit(device, fbb, 0, [a, b], [c])
    rt.wait(event)
    device.deallocate_buffers()
    rt.close_device(device)
    np.testing.assert_array_equal(out, x + x)
