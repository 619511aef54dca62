"""Weights divided over the DRAM banks: the same bits, and products of few rows at their speed."""

from __future__ import annotations

from typing import Any

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

ARCHS = {"n150": "wormhole_b0", "p150": "blackhole"}
#: Bytes of a weight, by ``weight_dtype``.
BYTES = {"default": 2, "bfp_bf8": 1088 / 1024, "bfp_bf4": 576 / 1024}


def product(m: int, k: int, n: int, *, transposed: bool = False, bias: bool = False) -> Any:
    b = ttmlir.Builder()
    x = b.abs(b.input("x", (m, k), "bf16"))
    w = b.parameter("w", (n, k) if transposed else (k, n), "bf16")
    if bias:
        c = b.parameter("c", (n,), "bf16")
        b.output(b.relu(b.linear(x, w, c, transpose_b=transposed)))
    else:
        b.output(b.matmul(x, w, transpose_b=transposed))
    return b


def is_sharded(exe: ttmlir.Executable) -> bool:
    return any(
        use.sharding == "width_sharded" and use.memory == "dram"
        for op in exe.estimate().ops
        for use in op.operands
    )


def expect_equal_bits(exes: list[ttmlir.Executable]) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(t.shape).astype("bfloat16") for t in exes[0].inputs]
    first, *others = (np.asarray(exe(*arrays), "f4") for exe in exes)
    for other in others:
        np.testing.assert_array_equal(first, other)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize(
    ("m", "k", "n", "options"),
    [
        (1, 2048, 4000, {}),  # the last shard has less, and its last tile, too
        (32, 2048, 5120, {"transposed": True}),
        (64, 3072, 1024, {"bias": True}),  # fewer shards than banks would divide
        (40, 4096, 1056, {"bias": True, "transposed": True}),
    ],
)
@pytest.mark.parametrize("weight_dtype", list(BYTES))
def test_equal_bits(
    target: str, m: int, k: int, n: int, options: dict[str, bool], weight_dtype: Any
) -> None:
    """In shards, interleaved, and at level 0."""
    shapes: dict[str, Any] = {"target": target, "weight_dtype": weight_dtype}
    exes = [
        ttmlir.compile(product(m, k, n, **options), **shapes, **more)
        for more in ({}, {"clock_search_limit": 0}, {"optimization_level": 0})
    ]
    assert not any(map(is_sharded, exes[1:]))
    if target == "p150" and weight_dtype == "bfp_bf8" and n >= 4000:
        assert is_sharded(exes[0])
    expect_equal_bits(exes)
    assert exes[0].estimate().parts("run").total <= exes[1].estimate().parts("run").total


@pytest.mark.parametrize("rows", [1, 32])
@pytest.mark.parametrize(("k", "n"), [(4096, 6144), (4096, 14336), (14336, 4096)])
@pytest.mark.parametrize("weight_dtype", list(BYTES))
@pytest.mark.parametrize(("target", "least"), [("n150", 0.82), ("p150", 0.85)])
def test_bandwidth(target: str, least: float, k: int, n: int, rows: int, weight_dtype: Any) -> None:
    """The products of a decode step of Llama 3.1 8B read weights nearly as fast as the DRAM."""
    exe = ttmlir.compile(
        product(rows, k, n), target=target, weight_dtype=weight_dtype, math_fidelity="lofi"
    )
    assert is_sharded(exe)
    report = exe.estimate()
    (op,) = (op for op in report.ops if op.name == "matmul")
    rate = k * n * BYTES[weight_dtype] / (op.cycles / report.clock_hz)
    if weight_dtype == "bfp_bf4":
        least = {"n150": 0.8, "p150": 0.7}[target]  # there, compute is the bound
    assert rate / runtime.get_machine(ARCHS[target]).dram_bytes_per_second >= least


@pytest.mark.sampled(3)
@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize("weight_dtype", list(BYTES))
@pytest.mark.parametrize("transposed", [False, True])
def test_many_rows_with_the_weights_of_few(
    target: str, weight_dtype: Any, transposed: bool
) -> None:
    """Prompts are read with the weights of the program that decodes, bit for bit the same."""
    options: dict[str, Any] = {"target": target, "weight_dtype": weight_dtype}
    form = {"transposed": transposed, "bias": transposed}
    few = ttmlir.compile(product(32, 4096, 4096, **form), **options)
    own, like = (
        ttmlir.compile(product(544, 4096, 4096, **form), **options, **more)
        for more in ({}, {"weight_rows": 32})
    )
    assert not is_sharded(own)
    assert is_sharded(like) == is_sharded(few)
    assert like.binary.get_program_kept(0) == few.binary.get_program_kept(0)
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(t.shape).astype("bfloat16") for t in own.inputs]
    found = np.asarray(like(*arrays), "f4")
    np.testing.assert_array_equal(found[:32], few(arrays[0][:32], *arrays[1:]).astype("f4"))
    # The blocks of a transposed weight have other elements, which round with other exponents.
    if not transposed or weight_dtype == "default":
        np.testing.assert_array_equal(found, np.asarray(own(*arrays), "f4"))


def experts(rows: int, k: int = 1024, n: int = 4000, *, own: bool = False) -> Any:
    b = ttmlir.Builder()
    x = b.abs(b.input("x", (8 if own else 1, rows, k), "bf16"))
    b.output(b.matmul(x, b.parameter("w", (8, k, n), "bf16")))
    return b


@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize(
    "shape",
    [
        {"rows": 32},
        {"rows": 72, "k": 2048, "n": 520},  # fewer columns than the shards have
        {"rows": 32, "k": 256, "n": 512, "own": True},
    ],
)
def test_experts(target: str, shape: dict[str, Any]) -> None:
    """Products of the same rows, or each of its own, with the matrices of a batch."""
    options: dict[str, Any] = {"target": target, "weight_dtype": "bfp_bf8"}
    exes = [
        ttmlir.compile(experts(**shape), **options, **more)
        for more in ({}, {"clock_search_limit": 0}, {"optimization_level": 0})
    ]
    assert not any(map(is_sharded, exes[1:]))
    expect_equal_bits(exes)
    assert exes[0].estimate().parts("run").total <= exes[1].estimate().parts("run").total


@pytest.mark.parametrize("target", ["n150", "p150"])
def test_experts_read_from_shards(target: str) -> None:
    options: dict[str, Any] = {"target": target, "weight_dtype": "bfp_bf8"}
    exe, whole = (
        ttmlir.compile(experts(32), **options, **more) for more in ({}, {"clock_search_limit": 0})
    )
    assert is_sharded(exe)
    assert exe.estimate().parts("run").total < 0.9 * whole.estimate().parts("run").total
    like = ttmlir.compile(experts(544), **options, weight_rows=32)
    assert like.binary.get_program_kept(0) == exe.binary.get_program_kept(0)


def test_a_model_that_does_not_fit_into_shards() -> None:
    """Many rows, one tile of columns: interleaved as before."""
    b = ttmlir.Builder()
    x, w = b.input("x", (512, 1024), "bf16"), b.parameter("w", (1024, 2048), "bf16")
    narrow = b.parameter("narrow", (1024, 32), "bf16")
    b.output(b.matmul(x, w), b.matmul(b.slice(x, [0, 0], [32, 1024]), narrow))
    assert not is_sharded(ttmlir.compile(b))
