"""Regions of ttir.generic written by hand, under all checks: broadcasts, and more results than the
destination registers hold."""

from __future__ import annotations

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

TILE = "#tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>"


def tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def generic(shapes: list[tuple[int, ...]], out: tuple[int, ...], body: str) -> str:
    """A function of one generic; ``body`` computes %result from %x0, %x1, ..."""
    dims = [f"d{i}" for i in range(len(out))]
    maps = []
    for shape in [*shapes, out]:
        lead = len(out) - len(shape)
        kept = [
            dims[lead + i] if extent == out[lead + i] else "0" for i, extent in enumerate(shape)
        ]
        maps.append(f"affine_map<({', '.join(dims)}) -> ({', '.join(kept)})>")
    types = [tensor(shape) for shape in [*shapes, out]]
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types[:-1]))
    values = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types))
    inputs = ", ".join(f"%a{i}" for i in range(len(shapes)))
    iterators = ", ".join(["#tt.iterator_type<parallel>"] * len(out))
    return f"""func.func @generic({arguments}) -> {types[-1]} {{
  %0 = tensor.empty() : {types[-1]}
  %1 = "ttir.generic"({inputs}, %0) <{{grid = #tt.grid<1x1>, indexing_maps = [{", ".join(maps)}],
      iterator_types = [{iterators}], operandSegmentSizes = array<i32: {len(shapes)}, 1>,
      operand_constraints = [{", ".join([TILE] * len(types))}]}}> ({{
  ^bb0({values}):
{body}
    "ttir.yield"(%result) : ({types[-1]}) -> ()
  }}) : ({", ".join(types)}) -> {types[-1]}
  return %1 : {types[-1]}
}}"""


def run(text: str, inputs: list[np.ndarray], space: str) -> np.ndarray:
    exe = ttmlir.compile(text, backend="ttmetal", default_memory_space=space)
    device = runtime.open_system(exe.system_desc)
    try:
        runtime.set_device_options(device, runtime.DeviceOptions(checks=True))
        return exe(*inputs, device=device)
    finally:
        runtime.close_device(device)


@pytest.mark.parametrize(
    "shapes",
    [
        [(3, 40, 50), (50,)],
        [(3, 40, 50), (1, 1, 1)],
        [(3, 1, 50), (3, 40, 50)],
        [(40, 1), (3, 40, 50)],
        [(2, 1, 33, 65), (1, 3, 33, 1)],
        [(5, 1), (1, 7)],
    ],
)
def test_broadcast(shapes: list[tuple[int, ...]]) -> None:
    out = np.broadcast_shapes(*shapes)
    # arith has no broadcast: the op of ttir does it by itself.
    body = f"""    %result = "ttir.subtract"(%x0, %x1, %x2) <{{
        operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [{TILE}, {TILE}, {TILE}]}}>
        : ({tensor(shapes[0])}, {tensor(shapes[1])}, {tensor(out)}) -> {tensor(out)}"""
    numbers = np.random.default_rng(1)
    a, b = (numbers.standard_normal(shape).astype(np.float32) for shape in shapes)
    found = run(generic(shapes, out, body), [a, b], "dram")
    np.testing.assert_array_equal(found, a - b)


@pytest.mark.parametrize("space", ["dram", "l1"])
def test_more_results_than_registers(space: str) -> None:
    """Ten differences that are all alive until they are added up."""
    count, shape = 10, (64, 96) if space == "l1" else (40, 50)
    t = tensor(shape)
    lines = ["%d0 = arith.subf %x0, %x1"]
    lines += [f"%d{i} = arith.mulf %d{i - 1}, %x{i % 2}" for i in range(1, count)]
    lines += [f"%s1 = arith.addf %d{count - 1}, %d0"]
    lines += [f"%s{i} = arith.addf %s{i - 1}, %d{i - 1}" for i in range(2, count)]
    lines += [f"%result = arith.addf %s{count - 1}, %x0"]
    body = "\n".join(f"    {line} : {t}" for line in lines)
    numbers = np.random.default_rng(2)
    x = [numbers.uniform(-1, 1, shape).astype(np.float32) for _ in range(2)]
    differences = [x[0] - x[1]]
    for i in range(1, count):
        differences.append(differences[-1] * x[i % 2])
    expected = differences[-1] + differences[0]
    for i in range(2, count):
        expected = expected + differences[i - 1]
    found = run(generic([shape, shape], shape, body), x, space)
    np.testing.assert_allclose(found, expected + x[0], rtol=1e-6, atol=1e-6)
