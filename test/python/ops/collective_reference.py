"""What collectives compute, in NumPy: from the tensors of the chips, by position in the mesh (the
row-major index), to those that the chips get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from op_formats import Array

#: Tensors by position.
Chips = list[Array]
Mesh = tuple[int, ...]


def _sum(x: Array, axis: int) -> Array:
    """Integers wrap."""
    return np.asarray(np.sum(x, axis=axis, dtype=x.dtype if x.dtype.kind in "iu" else None))


REDUCTIONS: dict[str, Callable[..., Array]] = {
    "sum": _sum,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
}


def groups(mesh: Mesh, cluster_axis: int | None) -> list[list[int]]:
    """Positions of the chips that work together."""
    positions = np.arange(prod(mesh)).reshape(mesh)
    if cluster_axis is None:
        return [positions.reshape(-1).tolist()]
    return np.moveaxis(positions, cluster_axis, -1).reshape(-1, mesh[cluster_axis]).tolist()


def all_gather(chips: Chips, mesh: Mesh, dim: int, cluster_axis: int) -> Chips:
    result = list(chips)
    for group in groups(mesh, cluster_axis):
        whole = np.concatenate([chips[p] for p in group], dim)
        for position in group:
            result[position] = whole
    return result


def all_reduce(chips: Chips, mesh: Mesh, cluster_axis: int, reduce: str = "sum") -> Chips:
    result = list(chips)
    for group in groups(mesh, cluster_axis):
        combined = REDUCTIONS[reduce](np.stack([chips[p] for p in group]), axis=0)
        for position in group:
            result[position] = combined
    return result


def mesh_partition(chips: Chips, mesh: Mesh, dim: int, cluster_axis: int | None = None) -> Chips:
    result = list(chips)
    for group in groups(mesh, cluster_axis):
        for index, position in enumerate(group):
            result[position] = np.split(chips[position], len(group), dim)[index]
    return result


def reduce_scatter(
    chips: Chips, mesh: Mesh, dim: int, cluster_axis: int, reduce: str = "sum"
) -> Chips:
    return mesh_partition(all_reduce(chips, mesh, cluster_axis, reduce), mesh, dim, cluster_axis)


def collective_permute(chips: Chips, mesh: Mesh, pairs: Sequence[Sequence[int]]) -> Chips:
    result = [np.zeros_like(chip) for chip in chips]
    for source, target in pairs:
        result[target] = chips[source]
    return result


def all_to_all(
    chips: Chips, mesh: Mesh, split_dim: int, concat_dim: int, rows: Sequence[Sequence[int]]
) -> Chips:
    result = list(chips)
    for group in rows:
        parts = [np.split(chips[p], len(group), split_dim) for p in group]
        for index, position in enumerate(group):
            result[position] = np.concatenate([each[index] for each in parts], concat_dim)
    return result


def collective_broadcast(chips: Chips, mesh: Mesh, rows: Sequence[Sequence[int]]) -> Chips:
    result = [np.zeros_like(chip) for chip in chips]
    for group in rows:
        for position in group:
            result[position] = chips[group[0]]
    return result
