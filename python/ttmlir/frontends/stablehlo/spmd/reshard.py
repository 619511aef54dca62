"""How a tensor gets from one sharding to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ttmlir.frontends.stablehlo.spmd.digits import (
    Digits,
    Dims,
    common,
    legal,
    local_shape,
    merged,
    overlap,
    place_in,
    size,
    used,
)


@dataclass(frozen=True)
class Gather:
    """All parts along the least significant digits of a dimension, one behind the other."""

    dim: int
    digits: Digits


@dataclass(frozen=True)
class Cut:
    """The own part of a dimension along digits; nothing is sent."""

    dim: int
    digits: Digits


@dataclass(frozen=True)
class Exchange:
    """Digits of one dimension become those of another one."""

    cut: int
    joined: int
    digits: Digits


@dataclass(frozen=True)
class Permute:
    """Each partition gets the whole part of another one: pairs of source and target."""

    pairs: tuple[tuple[int, int], ...]


Step: TypeAlias = "Gather | Cut | Exchange | Permute"


@dataclass(frozen=True)
class Plan:
    """Steps from one sharding to another one.

    ``elements`` is the number of elements that a chip receives.
    """

    steps: tuple[Step, ...]
    elements: int


def plan(shape: Sequence[int], source: Dims, target: Dims, manual: Digits, count: int) -> Plan:
    """How parts of a tensor of ``shape`` get another sharding.

    Args:
        shape: of the whole tensor.
        source: the sharding that it has.
        target: the sharding that it gets.
        manual: digits in which partitions have tensors that have nothing to do with each other.
        count: of partitions.
    """
    source, target = _merged(source), _merged(target)
    if source == target:
        return Plan((), 0)
    if permute := _permute(shape, source, target, manual, count):
        return permute
    return _steps(shape, source, target)


def _merged(dims: Dims) -> Dims:
    return tuple(merged(digits) for digits in dims)


def _steps(shape: Sequence[int], source: Dims, target: Dims) -> Plan:
    now = list(source)
    steps: list[Step] = []
    elements = 0
    # What can be cut before anything is sent.
    for d, digits in enumerate(target):
        _, rest, more = common(now[d], digits)
        if more and not rest and not overlap(more, used(tuple(now))):
            steps.append(Cut(d, more))
            now[d] = merged(now[d] + more)
    # What moves from one dimension to another one.
    for d in range(len(shape)):
        for e in range(len(shape)):
            _, rest, _ = common(now[d], target[d])
            kept, surplus, missing = common(now[e], target[e])
            if d == e or not rest or surplus or missing[: len(rest)] != rest:
                continue
            extents = local_shape(shape, tuple(now))
            if extents[e] % size(rest) or len({digit.order for digit in rest}) > 1:
                continue
            steps.append(Exchange(e, d, rest))
            elements += _count(extents)
            now[d] = common(now[d], target[d])[0]
            now[e] = merged(kept + rest)
    # Everything else is whole on its way.
    for d, digits in enumerate(target):
        kept, rest, _ = common(now[d], digits)
        if rest:
            steps.append(Gather(d, rest))
            elements += _count(local_shape(shape, tuple(now))) * (size(rest) - 1)
            now[d] = kept
    for d, digits in enumerate(target):
        _, _, more = common(now[d], digits)
        if more:
            steps.append(Cut(d, more))
            now[d] = merged(now[d] + more)
    return Plan(tuple(steps), elements)


def _count(extents: Sequence[int]) -> int:
    found = 1
    for n in extents:
        found *= n
    return found


def _permute(
    shape: Sequence[int], source: Dims, target: Dims, manual: Digits, count: int
) -> Plan | None:
    """Each part from a partition that has it to one that needs it, if parts stay as they are."""
    extents = local_shape(shape, source)
    if extents != local_shape(shape, target) or legal(source, shape) != source:
        return None
    has: dict[tuple[int, ...], list[int]] = {}
    needs: dict[tuple[int, ...], list[int]] = {}
    for p in range(count):
        outside = tuple(place_in((d,), p) for d in manual)
        for sharding, table in ((source, has), (target, needs)):
            key = tuple(place_in(digits, p) for digits in sharding)
            table.setdefault(outside + key, []).append(p)
    pairs = []
    for key, targets in needs.items():
        sources = has.get(key, [])
        if len(sources) != len(targets):
            return None
        own = [p for p in targets if p in sources]
        pairs += [(p, p) for p in own]
        left = [p for p in sources if p not in own]
        pairs += list(zip(left, [p for p in targets if p not in own], strict=True))
    pairs.sort()
    if all(a == b for a, b in pairs):
        return Plan((), 0)
    return Plan((Permute(tuple(pairs)),), _count(extents))
