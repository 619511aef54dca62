"""Mesh axes as digits of partition indices, and shardings made of them.

A mesh of 2x4 numbers its partitions ``4 * i + j``: its axes are the digits ``i`` (of stride 4 and
size 2) and ``j`` (of stride 1 and size 4). Parts of an axis are digits, too, and digits of meshes
of other shapes over the same partitions can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias


@dataclass(frozen=True)
class Digit:
    """A digit of the position of a partition in an order.

    ``order`` has the partition at each position; empty for the order of partition indices.
    """

    stride: int
    size: int
    order: tuple[int, ...] = ()

    def of(self, place: int) -> int:
        """Returns the digit of a position."""
        return place // self.stride % self.size

    def split(self, major: int) -> tuple[Digit, Digit]:
        """Splits it into two digits, of which the first has the size ``major``."""
        minor = self.size // major
        return (
            replace(self, stride=self.stride * minor, size=major),
            replace(self, size=minor),
        )

    def overlaps(self, other: Digit) -> bool:
        """Whether the digits depend on each other."""
        if self.size == 1 or other.size == 1:
            return False
        if self.order != other.order:
            return True
        below = other.stride % (self.stride * self.size) == 0
        above = self.stride % (other.stride * other.size) == 0
        return not (below or above)


Digits: TypeAlias = "tuple[Digit, ...]"
#: For each dimension of a tensor the digits of the part's index, the most significant first.
Dims: TypeAlias = "tuple[Digits, ...]"


def size(digits: Iterable[Digit]) -> int:
    """Returns the number of parts."""
    return math.prod(d.size for d in digits)


def merged(digits: Iterable[Digit]) -> Digits:
    """Merges adjacent digits."""
    own = tuple(digits)
    return _merged(own) if own else own


@lru_cache(maxsize=4096)
def _merged(digits: Digits) -> Digits:
    found: list[Digit] = []
    for digit in digits:
        if digit.size == 1:
            continue
        last = found[-1] if found else None
        if last and last.order == digit.order and last.stride == digit.stride * digit.size:
            found[-1] = replace(digit, size=last.size * digit.size)
        else:
            found.append(digit)
    return tuple(found)


def ordered(digits: Iterable[Digit]) -> Digits:
    """Sorts and merges digits whose order does not matter."""
    return merged(sorted(digits, key=lambda d: (d.order, -d.stride)))


def overlap(digits: Iterable[Digit], others: Iterable[Digit]) -> bool:
    """Whether any of the digits depends on any of the others."""
    others = tuple(others)
    return any(a.overlaps(b) for a in digits for b in others)


def union(several: Iterable[Iterable[Digit]]) -> Digits:
    """Returns all digits without duplicates."""
    return tuple(dict.fromkeys(d for digits in several for d in digits))


def used(dims: Dims) -> Digits:
    """Returns all digits of a sharding."""
    return tuple(d for digits in dims for d in digits)


def common(a: Digits, b: Digits) -> tuple[Digits, Digits, Digits]:
    """Returns the common most significant digits, and the rest of each."""
    prefix: list[Digit] = []
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


def fitting(digits: Digits, extent: int) -> Digits:
    """Returns the most significant digits that divide an extent into equal parts."""
    found: list[Digit] = []
    for digit in digits:
        part = math.gcd(extent, digit.size)
        if extent == 0 or part == 1:
            break
        extent //= part
        if part < digit.size:
            found.append(digit.split(part)[0])
            break
        found.append(digit)
    return merged(found)


def disjoint(digits: Digits, others: Iterable[Digit]) -> Digits:
    """Returns the most significant digits, up to the first one that depends on others."""
    others = tuple(others)
    found: list[Digit] = []
    for digit in digits:
        if overlap((digit,), others):
            break
        found.append(digit)
    return tuple(found)


def legal(dims: Iterable[Digits], shape: Sequence[int], taken: Iterable[Digit] = ()) -> Dims:
    """Drops digits that do not divide their extents or depend on others."""
    busy = list(taken)
    found = []
    for digits, extent in zip(dims, shape, strict=True):
        own = disjoint(fitting(merged(digits), extent), busy)
        busy += own
        found.append(own)
    return tuple(found)


def of_axes(digits: Iterable[Digit], axes: Iterable[Digit]) -> Digits:
    """Returns the first digits, as far as they are whole axes."""
    known = {a for a in axes if a.size > 1}
    found: list[Digit] = []
    rest = list(merged(digits))
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
    return tuple(-(-n // size(digits)) for n, digits in zip(shape, dims, strict=True))


def whole(rank: int) -> Dims:
    """Returns the sharding of a replicated tensor."""
    return ((),) * rank


def place_in(digits: Iterable[Digit], partition: int) -> int:
    """Returns the number formed by the digits of a partition."""
    number = 0
    for digit in digits:
        place = digit.order.index(partition) if digit.order else partition
        number = number * digit.size + digit.of(place)
    return number


def groups(digits: Digits, count: int) -> list[list[int]]:
    """Returns groups of partitions that differ in some digits of one order only, sorted by these
    digits; ``count`` is the number of all partitions."""
    order = digits[0].order or tuple(range(count))
    found: dict[int, list[int]] = {}
    for place, partition in enumerate(order):
        rest = place - sum(d.of(place) * d.stride for d in digits)
        found.setdefault(rest, []).append(partition)
    return [sorted(group, key=lambda p: place_in(digits, p)) for group in found.values()]


def by_order(digits: Digits) -> list[Digits]:
    """Groups adjacent digits of the same order."""
    return [tuple(found) for _, found in groupby(digits, key=lambda d: d.order)]
