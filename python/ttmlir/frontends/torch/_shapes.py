"""Ops that create tensors and change their shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import joined, permuted, reshaped, sliced, spread, taken
from ttmlir.frontends.torch._aliasing import logical, memory_of
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import FLOATS, TORCH

# The same elements -------------------------------------------------------------------------------


@handles(
    "aten.view.default",
    "aten.reshape",
    "aten._unsafe_view",
    "aten.unsqueeze",
    "aten.squeeze",
    "aten.flatten",
    "aten.unflatten",
    "aten._reshape_alias",
    "aten.view_as",
)
def _reshape(op: Op, self: Operand, *_: object, **__: object) -> Result:
    return reshaped(op, op.tensor(self), op.shape())


@handles(
    "aten.clone",
    "aten.alias",
    "aten.detach",
    "aten.lift",
    "aten.lift_fresh",
    "aten.lift_fresh_copy",
    "aten.contiguous",
    "aten.positive",
    "aten.real",
    "aten.conj",
    "aten._conj",
)
def _same(op: Op, self: Operand, *_: object, **__: object) -> Result:
    return op.tensor(self)


@handles("aten._to_copy", "aten.to", "prims.convert_element_type", "aten.type_as")
def _to(op: Op, self: Operand, *_: object, **__: object) -> Result:
    return op.tensor(self, op.dtype())


@handles("aten.view.dtype")
def _view_dtype(op: Op, self: Operand, dtype: torch.dtype) -> Result:
    x = op.tensor(self)
    target = op.dtype()
    if x.dtype == target:
        return x
    sizes = {TORCH[x.dtype].itemsize, TORCH[target].itemsize}
    if 8 in sizes or len(sizes) > 1 or "bool" in (x.dtype, target):
        raise op.fail("only types of the same width, at most 32 bits, are supported: use to()")
    return op.b.bitcast_convert(x, target)


@handles("aten.permute")
def _permute(op: Op, self: Operand, dims: Sequence[int]) -> Result:
    x = op.tensor(self)
    return permuted(op, x, [d % x.rank for d in dims])


@handles("aten.transpose.int", "aten.swapaxes")
def _transpose(op: Op, self: Operand, dim0: int, dim1: int) -> Result:
    x = op.tensor(self)
    order = list(range(x.rank))
    if order:
        order[dim0], order[dim1] = order[dim1], order[dim0]
    return permuted(op, x, order)


@handles("aten.t")
def _t(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    return permuted(op, x, list(range(x.rank))[::-1])


@handles("aten.expand", "aten.expand_as")
def _expand(op: Op, self: Operand, *_: object, **__: object) -> Result:
    x, shape = op.tensor(self), op.shape()
    x = reshaped(op, x, (1,) * (len(shape) - x.rank) + x.shape)
    return spread(op, x, shape)


@handles("aten.repeat")
def _repeat(op: Op, self: Operand, repeats: Sequence[int]) -> Result:
    x = op.tensor(self)
    x = reshaped(op, x, (1,) * (len(repeats) - x.rank) + x.shape)
    return x if all(n == 1 for n in repeats) else op.b.repeat(x, list(repeats))


# Parts -------------------------------------------------------------------------------------------


def bounds(extent: int, start: int | None, end: int | None) -> tuple[int, int]:
    """Returns begin and end of a Python slice."""
    begin, stop, _ = slice(start, end).indices(extent)
    return begin, max(begin, stop)


@handles("aten.slice.Tensor")
def _slice(
    op: Op,
    self: Operand,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Result:
    x = op.tensor(self)
    dim %= x.rank
    begin, stop = bounds(x.shape[dim], start, end)
    return sliced(op, x, dim, begin, stop, step)


@handles("aten.narrow")
def _narrow(op: Op, self: Operand, dim: int, start: int, length: int) -> Result:
    x = op.tensor(self)
    start %= x.shape[dim] or 1
    return sliced(op, x, dim % x.rank, start, start + length)


@handles("aten.select.int")
def _select(op: Op, self: Operand, dim: int, index: int) -> Result:
    x = op.tensor(self)
    dim %= x.rank
    index %= x.shape[dim]
    return reshaped(op, sliced(op, x, dim, index, index + 1), op.shape())


@handles("aten.split_with_sizes", "aten.split", "aten.chunk", "aten.unbind", "aten.unsafe_split")
def _split(op: Op, self: Operand, *args: Any, **named: Any) -> Result:
    x = op.tensor(self)
    unbinds = "unbind" in op.name
    default = args[0] if unbinds and args else args[1] if len(args) > 1 and not unbinds else 0
    dim = int(named.get("dim", default)) % x.rank
    results: list[Tensor | torch.Tensor | None] = []
    begin = 0
    for i in range(len(op.node.meta["val"])):
        extent = 1 if unbinds else op.shape(i)[dim]
        if 0 in op.shape(i):
            results.append(torch.empty(op.shape(i), dtype=op.meta(i).dtype))
        else:
            part = sliced(op, x, dim, begin, begin + extent)
            results.append(reshaped(op, part, op.shape(i)))
        begin += extent
    return results


@handles("aten.slice_scatter")
def _slice_scatter(
    op: Op,
    self: Operand,
    src: Operand,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Result:
    dtype = op.dtype()
    x = op.tensor(self, dtype)
    dim %= x.rank
    begin, stop = bounds(x.shape[dim], start, end)
    if 0 in shape_of(src):
        return x
    source = op.tensor(src, dtype)
    if step == 1:
        before = sliced(op, x, dim, 0, begin) if begin else None
        behind = sliced(op, x, dim, stop, x.shape[dim]) if stop < x.shape[dim] else None
        return joined(op, [t for t in (before, source, behind) if t is not None], dim)
    # The source, with each element repeated up to the next one, selected by a mask.
    places = np.arange(x.shape[dim])
    inside = (places >= begin) & (places < stop) & ((places - begin) % step == 0)
    order = np.clip((places - begin) // step, 0, source.shape[dim] - 1)
    index = torch.from_numpy(order.astype(np.int32))
    mask = torch.from_numpy(inside).reshape([-1 if d == dim else 1 for d in range(x.rank)])
    return op.b.where(op.tensor(mask), taken(op, source, dim, op.tensor(index)), x)


@handles("aten.select_scatter")
def _select_scatter(op: Op, self: Operand, src: Operand, dim: int, index: int) -> Result:
    dtype = op.dtype()
    x, source = op.tensor(self, dtype), op.tensor(src, dtype)
    dim %= x.rank
    index %= x.shape[dim]
    source = reshaped(op, source, [1 if d == dim else n for d, n in enumerate(x.shape)])
    parts = []
    if index:
        parts.append(sliced(op, x, dim, 0, index))
    parts.append(source)
    if index + 1 < x.shape[dim]:
        parts.append(sliced(op, x, dim, index + 1, x.shape[dim]))
    return joined(op, parts, dim)


@handles("aten.cat", "aten.concat")
def _cat(op: Op, tensors: Sequence[Operand], dim: int = 0) -> Result:
    dtype = op.dtype()
    # PyTorch ignores an empty list of shape (0,).
    parts = [op.tensor(x, dtype) for x in tensors if 0 not in shape_of(x)]
    return joined(op, parts, dim % len(op.shape()))


@handles("aten.stack")
def _stack(op: Op, tensors: Sequence[Operand], dim: int = 0) -> Result:
    dtype, shape = op.dtype(), op.shape()
    dim %= len(shape)
    one = [1 if d == dim else n for d, n in enumerate(shape)]
    return joined(op, [reshaped(op, op.tensor(x, dtype), one) for x in tensors], dim)


@handles("aten.flip")
def _flip(op: Op, self: Operand, dims: Sequence[int]) -> Result:
    x = op.tensor(self)
    turned = sorted({d % x.rank for d in dims if x.rank and x.shape[d] > 1})
    return op.b.reverse(x, turned) if turned else x


@handles("aten.diagonal")
def _diagonal(op: Op, self: Operand, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Result:
    x = op.tensor(self)
    dim1, dim2 = dim1 % x.rank, dim2 % x.rank
    rest = [d for d in range(x.rank) if d not in (dim1, dim2)]
    x = permuted(op, x, [*rest, dim1, dim2])
    rows, columns = x.shape[-2:]
    flat = reshaped(op, x, (*x.shape[:-2], rows * columns))
    first = offset if offset >= 0 else -offset * columns
    count = op.shape()[-1]
    step = columns + 1
    return sliced(op, flat, flat.rank - 1, first, first + (count - 1) * step + 1, step)


@handles("aten.diagonal_scatter")
def _diagonal_scatter(
    op: Op, self: Operand, src: Operand, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Result:
    places = torch.arange(math.prod(op.shape())).reshape(op.shape())
    return _put(op, self, places.diagonal(offset, dim1, dim2), src)


@handles("aten.as_strided_scatter")
def _as_strided_scatter(
    op: Op,
    self: Operand,
    src: Operand,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Result:
    _, own, wanted = _strided(op, size, stride, storage_offset)
    # Of overlapping elements, the created tensor has separate copies.
    numbers = torch.full((own.untyped_storage().nbytes() // own.itemsize,), -1)
    numbers[own.reshape(-1)] = torch.arange(own.numel())
    places = numbers[wanted]
    if (places < 0).any():
        raise op.fail("the elements are outside of the tensor")
    return _put(op, self, places, src)


def _put(op: Op, self: Operand, places: torch.Tensor, src: Operand) -> Tensor:
    """Replaces elements at offsets in the whole tensor."""
    dtype = op.dtype()
    x, new = op.tensor(self, dtype), op.tensor(src, dtype)
    wide = "u8" if dtype == "bool" else dtype
    flat = reshaped(op, op.cast(x, wide), (math.prod(x.shape),))
    index = places.reshape(-1).to(torch.int32)
    source = reshaped(op, op.cast(new, wide), (index.numel(),))
    found = op.b.scatter_dim(flat, op.tensor(index), source, 0)
    return reshaped(op, op.cast(found, dtype), x.shape)


@handles("aten.as_strided")
def _as_strided(
    op: Op,
    self: Operand,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Result:
    base, _, wanted = _strided(op, size, stride, storage_offset)
    places = logical(base)[wanted]
    x = op.tensor(op.value_of(base))
    flat = reshaped(op, x, (math.prod(x.shape),))
    index = op.tensor(places.reshape(-1).to(torch.int32))
    return reshaped(op, taken(op, flat, 0, index), op.shape())


@handles("aten.unfold")
def _unfold(op: Op, self: Operand, dimension: int, size: int, step: int) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return reshaped(op, x, op.shape())
    dim = dimension % x.rank
    places = torch.arange(x.shape[dim]).unfold(0, size, step)
    seen = taken(op, x, dim, op.tensor(places.reshape(-1).to(torch.int32)))
    split = (*x.shape[:dim], *places.shape, *x.shape[dim + 1 :])
    order = [*range(dim + 1), *range(dim + 2, x.rank + 1), dim + 1]
    return permuted(op, reshaped(op, seen, split), order)


def _strided(
    op: Op, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> tuple[torch.fx.Node, torch.Tensor, torch.Tensor]:
    """Returns the node that allocated the memory of the op's argument, and the offsets in that
    memory of the argument's elements and of the requested ones.

    Raises:
        ValueError: these are outside of that memory.
    """
    base, own = memory_of(op.node.args[0])  # type: ignore[arg-type]
    begin = own.storage_offset()
    if storage_offset is not None:
        # An argument of the program may start in the middle of a storage.
        first = base.meta["val"].storage_offset() if base.op == "placeholder" else 0
        begin = storage_offset - first
    whole = torch.arange(own.untyped_storage().nbytes() // own.itemsize)
    reach = sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if begin < 0 or begin + reach >= whole.numel():
        raise ValueError("the elements are outside of the memory of the tensor")
    return base, own, whole.as_strided(tuple(size), tuple(stride), begin)


# Padding -----------------------------------------------------------------------------------------


@handles("aten.constant_pad_nd")
def _constant_pad(op: Op, self: Operand, pad: Sequence[int], value: Any = 0) -> Result:
    shape = shape_of(self)
    around = [(0, 0)] * len(shape)
    for i in range(len(pad) // 2):
        around[len(shape) - 1 - i] = (int(pad[2 * i]), int(pad[2 * i + 1]))
    dtype = op.dtype()
    if 0 in shape:
        return torch.full(op.shape(), value, dtype=op.meta().dtype)
    return padded(op, op.tensor(self, dtype), around, value)


def padded(op: Op, x: Tensor, around: Sequence[tuple[int, int]], value: Any = 0) -> Tensor:
    """Pads a tensor with a number; negative padding crops."""
    begins = [max(-low, 0) for low, _ in around]
    ends = [n - max(-high, 0) for n, (_, high) in zip(x.shape, around, strict=True)]
    if any(begins) or ends != list(x.shape):
        x = op.b.slice(x, begins, ends)
    border = [(max(low, 0), max(high, 0)) for low, high in around]
    if not any(low or high for low, high in border):
        return x
    if x.dtype in FLOATS or x.dtype == "bool" or int(np.float32(value)) == int(value):
        return op.b.pad(x, border, float(value))
    # The attribute is an f32: for other values, pad with zeros and replace them.
    inside = torch.ones(x.shape, dtype=torch.bool)
    pads = [n for pair in reversed(border) for n in pair]
    mask = torch.nn.functional.pad(inside, pads)
    return op.b.where(op.tensor(mask), op.b.pad(x, border, 0.0), op.tensor(int(value), x.dtype))


# New tensors -------------------------------------------------------------------------------------


@handles(
    "aten.full_like",
    "aten.zeros_like",
    "aten.ones_like",
    "aten.empty_like",
    "aten.new_full",
    "aten.new_zeros",
    "aten.new_ones",
    "aten.new_empty",
    "aten.new_empty_strided",
    "aten.fill",
    "aten.zero",
)
def _filled(op: Op, self: Operand, *args: Any, **named: Any) -> Result:
    name = op.name.split(".")[1]
    value: Any = 1 if "ones" in name else 0
    if "full" in name or name == "fill":
        place = 1 if name == "new_full" else 0
        value = named.get("fill_value", named.get("value", args[place] if args else 0))
    if isinstance(value, (Tensor, torch.Tensor)):
        return spread(op, op.tensor(value, op.dtype()), op.shape())
    return torch.full((), value, dtype=op.meta().dtype).expand(op.shape())


@handles("aten.copy")
def _copy(op: Op, self: Operand, src: Operand, non_blocking: bool = False) -> Result:
    x = op.tensor(src, op.dtype())
    return spread(op, reshaped(op, x, (1,) * (len(op.shape()) - x.rank) + x.shape), op.shape())
