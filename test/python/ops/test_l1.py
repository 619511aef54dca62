"""Every op as kernels on tensors in L1: its numbers, with every check. What the kernels of an op or
L1 have no room for goes to DRAM, and a remark says so."""

from __future__ import annotations

import collective_reference
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import Array, check
from op_program import Case, boolean, dense, draws, i32_list, si32

import ttmlir
from ttmlir import runtime


def run(case: Case, device: runtime.Device) -> tuple[Array, ttmlir.Executable]:
    exe = ttmlir.compile(case.text(), backend="ttmetal", default_memory_space="l1")
    result: Array = exe(*(array for array, _ in case.inputs), device=device)
    return result, exe


def fallbacks(exe: ttmlir.Executable) -> list[ttmlir.errors.Remark]:
    return [r for r in exe.remarks if r.pass_name == "ttir-layout" and r.kind == "missed"]


@pytest.mark.sampled(64)
@pytest.mark.parametrize("op", sorted(CASES))
@draws(4)
@given(data=st.data())
def test_numbers(checked: runtime.Device, op: str, data: st.DataObject) -> None:
    case = data.draw(CASES[op], label="case")
    result, _ = run(case, checked)
    check(result, case.expected(), case.format, case.ulps, case.slack)


def uniform(shape: tuple[int, ...], dtype: str = "f32", low: float = -1.0) -> tuple[Array, str]:
    rng = np.random.default_rng(len(shape))
    host = np.float32 if dtype == "f32" else ml_dtypes.bfloat16
    return rng.uniform(low, 1, shape).astype(host), dtype


def softmax(shape: tuple[int, ...]) -> Case:
    return Case(
        "softmax",
        [uniform(shape)],
        shape,
        "f32",
        lambda x: jax.nn.softmax(x, axis=-1),
        {"dimension": si32(-1)},
        ulps=120,
    )


def matmul(a: tuple[int, ...], b: tuple[int, ...], result: tuple[int, ...]) -> Case:
    # Products of K elements below 1, added in f32.
    return Case(
        "matmul",
        [uniform(a, "bf16"), uniform(b, "bf16")],
        result,
        "bf16",
        jnp.matmul,
        slack=a[-1] * 2.0**-20,
    )


def relu(shape: tuple[int, ...]) -> Case:
    return Case("relu", [uniform(shape)], shape, "f32", jax.nn.relu, segments=(1, 1))


def total(shape: tuple[int, ...], dims: list[int]) -> Case:
    left = tuple(1 if d in dims else extent for d, extent in enumerate(shape))
    return Case(
        "max",
        [uniform(shape)],
        left,
        "f32",
        lambda x: jnp.max(x, axis=tuple(dims), keepdims=True),
        {"dim_arg": i32_list(dims), "keep_dim": boolean(True)},
    )


def permute(shape: tuple[int, ...], order: tuple[int, ...]) -> Case:
    return Case(
        "permute",
        [uniform(shape, "bf16")],
        tuple(shape[d] for d in order),
        "bf16",
        lambda x: jnp.transpose(x, order),
        {"permutation": dense(order)},
    )


def concat(shape: tuple[int, ...], dim: int) -> Case:
    result = tuple(2 * extent if d == dim else extent for d, extent in enumerate(shape))
    return Case(
        "concat",
        [uniform(shape, "bf16"), uniform(shape, "bf16")],
        result,
        "bf16",
        lambda x, y: jnp.concatenate([x, y], dim),
        {"dim": si32(dim)},
    )


def embedding(rows: int, width: int, count: int) -> Case:
    indices = (np.arange(count, dtype=np.uint32) * 7919) % rows
    return Case(
        "embedding",
        [(indices, "u32"), uniform((rows, width), "bf16")],
        (count, width),
        "bf16",
        lambda i, table: table[i],
    )


