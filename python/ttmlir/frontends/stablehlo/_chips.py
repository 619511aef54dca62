"""What chips of a mesh do together, of which a program of one chip is the smallest case."""

from __future__ import annotations

import numpy as np

from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._types import NUMPY
from ttmlir.frontends.stablehlo._values import Known


@handles("stablehlo.partition_id", "stablehlo.replica_id")
def _position(op: Op) -> Result:
    return Known(np.array(0, np.uint32))


@handles(
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.reduce_scatter",
)
def _alone(op: Op) -> Result:
    return list(op.inputs)


@handles("sdy.manual_computation")
def _manual_computation(op: Op) -> Result:
    """The shard of the only chip is the whole tensor."""
    return op.run(0, op.inputs)


@handles("stablehlo.collective_permute")
def _collective_permute(op: Op) -> Result:
    pairs = op.ints("source_target_pairs")
    if pairs:
        return list(op.inputs)
    return Known(np.broadcast_to(np.zeros((), NUMPY[op.dtype()]), op.shape()))
