"""Mesh axes and their parts as digits of partition indices, and shardings made of them.

A mesh of 2x4 numbers its partitions ``4 * i + j``: its axes are the digits ``i`` (of stride 4 and
size 2) and ``j`` (of stride 1 and size 4). A part of an axis is a digit, too. Shardy calls such a
part a sub-axis; here whole axes are sub-axes, too, so that those of meshes of other shapes over the
same partitions can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias


@dataclass(frozen=True)
class SubAxis:
    """A digit of the position of a partition in an order.

    ``order`` has the partition at each position; empty for the order of partition indices.
    """

    stride: int
    size: int
    order: tuple[int, ...] = ()

    def of(self, place: int) -> int:
        """Returns the coordinate of a position along it."""
        return place // self.stride % self.size

    def split(self, major: int) -> tuple[SubAxis, SubAxis]:
        """Splits it into two sub-axes, of which the first has the size ``major``."""
        minor = self.size // major
        return (
            replace(self, stride=self.stride * minor, size=major),
            replace(self, size=minor),
        )

    def overlaps(self, other: SubAxis) -> bool:
        """Whether the sub-axes depend on each other."""
        if self.size == 1 or other.size == 1:
            return False
        if self.order != other.order:
            return True
        below = other.stride % (self.stride * self.size) == 0
        above = self.stride % (other.stride * other.size) == 0
        return not (below or above)


SubAxes: TypeAlias = "tuple[SubAxis, ...]"
#: For each dimension of a tensor the sub-axes of the part's index, the most significant first.
Dims: TypeAlias = "tuple[SubAxes, ...]"


def size(sub_axes: Iterable[SubAxis]) -> int:
    """Returns the number of parts."""
    return math.prod(d.size for d in sub_axes)


def merged(sub_axes: Iterable[SubAxis]) -> SubAxes:
    """Merges adjacent sub-axes."""
    own = tuple(sub_axes)
    return _merged(own) if own else own


@lru_cache(maxsize=4096)
def _merged(sub_axes: SubAxes) -> SubAxes:
    found: list[SubAxis] = []
    for sub_axis in sub_axes:
        if sub_axis.size == 1:
            continue
        last = found[-1] if found else None
        if last and last.order == sub_axis.order and last.stride == sub_axis.stride * sub_axis.size:
            found[-1] = replace(sub_axis, size=last.size * sub_axis.size)
        else:
            found.append(sub_axis)
    return tuple(found)


def ordered(sub_axes: Iterable[SubAxis]) -> SubAxes:
    """Sorts and merges sub-axes whose order does not matter."""
    return merged(sorted(sub_axes, key=lambda d: (d.order, -d.stride)))


def overlap(sub_axes: Iterable[SubAxis], others: Iterable[SubAxis]) -> bool:
    """Whether any of the sub-axes depends on any of the others."""
    others = tuple(others)
    return any(a.overlaps(b) for a in sub_axes for b in others)


def union(several: Iterable[Iterable[SubAxis]]) -> SubAxes:
    """Returns all sub-axes without duplicates."""
    return tuple(dict.fromkeys(d for sub_axes in several for d in sub_axes))


def used(dims: Dims) -> SubAxes:
    """Returns all sub-axes of a sharding."""
    return tuple(d for sub_axes in dims for d in sub_axes)


def common(a: SubAxes, b: SubAxes) -> tuple[SubAxes, SubAxes, SubAxes]:
    """Returns the common most significant sub-axes, and the rest of each."""
    prefix: list[SubAxis] = []
    left, right = list(merged(a)), list(merged(b))
    while left and right:
        x, y = left[0], right[0]
        if x.order != y.order or x.stride * x.size != y.stride * y.size:
            break
        part = math.gcd(x.size, y.size)
        if part == 1:
            break
        x_major, x_minor = x.split(part)
        y_major, y_minor = y.split(part)
        if x_major != y_major:
            break
        prefix.append(x_major)
        left[0], right[0] = x_minor, y_minor
        left = [d for d in left if d.size > 1]
        right = [d for d in right if d.size > 1]
    return merged(prefix), merged(left), merged(right)


def fitting(sub_axes: SubAxes, extent: int) -> SubAxes:
    """Returns the most significant sub-axes that divide an extent into equal parts."""
    found: list[SubAxis] = []
    for sub_axis in sub_axes:
        part = math.gcd(extent, sub_axis.size)
        if extent == 0 or part == 1:
            break
        extent //= part
        if part < sub_axis.size:
            found.append(sub_axis.split(part)[0])
            break
        found.append(sub_axis)
    return merged(found)


def disjoint(sub_axes: SubAxes, others: Iterable[SubAxis]) -> SubAxes:
    """Returns the most significant sub-axes, up to the first one that depends on others."""
    others = tuple(others)
    found: list[SubAxis] = []
    for sub_axis in sub_axes:
        if overlap((sub_axis,), others):
            break
        found.append(sub_axis)
    return tuple(found)


def legal(dims: Iterable[SubAxes], shape: Sequence[int], taken: Iterable[SubAxis] = ()) -> Dims:
    """Drops sub-axes that do not divide their extents or depend on others."""
    busy = list(taken)
    found = []
    for sub_axes, extent in zip(dims, shape, strict=True):
        own = disjoint(fitting(merged(sub_axes), extent), busy)
        busy += own
        found.append(own)
    return tuple(found)


def of_axes(sub_axes: Iterable[SubAxis], axes: Iterable[SubAxis]) -> SubAxes:
    """Returns the first sub-axes, as far as they are whole axes."""
    known = {a for a in axes if a.size > 1}
    found: list[SubAxis] = []
    rest = list(merged(sub_axes))
    while rest:
        first = rest.pop(0)
        sizes = [a.size for a in known if first.size % a.size == 0 and a == first.split(a.size)[0]]
        if not sizes:
            break
        major, minor = first.split(max(sizes))
        found.append(major)
        if minor.size > 1:
            rest.insert(0, minor)
    return merged(found)


def local_shape(shape: Sequence[int], dims: Dims) -> tuple[int, ...]:
    """Returns the shape of a part; inexact divisions are rounded up."""
    return tuple(-(-n // size(sub_axes)) for n, sub_axes in zip(shape, dims, strict=True))


def whole(rank: int) -> Dims:
    """Returns the sharding of a replicated tensor."""
    return ((),) * rank


def place_in(sub_axes: Iterable[SubAxis], partition: int) -> int:
    """Returns the number formed by the sub-axes of a partition."""
    number = 0
    for sub_axis in sub_axes:
        place = sub_axis.order.index(partition) if sub_axis.order else partition
        number = number * sub_axis.size + sub_axis.of(place)
    return number


def groups(sub_axes: SubAxes, count: int) -> list[list[int]]:
    """Returns groups of partitions that differ in some sub-axes of one order only, sorted by these
    sub-axes; ``count`` is the number of all partitions."""
    order = sub_axes[0].order or tuple(range(count))
    found: dict[int, list[int]] = {}
    for place, partition in enumerate(order):
        rest = place - sum(d.of(place) * d.stride for d in sub_axes)
        found.setdefault(rest, []).append(partition)
    return [sorted(group, key=lambda p: place_in(sub_axes, p)) for group in found.values()]


def by_order(sub_axes: SubAxes) -> list[SubAxes]:
    """Groups adjacent sub-axes of the same order."""
    return [tuple(found) for _, found in groupby(sub_axes, key=lambda d: d.order)]