#: Layers of models: in L1, beyond the L1 of a core, and with parts on both sides.
LAYERS = {
    "softmax of attention": softmax((12, 128, 128)),
    "softmax in l1": softmax((4, 100, 70)),
    "product in l1": matmul((128, 320), (320, 96), (128, 96)),
    "product of a projection": matmul((128, 768), (768, 3072), (128, 3072)),
    "product of a ragged head": matmul((3, 50, 257), (3, 257, 65), (3, 50, 65)),
    "activation of a layer": relu((1, 56, 56, 256)),
    "activation of a primary shape": relu((3, 127, 509)),
    "maximum of an image": total((1, 112, 112, 64), [1, 2]),
    "heads": permute((2, 128, 12, 64), (0, 2, 1, 3)),
    "rows of a vocabulary": concat((2, 32000), 1),
    "table of a vocabulary": embedding(30522, 768, 40),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_layers(checked: runtime.Device, layer: str) -> None:
    case = LAYERS[layer]
    result, _ = run(case, checked)
    check(result, case.expected(), case.format, case.ulps, case.slack)


def test_long_rows(checked: runtime.Device) -> None:
    """A row of a large vocabulary goes through the half of L1 that tensors leave."""
    case = concat((1, 64128), 1)
    result, _ = run(case, checked)
    check(result, case.expected(), case.format, case.ulps, case.slack)


def test_what_fits_lies_in_l1() -> None:
    exe = ttmlir.compile(softmax((64, 70)).text(), backend="ttmetal", default_memory_space="l1")
    assert "dram" not in exe.mlir.split("func.func", 1)[1]
    assert not fallbacks(exe)


def test_fallbacks_are_remarks() -> None:
    """An op without kernels for L1, and tensors that it has no room for."""
    b = ttmlir.Builder()
    x, y = b.input("x", (64, 128)), b.input("y", (1024, 1024))
    b.output(b.reshape(b.relu(x), (128, 64)), b.relu(y))
    exe = ttmlir.compile(b, backend="ttmetal", default_memory_space="l1")
    found = fallbacks(exe)
    assert all(r.kind == "missed" and r.function == "forward" for r in found)
    assert [r.reason for r in found if r.op == "ttir.reshape"] == [
        "works in dram: the op has no kernels for tensors in l1"
    ]
    assert [r.reason for r in found if r.op == "func.func"] == [
        "argument 1 goes to dram: 4194304 bytes of it are more than a core's L1 has left for "
        "tensors"
    ]
    assert "the result goes to dram: 4194304 bytes" in " ".join(
        r.reason for r in found if r.op == "ttir.generic"
    )


@pytest.mark.parametrize("op", ["all_gather", "all_reduce", "reduce_scatter"])
@pytest.mark.parametrize("use_kernel", [False, True])
def test_collectives(op: str, use_kernel: bool) -> None:
    """Commands take tensors in L1; kernels take them in DRAM."""
    mesh, arguments = (1, 2), {"cluster_axis": 1} | ({} if op == "all_reduce" else {"dim": -1})
    b = ttmlir.Builder(mesh_shape=mesh)
    chips = b.neg(b.mesh_shard(b.input("x", (2 * 33, 70)), (None, 0)))
    b.output(b.mesh_gather(b.neg(getattr(b, op)(chips, **arguments)), (None, 0)))
    exe = ttmlir.compile(
        b,
        backend="ttmetal",
        target="n300",
        default_memory_space="l1",
        use_all_gather_kernel=use_kernel,
    )
    found = [remark.reason for remark in fallbacks(exe) if remark.op == f"ttir.{op}"]
    assert found == ["works in dram: the op has no kernels for tensors in l1"] * use_kernel
    given = np.random.default_rng(0).integers(-9, 9, (2 * 33, 70)).astype(np.float32)
    if op != "all_gather":
        arguments["reduce"] = "sum"
    expected = getattr(collective_reference, op)(np.split(given, 2), mesh, **arguments)
    np.testing.assert_array_equal(exe(given), np.concatenate(expected))


@pytest.mark.parametrize("shape", [(96, 1, 1), (96, 5, 7), (3, 400, 1000)], ids=str)
@pytest.mark.parametrize("op", ["sum", "max", "min"])
def test_reductions_of_what_has_gone_to_dram(op: str, shape: tuple[int, ...]) -> None:
    """The padding of tiles that come back from there is that of the reduction."""
    b = ttmlir.Builder()
    b.output(getattr(b, op)(b.neg(b.input("x", shape)), [1], True))
    exe = ttmlir.compile(b, backend="ttmetal", default_memory_space="l1")
    assert fallbacks(exe)
    given = np.random.default_rng(0).integers(1, 9, shape).astype(np.float32)
    np.testing.assert_array_equal(exe(given), getattr(np, op)(-given, axis=1, keepdims=True))
