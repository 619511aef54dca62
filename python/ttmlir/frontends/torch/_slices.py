"""Ops in ``torch.ops.ttmlir`` that have no functional equivalent in PyTorch.

``update_slice`` writes a window at a computed position, and ``update_slices`` writes several:
``index_copy`` with many rows is a scatter, which is slower and does not know that the rows are
adjacent. ``read_pages`` reads a paged cache. ``in_rows`` makes a tensor row-major on the device, so
that an argument of few elements is transferred without padding to a tile.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ttmlir.frontends.data_movement import permuted, reshaped
from ttmlir.frontends.torch._indexing import normalized_indices
from ttmlir.frontends.torch._masked_ops import INDEX
from ttmlir.frontends.torch._op import Op, Operand, Result, handles


@torch.library.custom_op("ttmlir::update_slice", mutates_args=())  # type: ignore[untyped-decorator]
def update_slice(
    x: torch.Tensor, update: torch.Tensor, start: torch.Tensor, dim: int
) -> torch.Tensor:
    """Returns ``x`` with ``update`` written into it.

    Args:
        x: of any shape and dtype.
        update: same shape as ``x`` except in ``dim``, where it may be smaller.
        start: its position in ``dim``: one integer.
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


@torch.library.custom_op("ttmlir::update_slices", mutates_args=())  # type: ignore[untyped-decorator]
def update_slices(
    x: torch.Tensor, updates: torch.Tensor, starts: torch.Tensor, dims: Sequence[int]
) -> torch.Tensor:
    """Returns ``x`` with several updates written into it, in order.

    Args:
        x: of any shape and dtype.
        updates: same rank as ``x``, stacked in the first dimension.
        starts: position of each update in ``dims``: (updates, dims), integers. An update that would
            exceed ``x`` is skipped.
        dims: dimensions of ``x``. If the first one is not among them, updates are also stacked in
            ``x``.
    """
    found = x.clone()
    parts = updates.chunk(len(starts))
    for number, (part, start) in enumerate(zip(parts, starts.tolist(), strict=True)):
        at = [0] * x.dim()
        if 0 not in dims:
            at[0] = number * len(part)
        for dim, place in zip(dims, start, strict=True):
            at[dim] = place
        ends = [begin + extent for begin, extent in zip(at, part.shape, strict=True)]
        if min(at) >= 0 and all(e <= n for e, n in zip(ends, x.shape, strict=True)):
            found[tuple(slice(b, e) for b, e in zip(at, ends, strict=True))] = part
    return found


@update_slices.register_fake  # type: ignore[untyped-decorator]
def _slices_shape(
    x: torch.Tensor, updates: torch.Tensor, starts: torch.Tensor, dims: Sequence[int]
) -> torch.Tensor:
    return torch.empty_like(x)


@handles("ttmlir.update_slices")
def _update_slices(
    op: Op, x: Operand, updates: Operand, starts: Operand, dims: Sequence[int]
) -> Result:
    dtype = op.dtype()
    at = normalized_indices(op, starts)
    whole, parts = op.tensor(x, dtype), op.tensor(updates, dtype)
    return op.b.update_slice(whole, parts, at, dims=list(dims), clamp=False)


@torch.library.custom_op("ttmlir::read_pages", mutates_args=())  # type: ignore[untyped-decorator]
def read_pages(cache: torch.Tensor, page_table: torch.Tensor) -> torch.Tensor:
    """Returns the rows of each user from a paged cache: (users, heads, blocks of a user * size,
    width).

    Attention to the result reads keys and values from the cache directly.

    Args:
        cache: (blocks, heads, size, width).
        page_table: block numbers of each user, in order: (users, blocks of a user), integers.
            Negative ones are read as 0.
    """
    users, count = page_table.shape
    _, heads, size, width = cache.shape
    found = cache[page_table.clamp(min=0).long()].permute(0, 2, 1, 3, 4)
    return found.reshape(users, heads, count * size, width)


@read_pages.register_fake  # type: ignore[untyped-decorator]
def _pages_shape(cache: torch.Tensor, page_table: torch.Tensor) -> torch.Tensor:
    users, count = page_table.shape
    _, heads, size, width = cache.shape
    return cache.new_empty(users, heads, count * size, width)


@handles("ttmlir.read_pages")
def _read_pages(op: Op, cache: Operand, page_table: Operand) -> Result:
    blocks = op.tensor(cache, op.dtype())
    table = normalized_indices(op, page_table)
    (users, count), (_, heads, size, width) = table.shape, blocks.shape
    rows = reshaped(op, blocks, (blocks.shape[0], heads * size * width))
    found = op.b.embedding(op.b.maximum(table, op.tensor(0, INDEX)), rows)
    found = permuted(op, reshaped(op, found, (users, count, heads, size, width)), (0, 2, 1, 3, 4))
    return reshaped(op, found, (users, heads, count * size, width))


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
