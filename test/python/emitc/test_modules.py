"""The C++ of whole modules: sharded, in block floats, of other systems, with other moves."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from emitc_bits import assert_same_bits
from emitc_programs import COLLECTIVES
from models import linalg, networks, tosa

import ttmlir
from ttmlir import emitc, ir, passes, runtime
from ttmlir._tools import PROGRAM

Program = Callable[[ttmlir.Builder], None]


def chain(b: ttmlir.Builder) -> None:
    x, y = b.input("x", (256, 256)), b.input("y", (256, 256))
    for _ in range(3):
        x = b.multiply(b.add(b.relu(x), y), y)
    b.output(x, b.exp(b.neg(b.relu(x))))


def layers(b: ttmlir.Builder) -> None:
    x = b.input("x", (40, 100))
    hidden = b.relu(b.matmul(x, b.input("w1", (100, 70))) + b.input("b1", (1, 70)))
    b.output(b.softmax(b.matmul(hidden, b.input("w2", (70, 10))) + b.input("b2", (1, 10))))


def image(b: ttmlir.Builder) -> None:
    x = b.input("x", (1, 16, 16, 32))
    y = b.conv2d(x, b.input("w", (64, 32, 3, 3)), padding=(1, 1))
    b.output(b.relu(b.max_pool2d(b.relu(y), (2, 2), stride=(2, 2))))


def attention(b: ttmlir.Builder) -> None:
    q, k, v = (b.input(name, (4, 48, 64)) for name in "qkv")
    scores = b.softmax(b.matmul(q, b.transpose(k, 1, 2)))
    b.output(b.add(b.matmul(scores, v), q))


def build(program: Program) -> ttmlir.Builder:
    b = ttmlir.Builder(program.__name__)
    program(b)
    return b


@pytest.mark.sampled(3)
@pytest.mark.parametrize("program", [chain, layers, image, attention])
@pytest.mark.parametrize("sharded", [False, True], ids=["dram", "sharded"])
def test_bits(program: Program, sharded: bool) -> None:
    exe = ttmlir.compile(
        build(program),
        sharding_pass_enabled=sharded,
        resharding_enabled=sharded,
        enable_deallocate=True,
    )
    if sharded and program is chain:
        assert "ttnn::ShardSpec(" in exe.cpp
    assert "ttnn::dealloc(" in exe.cpp
    assert_same_bits(exe, emitc.load(exe.cpp), program.__name__)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("writer", [tosa, linalg], ids=["tosa", "linalg"])
@pytest.mark.parametrize("name", ["resnet_block", "encoder_block", "lenet"])
def test_networks(name: str, writer: ModuleType) -> None:
    arguments: list[Any] = []
    if name == "lenet":
        # Its weights are constants.
        arguments = [networks.random_inputs(networks.LENET_SHAPES, seed=0), 4]
    exe = ttmlir.compile(getattr(networks, name)(writer.Writer("f32"), *arguments).text())
    assert_same_bits(exe, emitc.load(exe.cpp), exe.programs[0].name)


def test_block_floats() -> None:
    b = ttmlir.Builder("blocks")
    x = b.input("x", (70, 100))
    b.output(b.exp(b.add(x, x, name="sum")))
    exe = ttmlir.compile(b, override_output_layout={"sum": "dram:interleaved:tile:bfp_bf8"})
    assert "ttnn::DataType::BFLOAT8_B" in exe.cpp
    assert_same_bits(exe, emitc.load(exe.cpp), "blocks")


def test_results_on_the_device() -> None:
    exe = ttmlir.compile(build(layers), results_on_device=True)
    assert_same_bits(exe, emitc.load(exe.cpp), "layers")


def test_another_system() -> None:
    """The program uses cores that the first target does not have."""
    exe = ttmlir.compile(build(chain), target="p150", sharding_pass_enabled=True)
    library = emitc.load(exe.cpp, target="p150")
    try:
        assert_same_bits(exe, library, "chain")
    finally:
        emitc.load_library(emitc.library_dir() / "libttnn.so", target="n150")


def test_collectives() -> None:
    """All ops between the chips of a mesh, and what the chips share."""
    b = ttmlir.Builder("collectives", mesh_shape=(2, 4))
    x = b.mesh_shard(b.input("x", (80, 160), "bf16"), (0, 1))
    x = b.add(x, b.full(x.shape, 0.5, "bf16"))
    y = b.reduce_scatter(b.all_gather(x, 1, 1), -1, 1, "mean")
    y = b.collective_permute(b.all_reduce(y, 0), [(0, 1), (1, 0), (5, 2)])
    y = b.all_to_all(y, 0, 1, [[0, 4], [1, 5], [2, 6], [3, 7]])
    y = b.mesh_partition(b.collective_broadcast(y, [[3, 1, 2]]), 1)
    b.output(b.mesh_gather(x, (0, 1)), b.mesh_gather(y, (0, 1)))
    exe = ttmlir.compile(b, target="t3000")
    for name in COLLECTIVES:
        assert f"ttnn::{name}(" in exe.cpp
    library = emitc.load(exe.cpp, target="t3000", options=["-Wall", "-Wextra", "-Werror"])
    try:
        assert_same_bits(exe, library, "collectives")
    finally:
        emitc.load_library(emitc.library_dir() / "libttnn.so", target="n150")


def test_a_mesh_that_the_system_does_not_have() -> None:
    b = ttmlir.Builder("shards", mesh_shape=(1, 2))
    b.output(b.mesh_gather(b.abs(b.mesh_shard(b.input("x", (4, 4)), (0, 1))), (0, 1)))
    library = emitc.load(ttmlir.compile(b, target="n300").cpp)
    with pytest.raises(ttmlir.Error, match=r"getInstance: .*from 0 to 0, found 1"):
        library.shards(np.zeros((4, 4), np.float32))


def test_from_device() -> None:
    """What --ttir-to-ttnn-backend-pipeline writes as to_memory_config."""
    text = ttmlir.compile(build(layers)).mlir
    move = re.compile(r'"ttnn.to_memory_config"\((%\w+), %\w+\) : \((.*), !tt.device<.*>\) ->')
    text, count = move.subn(r'"ttnn.from_device"(\1) : (\2) ->', text)
    assert count == 1
    with ir.Context() as context:
        data = passes.ttnn_to_flatbuffer_bytes(ir.Module.parse(text, context))
    exe = ttmlir.Executable(runtime.load_binary_from_bytes(data))
    assert "ttnn::from_device(" in exe.cpp
    assert_same_bits(exe, emitc.load(exe.cpp), "layers")


def test_the_tools_print_the_same() -> None:
    exe = ttmlir.compile(build(layers))

    def run(text: str, *command: str) -> str:
        done = subprocess.run(
            [PROGRAM, *command], input=text, capture_output=True, text=True, check=True
        )
        return done.stdout

    converted = run(exe.mlir, "ttmlir-opt", "--convert-ttnn-to-emitc")
    text = run(converted, "ttmlir-translate", "-mlir-to-cpp", "-allow-unregistered-dialect")
    assert text == exe.cpp


def test_names_that_cpp_does_not_allow() -> None:
    text = ttmlir.compile(build(layers)).mlir.replace("func.func @layers", 'func.func @"a b"', 1)
    with ir.Context() as context:
        data = passes.ttnn_to_flatbuffer_bytes(ir.Module.parse(text, context))
    exe = ttmlir.Executable(runtime.load_binary_from_bytes(data))
    assert [p.name for p in exe.programs] == ["a b"]
    assert "ttnn::Tensor a_b(" in exe.cpp
