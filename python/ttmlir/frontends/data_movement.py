"""Data movement for importers, without no-op ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ttmlir.builder import Builder, Tensor


class Op(Protocol):
    """An op of the source, built with ``b``."""

    @property
    def b(self) -> Builder: ...


def reshaped(op: Op, x: Tensor, shape: Sequence[int]) -> Tensor:
    """Reshapes a tensor, unless it has the shape already."""
    return x if x.shape == tuple(shape) else op.b.reshape(x, shape)


def permuted(op: Op, x: Tensor, order: Sequence[int]) -> Tensor:
    """Permutes the dimensions of a tensor, unless they are in that order already."""
    if list(order) == list(range(x.rank)):
        return x
    moved = [d for d in order if x.shape[d] != 1]
    if moved == sorted(moved):
        return op.b.reshape(x, [x.shape[d] for d in order])
    return op.b.permute(x, order)


def sliced(op: Op, x: Tensor, dim: int, begin: int, end: int, step: int = 1) -> Tensor:
    """Every ``step``-th element of a dimension from ``begin`` up to, but not including, ``end``."""
    if (begin, end, step) == (0, x.shape[dim], 1):
        return x
    begins, ends, steps = [0] * x.rank, list(x.shape), [1] * x.rank
    begins[dim], ends[dim], steps[dim] = begin, end, step
    return op.b.slice(x, begins, ends, steps)


def spread(op: Op, x: Tensor, shape: Sequence[int]) -> Tensor:
    """Broadcasts a tensor to a shape by NumPy's rules."""
    return x if x.shape == tuple(shape) else op.b.broadcast(x, shape)


def joined(op: Op, tensors: Sequence[Tensor], dim: int) -> Tensor:
    """Concatenates tensors along a dimension."""
    return tensors[0] if len(tensors) == 1 else op.b.concat(tensors, dim)


def taken(op: Op, x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Gathers elements along a dimension at the one-dimensional ``index``."""
    return op.b.gather(
        x,
        index,
        offset_dims=[d for d in range(x.rank) if d != dim],
        collapsed_slice_dims=[dim],
        start_index_map=[dim],
        index_vector_dim=1,
        slice_sizes=[1 if d == dim else n for d, n in enumerate(x.shape)],
        clamp=True,
    )
