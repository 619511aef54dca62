"""Writes TTIR programs without boilerplate.

>>> import ttmlir
>>> b = ttmlir.Builder()
>>> x = b.input("x", (64, 128), "bf16")
>>> w = b.input("w", (128, 96), "bfp8_b")
>>> y = b.relu(b.matmul(x, w))
>>> b.output(y)
>>> y.shape, y.dtype
((64, 96), 'bf16')
>>> b.module.operation.verify()
True
"""

from __future__ import annotations

from ttmlir.builder._collectives import CollectiveOps
from ttmlir.builder._control_flow import ControlFlow
from ttmlir.builder._dtypes import DTYPES, quantized
from ttmlir.builder._eltwise import EltwiseOps
from ttmlir.builder._nn import NNOps
from ttmlir.builder._quant import QuantOps
from ttmlir.builder._reductions import ReductionOps
from ttmlir.builder._sort_scatter import SortScatterOps
from ttmlir.builder._tensor import Tensor
from ttmlir.builder._tensor_ops import TensorOps

__all__ = ["DTYPES", "Builder", "Tensor", "quantized"]


class Builder(
    EltwiseOps, ReductionOps, TensorOps, SortScatterOps, NNOps, QuantOps, CollectiveOps, ControlFlow
):
    """Builds a module of functions on tensors; each method call adds one op.

    The first function is called ``name``; ``function(name)`` begins another. Inputs and outputs
    belong to the function that was begun last.

    Every op takes an optional ``name``, which becomes its location in the IR (the key of grid
    overrides and in reports); the file and line of the call are always recorded.

    Args:
        name: name of the first function.
        constraint: where operands of ops may be, an alias of ``#tt.operand_constraint``.
        context: the context to build in; a new one by default.
        mesh_shape: chips along each axis of the mesh that the program runs on, required by
            collectives; ``ttmlir.compile`` uses it.

    Raises:
        ValueError: in op methods, if shapes or dtypes are incompatible.
    """
