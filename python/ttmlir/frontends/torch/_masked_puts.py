"""Assignments to masked elements, whose number is unknown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.scatter_gather import scattered
from ttmlir.frontends.torch._masked_ops import INDEX, is_mask, numbers
from ttmlir.frontends.torch._op import Op


def masked_put(
    op: Op, x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool
) -> Tensor:
    """Assigns values to the elements that masks select.

    If there are several masks, their first true elements together select an element of the tensor,
    then the second ones, and so on: they must have the same number of true elements, or one, which
    is broadcast. PyTorch raises an error otherwise; here an element without a counterpart selects
    nothing.

    Args:
        op: the op.
        x: the tensor.
        indices: at least one mask, and nonnegative indices for other dimensions: one, or one for
            each selected element.
        values: broadcast to the selection.
        accumulate: whether to add the values.
    """
    if sum(index is not None for index in indices) == 1:
        dim = next(d for d, index in enumerate(indices) if index is not None)
        return _in_rows(op, x, _mask(op, indices[dim]), dim, values, accumulate)
    parts = _dim_indices(op, indices)
    own = [d for part in parts for d in part.dims]
    rest = [d for d in range(x.rank) if d not in own]
    is_joined = own == list(range(own[0], own[-1] + 1))
    kept = [x.shape[d] for d in rest]
    new = _by_places(op, values, kept, own[0] if is_joined else 0)
    count = _count(op, [new.shape[0], *(p.index.shape[0] for p in parts if not p.is_mask)])
    order = [*own, *rest]
    moved = permuted(op, x, order)
    extents = [math.prod(x.shape[d] for d in part.dims) for part in parts]
    y = reshaped(op, moved, (*extents, *kept))
    if count == 1:
        new = reshaped(op, new, (*(1 for _ in parts), *kept))
        y = op.b.where(_chosen(op, parts, y), _combined(op, y, new, accumulate), y)
    else:
        places = [_each(op, part, count) for part in parts]
        y = scattered(
            op,
            y,
            op.b.concat([reshaped(op, p, (count, 1)) for p in places], 1),
            spread(op, new, (count, *kept)),
            window=list(range(1, 1 + len(kept))),
            inserted=list(range(len(parts))),
            reduce="add" if accumulate else "set",
        )
    return permuted(op, reshaped(op, y, moved.shape), [order.index(d) for d in range(x.rank)])


# Several indices ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _DimIndex:
    """An index of one dimension, and the dimensions of the tensor that it stands for: several if
    the mask had several."""

    index: Tensor
    dims: range
    is_mask: bool


def _dim_indices(op: Op, indices: Sequence[Tensor | None]) -> list[_DimIndex]:
    found, dim = [], 0
    for index in indices:
        rank = 1
        if index is not None:
            masks = is_mask(index)
            if masks:
                index, rank = _mask(op, index), index.rank
                if not rank:
                    raise op.fail("a mask without dimensions is supported alone: use torch.where")
            elif index.rank > 1 and math.prod(index.shape) > 1:
                raise op.fail(
                    "beside a computed mask, other indices must have one dimension: "
                    "use torch.where with the mask"
                )
            flat = reshaped(op, index, (math.prod(index.shape),))
            found.append(_DimIndex(flat, range(dim, dim + rank), masks))
        dim += rank
    return found


def _by_places(op: Op, values: Tensor, kept: Sequence[int], first: int) -> Tensor:
    """Moves the indexed dimension of values to the front, before the kept ones; it has extent 1 or
    the number of selected elements."""
    rank = 1 + len(kept)
    shape = values.shape[-rank:] if values.rank > rank else values.shape
    new = reshaped(op, values, (1,) * (rank - len(shape)) + shape)
    new = permuted(op, new, [first, *(d for d in range(rank) if d != first)])
    return spread(op, new, (new.shape[0], *kept))


def _count(op: Op, counts: Sequence[int]) -> int:
    """Returns the known number of selected elements; 1 if it is unknown."""
    known = sorted({n for n in counts if n != 1})
    if len(known) > 1:
        raise op.fail(f"expected indices of the same length, found {known[0]} and {known[1]}")
    return known[0] if known else 1


def _chosen(op: Op, parts: Sequence[_DimIndex], y: Tensor) -> Tensor:
    """Selects elements by indices of one element, or as many as the masks have, which is
    unknown."""
    b = op.b
    masks = [(d, part.index) for d, part in enumerate(parts) if part.is_mask]
    conditions = [_at(op, mask, d, y.rank) for d, mask in masks]
    for d, part in enumerate(parts):
        if not part.is_mask:
            here = op.tensor(torch.arange(y.shape[d], dtype=torch.int32))
            place = _at(op, part.index, 0, y.rank)
            conditions.append(op.compare("eq", place, _at(op, here, d, y.rank)))
    counted = [(_at(op, numbers(op, m), d, y.rank), _is_one(op, m, y.rank)) for d, m in masks]
    for (first, is_one), (second, is_other_one) in itertools.combinations(counted, 2):
        met = b.logical_or(op.compare("eq", first, second), is_one)
        conditions.append(b.logical_or(met, is_other_one))
    found = conditions[0]
    for condition in conditions[1:]:
        found = b.logical_and(found, condition)
    return found


def _is_one(op: Op, mask: Tensor, rank: int) -> Tensor:
    """Whether a mask has exactly one true element."""
    total = op.b.sum(op.cast(mask, INDEX), 0, True)
    return op.compare("eq", _at(op, total, 0, rank), op.tensor(1, INDEX))


def _each(op: Op, part: _DimIndex, count: int) -> Tensor:
    """Returns ``count`` indices of a part, padded with out-of-bounds ones."""
    b, index = op.b, part.index
    if not part.is_mask:
        return spread(op, index, (count,))
    extent = index.shape[0]
    here = op.tensor(torch.arange(extent, dtype=torch.int32))
    outside = op.tensor(torch.full((count,), extent, dtype=torch.int32))
    order = b.where(index, numbers(op, index), op.tensor(count, INDEX))
    found = b.scatter_dim(outside, order, here, 0, "set")
    alone = b.sum(b.where(index, here, op.tensor(0, INDEX)), 0, True)
    return b.where(_is_one(op, index, 1), alone, found)


# One mask ----------------------------------------------------------------------------------------


def _in_rows(
    op: Op, x: Tensor, mask: Tensor, place: int, values: Tensor, accumulate: bool
) -> Tensor:
    """Assigns values where a mask of adjacent dimensions is true."""
    shape = (1,) * place + mask.shape + (1,) * (x.rank - place - mask.rank)
    if math.prod(values.shape) == 1:
        new = reshaped(op, values, ())
    else:
        new = _each_place(op, x, mask, place, values)
    return op.b.where(reshaped(op, mask, shape), _combined(op, x, new, accumulate), x)


def _each_place(op: Op, x: Tensor, mask: Tensor, place: int, values: Tensor) -> Tensor:
    """Assigns consecutive values to the elements where a mask is true."""
    before, behind = x.shape[:place], x.shape[place + mask.rank :]
    values = reshaped(op, values, (1,) * (x.rank - mask.rank + 1 - values.rank) + values.shape)
    count = values.shape[place]
    values = spread(op, values, (*before, count, *behind))
    order = numbers(op, reshaped(op, mask, (math.prod(mask.shape),)))
    if count == 1:
        order = op.b.multiply(order, op.tensor(0, INDEX))
    return reshaped(op, taken(op, values, place, order), x.shape)


# Of both ------------------------------------------------------------------------------------------


def _mask(op: Op, index: Tensor | None) -> Tensor:
    assert index is not None
    return op.cast(index, "bool")


def _at(op: Op, x: Tensor, dim: int, rank: int) -> Tensor:
    """Reshapes a one-dimensional tensor to dimension ``dim`` of several."""
    return reshaped(op, x, [x.shape[0] if d == dim else 1 for d in range(rank)])


def _combined(op: Op, x: Tensor, new: Tensor, accumulate: bool) -> Tensor:
    if not accumulate:
        return new
    return op.b.logical_or(x, new) if x.dtype == "bool" else op.b.add(x, new)
