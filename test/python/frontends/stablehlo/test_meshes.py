"""Programs over meshes of chips agree with JAX on the CPU, and send what they should."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import random_meshes
from jax import lax
from jax.sharding import AbstractMesh, AxisType
from mesh_programs import COLLECTIVES, PROGRAMS, Argument, P, mlp, parts_of, step
from oracle import assert_close

import ttmlir
from ttmlir import CompileError, runtime
from ttmlir._lowering import Backend
from ttmlir.frontends.stablehlo import import_module

T3000 = runtime.get_default_system_desc("t3000")


@contextmanager
def partitioner(with_shardy: bool) -> Iterator[None]:
    """Lowers with or without Shardy."""
    before = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", with_shardy)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)


def collectives(executable: Any) -> Counter[str]:
    """The collectives of a program that send something."""
    names = r'"ttnn\.(all_gather|all_reduce|all_to_all|collective_\w+|reduce_scatter)"'
    return Counter(re.findall(names, executable.mlir))


#: What JAX 0.7 lowers to a module that does not verify.
INVALID_BEFORE_0_8 = {"manual in one axis, then in both"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    if name in INVALID_BEFORE_0_8 and jax.__version_info__ < (0, 8):
        pytest.skip("this JAX lowers it to a module that does not verify")
    check(name)


def check(name: str, backend: Backend = "ttnn") -> None:
    program = PROGRAMS[name]
    rng = np.random.default_rng(0)
    arrays = [a.array(rng) for a in program.arguments]
    described = [a.described() for a in program.arguments]
    with jax.default_matmul_precision("highest"):
        jitted = jax.jit(program.function, out_shardings=program.outputs)
        executable = ttmlir.compile(jitted, *described, target="t3000", backend=backend)
        alone = jax.jit(_without_constraints(program.function))
        want = program.expected(*arrays) if program.expected else alone(*arrays)
    want = jax.tree.map(lambda x: x.astype(jnp.float32) if x.dtype == float else x, want)
    assert_close(executable(*arrays), want, program.tolerance)
    if program.collectives is not None and backend == "ttnn":
        assert collectives(executable) == program.collectives


def _without_constraints(function: Any) -> Any:
    """The function as one device computes it."""

    def plain(*arrays: Any) -> Any:
        before = lax.with_sharding_constraint
        lax.with_sharding_constraint = lambda x, _: x
        try:
            return function(*arrays)
        finally:
            lax.with_sharding_constraint = before

    return plain


@pytest.mark.parametrize("with_shardy", [True, False], ids=["shardy", "gspmd"])
@pytest.mark.parametrize("name", COLLECTIVES)
def test_collective(name: str, with_shardy: bool) -> None:
    case = COLLECTIVES[name]
    argument = Argument(case.shape, case.inputs, case.dtype)
    x = argument.array(np.random.default_rng(0))
    with partitioner(with_shardy):
        executable = ttmlir.compile(case.whole, argument.described(), target="t3000")
    assert_close(executable(x), np.asarray(case.expected(parts_of(x, case.inputs))), 2e-5)


@pytest.mark.parametrize(
    "name",
    [
        "train step",
        "attention",
        "reductions",
        "uneven constraints",
        "complex numbers",
    ],
)
def test_without_shardy(name: str) -> None:
    with partitioner(False):
        check(name)


@pytest.mark.parametrize(
    "name", ["train step", "places", "along sharded dimensions", "complex numbers"]
)
def test_kernels(name: str) -> None:
    check(name, "ttmetal")


# Bytes over links -------------------------------------------------------------------------------


def test_the_bytes_of_a_tensor_parallel_block() -> None:
    """Those of the program that is written by hand: one sum over four chips."""
    described = [a.described() for a in PROGRAMS["tensor and data parallel"].arguments]
    executable = ttmlir.compile(mlp, *described, target="t3000")
    b = ttmlir.Builder(mesh_shape=(2, 4))
    w = b.mesh_shard(b.input("w", (64, 256)), (None, 1))
    v = b.mesh_shard(b.input("v", (256, 64)), (None, 0))
    x = b.mesh_shard(b.input("x", (64, 64)), (0, None))
    found = b.all_reduce(b.matmul(b.relu(b.matmul(x, w)), v), cluster_axis=1)
    b.output(b.mesh_gather(found, (0, None)))
    by_hand = ttmlir.compile(b, target="t3000")
    assert executable.report().ethernet_bytes == by_hand.report().ethernet_bytes


def test_data_parallel_gradients_are_summed_once() -> None:
    """Each gradient crosses the links along the axis of the data, and activations do not."""
    mesh = AbstractMesh((2,), ("data",), axis_types=(AxisType.Auto,))
    arguments = [
        Argument((64, 256)), Argument((256, 64)),
        Argument((512, 64), P("data")), Argument((512, 64), P("data")),
    ]  # fmt: skip
    described = [a.described(mesh) for a in arguments]
    executable = ttmlir.compile(step, *described, target="n300")
    assert collectives(executable) == {"all_reduce": 3}


# Chips -------------------------------------------------------------------------------------------


def on(devices: Sequence[int] | None, function: Any, *described: Any, **keywords: Any) -> Any:
    """The program with partitions on chips of a t3000, and its executable."""
    lowered = jax.jit(function, **keywords).trace(*described).lower(lowering_platforms=("tt",))
    imported = import_module(lowered, devices=devices, system=T3000)
    assert imported.mesh is not None
    chips = {"chip_ids": imported.mesh.chips} if imported.mesh.chips else {}
    return imported, ttmlir.compile(imported.builder, target="t3000", **chips)


@pytest.mark.parametrize(
    "devices",
    [
        None,
        [*range(8)],
        [7, 6, 5, 4, 3, 2, 1, 0],
        [0, 4, 1, 5, 2, 6, 3, 7],
        [3, 0, 6, 5, 1, 7, 2, 4],
    ],
)
def test_chips_in_any_order(devices: list[int] | None) -> None:
    case, attention = COLLECTIVES["axis_index"], PROGRAMS["attention"]
    argument = Argument(case.shape, case.inputs)
    x = argument.array(np.random.default_rng(0))
    imported, executable = on(devices, case.whole, argument.described())
    assert_close(executable(x), case.expected(parts_of(x, case.inputs)))
    if devices is not None:
        assert [imported.mesh.chips[i] for i in imported.mesh.positions] == devices
    arrays = [a.array(np.random.default_rng(0)) for a in attention.arguments]
    _, executable = on(devices, attention.function, *(a.described() for a in attention.arguments))
    assert_close(executable(*arrays), jax.jit(attention.function)(*arrays), 2e-5)


@pytest.mark.parametrize("devices", [[0, 1, 4, 5], [6, 1, 2, 5], [4, 5, 6, 7]])
def test_some_of_the_chips(devices: list[int]) -> None:
    mesh = AbstractMesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    described = Argument((8, 8), P("x", "y")).described(mesh)
    imported, executable = on(devices, lambda v: v @ v.T - v.sum(0), described)
    assert_close(executable(x), x @ x.T - x.sum(0))
    assert sorted(imported.mesh.chips) == sorted(devices)


def test_chips_without_links() -> None:
    mesh = AbstractMesh((2,), ("x",), axis_types=(AxisType.Auto,))
    described = Argument((8, 8), P("x")).described(mesh)
    with pytest.raises(CompileError, match=r"found \[0, 7\]: take neighbours"):
        on([0, 7], jnp.sin, described)


def test_a_system_that_is_too_small() -> None:
    described = Argument((16, 64), P("data", "model")).described()
    with pytest.raises(CompileError, match="expected a system with a mesh of 8 chips, found 2"):
        ttmlir.compile(jnp.sin, described, target="n300")


def test_a_mesh_of_three_axes() -> None:
    """Two of them are parts of an axis of the chips."""
    mesh = AbstractMesh((2, 2, 2), ("x", "y", "z"), axis_types=(AxisType.Auto,) * 3)
    arguments = [Argument((16, 32), P("x", "y")), Argument((32, 24), P("y", "z"))]
    x, w = (a.array(np.random.default_rng(0)) for a in arguments)
    _, executable = on(None, jnp.matmul, *(a.described(mesh) for a in arguments))
    assert_close(executable(x, w), x @ w, 2e-5)


@pytest.mark.skipif(jax.__version_info__ < (0, 8), reason="needs devices for explicit axes")
def test_explicit_axes() -> None:
    mesh = AbstractMesh((2, 4), ("data", "model"), axis_types=(AxisType.Explicit,) * 2)
    arguments = [*PROGRAMS["tensor and data parallel"].arguments]
    w, v, x = (a.array(np.random.default_rng(0)) for a in arguments)

    def function(w: Any, v: Any, x: Any) -> Any:
        hidden = jax.nn.relu(x @ w)
        return jnp.matmul(hidden, v, out_sharding=P("data", None)) / 8

    with jax.sharding.use_abstract_mesh(mesh):
        described = [a.described(mesh) for a in arguments]
        executable = ttmlir.compile(function, *described, target="t3000")
    assert_close(executable(w, v, x), mlp(w, v, x), 2e-5)
    assert collectives(executable) == {"all_reduce": 1}


# Parts -------------------------------------------------------------------------------------------

UNEVEN = """
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  sdy.mesh @turned = <["a"=2, "b"=4], device_ids=[1, 0, 2, 3, 4, 5, 7, 6]>
  func.func @main(%x: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>},
                  %y: tensor<5x7xf32> {
                      sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {"b":(2)2}]>},
                  %z: tensor<8x7xf32> {sdy.sharding = #sdy.sharding<@turned, [{"b"}, {}]>})
      -> (tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>},
          tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.add %x, %y : tensor<5x7xf32>
    %1 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8x7xf32>, tensor<f32>) -> tensor<7xf32>
    return %0, %1 : tensor<5x7xf32>, tensor<7xf32>
  }
}
"""


def test_parts_of_each_chip() -> None:
    """Without whole arrays the program takes padded parts and returns them."""
    imported = import_module(UNEVEN, whole=False, devices=range(8), system=T3000)
    assert [s.hlo() for s in imported.input_shardings] == [
        "{devices=[2,4]<=[8]}",
        "{devices=[2,2,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "{devices=[4,1,2]1,4,0,5,2,7,3,6 last_tile_dim_replicate}",
    ]
    assert [s.hlo() for s in imported.output_shardings] == [
        "{devices=[1,8]<=[2,4]T(1,0)}",
        "{devices=[2,4]<=[8] last_tile_dim_replicate}",
    ]
    assert [t.shape for t in imported.inputs] == [(5, 7), (5, 7), (8, 7)]
    assert [t.shape for t in imported.local_inputs] == [(3, 2), (3, 4), (2, 7)]
    assert [t.shape for t in imported.local_outputs] == [(5, 1), (4,)]
    mesh = imported.mesh
    assert mesh is not None
    assert (mesh.shape, mesh.partitions) == ((2, 4), tuple(range(8)))
    rng = np.random.default_rng(0)
    x, y, z = (rng.standard_normal(t.shape).astype(np.float32) for t in imported.inputs)
    tensors = []
    for whole, sharding in zip((x, y, z), imported.input_shardings, strict=True):
        shards = [runtime.from_numpy(p) for p in padded_parts(whole, sharding.dims)]
        tensors.append(runtime.create_multi_device_host_tensor(shards, list(mesh.shape)))
    exe = ttmlir.compile(imported.builder, target="t3000", chip_ids=mesh.chips)
    device = runtime.open_mesh_device(list(mesh.shape), list(mesh.chips), T3000)
    try:
        found = runtime.run(device, exe.binary, 0, tensors)
        for tensor, whole, sharding in zip(
            found, (x + y, z.sum(0)), imported.output_shardings, strict=True
        ):
            shards = [np.asarray(runtime.to_numpy(t)) for t in runtime.get_shards(tensor)]
            for got, want in zip(shards, padded_parts(whole, sharding.dims), strict=True):
                assert_close(got, want)
    finally:
        runtime.close_device(device)


def padded_parts(whole: Any, dims: Any) -> list[Any]:
    """The part of each of eight partitions, with zeros behind the last elements."""
    parts = []
    for partition in range(8):
        part = whole
        for d, digits in enumerate(dims):
            count, number = 1, 0
            for sub_axis in digits:
                place = sub_axis.order.index(partition) if sub_axis.order else partition
                number = number * sub_axis.size + place // sub_axis.stride % sub_axis.size
                count *= sub_axis.size
            extent = -(-whole.shape[d] // count)
            more = [(0, extent * count - n if e == d else 0) for e, n in enumerate(part.shape)]
            part = np.pad(part, more).take(range(number * extent, (number + 1) * extent), d)
        parts.append(np.ascontiguousarray(part))
    return parts


def test_whole_arrays_of_uneven_parts() -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((5, 7)).astype(np.float32) for _ in range(2))
    z = rng.standard_normal((8, 7)).astype(np.float32)
    first, second = ttmlir.compile(UNEVEN, target="t3000")(x, y, z)
    assert_close(first, x + y)
    assert_close(second, z.sum(0))


def test_sums_that_are_not_finished() -> None:
    text = UNEVEN.replace('[{"a"}, {"b"}]>', '[{}, {"b"}], unreduced={"a"}>')
    with pytest.raises(CompileError, match="still to be summed over an axis"):
        import_module(text)


def test_jit() -> None:
    program = PROGRAMS["train step"]
    arrays = [a.array(np.random.default_rng(0)) for a in program.arguments]
    jitted = ttmlir.jit(program.function, target="t3000")
    constrained = [a.described() for a in program.arguments]
    executable = jitted.compile(*constrained)
    assert executable.report(*arrays).ethernet_bytes > 0
    assert_close(executable(*arrays), jax.jit(program.function)(*arrays), 2e-5)


def test_jit_of_arguments_without_shardings() -> None:
    case = COLLECTIVES["psum"]
    x = Argument(case.shape).array(np.random.default_rng(0))
    found = ttmlir.jit(case.whole, target="t3000")(x)
    assert_close(found, case.expected(parts_of(x, case.inputs)))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(25))
def test_random_program(seed: int) -> None:
    random_meshes.check(seed)
