"""The cases of every op that has numbers."""

from __future__ import annotations

import op_eltwise
import op_nn
import op_tensors
from op_program import Strategy

CASES: dict[str, Strategy] = {**op_eltwise.CASES, **op_tensors.CASES, **op_nn.CASES}
