"""The page on front ends lists exactly the ops that the conversions take."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ttmlir import ir
from ttmlir.passmanager import PassManager

PAGE = Path(__file__).parents[3] / "docs" / "src" / "frontends.md"

#: An op of each dialect that has no rule: its error lists those that have one.
OTHERS = {
    "tosa": (
        "%s = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>\n"
        "%x = tosa.add_shape %s, %s : "
        "(!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>"
    ),
    "linalg": (
        "%f = arith.constant 1.0 : f64\n%i = arith.constant 1 : i32\n"
        "%e = tensor.empty() : tensor<2x2xf32>\n"
        "%x = linalg.fill_rng_2d ins(%f, %f, %i : f64, f64, i32) "
        "outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>"
    ),
    "tensor": (
        "%x = tensor.generate {\n^bb0(%i: index):\n%c = arith.constant 1.0 : f32\n"
        "tensor.yield %c : f32\n} : tensor<4xf32>"
    ),
    "arith": (
        "%c = arith.constant dense<1> : tensor<4xi32>\n%x = arith.ceildivsi %c, %c : tensor<4xi32>"
    ),
    "math": "%c = arith.constant dense<1> : tensor<4xi32>\n%x = math.cttz %c : tensor<4xi32>",
}


@pytest.mark.parametrize("dialect", OTHERS)
def test_lists(dialect: str) -> None:
    text = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    text += f"{OTHERS[dialect]}\nreturn %a : tensor<4xf32>\n}}"
    conversion = "tosa" if dialect == "tosa" else "linalg"
    with ir.Context() as context:
        module = ir.Module.parse(text, context)
        manager = PassManager.parse(f"builtin.module(convert-{conversion}-to-ttir)")
        with pytest.raises(ir.MLIRError, match=f"expected one of {dialect}'s ops") as caught:
            manager.run(module.operation)
    listed = re.search(r"'s ops ([\w, ]+)", str(caught.value))
    assert listed
    on_page = set(re.findall(rf"`{dialect}\.(\w+)`", PAGE.read_text()))
    assert on_page - {"index"} == set(listed[1].split(", "))
