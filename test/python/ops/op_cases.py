"""The cases of every op that has numbers."""

from __future__ import annotations

import op_attention
import op_composites
import op_eltwise
import op_linear_algebra
import op_nn
import op_places
import op_quant
import op_slices
import op_tensors
import op_windows
from op_program import Strategy

CASES: dict[str, Strategy] = {
    **op_eltwise.CASES,
    **op_tensors.CASES,
    **op_nn.CASES,
    **op_composites.CASES,
    **op_attention.CASES,
    **op_places.CASES,
    **op_slices.CASES,
    **op_quant.CASES,
    **op_windows.CASES,
    **op_linear_algebra.CASES,
}
