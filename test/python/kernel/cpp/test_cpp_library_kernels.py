"""Kernels in the style of TTNN's, against NumPy: together with those of ``cpp_programs`` they use
the calls of public kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from cpp_programs import BF16, cpp, numbers

from ttmlir import kernel

MOVE, TO_DRAM = kernel.DataMovement(0), kernel.DataMovement(1)


def bf16_bits(value: float) -> int:
    """The bits of a bf16 number, twice in a word."""
    return int(np.array(value, BF16).view("u2")) * 0x10001


def start(*buffers: tuple[str, int]) -> tuple[kernel.Program, Any, Any]:
    """A program with input x and output y of 64x96, and circular buffers with numbers of pages."""
    program = kernel.Program("library")
    x, y = program.input("x", (64, 96)), program.output("y", (64, 96))
    for port, pages in buffers:
        program.circular_buffer(port, pages=pages)
    return program, x, y


def write_tiles(program: kernel.Program, y: Any) -> None:
    program.add(cpp("write_tiles", TO_DRAM, compile_args=[y]), y, 0, y.pages)


def near(found: Any, expected: Any, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(found, "f4"), expected, rtol=tolerance, atol=tolerance)


def test_layernorm() -> None:
    ports = ("int0", 1), ("int1", 3), ("int2", 3), ("int3", 1), ("int4", 1), ("int5", 3)
    buffers = ("in0", 3), ("in1", 1), ("in2", 1), ("in3", 3), ("in4", 3), ("out0", 2)
    program, x, y = start(*buffers, *ports)
    gamma, beta = program.input("gamma", (32, 96)), program.input("beta", (32, 96))
    reader = cpp("read_layernorm", MOVE, compile_args=[2, 3, x, gamma, beta])
    program.add(reader, x, gamma, beta, bf16_bits(1 / 96), bf16_bits(1e-2))
    program.add(cpp("layernorm", kernel.Compute(fp32_dest_acc_en=True), compile_args=[2, 3]))
    write_tiles(program, y)
    values, scale, shift = numbers(64, 96), numbers(32, 96, seed=1), numbers(32, 96, seed=2)
    found = program.run(x=values, gamma=scale, beta=shift)["y"]
    v = values.astype("f4")
    normal = (v - v.mean(1, keepdims=True)) / np.sqrt(v.var(1, keepdims=True) + 1e-2)
    near(found, normal * scale[:1].astype("f4") + shift[:1].astype("f4"), 0.04)


def test_softmax() -> None:
    ports = ("int0", 3), ("int1", 1), ("int2", 3), ("int3", 1)
    program, x, y = start(("in0", 2), ("in1", 1), ("in2", 1), ("out0", 2), *ports)
    reader = cpp("read_softmax_stable", MOVE, compile_args=[x])
    program.add(reader, x, x.pages, bf16_bits(1), bf16_bits(4))
    program.add(cpp("softmax_stable", kernel.Compute(), compile_args=[2, 3]))
    write_tiles(program, y)
    values = numbers(64, 96)
    e = np.exp(4 * values.astype("f4") - 4 * values.astype("f4").max(1, keepdims=True))
    near(program.run(x=values)["y"], e / e.sum(1, keepdims=True), 0.02)


POLICIES = ["WaitAndPopPerTile", "BulkWaitBulkPop", "WaitUpfrontNoPop"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("dim", "axes", "tiles"), [("ROW", 1, (2, 1)), ("COL", 0, (1, 3)), ("SCALAR", (0, 1), (1, 1))]
)
@pytest.mark.parametrize("type", ["SUM", "MAX"])
def test_reduce(policy: str, dim: str, axes: Any, tiles: Sequence[int], type: str) -> None:
    program = kernel.Program("reduce")
    x = program.input("x", (64, 96))
    y = program.output("y", (32 * tiles[0], 32 * tiles[1]), "f32")
    program.circular_buffer("in0", pages=6)
    program.circular_buffer("in1", pages=1)
    program.circular_buffer("out0", "f32")
    program.add(cpp("read_softmax", MOVE, compile_args=[x]), x, x.pages)
    defines = {"TYPE": type, "DIM": f"REDUCE_{dim}", "POLICY": policy}
    config = kernel.Compute(fp32_dest_acc_en=True)
    program.add(cpp("reduce_rows", config, defines=defines, compile_args=[2, 3]))
    write_tiles(program, y)
    values = numbers(64, 96)
    found = program.run(x=values)["y"]
    function = np.sum if type == "SUM" else np.max
    expected = function(values.astype("f4"), axis=axes, keepdims=True)
    rows = slice(None) if dim == "ROW" else slice(1)
    columns = slice(None) if dim == "COL" else slice(1)
    near(found[rows, columns], expected, 2e-3)


def test_transpose_of_rows() -> None:
    rows, columns = 64, 96
    program = kernel.Program("transpose")
    x = program.input("x", (rows, columns), layout="row_major")
    y = program.output("y", (columns, rows), layout="row_major")
    program.circular_buffer("in0", pages=3)
    program.circular_buffer("int0", pages=6)
    program.circular_buffer("out0", pages=4)
    reader = cpp(
        "rows_to_pages", MOVE, compile_args=[0, 2, 3, 2 * columns, x], defines={"READS": None}
    )
    program.add(reader, x)
    program.add(cpp("transpose_wh_rm", kernel.Compute(), compile_args=[2, 3]))
    program.add(cpp("rows_to_pages", TO_DRAM, compile_args=[16, 3, 2, 2 * rows, y]), y)
    values = numbers(rows, columns)
    assert (program.run(x=values)["y"] == values.T).all()


def test_argmax() -> None:
    program = kernel.Program("argmax")
    x = program.input("x", (4, 64), layout="row_major")
    y = program.output("y", (4, 16), "u32", layout="row_major")
    program.circular_buffer("in0", pages=1)
    program.circular_buffer("in1", pages=1)
    program.add(cpp("argmax", MOVE, compile_args=[64, x, y]), x, y, 4)
    values = numbers(4, 64)
    result = program.run(x=values)
    assert (result["y"][:, 0] == values.astype("f4").argmax(1)).all()
    assert [line.text.split()[:3] for line in result.prints] == [
        ["row", str(i), "largest"] for i in range(4)
    ]
    largest = [float(line.text.split()[3]) for line in result.prints]
    near(largest, values.astype("f4").max(1), 1e-4)


def test_matmul_by_new_names() -> None:
    program = kernel.Program("matmul")
    a, b = program.input("a", (32, 96)), program.input("b", (96, 32))
    c, y = program.input("c", (32, 32)), program.output("y", (32, 32))
    for port, pages in (("in0", 3), ("in1", 3), ("in2", 1), ("out0", 1)):
        program.circular_buffer(port, pages=pages)
    program.add(cpp("read_three", MOVE), a, b, c, 3)
    program.add(cpp("matmul_names", kernel.Compute(), named_compile_args={"inner": 3}))
    write_tiles(program, y)
    left, right, more = numbers(32, 96), numbers(96, 32, seed=1), numbers(32, 32, seed=2)
    expected = left.astype("f4") @ right.astype("f4") + more.astype("f4")
    near(program.run(a=left, b=right, c=more)["y"], expected, 0.05)
