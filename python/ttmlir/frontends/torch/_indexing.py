"""Gathers and scatters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced, spread, taken
from ttmlir.frontends.scatter_gather import scattered, scattered_along
from ttmlir.frontends.torch._elementwise import build
from ttmlir.frontends.torch._masked_ops import INDEX, is_mask
from ttmlir.frontends.torch._masked_puts import masked_put
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import FLOATS


def normalized_indices(op: Op, index: Operand, extent: int | None = None) -> Tensor:
    """Converts indices to signed integers; with ``extent`` negative ones count from the end."""
    if isinstance(index, torch.Tensor):
        known = index.to(torch.int64)
        if extent is not None:
            known = torch.where(known < 0, known + extent, known)
        return op.tensor(known, INDEX)
    x = op.tensor(index, INDEX)
    if extent is None:
        return x
    b = op.b
    return b.where(op.compare("lt", x, op.tensor(0, INDEX)), b.add(x, op.tensor(extent, INDEX)), x)


@handles("aten.embedding")
def _embedding(
    op: Op,
    weight: Operand,
    indices: Operand,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Result:
    x = normalized_indices(op, indices)
    flat = reshaped(op, x, (math.prod(x.shape),)) if x.rank != 2 else x
    found = op.b.embedding(flat, op.tensor(weight, op.dtype()))
    return reshaped(op, found, op.shape())


@handles("aten.index_select")
def _index_select(op: Op, self: Operand, dim: int, index: Operand) -> Result:
    x, where = op.tensor(self), normalized_indices(op, index)
    if not x.rank:
        return x
    where = reshaped(op, where, (1,)) if not where.rank else where
    return reshaped(op, taken(op, x, dim % x.rank, where), op.shape())


@handles("aten.gather")
def _gather(op: Op, self: Operand, dim: int, index: Operand, sparse_grad: bool = False) -> Result:
    x, where = op.tensor(self), normalized_indices(op, index)
    if not x.rank:
        return spread(op, reshaped(op, x, (1,) * where.rank), op.shape())
    if not where.rank:
        where = reshaped(op, where, (1,))
    return reshaped(op, op.b.gather_dim(x, where, dim % x.rank), op.shape())


@handles("aten.take")
def _take(op: Op, self: Operand, index: Operand) -> Result:
    x = op.tensor(self)
    count = math.prod(x.shape)
    where = normalized_indices(op, index, count)
    flat = reshaped(op, where, (math.prod(where.shape),))
    return reshaped(op, taken(op, reshaped(op, x, (count,)), 0, flat), op.shape())


@handles("aten.put")
def _put(
    op: Op, self: Operand, index: Operand, source: Operand, accumulate: bool = False
) -> Result:
    x = op.tensor(self)
    if 0 in shape_of(index):
        return x
    wide = "u8" if x.dtype == "bool" else x.dtype
    count = math.prod(x.shape)
    where = normalized_indices(op, index, count)
    updates = op.tensor(source, wide)
    parts = (op.cast(x, wide), where, updates)
    flat, where, updates = (reshaped(op, t, (math.prod(t.shape),)) for t in parts)
    found = op.b.scatter_dim(flat, where, updates, 0, "add" if accumulate else "set")
    return reshaped(op, op.cast(found, x.dtype), x.shape)


# Several indices ---------------------------------------------------------------------------------


class _Indices:
    """Index tensors for some dimensions, as one tensor of index vectors.

    ``dims`` are the dimensions; ``first`` is the position of their common dimensions in the result.
    """

    def __init__(self, op: Op, shape: Sequence[int], indices: Sequence[Operand | None]) -> None:
        self.dims = [d for d, index in enumerate(indices) if index is not None]
        given = [index for index in indices if index is not None]
        self.shape = tuple(np.broadcast_shapes(*(shape_of(x) for x in given)))
        joined = self.dims == list(range(self.dims[0], self.dims[-1] + 1))
        self.first = self.dims[0] if joined else 0
        self.rest = [d for d in range(len(shape)) if d not in self.dims]
        rank = len(self.shape)
        columns = []
        for d, index in zip(self.dims, given, strict=True):
            x = normalized_indices(op, index, shape[d])
            x = reshaped(op, x, (1,) * (rank - x.rank) + x.shape)
            columns.append(reshaped(op, spread(op, x, self.shape), (*self.shape, 1)))
        self.vectors = columns[0] if len(columns) == 1 else op.b.concat(columns, rank)

    @property
    def offsets(self) -> list[int]:
        """The dimensions of the result that are not indexed."""
        own = range(self.first, self.first + len(self.shape))
        return [d for d in range(len(self.rest) + len(self.shape)) if d not in own]


def _check_masks(op: Op, indices: Sequence[Operand | None]) -> list[Operand | None]:
    """Converts known masks to indices.

    Raises:
        UnsupportedError: a mask is computed.
    """
    found: list[Operand | None] = []
    for index in indices:
        if isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8):
            found += list(index.nonzero().unbind(1))
        elif is_mask(index):
            raise op.fail(
                "the shape of the result depends on values: use torch.where with the mask"
            )
        else:
            found.append(index)
    return found


def _placed(op: Op, shape: Sequence[int], indices: Sequence[Operand | None]) -> list[Tensor | None]:
    """Normalizes indices to nonnegative ones; computed masks are kept."""
    found: list[Tensor | None] = []
    dim = 0
    for index in indices:
        if is_mask(index):
            assert isinstance(index, Tensor)
            found.append(index)
            dim += index.rank
        elif isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8):
            found += [op.tensor(known, INDEX) for known in index.nonzero().unbind(1)]
            dim += index.dim()
        else:
            found.append(None if index is None else normalized_indices(op, index, shape[dim]))
            dim += 1
    return found


def _is_empty(index: Operand | None) -> bool:
    """Whether an index is known to be empty."""
    if isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8):
        return not bool(index.any())
    return index is not None and 0 in shape_of(index)


def _regular_part(op: Op, x: Tensor, indices: Sequence[Operand | None]) -> Tensor | None:
    """Returns ``x[:, [2, 4, 6]]`` as a slice, which chips with a part of the other dimensions take
    on their own; None if the indices are not known, not regular or for several dimensions."""
    [dim, *others] = [d for d, index in enumerate(indices) if index is not None]
    index = indices[dim]
    if others or not isinstance(index, torch.Tensor) or index.dim() != 1 or not len(index):
        return None
    extent = x.shape[dim]
    places = [n + extent if n < 0 else n for n in index.tolist()]
    step = places[1] - places[0] if len(places) > 1 else 1
    end = places[0] + (len(places) - 1) * step + 1
    if (
        step < 1
        or places != list(range(places[0], end, step))
        or not 0 <= places[0] < end <= extent
    ):
        return None
    return sliced(op, x, dim, places[0], end, step)


@handles("aten.index.Tensor", "aten._unsafe_index.Tensor")
def _index(op: Op, self: Operand, indices: Sequence[Operand | None]) -> Result:
    x = op.tensor(self)
    indices = _check_masks(op, indices)
    if all(index is None for index in indices):
        return x
    if (part := _regular_part(op, x, indices)) is not None:
        return part
    found = _Indices(op, x.shape, indices)
    y = op.b.gather(
        x,
        found.vectors,
        offset_dims=found.offsets,
        collapsed_slice_dims=found.dims,
        start_index_map=found.dims,
        index_vector_dim=len(found.shape),
        slice_sizes=[1 if d in found.dims else n for d, n in enumerate(x.shape)],
        clamp=True,
    )
    return reshaped(op, y, op.shape())


@handles("aten.index_put", "aten._unsafe_index_put", "aten._index_put_impl")
def _index_put(
    op: Op,
    self: Operand,
    indices: Sequence[Operand | None],
    values: Operand,
    accumulate: bool = False,
    unsafe: bool = False,
) -> Result:
    dtype = op.dtype()
    x = op.tensor(self, dtype)
    if any(is_mask(index) for index in indices):
        if any(map(_is_empty, indices)) or 0 in shape_of(values):
            return x
        return masked_put(
            op, x, _placed(op, x.shape, indices), op.tensor(values, dtype), accumulate
        )
    indices = _check_masks(op, indices)
    if all(index is None for index in indices):
        return spread(op, op.tensor(values, dtype), x.shape)
    if any(0 in shape_of(i) for i in indices if i is not None) or 0 in shape_of(values):
        return x
    found = _Indices(op, x.shape, indices)
    kept = [x.shape[d] for d in found.rest]
    whole = [*kept[: found.first], *found.shape, *kept[found.first :]]
    updates = op.tensor(values, dtype)
    updates = reshaped(op, updates, (1,) * (len(whole) - updates.rank) + updates.shape)
    updates = spread(op, updates, whole)
    return scattered(
        op,
        x,
        found.vectors,
        updates,
        window=found.offsets,
        inserted=found.dims,
        reduce="add" if accumulate else "set",
    )


# Along a dimension -------------------------------------------------------------------------------

_REDUCTIONS = {
    "sum": "add",
    "add": "add",
    "prod": "multiply",
    "multiply": "multiply",
    "amax": "max",
    "amin": "min",
}


def _scatter_dim(
    op: Op, self: Operand, dim: int, index: Operand, source: Operand, reduce: str
) -> Tensor:
    dtype = op.dtype()
    x, where = op.tensor(self, dtype), normalized_indices(op, index)
    if 0 in where.shape:
        return x
    updates = op.tensor(source, dtype)
    if not x.rank:
        x, where = reshaped(op, x, (1,)), reshaped(op, where, (1,))
        dim = 0
    if not updates.rank and isinstance(source, (bool, int, float)):
        updates = spread(op, reshaped(op, updates, (1,) * where.rank), where.shape)
    elif not updates.rank:
        updates = reshaped(op, updates, (1,))
    return reshaped(op, scattered_along(op, x, where, updates, dim % x.rank, reduce), op.shape())


@handles("aten.scatter.src", "aten.scatter.value")
def _scatter(
    op: Op, self: Operand, dim: int, index: Operand, src: Any = None, **named: Any
) -> Result:
    if 0 in shape_of(index):
        return op.tensor(self)
    return _scatter_dim(op, self, dim, index, named.get("value", src), "set")


@handles("aten.scatter.reduce", "aten.scatter.value_reduce")
def _scatter_reduced(
    op: Op, self: Operand, dim: int, index: Operand, src: Any = None, *, reduce: str, **named: Any
) -> Result:
    return _scatter_dim(op, self, dim, index, named.get("value", src), _REDUCTIONS[reduce])


@handles("aten.scatter_add")
def _scatter_add(op: Op, self: Operand, dim: int, index: Operand, src: Operand) -> Result:
    if 0 in shape_of(index):
        return op.tensor(self)
    return _scatter_dim(op, self, dim, index, src, "add")


@handles("aten.scatter_reduce.two")
def _scatter_reduce(
    op: Op,
    self: Operand,
    dim: int,
    index: Operand,
    src: Operand,
    reduce: str,
    *,
    include_self: bool = True,
) -> Result:
    b, dtype = op.b, op.dtype()
    if 0 in shape_of(index):
        return op.tensor(self)
    mean = reduce == "mean"
    kind = "add" if mean else _REDUCTIONS[reduce]
    x = op.tensor(self, dtype)
    if not include_self:
        neutral = {"add": 0, "multiply": 1}.get(kind)
        if neutral is None:
            # The first occurrence sets the element, so that the old one never counts.
            first = _scatter_dim(op, x, dim, index, src, "set")
        else:
            first = _scatter_dim(op, x, dim, index, neutral, "set")
        found = _scatter_dim(op, first, dim, index, src, kind)
    else:
        found = _scatter_dim(op, x, dim, index, src, kind)
    if not mean:
        return found
    zeros = torch.zeros((), dtype=op.meta().dtype).expand(op.shape())
    count = _scatter_dim(op, zeros, dim, index, 1, "add")
    if include_self:
        count = b.add(count, op.tensor(1, dtype))
    count = b.maximum(count, op.tensor(1, dtype))
    if dtype in FLOATS:
        return b.div(found, count)
    quotient = b.div(found, count)
    rest = op.compare("ne", b.remainder(found, count), op.tensor(0, dtype))
    lower = b.logical_and(rest, op.compare("lt", found, op.tensor(0, dtype)))
    return b.subtract(quotient, op.cast(lower, dtype))


@handles("aten.index_add", "aten.index_copy", "aten.index_fill")
def _index_along(
    op: Op, self: Operand, dim: int, index: Operand, source: Operand, *, alpha: Any = 1
) -> Result:
    dtype = op.dtype()
    x = op.tensor(self, dtype)
    if 0 in shape_of(index):
        return x
    updates = op.tensor(source, dtype)
    if alpha != 1:
        updates = op.b.multiply(updates, op.tensor(alpha, dtype))
    adds = "index_add" in op.name
    if not x.rank:
        one = reshaped(op, updates, ())
        return build(op, "add", x, one) if adds else one
    dim %= x.rank
    where = normalized_indices(op, index, x.shape[dim])
    where = reshaped(op, where, (math.prod(where.shape), 1))
    whole = [where.shape[0] if d == dim else n for d, n in enumerate(x.shape)]
    if "index_fill" in op.name:
        updates = spread(op, reshaped(op, updates, (1,) * x.rank), whole)
    return scattered(
        op,
        x,
        where,
        reshaped(op, updates, whole),
        window=[d for d in range(x.rank) if d != dim],
        inserted=[dim],
        reduce="add" if adds else "set",
    )


@handles("aten.repeat_interleave.Tensor")
def _repeated(op: Op, repeats: Operand, *, output_size: int | None = None) -> Result:
    """Returns the index of each repeated element: the number of those that end before it."""
    b, [total] = op.b, op.shape()
    ends = b.cumsum(op.tensor(repeats, INDEX), 0)
    zeros = op.tensor(torch.zeros(total, dtype=torch.int32))
    if ends.shape[0] == 1:
        return op.cast(zeros, op.dtype())
    ends = sliced(op, ends, 0, 0, ends.shape[0] - 1)
    ones = op.tensor(torch.ones(ends.shape[0], dtype=torch.int32))
    return op.cast(b.cumsum(b.scatter_dim(zeros, ends, ones, 0, "add"), 0), op.dtype())


@handles("aten.repeat_interleave.self_int")
def _repeat_interleave(
    op: Op, self: Operand, repeats: int, dim: int | None = None, **_: object
) -> Result:
    x = op.tensor(self)
    if dim is None:
        x, dim = reshaped(op, x, (math.prod(x.shape),)), 0
    return reshaped(op, op.b.repeat_interleave(x, repeats, dim % x.rank), op.shape())
