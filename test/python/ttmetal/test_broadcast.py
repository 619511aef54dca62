"""What `dimension` of ttir.broadcast means, in both backends and in constants: whatever the extents
are, it names the output's dimension for each of the input's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from op_formats import Array, Shape

import ttmlir

ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>"
CASES: tuple[tuple[Shape, tuple[int, ...], Shape], ...] = (
    ((16,), (0,), (16, 32)),
    ((32,), (0,), (32, 32)),
    ((32,), (1,), (32, 32)),
    ((7,), (1,), (7, 7, 7)),
    ((8,), (1,), (8, 8, 8)),
    ((40, 40), (0, 2), (40, 40, 40)),
    ((40, 40), (0, 1), (40, 40, 40)),
    ((1,), (0,), (5, 40)),
    ((33, 33), (0, 1), (33, 33, 33)),
    ((33, 33), (0, 2), (33, 33, 33)),
    ((33, 33), (1, 2), (33, 33, 33)),
    ((2, 1), (0, 2), (2, 40, 3)),
    ((1, 64), (0, 1), (64, 64)),
    ((64, 1), (0, 1), (64, 64)),
    ((1, 5, 16), (0, 1, 2), (3, 5, 16)),
    ((3, 4), (0, 2), (3, 2, 4, 5)),
)
PLACES: dict[str, dict[str, Any]] = {
    "ttnn": {"backend": "ttnn"},
    "dram": {"backend": "ttmetal"},
    "l1": {"backend": "ttmetal", "default_memory_space": "l1"},
}


def tensor(shape: Shape) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def broadcast(shape: Shape, dims: tuple[int, ...], out: Shape, value: str = "%a") -> str:
    """The lines of a broadcast of `value`."""
    source, target = tensor(shape), tensor(out)
    return f"""
  %0 = tensor.empty() : {target}
  %1 = "ttir.broadcast"({value}, %0) <{{dimension = {list(dims)}, operand_constraints =
    [{ANY}, {ANY}]}}> : ({source}, {target}) -> {target}"""


def expected(x: Array, dims: tuple[int, ...], out: Shape) -> Array:
    aligned = [1] * len(out)
    for dim, extent in zip(dims, x.shape, strict=True):
        aligned[dim] = extent
    return np.broadcast_to(x.reshape(aligned), out)


@pytest.mark.parametrize(
    ("shape", "dims", "out", "place"),
    [
        (shape, dims, out, place)
        for place in PLACES
        for shape, dims, out in CASES
        # In L1, transfers end at multiples of 16 bytes.
        if place != "l1" or (shape[-1] % 4 == 0 and out[-1] % 4 == 0)
    ],
)
def test_alone(shape: Shape, dims: tuple[int, ...], out: Shape, place: str) -> None:
    text = f"""func.func @main(%a: {tensor(shape)}) -> {tensor(out)} {{
  {broadcast(shape, dims, out)}
  return %1 : {tensor(out)}
}}"""
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    exe = ttmlir.compile(text, **PLACES[place])
    np.testing.assert_array_equal(exe(x), expected(x, dims, out))


@pytest.mark.parametrize("place", ["ttnn", "dram"])
@pytest.mark.parametrize(("shape", "dims", "out"), CASES)
def test_in_front_of_an_op(shape: Shape, dims: tuple[int, ...], out: Shape, place: str) -> None:
    """An op that broadcasts by NumPy's rules takes no other broadcast into itself."""
    target = tensor(out)
    text = f"""func.func @main(%a: {tensor(shape)}, %b: {target}) -> {target} {{
  {broadcast(shape, dims, out)}
  %2 = tensor.empty() : {target}
  %3 = "ttir.add"(%1, %b, %2) <{{operandSegmentSizes = array<i32: 2, 1>, operand_constraints =
    [{ANY}, {ANY}, {ANY}]}}> : ({target}, {target}, {target}) -> {target}
  return %3 : {target}
}}"""
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    y = np.arange(np.prod(out), dtype=np.float32).reshape(out)
    exe = ttmlir.compile(text, **PLACES[place])
    np.testing.assert_array_equal(exe(x, y), expected(x, dims, out) + y)


@pytest.mark.parametrize("place", ["ttnn", "dram"])
@pytest.mark.parametrize(("shape", "dims", "out"), CASES)
def test_of_a_constant(shape: Shape, dims: tuple[int, ...], out: Shape, place: str) -> None:
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    text = f"""func.func @main() -> {tensor(out)} {{
  %a = "ttir.constant"() <{{value = dense<{x.tolist()}> : {tensor(shape)}}}> : () -> {tensor(shape)}
  {broadcast(shape, dims, out)}
  return %1 : {tensor(out)}
}}"""
    exe = ttmlir.compile(text, **PLACES[place])
    np.testing.assert_array_equal(exe(), expected(x, dims, out))
