"""Ops in ``torch.ops.ttmlir``, for what PyTorch has no functional op.

``update_slice`` writes a window at a computed position: ``index_copy`` with many rows is a scatter,
which is slower and does not say that the rows are neighbours. ``in_rows`` stores a tensor in rows
on the device: an argument of few elements is then transferred without the rest of a tile.
"""

from __future__ import annotations

import torch

from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._indexing import normalized_indices
from ttmlir.frontends.torch._op import Op, Operand, Result, handles


@torch.library.custom_op("ttmlir::update_slice", mutates_args=())  # type: ignore[untyped-decorator]
def update_slice(
    x: torch.Tensor, update: torch.Tensor, start: torch.Tensor, dim: int
) -> torch.Tensor:
    """Returns ``x`` with ``update`` written into it.

    Args:
        x: of any shape and dtype.
        update: of the shape of ``x`` but for ``dim``, where it has at most as many elements.
        start: where it begins in ``dim``: one integer.
        dim: the dimension.
    """
    found = x.clone()
    found.narrow(dim, int(start), update.shape[dim]).copy_(update)
    return found


@update_slice.register_fake  # type: ignore[untyped-decorator]
def _shape(x: torch.Tensor, update: torch.Tensor, start: torch.Tensor, dim: int) -> torch.Tensor:
    return torch.empty_like(x)


@handles("ttmlir.update_slice")
def _update_slice(op: Op, x: Operand, update: Operand, start: Operand, dim: int) -> Result:
    dtype = op.dtype()
    at = reshaped(op, normalized_indices(op, start), (1,))
    whole = op.tensor(x, dtype)
    return op.b.update_slice(whole, op.tensor(update, dtype), at, dims=[dim % whole.rank])


@torch.library.custom_op("ttmlir::in_rows", mutates_args=())  # type: ignore[untyped-decorator]
def in_rows(x: torch.Tensor) -> torch.Tensor:
    """Returns a copy of ``x``."""
    return x.clone()


@in_rows.register_fake  # type: ignore[untyped-decorator]
def _like(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@handles("ttmlir.in_rows")
def _in_rows(op: Op, x: Operand) -> Result:
    return op.b.to_layout(op.tensor(x), memory_space="dram", tiled=False)
