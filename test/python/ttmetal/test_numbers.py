"""The numbers of every op as kernels against JAX in float64: the same cases, and the same errors
allowed, as for the library of TTNN. They do not depend on the number of host threads, and the size
of the grid changes what a core does."""

from __future__ import annotations

import op_eltwise
import op_nn
import op_tensors
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_formats import FORMATS, check
from op_program import Strategy, draws

import ttmlir
from ttmlir import runtime

CASES: dict[str, Strategy] = {**op_eltwise.CASES, **op_tensors.CASES, **op_nn.CASES}
GRIDS = ((1, 1), (2, 3), (8, 8))


@pytest.mark.parametrize("op", sorted(CASES))
@draws(3)
@given(data=st.data())
def test_numbers(op: str, data: st.DataObject) -> None:
    case = data.draw(CASES[op], label="case")
    grid = data.draw(st.sampled_from(GRIDS), label="grid")
    formats = [FORMATS[name] for name in (case.dtype, *(name for _, name in case.inputs))]
    try:
        exe = ttmlir.compile(case.text(), backend="ttmetal", grid=grid)
    except ttmlir.CompileError as error:
        # A program may ask for pages interleaved over L1, which the host writes and kernels do not.
        if any(form.space == "l1" for form in formats) and "shards in L1" in str(error):
            return
        raise
    found = []
    for threads in (1, 2):
        runtime.set_num_threads(threads)
        found.append(exe(*(array for array, _ in case.inputs)))
    assert found[0].tobytes() == found[1].tobytes()
    check(found[0], case.expected(), case.format, case.ulps, case.slack)
