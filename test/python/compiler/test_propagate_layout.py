"""Programs whose author places tensors compute what they compute without, and what NumPy does."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir.builder import Tensor

N = 128
SCORES = {"memory_space": "l1", "grid": (2, 4), "memory_layout": "block_sharded"}
STATE = {"memory_space": "l1", "grid": (4, 1), "memory_layout": "height_sharded"}
DTYPES = {
    "f32": np.dtype(np.float32),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i32": np.dtype(np.int32),
}
BACKENDS = ["ttnn", "ttmetal"]
Array = np.ndarray[Any, np.dtype[Any]]


def attention(dtype: str, *, anchored: bool = True, shared: bool = True) -> ttmlir.Builder:
    """Attention over two blocks of keys, with a running maximum.

    One constant is what the scores are added to, the first maximum and the first sum of values;
    without ``shared`` there is a constant for each of them.
    """
    b = ttmlir.Builder("attention")
    q = b.input("q", (N, N), dtype)
    blocks = [[b.input(f"{name}{i}", (N, N), dtype) for name in "kv"] for i in range(2)]
    one = b.constant(0.0, shape=(N, N), dtype=dtype)

    def zero() -> Tensor:
        return one if shared else b.constant(0.0, shape=(N, N), dtype=dtype)

    def place(x: Tensor, where: dict[str, Any]) -> Tensor:
        return b.to_layout(x, **where) if anchored else x

    values, total, highest = place(zero(), STATE), None, None
    for k, v in blocks:
        scores = place(b.matmul(q, k, transpose_b=True), SCORES) + zero()
        bounded = b.maximum(place(scores, STATE), place(zero(), STATE))
        found = b.max(bounded, 1, keep_dim=True)
        if highest is not None:
            found = b.maximum(found, highest)
            scale = b.exp(highest - found)
            values, total = values * scale, total * scale
        weights = b.exp(scores - found)
        row = b.sum(weights, 1, keep_dim=True)
        total = row if total is None else total + row
        values = b.matmul(place(weights, STATE), v) + values
        highest = found
    b.output(values / total)
    return b


def expected(q: Array, *blocks: Array) -> tuple[Array, float]:
    """What the program computes, and the largest score."""
    q, *blocks = (x.astype(np.float64) for x in (q, *blocks))
    scores = q @ np.concatenate(blocks[::2]).T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    result = weights / weights.sum(1, keepdims=True) @ np.concatenate(blocks[1::2])
    return result, float(np.abs(scores).max())


def arguments(dtype: str) -> list[Array]:
    rng = np.random.default_rng(5)
    return [
        (rng.standard_normal((N, N)) * scale).astype(DTYPES[dtype])
        for scale in (0.2, 0.4, 1, 0.4, 1)
    ]


def run(b: ttmlir.Builder, backend: str, *inputs: Array) -> list[bytes]:
    results = ttmlir.compile(b, backend=backend)(*inputs)
    return [x.tobytes() for x in (results if isinstance(results, (list, tuple)) else [results])]


def lowered(b: ttmlir.Builder, backend: str) -> Counter[str]:
    """How often each op is in the lowered program; of changes of layout those of constants."""
    if backend == "ttnn":
        options = passes.TTIRToTTNNBackendPipelineOptions(enable_deallocate=True)
        passes.ttir_to_ttnn_backend_pipeline(b.module, options)
    else:
        passes.ttir_to_ttmetal_backend_pipeline(b.module)
    count: Counter[str] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith("ttnn.to_"):
            source = op.operands[0].owner
            made = isinstance(source, ir.Operation) and not list(source.operands)[1:]
            count["moved constants"] += made and source.name in ("ttnn.full", "ttnn.constant")
            count["moved constants"] += made and "ttnn.zeros" in source.attributes
        zeros = op.name == "ttnn.empty" and "ttnn.zeros" in op.attributes
        count["zeros" if zeros else op.name] += 1
        return ir.WalkResult.ADVANCE

    b.module.operation.walk(visit)
    return count


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_attention(backend: str, dtype: str) -> None:
    inputs = arguments(dtype)
    exe = ttmlir.compile(attention(dtype), backend=backend)
    placed, plain = (
        exe(*inputs),
        ttmlir.compile(attention(dtype, anchored=False), backend=backend)(*inputs),
    )
    assert run(attention(dtype, shared=False), backend, *inputs) == [placed.tobytes()]
    # Every op gives the same bits wherever its tensors lie. Kernels of chains of ops round at the
    # end of a chain, and what is placed in between ends one.
    if backend == "ttnn":
        np.testing.assert_array_equal(placed, plain)
    # What a score is rounded by is the relative error of its weight.
    reference, score = expected(*inputs)
    error = 2 * float(ml_dtypes.finfo(DTYPES[dtype]).eps) * score
    for found in (placed, plain):
        assert np.abs(found - reference).max() <= error * np.abs(reference).max()
    made = [r for r in exe.remarks if "made for" in r.reason]
    assert len(made) == 2
    assert any("2x4:l1:block_sharded:tile" in r.reason for r in made)
    assert any("4x1:l1:height_sharded:tile" in r.reason for r in made)


def test_no_constant_of_attention_is_moved() -> None:
    count = lowered(attention("bf16"), "ttnn")
    assert (count["zeros"], count["ttnn.full"], count["moved constants"]) == (2, 0, 0)
    count = lowered(attention("bf16"), "ttmetal")
    assert (count["ttmetal.host_constant"], count["ttmetal.host_write"]) == (2, 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_hundred_users_in_five_layouts(backend: str) -> None:
    grids = [(1, 1), (2, 1), (4, 1), (2, 2), (4, 2)]

    def program(*, shared: bool) -> ttmlir.Builder:
        b = ttmlir.Builder()
        x = b.input("x", (N, N), "bf16")
        rng = np.random.default_rng(1)
        elements = rng.standard_normal((N, N)).astype(DTYPES["bf16"])
        constant = b.constant(elements)
        total = x
        for i in range(100):
            where = {"memory_space": "l1", "grid": grids[i % 5], "memory_layout": "block_sharded"}
            c = constant if shared else b.constant(elements)
            if i % 2:
                total = b.to_layout(total, **where) + c
            else:
                total = b.maximum(b.to_layout(c, **where), total)
        b.output(total)
        return b

    x = np.ones((N, N), DTYPES["bf16"])
    assert run(program(shared=True), backend, x) == run(program(shared=False), backend, x)
    count = lowered(program(shared=True), backend)
    name = {"ttnn": "ttnn.constant", "ttmetal": "ttmetal.host_constant"}[backend]
    assert (count[name], count["moved constants"]) == (5, 0)


@pytest.mark.parametrize("kind", ["splat", "dense", "full", "fill"])
@pytest.mark.parametrize(("dtype", "format"), [(d, d) for d in DTYPES] + [("bf16", "bfp8_b")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_constants_are_what_an_argument_would_be(
    backend: str, dtype: str, format: str, kind: str
) -> None:
    """Elements that fill no tile are rounded and padded as those that the host passes."""
    shape = (50, 70)
    elements = np.random.default_rng(2).standard_normal(shape) * 3
    if kind != "dense":
        elements = np.full(shape, 2.3 if dtype != "i32" else 2)
    elements = elements.astype(DTYPES[dtype])

    def program(*, constant: bool) -> ttmlir.Builder:
        b = ttmlir.Builder()
        x = b.input("x", shape, dtype)
        if not constant:
            c = b.input("c", shape, dtype)
        elif kind == "full":
            c = b.full(shape, elements[0, 0].item(), dtype)
        else:
            c = (b.fill if kind == "fill" else b.constant)(elements)
        first = b.to_layout(c, **{**SCORES, "grid": (2, 3)}, format=format)
        second = b.to_layout(first, **{**STATE, "grid": (2, 1)}, format=format)
        b.output(b.maximum(x, first) + second, b.to_layout(second, tiled=False), second)
        return b

    x = np.ones(shape, DTYPES[dtype])
    constant = run(program(constant=True), backend, x)
    assert constant == run(program(constant=False), backend, x, elements)


@pytest.mark.parametrize("kind", ["dense", "full"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_else_reads_a_placed_constant(backend: str, kind: str) -> None:
    """An op that is not elementwise takes its own, with what it needs around the elements."""
    c = np.random.default_rng(6).standard_normal((50, 70)).astype(np.float32) - 4
    if kind == "full":
        c = np.full_like(c, -4)
    b = ttmlir.Builder()
    x = b.input("x", c.shape, "f32")
    constant = b.constant(c) if kind == "dense" else b.full(c.shape, -4, "f32")
    placed = b.to_layout(constant, **{**SCORES, "grid": (2, 3)})
    b.output(b.maximum(x, placed), b.max(constant, 1, keep_dim=True), b.sum(constant, 1))
    larger, highest, total = ttmlir.compile(b, backend=backend)(c + 1)
    np.testing.assert_array_equal(larger, c + 1)
    np.testing.assert_array_equal(highest, c.max(1, keepdims=True))
    np.testing.assert_allclose(total, c.astype(np.float64).sum(1), rtol=1e-5)


def test_softmax_of_placed_rows_that_fill_no_tile() -> None:
    """What a kernel leaves around elements in L1 is no part of a sum."""
    x = np.random.default_rng(7).standard_normal((50, 70)).astype(np.float32)
    b = ttmlir.Builder()
    placed = b.to_layout(b.input("x", x.shape, "f32"), **{**SCORES, "grid": (2, 3)})
    b.output(b.softmax(placed, 1), b.sum(b.exp(placed), 1))
    found, total = ttmlir.compile(b, backend="ttmetal")(x)
    weights = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(found, weights / weights.sum(1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(total, weights.sum(1), rtol=1e-5)


REGION = """
#any = #tt.operand_constraint<any_device_tile>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, f32>,
    #tt.memory_space<l1>>, block_sharded>
