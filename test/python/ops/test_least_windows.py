"""Windows whose elements are all the least number, with padding in front of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
import torch
from op_formats import FORMATS

import ttmlir

ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>"


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize(("name", "least"), [("f32", -np.inf), ("si8", -128), ("ui8", 0)])
def test_indices(
    name: str, least: float, dilation: int, backend: Literal["ttnn", "ttmetal"]
) -> None:
    x = np.full((1, 6, 7, 2), least)
    x[0, 4, 3, 0] = 5
    pool = torch.nn.MaxPool2d(3, 2, 1, dilation, return_indices=True)
    # What torch pools is floats: the least integer is as much as minus infinity.
    given = np.where(x == least, -np.inf, x).transpose(0, 3, 1, 2)
    wanted = pool(torch.from_numpy(given))[1].numpy().transpose(0, 2, 3, 1)
    shape = "x".join(map(str, wanted.shape))
    operand, values = f"tensor<1x6x7x2x{name}>", f"tensor<{shape}x{name}>"
    places = f"tensor<{shape}xsi32>"
    text = f"""
func.func @main(%x: {operand}) -> {places} {{
  %0 = tensor.empty() : {values}
  %1 = tensor.empty() : {places}
  %2:2 = "ttir.max_pool2d_with_indices"(%x, %0, %1) <{{kernel = array<i32: 3, 3>,
    stride = array<i32: 2, 2>, dilation = array<i32: {dilation}, {dilation}>,
    padding = array<i32: 1, 1>, ceil_mode = false,
    operand_constraints = [{", ".join([ANY] * 3)}]}}>
    : ({operand}, {values}, {places}) -> ({values}, {places})
  return %2#1 : {places}
}}"""
    host = FORMATS["u8" if name == "ui8" else name].host
    found = ttmlir.compile(text.replace("ui8", "i8"), backend=backend)(x.astype(host))
    np.testing.assert_array_equal(np.asarray(found), wanted)
