"""Every op as library calls and as kernels: the right numbers, for kernels on grids of every size,
with every check, and the same bits with one and with two host threads."""

from __future__ import annotations

import pytest
import tiers
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import check
from op_program import draws

import ttmlir
from ttmlir import runtime

GRIDS = ((1, 1), (2, 3), (8, 8))


@pytest.mark.parametrize("op", sorted(CASES))
@draws(4)
@given(data=st.data())
def test_same_numbers(
    checked: runtime.Device, kernels: set[str], op: str, data: st.DataObject
) -> None:
    case = data.draw(CASES[op], label="case")
    calls, expected = case.run(), case.expected()
    # Both backends have to be right. They may still round to two neighbours of the exact number.
    check(calls, expected, case.format, case.ulps, case.slack)
    # A sample of a case takes one of the grids.
    for grid in [data.draw(st.sampled_from(GRIDS), label="grid")] if tiers.SAMPLE else GRIDS:
        exe = ttmlir.compile(case.text(), backend="ttmetal", grid=grid)
        kernels.update(source for _, source in exe.binary.get_program_kernels(0))
        results = []
        for threads in (1, 2):
            runtime.set_num_threads(threads)
            results.append(exe(*(array for array, _ in case.inputs), device=checked))
        assert results[0].tobytes() == results[1].tobytes()
        assert results[0].dtype == calls.dtype
        check(results[0], expected, case.format, case.ulps, case.slack)