#all = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #tt.iterator_type<parallel>
func.func @forward(%x: tensor<64x64xf32, #a>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %c = "ttir.constant"() <{value = dense<[ELEMENTS]> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
  %s = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 64, 1>}> : () -> tensor<64x1xf32>
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.generic"(%x, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#all, #all],
      iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>,
      operand_constraints = [#any, #any]}> ({
  ^bb0(%p: tensor<64x64xf32>, %q: tensor<64x64xf32>):
    %3 = "ttir.maximum"(%p, %c, %q) <{operandSegmentSizes = array<i32: 2, 1>,
        operand_constraints = [#any, #any, #any]}>
        : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %4 = "ttir.add"(%3, %s, %q) <{operandSegmentSizes = array<i32: 2, 1>,
        operand_constraints = [#any, #any, #any]}>
        : (tensor<64x64xf32>, tensor<64x1xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "ttir.yield"(%4) : (tensor<64x64xf32>) -> ()
  }) : (tensor<64x64xf32, #a>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tensor.empty() : tensor<64x64xf32>
  %5 = "ttir.generic"(%1, %c, %2) <{grid = #tt.grid<1x1>, indexing_maps = [#all, #all, #all],
      iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>,
      operand_constraints = [#any, #any, #any]}> ({
  ^bb0(%p: tensor<64x64xf32>, %q: tensor<64x64xf32>, %r: tensor<64x64xf32>):
    %6 = "ttir.add"(%p, %q, %r) <{operandSegmentSizes = array<i32: 2, 1>,
        operand_constraints = [#any, #any, #any]}>
        : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "ttir.yield"(%6) : (tensor<64x64xf32>) -> ()
  }) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %5 : tensor<64x64xf32>, tensor<64x64xf32>
}
"""


def test_constants_inside_and_outside_of_a_region() -> None:
    """Kernels read elements that differ, which the region of an op takes from outside."""
    rng = np.random.default_rng(4)
    x, c = rng.standard_normal((2, 64, 64)).astype(np.float32)
    elements = ", ".join(str(row.tolist()) for row in c)
    exe = ttmlir.compile(REGION.replace("ELEMENTS", elements), backend="ttmetal")
    inside, outside = exe(x)
    expected = np.maximum(x, c) + np.float32(0.5)
    np.testing.assert_array_equal(inside, expected)
    np.testing.assert_array_equal(outside, expected + c)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_carried_fits_l1(backend: str) -> None:
    """One tensor of the author in the L1 of a core takes no others there that have no room."""
    b = ttmlir.Builder()
    x = b.input("x", (256, 256), "bf16")
    where = {"memory_space": "l1", "grid": (1, 1), "memory_layout": "block_sharded"}
    results = [b.abs(b.to_layout(x, **where))]
    for _ in range(19):
        results.append(b.neg(results[-1]))
    b.output(*results)
    exe = ttmlir.compile(b, backend=backend)
    values = np.random.default_rng(3).standard_normal((256, 256)).astype(DTYPES["bf16"])
    for i, result in enumerate(exe(values)):
        np.testing.assert_array_equal(result, -abs(values) if i % 2 else abs(values))
    assert any("too many for a core's L1" in remark.reason for remark in exe.remarks)


class Program:
    """A program of random ops, places and constants, the same for a seed."""

    def __init__(self, seed: int, backend: str) -> None:
        self.seed, self.backend = seed, backend
        rng = random.Random(seed)
        self.dtype = rng.choice(["f32", "bf16", "i32"])
        self.shape = rng.choice([(64, 64), (96, 32), (50, 70), (2, 64, 64)])
        rows, columns = (-(-np.prod(self.shape[:-1]) // 32), -(-self.shape[-1] // 32))
        self.places: list[dict[str, Any]] = [{"memory_space": "dram", "tiled": False}]
        if backend == "ttnn":
            self.places += [{"memory_space": "l1"}, {"memory_space": "system", "tiled": False}]
        for _ in range(3):
            grid = [rng.choice([i for i in range(1, 9) if n % i == 0]) for n in (rows, columns)]
            self.places.append({**SCORES, "grid": grid})
        self.elements = [self.draw(i) for i in range(3)]

    def draw(self, seed: int) -> Array:
        values = np.random.default_rng([self.seed, seed]).standard_normal(self.shape) * 3
        return values.astype(DTYPES[self.dtype])

    def build(self, *, anchored: bool = True, shared: bool = True) -> ttmlir.Builder:
        rng = random.Random(self.seed)
        b = ttmlir.Builder()
        values = [b.input(f"x{i}", self.shape, self.dtype) for i in range(2)]
        constants = [b.constant(x) for x in self.elements]

        def place(x: Tensor) -> Tensor:
            where = rng.choice(self.places)
            return b.to_layout(x, **where) if anchored else x

        def operand() -> Tensor:
            choice = rng.random()
            if choice < 0.5:
                i = rng.randrange(3)
                x = constants[i] if shared else b.constant(self.elements[i])
                return x if choice < 0.2 else place(x) if choice < 0.4 else place(place(x))
            x = rng.choice(values[-4:])
            return place(x) if choice < 0.65 else x

        for _ in range(rng.randint(3, 12)):
            op = rng.choice(["add", "subtract", "maximum", "where", "abs", "matmul", "sum"])
            if op == "abs":
                values.append(b.abs(operand()) if self.dtype != "i32" else place(operand()))
            elif op == "where":
                values.append(b.where(operand(), operand(), operand()))
            elif op == "sum" and self.dtype != "i32":
                last = len(self.shape) - 1
                values.append(b.subtract(operand(), b.sum(operand(), last, keep_dim=True)))
            elif op == "matmul" and self.dtype != "i32" and self.shape[-1] == self.shape[-2]:
                values.append(b.matmul(operand(), operand()))
            else:
                op = op if hasattr(b, op) and op not in ("matmul", "sum") else "add"
                values.append(getattr(b, op)(operand(), operand()))
        b.output(*values[-2:])
        return b


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("backend", BACKENDS)
def test_random_programs(backend: str, seed: int) -> None:
    program = Program(seed, backend)
    inputs = [program.draw(10), program.draw(11)]
    placed = run(program.build(), backend, *inputs)
    assert placed == run(program.build(shared=False), backend, *inputs)
    if backend == "ttnn":
        assert placed == run(program.build(anchored=False), backend, *inputs)
    assert lowered(program.build(), backend)["moved constants"] == 0


@pytest.mark.parametrize("memory_space", ["dram", "l1"])
@pytest.mark.parametrize(
    ("shape", "dim"), [((4,), 0), ((1, 1, 1, 4), 3), ((1, 1, 4, 1), 2), ((2, 1, 3, 4), 3)]
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_placed_arange_is_returned(
    backend: str, shape: tuple[int, ...], dim: int, memory_space: str
) -> None:
    b = ttmlir.Builder()
    line = b.arange(shape, dim=dim)
    b.output(b.to_layout(line, memory_space=memory_space))
    column = [-1 if i == dim else 1 for i in range(len(shape))]
    expected = np.broadcast_to(np.arange(shape[dim]).reshape(column), shape)
    np.testing.assert_array_equal(ttmlir.compile(b, backend=backend)(), expected)
