"""Collectives as NumPy has them: a list with the array of each position of a mesh."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Blocks = list[Array]
Mesh = tuple[int, ...]

REDUCTIONS = {
    "sum": lambda x: x.sum(0),
    "mean": lambda x: x.mean(0),
    "max": lambda x: x.max(0),
    "min": lambda x: x.min(0),
}


def groups_along(mesh: Mesh, axis: int | None) -> list[list[int]]:
    """Positions that differ along an axis only; all of them without it."""
    positions = np.arange(math.prod(mesh)).reshape(mesh)
    if axis is None:
        return [positions.ravel().tolist()]
    rows = np.moveaxis(positions, axis, -1).reshape(-1, mesh[axis])
    return rows.tolist()  # type: ignore[no-any-return]


def all_gather(blocks: Blocks, mesh: Mesh, axis: int, dim: int) -> Blocks:
    result = list(blocks)
    for group in groups_along(mesh, axis):
        joined = np.concatenate([blocks[p] for p in group], dim)
        for p in group:
            result[p] = joined
    return result


def all_reduce(blocks: Blocks, mesh: Mesh, axis: int, kind: str) -> Blocks:
    result = list(blocks)
    for group in groups_along(mesh, axis):
        reduced = REDUCTIONS[kind](np.stack([blocks[p] for p in group]))
        for p in group:
            result[p] = reduced
    return result


def mesh_partition(blocks: Blocks, mesh: Mesh, axis: int | None, dim: int) -> Blocks:
    result = list(blocks)
    for group in groups_along(mesh, axis):
        for i, p in enumerate(group):
            result[p] = np.split(blocks[p], len(group), dim)[i]
    return result


def reduce_scatter(blocks: Blocks, mesh: Mesh, axis: int, dim: int, kind: str) -> Blocks:
    return mesh_partition(all_reduce(blocks, mesh, axis, kind), mesh, axis, dim)


def collective_permute(blocks: Blocks, pairs: Sequence[tuple[int, int]]) -> Blocks:
    result = [np.zeros_like(block) for block in blocks]
    for source, target in pairs:
        result[target] = blocks[source]
    return result


def all_to_all(blocks: Blocks, groups: Sequence[Sequence[int]], split: int, concat: int) -> Blocks:
    result = list(blocks)
    for group in groups:
        parts = {p: np.split(blocks[p], len(group), split) for p in group}
        for i, p in enumerate(group):
            result[p] = np.concatenate([parts[q][i] for q in group], concat)
    return result


def collective_broadcast(blocks: Blocks, groups: Sequence[Sequence[int]]) -> Blocks:
    result = [np.zeros_like(block) for block in blocks]
    for group in groups:
        for p in group:
            result[p] = blocks[group[0]]
    return result
