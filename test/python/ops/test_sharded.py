"""Every op reads shards and writes shards: the same bits as in DRAM."""

from __future__ import annotations

import re
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import FORMATS, Array, Shape
from op_program import Case, draws, i32_list

import ttmlir

TILE_BYTES = 32 * 32 * 4
LAYOUTS = ("block_sharded", "block_sharded:tile", "l1:interleaved", "l1:interleaved:row_major")


def with_named_ops(case: Case) -> str:
    """The program with a copy of its first input in front, named "input", and the op named "op"."""
    text = case.text("op")
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


#: Ops that may be nothing (of unsigned integers, of a whole dimension) or a constant.
MAY_VANISH = {"abs", "index", "zeros", "ones", "get_dimension_size"}

#: Ops that become many, some of which cannot write what an override says.
EXPANDED = {"cholesky", "fft", "topk_router_gpt", "triangular_solve"}

#: Ops whose result is where their input is, so that it may be changed in place.
UPDATES = {
    *("update_slice", "dynamic_update_slice", "fill_cache", "update_cache"),
    *("paged_fill_cache", "paged_update_cache"),
}


def run(case: Case, layouts: dict[str, str]) -> Array:
    exe = ttmlir.compile(with_named_ops(case), override_output_layout=layouts)
    is_an_argument = re.search(r"return %arg\d", exe.mlir)  # the op does nothing
    assert not layouts or "#l1_>" in exe.mlir or case.op in MAY_VANISH or is_an_argument
    result: Array = exe(*(array for array, _ in case.inputs))
    return result


def fits_a_core(shape: Shape) -> bool:
    """Whether one core's L1 has room for a tensor, whose rows no grid of more may divide."""
    rows, columns = prod(shape[:-1]), shape[-1]
    return len(shape) <= 5 and -(-rows // 32) * -(-columns // 32) * TILE_BYTES <= 1 << 20


@pytest.mark.sampled(96)
@pytest.mark.parametrize("op", sorted(CASES))
@draws(3)
@given(data=st.data(), source=st.sampled_from(LAYOUTS), target=st.sampled_from(LAYOUTS))
def test_same_bits(op: str, data: st.DataObject, source: str, target: str) -> None:
    case = data.draw(CASES[op], label="case")
    expected = run(case, {})
    has_choice = case.has_destination and case.has_constraints and case.op not in UPDATES
    layouts = {"op": target} if has_choice and fits_a_core(expected.shape) else {}
    if case.inputs and fits_a_core(case.inputs[0][0].shape):
        layouts["input"] = source
    try:
        found = run(case, layouts)
    except ttmlir.CompileError as error:
        if case.op not in EXPANDED or "operand constraint of the destination" not in str(error):
            raise
        found = run(case, {name: layouts[name] for name in layouts if name != "op"})
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))
