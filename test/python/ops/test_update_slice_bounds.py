"""An `update_slice` without `clamp` that would exceed the input is left out as a whole."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import ttmlir

ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>"


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("starts", "is_there"),
    [
        ((1, 2, 40), True),
        ((-1, 2, 40), False),
        ((1, -1, 40), False),
        ((1, 2, -1), False),
        ((2, 2, 40), False),
        ((1, 38, 40), False),
        ((1, 2, 68), False),
    ],
)
def test_known_places(
    starts: tuple[int, ...], is_there: bool, backend: Literal["ttnn", "ttmetal"]
) -> None:
    whole, part = "tensor<3x70x100xf32>", "tensor<2x33x33xf32>"
    text = f"""
func.func @main(%x: {whole}, %y: {part}) -> {whole} {{
  %0 = tensor.empty() : {whole}
  %1 = "ttir.update_slice"(%x, %y, %0) <{{operandSegmentSizes = array<i32: 1, 1, 0, 1>,
    starts = array<i64: {", ".join(map(str, starts))}>, dims = array<i64>, clamp = false,
    operand_constraints = [{", ".join([ANY] * 3)}]}}> : ({whole}, {part}, {whole}) -> {whole}
  return %1 : {whole}
}}"""
    x = np.arange(3 * 70 * 100, dtype=np.float32).reshape(3, 70, 100)
    y = -np.arange(1, 1 + 2 * 33 * 33, dtype=np.float32).reshape(2, 33, 33)
    wanted = x.copy()
    if is_there:
        wanted[1:3, 2:35, 40:73] = y
    found = ttmlir.compile(text, backend=backend)(x, y)
    np.testing.assert_array_equal(np.asarray(found), wanted)
