"""The numbers of every op, from TTIR to the emulator, against JAX in float64.

Shapes are of rank 1 to 6 and rarely multiples of a tile; floats have NaN and infinities among their
elements. What a result may be off comes from its format and from the error that the op's definition
states.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_program import draws


@pytest.mark.parametrize("op", sorted(CASES))
@draws(8)
@given(data=st.data())
def test_numbers(op: str, data: st.DataObject) -> None:
    data.draw(CASES[op], label="case").check()
