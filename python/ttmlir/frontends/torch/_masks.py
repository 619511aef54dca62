"""Elements that masks choose."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.moves import permuted, reshaped, spread, taken
from ttmlir.frontends.torch._op import Op, Operand, Result, handles

#: The type of places.
INDEX = "i32"


def is_mask(index: Operand | None) -> bool:
    """Whether an index is a mask that is computed."""
    return isinstance(index, Tensor) and index.dtype in ("bool", "u8")


def masked_put(
    op: Op,
    x: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool,
) -> Tensor:
    """A tensor with values where a mask holds: how many places it has is not known.

    Args:
        op: the op.
        x: the tensor.
        indices: one mask, and places from 0 for other dimensions: one for all places of the mask or
            one for each.
        values: they broadcast to what is chosen.
        accumulate: whether they are added.
    """
    masks = [i for i in indices if is_mask(i)]
    if len(masks) > 1:
        raise op.fail("one mask that is computed is supported: use torch.where with all of them")
    mask, place = _mask_of(op, indices)
    if all(i is None or is_mask(i) for i in indices):
        return _in_rows(op, x, mask, place, values, accumulate)
    own = list(range(place, place + mask.rank))
    others: list[tuple[int, Tensor]] = []
    dim = 0
    for index in indices:
        if index is not None and not is_mask(index):
            if index.rank > 1 and math.prod(index.shape) > 1:
                raise op.fail(
                    "beside a mask that is computed, other indices have one dimension: "
                    "use torch.where with the mask"
                )
            others.append((dim, reshaped(op, index, (math.prod(index.shape),))))
        dim += mask.rank if is_mask(index) else 1
    taken_dims = sorted([*own, *(d for d, _ in others)])
    rest = [d for d in range(x.rank) if d not in taken_dims]
    is_joined = taken_dims == list(range(taken_dims[0], taken_dims[-1] + 1))
    # Where the places stand in what is chosen: among the dimensions that stay.
    first = taken_dims[0] if is_joined else 0
    order = [*own, *(d for d, _ in others), *rest]
    moved = permuted(op, x, order)
    count = math.prod(mask.shape)
    extents = [x.shape[d] for d, _ in others]
    kept = [x.shape[d] for d in rest]
    y = reshaped(op, moved, (count, *extents, *kept))
    flat = reshaped(op, mask, (count,))
    number = _numbers(op, flat)
    chosen = _at(op, flat, 0, y.rank)
    for d, (_, index) in enumerate(others, 1):
        wanted = index if index.shape == (1,) else taken(op, index, 0, number)
        here = op.tensor(torch.arange(y.shape[d], dtype=torch.int32))
        equal = op.compare("eq", _at(op, wanted, 0, y.rank), _at(op, here, d, y.rank))
        chosen = op.b.logical_and(chosen, equal)
    rank = 1 + len(rest)
    shape = values.shape[-rank:] if values.rank > rank else values.shape
    new = reshaped(op, values, (1,) * (rank - len(shape)) + shape)
    new = permuted(op, new, [first, *(d for d in range(rank) if d != first)])
    new = spread(op, new, (new.shape[0], *kept))
    new = new if new.shape[0] == 1 else taken(op, new, 0, number)
    new = reshaped(op, new, (new.shape[0], *(1 for _ in others), *kept))
    found = op.b.where(chosen, _combined(op, y, new, accumulate), y)
    return permuted(op, reshaped(op, found, moved.shape), [order.index(d) for d in range(x.rank)])


def _mask_of(op: Op, indices: Sequence[Tensor | None]) -> tuple[Tensor, int]:
    """The mask among indices, and its first dimension."""
    place = next(d for d, index in enumerate(indices) if is_mask(index))
    mask = indices[place]
    assert mask is not None
    return op.cast(mask, "bool"), place


def _at(op: Op, x: Tensor, dim: int, rank: int) -> Tensor:
    """A tensor of one dimension as dimension ``dim`` of several."""
    return reshaped(op, x, [x.shape[0] if d == dim else 1 for d in range(rank)])


def _numbers(op: Op, flat: Tensor) -> Tensor:
    """For each place where a mask holds how many do in front of it."""
    return op.b.subtract(op.b.cumsum(op.cast(flat, INDEX), 0), op.tensor(1, INDEX))


def _combined(op: Op, x: Tensor, new: Tensor, accumulate: bool) -> Tensor:
    if not accumulate:
        return new
    return op.b.logical_or(x, new) if x.dtype == "bool" else op.b.add(x, new)


def _in_rows(
    op: Op, x: Tensor, mask: Tensor, place: int, values: Tensor, accumulate: bool
) -> Tensor:
    """Values where a mask of some dimensions that are next to each other holds."""
    shape = (1,) * place + mask.shape + (1,) * (x.rank - place - mask.rank)
    if math.prod(values.shape) == 1:
        new = reshaped(op, values, ())
    else:
        new = _each_place(op, x, mask, place, values)
    return op.b.where(reshaped(op, mask, shape), _combined(op, x, new, accumulate), x)


def _each_place(op: Op, x: Tensor, mask: Tensor, place: int, values: Tensor) -> Tensor:
    """In each place where a mask holds the next one of the values."""
    before, behind = x.shape[:place], x.shape[place + mask.rank :]
    values = reshaped(op, values, (1,) * (x.rank - mask.rank + 1 - values.rank) + values.shape)
    count = values.shape[place]
    values = spread(op, values, (*before, count, *behind))
    order = _numbers(op, reshaped(op, mask, (math.prod(mask.shape),)))
    if count == 1:
        order = op.b.multiply(order, op.tensor(0, INDEX))
    return reshaped(op, taken(op, values, place, order), x.shape)


@handles("aten.masked_fill")
def _masked_fill(op: Op, self: Operand, mask: Operand, value: Operand) -> Result:
    dtype = op.dtype()
    return op.b.where(op.tensor(mask, "bool"), op.tensor(value, dtype), op.tensor(self, dtype))


@handles("aten.masked_scatter")
def _masked_scatter(op: Op, self: Operand, mask: Operand, source: Operand) -> Result:
    b, dtype, shape = op.b, op.dtype(), op.shape()
    count = math.prod(shape)
    chosen = op.tensor(mask, "bool")
    chosen = reshaped(op, chosen, (1,) * (len(shape) - chosen.rank) + chosen.shape)
    chosen = reshaped(op, spread(op, chosen, shape), (count,))
    before = b.subtract(b.cumsum(op.cast(chosen, INDEX), 0), op.tensor(1, INDEX))
    values = op.tensor(source, dtype)
    flat = reshaped(op, values, (math.prod(values.shape),))
    new = taken(op, flat, 0, before)
    x = op.tensor(self, dtype)
    x = spread(op, reshaped(op, x, (1,) * (len(shape) - x.rank) + x.shape), shape)
    return reshaped(op, b.where(chosen, new, reshaped(op, x, (count,))), shape)


@handles("aten.masked_scatter_backward")
def _masked_scatter_backward(
    op: Op, grad_output: Operand, mask: Operand, sizes: Sequence[int]
) -> Result:
    b, gradient = op.b, op.tensor(grad_output)
    count = math.prod(gradient.shape)
    chosen = reshaped(op, spread(op, op.tensor(mask, "bool"), gradient.shape), (count,))
    order = b.subtract(b.cumsum(op.cast(chosen, INDEX), 0), op.tensor(1, INDEX))
    # What is not chosen goes outside, where it is left out.
    order = b.where(chosen, order, op.tensor(math.prod(sizes), INDEX))
    zeros = op.tensor(torch.zeros(()).expand(math.prod(sizes)), gradient.dtype)
    flat = reshaped(op, gradient, (count,))
    return reshaped(op, b.scatter_dim(zeros, order, flat, 0, "add"), op.shape())
