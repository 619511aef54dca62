"""Programs of a mesh: mesh_shard and the executor's collectives against NumPy, on tensors in DRAM;
what does not fit the mesh is an error."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import ir, passes, runtime

Array = np.ndarray[Any, np.dtype[Any]]
ROWS, COLUMNS = 64, 128  # of a chip's tensor
DRAM, DRAM_BYTES = 1 << 20, 1 << 18


def layout(rows: int, columns: int, device: bool) -> str:
    memref = f"memref<{rows}x{columns}xf32, #tt.memory_space<system>>"
    if device:
        tiles = f"{-(-rows // 32)}x{-(-columns // 32)}x!tt.tile<32x32, f32>"
        memref = f"memref<{tiles}, #tt.memory_space<dram>>, interleaved"
    plain = "(d0, d1) -> (d0, d1), undef, <1x1>"
    return f"tensor<{rows}x{columns}xf32, #tt.layout<{plain}, {memref}>>"


def program(mesh: tuple[int, ...], out: tuple[int, int], attributes: str, aggregate: bool) -> str:
    """Cuts the argument by rows over all chips, runs a collective, joins the results by rows; or
    leaves them as each chip has them."""
    chips = int(np.prod(mesh))
    full, part = layout(ROWS * chips, COLUMNS, False), layout(ROWS, COLUMNS, False)
    source, target = layout(ROWS, COLUMNS, True), layout(*out, True)
    given, joined = layout(*out, False), layout(out[0] * chips, out[1], False)
    dims = ", ".join(["0"] * len(mesh))

    def shard(direction: str) -> str:
        return (
            f"<{{shard_dims = array<i64: {dims}>, shard_direction = "
            f"#tt.shard_direction<{direction}>, shard_shape = array<i64: {chips}, 1>, "
            "shard_type = #tt.shard_type<devices>}>"
        )

    def alloc(name: str, address: int, kind: str) -> str:
        return (
            f'{name} = "ttmetal.alloc"() <{{address = {address} : i64, memory_space = '
            f"#tt.memory_space<dram>, size = {DRAM_BYTES} : i64}}> : () -> {kind}"
        )

    def op(name: str, mnemonic: str, operands: str, attrs: str, a: str, b: str) -> str:
        return f'{name} = "ttmetal.{mnemonic}"({operands}) {attrs} : ({a}, {b}) -> {b}'

    lines = [
        f"%h0 = tensor.empty() : {part}",
        op("%0", "mesh_shard", "%x, %h0", shard("full_to_shard"), full, part),
        alloc("%d0", DRAM, source),
        op("%1", "host_write", "%0, %d0", "", part, source),
        alloc("%d1", DRAM + DRAM_BYTES, target),
        op("%2", "collective", "%1, %d1", f"<{{{attributes}}}>", source, target),
        f"%h1 = tensor.empty() : {given}",
        op("%3", "host_read", "%2, %h1", "", target, given),
    ]
    result, kind = "%3", given
    if aggregate:
        lines += [
            f"%h2 = tensor.empty() : {joined}",
            op("%4", "mesh_shard", "%3, %h2", shard("shard_to_full"), given, joined),
        ]
        result, kind = "%4", joined
    body = "\n  ".join(lines)
    return f"func.func @main(%x: {full}) -> {kind} {{\n  {body}\n  return {result} : {kind}\n}}"


def compiled(target: str, mesh: tuple[int, ...], text: str) -> ttmlir.Executable:
    desc = runtime.get_default_system_desc(target)
    module = ir.Module.parse(text, ir.Context())
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/system.ttsys"
        desc.store(path)
        passes.run_pipeline(module, "ttir-load-system-desc", f"path={path}")
    passes.run_pipeline(module, "ttir-implicit-device", f"mesh-shape={','.join(map(str, mesh))}")
    binary = runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    return ttmlir.Executable(binary, desc)


def kind(name: str, more: str) -> str:
    return f"kind = #ttmetal.collective_kind<{name}>, {more}"


def groups(mesh: tuple[int, int], axis: int) -> list[list[int]]:
    positions = np.arange(mesh[0] * mesh[1]).reshape(mesh)
    return (positions if axis == 1 else positions.T).tolist()


@pytest.mark.parametrize(
    ("target", "mesh", "axis"),
    [("n300", (1, 2), 1), ("t3000", (2, 4), 0), ("t3000", (2, 4), 1), ("t3000", (1, 8), 1)],
)
@pytest.mark.parametrize("name", ["all_gather", "reduce_scatter", "all_reduce"])
def test_collectives_along_an_axis(
    target: str, mesh: tuple[int, int], axis: int, name: str
) -> None:
    chips, size = mesh[0] * mesh[1], mesh[axis]
    x = np.random.default_rng(chips).integers(-50, 50, (ROWS * chips, COLUMNS)).astype(np.float32)
    parts = np.split(x, chips)
    expected: list[Array] = [np.empty(0)] * chips
    for group in groups(mesh, axis):
        total = np.sum([parts[p] for p in group], axis=0)
        for index, position in enumerate(group):
            if name == "all_gather":
                expected[position] = np.concatenate([parts[p] for p in group], 1)
            elif name == "all_reduce":
                expected[position] = total
            else:
                expected[position] = np.split(total, size, 1)[index]
    more = f"cluster_axis = {axis} : ui32"
    if name != "all_reduce":
        more += ", dim = 1 : si32"
    if name != "all_gather":
        more += ", reduce_type = #tt.reduce_type<sum>"
    text = program(mesh, expected[0].shape, kind(name, more), True)
    found = compiled(target, mesh, text)(x)
    np.testing.assert_array_equal(found, np.concatenate(expected))


def test_pairs_and_the_report() -> None:
    """Not a target: zeros. The bytes are on the links that the pairs need."""
    pairs = "groups = dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>"
    text = program((1, 4), (ROWS, COLUMNS), kind("collective_permute", pairs), False)
    executable = compiled("t3000", (1, 4), text)
    x = np.random.default_rng(0).random((4 * ROWS, COLUMNS), np.float32)
    device = executable.device
    runtime.enable_report(device, True)
    try:
        found = runtime.get_shards(executable(x, keep_on_device=True))
        report = runtime.get_report(device)
    finally:
        runtime.enable_report(device, False)
    zeros = np.zeros((ROWS, COLUMNS), np.float32)
    parts = np.split(x, 4)
    for shard, expected in zip(found, [zeros, parts[0], zeros, parts[1]], strict=True):
        np.testing.assert_array_equal(runtime.to_numpy(shard), expected)
    (op,) = (op for op in report.ops if op.ethernet_bytes)
    assert op.name == "collective_permute"
    used = {(use.from_chip, use.to_chip) for use in op.ethernet_use if use.bytes}
    assert used == {(0, 1), (1, 2), (2, 3)}
    # Each chip may have tensors of its own; as one result they are an error.
    with pytest.raises(ttmlir.Error, match="mesh 1x4"):
        executable(x)


def test_a_result_that_all_chips_have_is_one() -> None:
    text = program(
        (1, 2),
        (ROWS, COLUMNS),
        kind("all_reduce", "cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<max>"),
        False,
    )
    x = np.random.default_rng(0).integers(0, 99, (2 * ROWS, COLUMNS)).astype(np.float32)
    np.testing.assert_array_equal(compiled("n300", (1, 2), text)(x), np.maximum(*np.split(x, 2)))


def test_a_result_of_a_wrong_shape() -> None:
    gather = kind("all_gather", "cluster_axis = 1 : ui32, dim = 1 : si32")
    with pytest.raises(runtime.RuntimeError, match="64x256"):
        compiled("n300", (1, 2), program((1, 2), (ROWS, 384), gather, False))
