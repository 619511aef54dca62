"""Describes how ops can be partitioned: dimensions as factors, and the cost of partitions.

An op is described like an einsum. Dimensions of operands and results that are divided together
share a factor; a dimension without factors must be whole. A factor that only operands have is
reduced: partial results are combined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from ttmlir.frontends.stablehlo._types import Shape
from ttmlir.frontends.stablehlo.spmd.reshard import plan
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    SubAxis,
    common,
    disjoint,
    fitting,
    local_shape,
    merged,
    size,
)

#: The factors of a dimension, the most significant first; the remainder stays whole.
Factors: TypeAlias = "tuple[int, ...]"
#: Adapts the attributes of the op to its parts, given how often each factor is divided.
Adapt: TypeAlias = "Callable[[Any, Mapping[int, int]], None]"
Assignment: TypeAlias = "dict[int, SubAxes]"


@dataclass(frozen=True)
class Rule:
    """The factors of an op.

    Attributes:
        operands: for each operand the factors of each dimension.
        results: for each result the factors of each dimension.
        sizes: the size of each factor.
        reduces: for factors that results do not have, the reduction: ``sum``, ``max``,
            ``min``, or ``body`` for the body of the op itself.
        indexed: for factors of indexed dimensions, the dimension of the first operand.
        adapt: adapts the attributes of the op to its parts.
        work: multiplications for each element of the product of all factors, 0 if negligible.
    """

    operands: tuple[tuple[Factors, ...], ...]
    results: tuple[tuple[Factors, ...], ...]
    sizes: Mapping[int, int]
    reduces: Mapping[int, str] = field(default_factory=dict)
    indexed: Mapping[int, int] = field(default_factory=dict)
    adapt: Adapt | None = None
    work: int = 0

    def dims(self, factors: Sequence[Factors], assignment: Assignment) -> Dims:
        """Returns the sharding of a tensor with these factors."""
        return tuple(merged(d for f in own for d in assignment.get(f, ())) for own in factors)


@dataclass(frozen=True)
class Tensor:
    """A tensor of an op: its whole shape, its sharding and the element size in bytes."""

    shape: Shape
    dims: Dims
    width: int


#: Costs in bytes over a link: of a byte of a chip's memory, of a multiplication, and of starting a
#: collective.
_MEMORY, _MULTIPLICATION, _START = 1 / 24, 1 / 4096, 256


def choose(
    rule: Rule,
    operands: Sequence[Tensor],
    results: Sequence[Tensor],
    wanted: Sequence[Dims | None],
    manual: SubAxes,
    count: int,
) -> Assignment:
    """Chooses the sub-axes of each factor that send the least.

    Args:
        rule: of the op.
        operands: with their current shardings.
        results: of the op; their shardings are ignored.
        wanted: the final shardings of the results; None if any will do.
        manual: sub-axes that must not be used.
        count: number of partitions.
    """
    sources = [
        (factors, dims)
        for factors, dims in zip(rule.results, wanted, strict=True)
        if dims is not None
    ]
    by_size = sorted(range(len(operands)), key=lambda i: -math.prod(operands[i].shape))
    sources += [(rule.operands[i], operands[i].dims) for i in by_size]
    sources = [(f, d) for f, d in sources if any(d)]
    best: tuple[float, Assignment] | None = None
    seen: list[Assignment] = []
    for first in range(min(len(sources), 5)):
        order = [sources[first], *sources[:first], *sources[first + 1 :]]
        found = _assign(rule, order, manual)
        for assignment in (found, _without_reductions(rule, found)):
            if assignment in seen:
                continue
            seen.append(assignment)
            price = cost(rule, assignment, operands, results, wanted, manual, count)
            if best is None or price < best[0]:
                best = price, assignment
    return best[1] if best else {}


def _without_reductions(rule: Rule, assignment: Assignment) -> Assignment:
    return {f: d for f, d in assignment.items() if f not in rule.reduces}


def _assign(
    rule: Rule, sources: Iterable[tuple[Sequence[Factors], Dims]], manual: SubAxes
) -> Assignment:
    """Assigns the sub-axes of shardings to factors, with priority to the first."""
    found: Assignment = {}
    taken: list[SubAxis] = list(manual)
    for factors, dims in sources:
        for own, sub_axes in zip(factors, dims, strict=True):
            for factor, part in _spread(rule, own, sub_axes):
                if factor in found:
                    continue
                free = disjoint(part, taken)
                if free:
                    found[factor] = free
                    taken += free
                if free != part or size(free) != rule.sizes[factor]:
                    break
    while _drop_one(rule, found):
        pass
    return found


def _spread(rule: Rule, factors: Factors, sub_axes: SubAxes) -> Iterator[tuple[int, SubAxes]]:
    """Yields the sub-axes of a dimension by factor."""
    for factor in factors:
        part = fitting(sub_axes, rule.sizes[factor])
        if not part:
            return
        yield factor, part
        if size(part) != rule.sizes[factor]:
            return
        sub_axes = common(sub_axes, part)[1]


def _drop_one(rule: Rule, assignment: Assignment) -> bool:
    """Removes the sub-axes of a factor behind an incompletely divided one in its dimension."""
    for tensor in (*rule.operands, *rule.results):
        for factors in tensor:
            for before, factor in pairwise(factors):
                is_whole = size(assignment.get(before, ())) == rule.sizes[before]
                if factor in assignment and not is_whole:
                    del assignment[factor]
                    return True
    return False


def cost(
    rule: Rule,
    assignment: Assignment,
    operands: Sequence[Tensor],
    results: Sequence[Tensor],
    wanted: Sequence[Dims | None],
    manual: SubAxes,
    count: int,
) -> float:
    """Returns the cost of a partition, in bytes over a link."""
    total = 0.0
    for factors, operand in zip(rule.operands, operands, strict=True):
        dims = rule.dims(factors, assignment)
        steps = plan(operand.shape, operand.dims, dims, manual, count)
        total += _sent(steps.elements * operand.width)
        total += math.prod(local_shape(operand.shape, dims)) * operand.width * _MEMORY
    reduced = math.prod(size(assignment.get(f, ())) for f in rule.reduces)
    for factors, result, target in zip(rule.results, results, wanted, strict=True):
        dims = rule.dims(factors, assignment)
        own = math.prod(local_shape(result.shape, dims)) * result.width
        total += own * _MEMORY
        if reduced > 1:
            total += _sent(own * (2 - 2 / reduced))
        if target is not None:
            steps = plan(result.shape, dims, target, manual, count)
            total += _sent(steps.elements * result.width)
    parts = math.prod(size(d) for d in assignment.values())
    return total + rule.work / parts * _MULTIPLICATION


def _sent(amount: float) -> float:
    return amount + _START if amount else 0.0
