"""Every op reads shards and writes shards: the same bits as in DRAM."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import FORMATS, Array
from op_program import Case, draws, i32_list

import ttmlir

LAYOUTS = ("block_sharded", "block_sharded:tile", "l1:interleaved", "l1:interleaved:row_major")


def with_named_ops(case: Case) -> str:
    """The program with a copy of its first input in front, named "input", and the op named "op"."""
    text = case.text().replace(
        f"-> {case.format.type(case.shape)}\n  return", "-> RESULT\n  return"
    )
    text = text.replace("-> RESULT\n", f'-> {case.format.type(case.shape)} loc("op")\n')
    if case.inputs:
        array, dtype = case.inputs[0]
        kind = FORMATS[dtype].type(array.shape)
        copy = (
            f"  %place = tensor.empty() : {kind}\n"
            f'  %input = "ttir.reshape"(%arg0, %place) <{{operand_constraints = [#any, #any], '
            f'shape = {i32_list(array.shape)}}}> : ({kind}, {kind}) -> {kind} loc("input")\n'
        )
        head, _, body = text.partition("{\n")
        text = head + "{\n" + copy + body.replace("%arg0", "%input", 1)
    return text


def run(case: Case, layouts: dict[str, str]) -> Array:
    exe = ttmlir.compile(with_named_ops(case), override_output_layout=layouts)
    assert not layouts or "#l1_>" in exe.mlir
    result: Array = exe(*(array for array, _ in case.inputs))
    return result


@pytest.mark.parametrize("op", sorted(CASES))
@draws(3)
@given(data=st.data(), source=st.sampled_from(LAYOUTS), target=st.sampled_from(LAYOUTS))
def test_same_bits(op: str, data: st.DataObject, source: str, target: str) -> None:
    case = data.draw(CASES[op], label="case")
    layouts = {"op": target} if case.has_destination and case.has_constraints else {}
    if case.inputs and len(case.inputs[0][0].shape) <= 5:
        layouts["input"] = source
    found, expected = run(case, layouts), run(case, {})
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))
