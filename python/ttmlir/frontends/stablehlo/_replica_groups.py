"""Collectives on arbitrary groups of chips.

The builder's collectives support groups along a mesh axis. Other groups, such as parts of an axis,
exchange parts by ``all_to_all``, which supports any groups, and transfers as many bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.stablehlo.spmd.device_mesh import Mesh


@dataclass(frozen=True)
class Groups:
    """Groups of mesh positions, each in the order of its members."""

    mesh: Mesh | None
    rows: list[list[int]]

    @property
    def size(self) -> int:
        """The number of members of a group."""
        return len(self.rows[0])

    @cached_property
    def axes(self) -> list[int] | None:
        """The mesh axes along which the members lie, in order; None for other groups."""
        return self.mesh.axes_of(self.rows) if self.mesh else []

    @cached_property
    def axes_in_any_order(self) -> list[int] | None:
        return self.mesh.axes_of(self.rows, ordered=False) if self.mesh else []


def all_gather(b: Builder, x: Tensor, dim: int, groups: Groups) -> Tensor:
    """Concatenates the tensors of each group along a dimension."""
    if groups.size == 1:
        return x
    if groups.axes is not None:
        for axis in reversed(groups.axes):
            x = b.all_gather(x, dim, axis)
        return x
    return b.all_to_all(b.concat([x] * groups.size, dim), dim, dim, groups.rows)


def all_reduce(b: Builder, x: Tensor, groups: Groups, kind: str) -> Tensor:
    """Reduces the tensors of each group by ``sum``, ``max`` or ``min``."""
    if groups.size == 1:
        return x
    if groups.axes_in_any_order is not None:
        for axis in groups.axes_in_any_order:
            x = b.all_reduce(x, axis, kind)
        return x
    dims = [d for d in range(x.rank) if x.shape[d] % groups.size == 0]
    if not dims:
        rows = all_gather(b, b.reshape(x, (1, *x.shape)), 0, groups)
        return b.reshape(b._reduction(kind, rows, [0], False, None), x.shape)
    # The greatest extent, which wastes the least on partial tiles.
    dim = max(dims, key=lambda d: x.shape[d])
    return all_gather(b, reduce_scatter(b, x, dim, groups, kind), dim, groups)


def reduce_scatter(b: Builder, x: Tensor, dim: int, groups: Groups, kind: str) -> Tensor:
    """Returns the member's part of the result of ``all_reduce`` along a dimension."""
    if groups.size == 1:
        return x
    if groups.axes is not None:
        for axis in groups.axes:
            x = b.reduce_scatter(x, dim, axis, kind)
        return x
    rows = b.all_to_all(b.reshape(x, (1, *x.shape)), dim + 1, 0, groups.rows)
    extents = [n // groups.size if d == dim else n for d, n in enumerate(x.shape)]
    return b.reshape(b._reduction(kind, rows, [0], False, None), extents)


def cut(b: Builder, x: Tensor, dim: int, groups: Groups) -> Tensor:
    """Returns the member's part of a tensor along a dimension."""
    if groups.size == 1:
        return x
    if groups.axes is not None:
        return b.mesh_partition(x, dim, groups.axes[0] if len(groups.axes) == 1 else None)
    extent = x.shape[dim] // groups.size
    begins = np.zeros((len(groups.mesh.partitions) if groups.mesh else 1, x.rank), np.int32)
    for row in groups.rows:
        for number, position in enumerate(row):
            begins[position, dim] = number * extent
    start = b.mesh_partition(b.constant(begins, shape=begins.shape, dtype="i32"), 0)
    sizes = [extent if d == dim else n for d, n in enumerate(x.shape)]
    return b.dynamic_slice(x, b.reshape(start, (x.rank,)), sizes)
