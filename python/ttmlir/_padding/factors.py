"""Dimensions as products of factors, some of which are padded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Factor:
    """A factor of a dimension: its extents in the other and in the padded program. If they differ,
    padding follows the elements along it."""

    other: int
    padded: int

    @property
    def varies(self) -> bool:
        return self.other != self.padded


#: A dimension, row-major; empty for an extent of 1.
Dim = tuple[Factor, ...]
Dims = tuple[Dim, ...]


def dim_of(factors: Iterable[Factor]) -> Dim:
    """Returns a dimension without factors of 1 and with neighbours that do not vary as one."""
    found: list[Factor] = []
    for factor in factors:
        if factor.other == factor.padded == 1:
            continue
        if found and not factor.varies and not found[-1].varies:
            size = found.pop().other * factor.other
            factor = Factor(size, size)
        found.append(factor)
    return tuple(found)


def dims_of(other: Sequence[int], padded: Sequence[int]) -> Dims:
    """Returns dimensions of one factor each."""
    return tuple(dim_of([Factor(s, p)]) for s, p in zip(other, padded, strict=True))


def varies(dims: Iterable[Dim]) -> bool:
    return any(factor.varies for dim in dims for factor in dim)


def extents(dims: Iterable[Dim]) -> tuple[Shape, Shape]:
    """Returns the shapes in the other and in the padded program."""
    found = tuple(dims)
    return (
        tuple(math.prod(f.other for f in dim) for dim in found),
        tuple(math.prod(f.padded for f in dim) for dim in found),
    )


def reshaped(dims: Dims, other: Sequence[int], padded: Sequence[int]) -> Dims | None:
    """Returns the dimensions after a reshape; None if it divides a factor that varies."""
    rest = [factor for dim in dims for factor in dim]
    found: list[Dim] = []
    for wanted in zip(other, padded, strict=True):
        left, own = list(wanted), []
        while left != [1, 1]:
            if not rest:
                return None
            factor = rest.pop(0)
            if left[0] % factor.other == 0 and left[1] % factor.padded == 0:
                left = [left[0] // factor.other, left[1] // factor.padded]
                own.append(factor)
                continue
            part = math.gcd(left[0], left[1], factor.other)
            if factor.varies or part == 1:
                return None
            rest.insert(0, Factor(factor.other // part, factor.other // part))
            left = [left[0] // part, left[1] // part]
            own.append(Factor(part, part))
        found.append(dim_of(own))
    return tuple(found) if not rest else None


@dataclass(frozen=True)
class Extents:
    """The extents that are padded, by name: values in the other and in the padded program, and the
    least value in a call."""

    values: Mapping[str, tuple[int, int]]
    least: Mapping[str, int]

    def expression(self, factor: Factor) -> tuple[str, int, int] | None:
        """Returns name, multiple and offset of the extent that a factor is; None if unknown."""
        found = []
        for name, (other, padded) in self.values.items():
            multiple, rest = divmod(factor.padded - factor.other, padded - other)
            offset = factor.other - multiple * other
            if rest == 0 and multiple >= 1 and (multiple == 1 or offset == 0):
                found.append((name, multiple, offset))
        return found[0] if len(found) == 1 else None

    def name(self, factor: Factor) -> str:
        """Returns the extent as text, such as ``seq - 1``."""
        found = self.expression(factor)
        if found is None:
            return " or ".join(f"'{name}'" for name in self.values)
        name, multiple, offset = found
        text = f"'{name}'" if multiple == 1 else f"{multiple} * '{name}'"
        return f"{text} {'-' if offset < 0 else '+'} {abs(offset)}" if offset else text

    def value(self, factor: Factor, extents: Mapping[str, int]) -> int:
        """Returns the extent without padding for the extents of a call."""
        found = self.expression(factor)
        assert found is not None
        name, multiple, offset = found
        return multiple * extents[name] + offset
