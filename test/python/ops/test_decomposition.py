"""Ops taken apart into those that have kernels compute the same, in numbers and in places of NaN.

The primitives run on the TTNN backend, against JAX in float64, with the errors that are allowed to
the op itself.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import check
from op_program import draws

import ttmlir
from ttmlir import ir, passes

#: Ops that kernels exist for, in one form at least.
PRIMITIVES = {
    *("constant", "full", "arange"),
    *("matmul", "sum", "max", "min", "transpose"),
    *("permute", "reshape", "slice", "concat", "pad", "unfold", "repeat", "embedding"),
    *("argsort", "scatter_rows", "previous_equal", "bitcast_convert", "update_slice"),
}
#: Ops that are never there afterwards.
TAKEN_APART = (
    *("softmax", "layer_norm", "rms_norm", "linear"),
    *("mean", "prod", "argmax", "cumsum", "cumprod", "cummax", "cummin"),
    *("squeeze", "unsqueeze", "broadcast", "embedding_backward", "gather"),
    *("conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "upsample"),
    "prepare_conv2d_weights",
)
#: Ops of which some forms are primitives.
BROUGHT_INTO_FORM = (
    *("matmul", "sum", "max", "min", "transpose"),
    *("permute", "reshape", "slice", "concat", "pad", "unfold", "repeat"),
    *("argsort", "scatter_rows", "previous_equal", "bitcast_convert", "update_slice"),
)


def decomposed(text: str) -> ir.Module:
    module = ir.Module.parse(text, ir.Context())
    passes.run_pipeline(module, "ttir-legalize-types")
    passes.run_pipeline(module, "ttir-expand-composites")
    passes.run_pipeline(module, "ttir-decomposition")
    return module


@pytest.mark.sampled(12)
@pytest.mark.parametrize("op", TAKEN_APART + BROUGHT_INTO_FORM)
@draws(8)
@given(data=st.data())
def test_numbers(op: str, data: st.DataObject) -> None:
    case = data.draw(CASES[op], label="case")
    module = decomposed(case.text())
    if op in TAKEN_APART:
        assert f'"ttir.{op}"' not in str(module)
    result = ttmlir.compile(module)(*(array for array, _ in case.inputs))
    check(result, case.expected(), case.format, case.ulps, case.slack)


@pytest.mark.parametrize("op", sorted(set(CASES) - {"to_layout", "fill"}))
@draws(2)
@given(data=st.data())
def test_only_primitives_are_left(op: str, data: st.DataObject) -> None:
    case = data.draw(CASES[op], label="case")
    text = str(decomposed(case.text()))
    elementwise = set(re.findall(r'"ttir\.(\w+)"\([^)]*\) <\{[^}]*operandSegmentSizes', text))
    assert set(re.findall(r'"ttir\.(\w+)"', text)) - elementwise <= PRIMITIVES
