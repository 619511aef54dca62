"""Every op at extents of real models, in both backends; `make soak` goes on from here."""

from __future__ import annotations

from dataclasses import replace

import op_sizes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import check
from op_program import draws

import ttmlir

#: The extents of real models in tensors that take little time.
SIZES = replace(op_sizes.REAL, elements=1 << 17, multiplications=1 << 26)


# The first draw is the smallest case.
@pytest.mark.sampled(64)
@pytest.mark.parametrize("op", sorted(CASES))
@draws(3)
@given(data=st.data())
def test_real_sizes(op: str, data: st.DataObject) -> None:
    with op_sizes.use(SIZES):
        case = data.draw(CASES[op], label="case")
    expected = case.expected()
    for backend in ("ttnn", "ttmetal"):
        exe = ttmlir.compile(case.text(), backend=backend)
        actual = exe(*(array for array, _ in case.inputs))
        check(actual, expected, case.format, case.ulps, case.slack)
