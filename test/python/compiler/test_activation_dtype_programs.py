"""Activations that travel between two chips as block floats: numbers, and bytes on the links.

Every program is written together with its values in float64 and the deviation of their error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import ir
from ttmlir.builder import Tensor

Array = np.ndarray[Any, np.dtype[Any]]
CHIPS, ROWS, WIDTH = 2, 32, 128
#: The format of tensors without and with the lowering, and half of the last digit: of a number, and
#: for block floats of the largest of 16.
DTYPES = {"bf16": (ml_dtypes.bfloat16, 2**-8), "f32": (np.float32, 2**-20)}
BLOCK_FLOAT = 2**-7
#: The deviation of a rounding error that is anywhere up to half of the last digit, for numbers of
#: any size; and how many deviations no error of some thousand is off.
SPREAD, DEVIATIONS = 0.42, 6
#: Bytes of a tile.
TILES = {"bf16": 2048, "f32": 4096, "bfp8": 1088}


@dataclass(frozen=True)
class Value:
    """A tensor of the program, what each chip has of it, and the deviation of its errors."""

    tensor: Tensor
    chips: Sequence[Array]
    error: float

    def most(self) -> float:
        return max(float(np.abs(chip).max()) for chip in self.chips)


class Program:
    """Writes a program for two chips; tensors that collectives send are all of (ROWS, WIDTH)."""

    def __init__(self, dtype: str, *, lowered: bool) -> None:
        self.b = ttmlir.Builder(mesh_shape=(1, CHIPS))
        self.dtype = dtype
        self.unit = BLOCK_FLOAT if lowered else DTYPES[dtype][1]
        self.rng = np.random.default_rng(7)
        self.inputs: list[Array] = []

    def input(self, shape: tuple[int, ...], split: int | None = None) -> Value:
        """Normal numbers; ``split`` is the dimension that the chips divide."""
        whole = (self.rng.standard_normal(shape) / np.sqrt(shape[0])).astype(DTYPES[self.dtype][0])
        name = f"input{len(self.inputs)}"
        self.inputs.append(whole)
        exact = whole.astype(np.float64)
        chips = [exact] * CHIPS if split is None else np.split(exact, CHIPS, split)
        value = self.b.input(name, shape, self.dtype)
        dims = [None, split] if len(shape) > 1 else [None, None]
        return Value(self.b.mesh_shard(value, dims), chips, 0.0)

    def round(self, tensor: Tensor, chips: Sequence[Array], *errors: float) -> Value:
        """A result that errors of its operands, which are independent, reach."""
        exact = Value(tensor, chips, 0.0)
        return Value(tensor, chips, math.hypot(*errors, SPREAD * self.unit * exact.most()))

    def matmul(self, x: Value, w: Value, bias: Value | None = None) -> Value:
        chips = [a @ b for a, b in zip(x.chips, w.chips, strict=True)]
        rows = max(float(np.linalg.norm(chip, axis=1).max()) for chip in x.chips)
        columns = max(float(np.linalg.norm(chip, axis=0).max()) for chip in w.chips)
        errors = x.error * columns, w.error * rows
        if bias is None:
            return self.round(self.b.matmul(x.tensor, w.tensor), chips, *errors)
        chips = [y + z for y, z in zip(chips, bias.chips, strict=True)]
        product = self.b.linear(x.tensor, w.tensor, bias.tensor)
        return self.round(product, chips, *errors)

    def all_reduce(self, x: Value) -> Value:
        tensor = self.b.all_reduce(x.tensor, cluster_axis=1)
        # Equal products of both chips have equal errors.
        return self.round(tensor, [np.sum(x.chips, axis=0)] * CHIPS, CHIPS * x.error)

    def silu(self, x: Value) -> Value:
        # Its slope is 1.1 at most.
        chips = [chip / (1 + np.exp(-chip)) for chip in x.chips]
        return self.round(self.b.silu(x.tensor), chips, 1.1 * x.error)

    def multiply(self, x: Value, y: Value) -> Value:
        chips = [a * b for a, b in zip(x.chips, y.chips, strict=True)]
        errors = x.error * y.most(), y.error * x.most()
        return self.round(self.b.multiply(x.tensor, y.tensor), chips, *errors)

    def add(self, x: Value, y: Value) -> Value:
        chips = [a + b for a, b in zip(x.chips, y.chips, strict=True)]
        return self.round(self.b.add(x.tensor, y.tensor), chips, x.error, y.error)

    def row_product(self, linear: bool = False) -> Value:
        """An input times weights whose rows the chips divide, summed up."""
        x, w = self.input((ROWS, WIDTH), 1), self.input((WIDTH, WIDTH), 0)
        bias = self.input((1, WIDTH)) if linear else None
        return self.all_reduce(self.matmul(x, w, bias))

    def projection(self, x: Value) -> Value:
        """Weights of equal rows on both chips make a sum of two equal parts."""
        return self.all_reduce(self.matmul(x, self.input((WIDTH, WIDTH))))

    def residual(self) -> Value:
        return self.input((ROWS, WIDTH))


def projection(p: Program) -> Value:
    return p.add(p.residual(), p.row_product())


def linear(p: Program) -> Value:
    return p.add(p.row_product(linear=True), p.residual())


def mlp(p: Program) -> Value:
    gated = p.multiply(p.silu(p.row_product()), p.row_product())
    return p.add(p.residual(), p.projection(gated))


def gate_is_read_twice(p: Program) -> Value:
    """Not the gate, so not the other operand of the multiply either; the last sum is."""
    gate = p.silu(p.row_product())
    gated = p.multiply(gate, p.row_product())
    return p.add(gate, p.projection(gated))


def gated_weights(p: Program) -> Value:
    """The product of both is the weights of the last matmul, which are no activations."""
    gated = p.multiply(p.silu(p.row_product()), p.row_product())
    return p.add(p.residual(), p.all_reduce(p.matmul(p.input((ROWS, ROWS)), gated)))


def no_residual(p: Program) -> Value:
    """Nothing is added in the end."""
    return p.projection(p.multiply(p.silu(p.row_product()), p.row_product()))


def parallel(p: Program) -> Value:
    """Attention and MLP side by side: two chains end at one add."""
    return p.add(p.residual(), p.add(p.row_product(), mlp_without_residual(p)))


def parallel_reversed(p: Program) -> Value:
    second = mlp_without_residual(p)
    return p.add(p.add(second, p.row_product()), p.residual())


def mlp_without_residual(p: Program) -> Value:
    gated = p.multiply(p.silu(p.row_product(linear=True)), p.row_product())
    return p.projection(gated)


# The program, the format of its tensors, options, collectives, and how many become block floats.
CASES: list[tuple[Callable[[Program], Value], str, dict[str, Any], int, int]] = [
    (projection, "bf16", {}, 1, 1),
    (linear, "bf16", {}, 1, 1),
    (mlp, "bf16", {}, 3, 3),
    (gate_is_read_twice, "bf16", {}, 3, 1),
    (gated_weights, "bf16", {}, 3, 1),
    (no_residual, "bf16", {}, 3, 0),
    (parallel, "bf16", {}, 4, 4),
    (parallel_reversed, "bf16", {}, 4, 4),
    (projection, "f32", {}, 1, 0),
    (projection, "f32", {"activation_dtype_lowering_f32": True}, 1, 1),
    (mlp, "f32", {"activation_dtype_lowering_f32": True}, 3, 3),
]


@pytest.mark.parametrize(
    ("write", "dtype", "options", "collectives", "lowered"),
    CASES,
    ids=[f"{c[0].__name__}-{c[1]}{'-on-request' if c[2] else ''}" for c in CASES],
)
def test_programs(
    write: Callable[[Program], Value],
    dtype: str,
    options: dict[str, Any],
    collectives: int,
    lowered: int,
) -> None:
    # A sum over two chips sends half of the tensor twice, each way.
    whole = 2 * (ROWS // 32) * (WIDTH // 32)
    exact: Array | None = None
    for enabled in (False, True):
        count = lowered if enabled else 0
        p = Program(dtype, lowered=count > 0)
        result = write(p)
        p.b.output(p.b.mesh_gather(result.tensor, (None, None)))
        keywords = {"enable_activation_dtype_lowering": True, **options} if enabled else {}
        exe = ttmlir.compile(p.b, target="n300", remarks="dtype-lowering", **keywords)
        found = exe(*p.inputs).astype(np.float64)
        assert np.abs(found - result.chips[0]).max() <= DEVIATIONS * result.error
        # Other bits if, and only if, something became block floats.
        if exact is not None:
            assert np.array_equal(found, exact) == (count == 0)
        exact = found

        report = exe.report()
        tiles = (collectives - count) * TILES[dtype] + count * TILES["bfp8"]
        assert sum(use.bytes for use in report.ethernet_use) == whole * tiles
        assert {use.bytes for use in report.ethernet_use} == {whole * tiles // 2}
        kinds = [remark.kind for remark in exe.remarks]
        if enabled:
            assert sorted(kinds) == ["missed"] * (collectives - count) + ["passed"] * count
            assert all(str(remark) in str(report) for remark in exe.remarks)
        else:
            assert kinds == []
        with ir.Context():
            assert ir.Module.parse(exe.mlir).operation.verify()
        assert ("!tt.tile<32x32, bfp_bf8>" in exe.mlir) == (count > 0)
