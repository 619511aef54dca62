"""Plans the steps from one sharding to another."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from ttmlir.frontends.stablehlo._types import Shape
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    SubAxis,
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
    """Concatenates all parts along the least significant sub-axes of a dimension."""

    dim: int
    sub_axes: SubAxes


@dataclass(frozen=True)
class Cut:
    """Takes the partition's part of a dimension along sub-axes; nothing is sent."""

    dim: int
    sub_axes: SubAxes


@dataclass(frozen=True)
class Exchange:
    """Moves the least significant sub-axes of the dimension ``joined`` to ``cut``."""

    cut: int
    joined: int
    sub_axes: SubAxes


@dataclass(frozen=True)
class Permute:
    """Sends whole parts between partitions: pairs of source and target."""

    pairs: tuple[tuple[int, int], ...]
    dims: Dims


Step: TypeAlias = "Gather | Cut | Exchange | Permute"

#: Latency of a step, in elements that could be sent meanwhile.
_START = 64
#: Maximum number of shardings to consider.
_LIMIT = 500


@dataclass(frozen=True)
class Plan:
    """Steps from one sharding to another.

    ``elements`` is the number of elements that a chip receives.
    """

    steps: tuple[Step, ...]
    elements: int


@lru_cache(maxsize=8192)
def plan(shape: Shape, source: Dims, target: Dims, manual: SubAxes, count: int) -> Plan:
    """Plans how to change the sharding of a tensor.

    Args:
        shape: of the whole tensor.
        source: the current sharding.
        target: the new sharding.
        manual: sub-axes in which the tensors of partitions are unrelated.
        count: number of partitions.
    """
    source, target = _merged(source), _merged(target)
    if source == target:
        return Plan((), 0)
    if (cuts := _cuts(source, target)) is not None:
        return Plan(cuts, 0)
    atoms = _atoms(source, target)
    found = _Search(shape, atoms, manual, count).run(source, target) if atoms else None
    return found or _through_whole(shape, source, target)


def _merged(dims: Dims) -> Dims:
    return tuple(merged(sub_axes) for sub_axes in dims)


def _cuts(source: Dims, target: Dims) -> tuple[Step, ...] | None:
    """Returns the steps if parts only become smaller."""
    steps = []
    for d, (own, sub_axes) in enumerate(zip(source, target, strict=True)):
        _, rest, more = common(own, sub_axes)
        if rest or overlap(more, used(source)):
            return None
        if more:
            steps.append(Cut(d, more))
    return tuple(steps)


def _through_whole(shape: Shape, source: Dims, target: Dims) -> Plan:
    """Gathers deviating dimensions and cuts them again, which works for all shardings."""
    now = list(source)
    steps: list[Step] = []
    elements = 0
    for d, sub_axes in enumerate(target):
        kept, rest, _ = common(now[d], sub_axes)
        if rest:
            steps.append(Gather(d, rest))
            elements += math.prod(local_shape(shape, tuple(now))) * (size(rest) - 1)
            now[d] = kept
    for d, sub_axes in enumerate(target):
        if more := common(now[d], sub_axes)[2]:
            steps.append(Cut(d, more))
    return Plan(tuple(steps), elements)


# Search for the cheapest plan ---------------------------------------------------------------------


def _atoms(source: Dims, target: Dims) -> dict[SubAxis, SubAxes] | None:
    """Splits the sub-axes of both shardings into common atoms, by sub-axis; None if the orders
    differ or the factors do not match."""
    sub_axes = set(used(source) + used(target))
    if len({d.order for d in sub_axes}) != 1:
        return None
    bounds = sorted({b for d in sub_axes for b in (d.stride, d.stride * d.size)})
    found = {}
    for sub_axis in sub_axes:
        inside = [b for b in bounds if sub_axis.stride <= b <= sub_axis.stride * sub_axis.size]
        if any(b % a for a, b in pairwise(inside)):
            return None
        found[sub_axis] = tuple(SubAxis(a, b // a, sub_axis.order) for a, b in pairwise(inside))[
            ::-1
        ]
    return found


class _Search:
    """Searches for the steps that send the least.

    Args:
        shape: of the whole tensor.
        atoms: the atoms of each sub-axis.
        manual: sub-axes that steps do not change.
        count: number of partitions.
    """

    def __init__(
        self, shape: Shape, atoms: dict[SubAxis, SubAxes], manual: SubAxes, count: int
    ) -> None:
        self.shape, self.atoms, self.manual, self.count = shape, atoms, manual, count

    def run(self, source: Dims, target: Dims) -> Plan | None:
        """Returns the plan; None if there are too many states."""
        begin, goal = self._split(source), self._split(target)
        # Ordered by cost, then by a sequence number, so that steps are not compared.
        queue: list[tuple[float, int, Dims, int, tuple[Step, ...]]] = [(0.0, 0, begin, 0, ())]
        done: set[Dims] = set()
        number = 0
        while queue and len(done) < _LIMIT:
            cost, _, state, elements, steps = heapq.heappop(queue)
            if state == goal:
                return Plan(_joined(steps), elements)
            if state in done:
                continue
            done.add(state)
            for step, sent, after in self._moves(state, goal):
                if after not in done:
                    number += 1
                    # Among plans without communication, prefer fewer steps.
                    more = sent + _START if sent else 0.5
                    way = (cost + more, number, after, elements + sent, (*steps, step))
                    heapq.heappush(queue, way)
        return None

    def _split(self, dims: Dims) -> Dims:
        return tuple(tuple(a for d in sub_axes for a in self.atoms[d]) for sub_axes in dims)

    def _moves(self, state: Dims, goal: Dims) -> Iterator[tuple[Step, int, Dims]]:
        """Yields steps, the number of elements that a chip receives, and the resulting sharding."""
        extents = local_shape(self.shape, state)
        own = math.prod(extents)
        busy = used(state)
        involved = [d for d in range(len(state)) if state[d] or goal[d]]
        for d in involved:
            for atom in goal[d]:
                if atom not in busy and extents[d] % atom.size == 0:
                    yield Cut(d, (atom,)), 0, _with(state, d, (*state[d], atom))
            for begin in range(len(state[d])):
                kept, moved = state[d][:begin], state[d][begin:]
                times = size(moved)
                yield Gather(d, moved), own * (times - 1), _with(state, d, kept)
                for e in involved:
                    if e != d and extents[e] % times == 0:
                        after = _with(_with(state, d, kept), e, state[e] + moved)
                        yield Exchange(e, d, moved), own - own // times, after
        for after in self._same_extents(state, goal):
            pairs = _pairs(self.shape, state, after, self.manual, self.count)
            if pairs is not None:
                yield Permute(pairs, after), own, after

    def _same_extents(self, state: Dims, goal: Dims) -> Iterator[Dims]:
        """Yields shardings with the same part shape: the goal, and those with two sub-axes
        exchanged."""
        if local_shape(self.shape, state) == local_shape(self.shape, goal):
            yield goal
        slots = [(d, i) for d, sub_axes in enumerate(state) for i in range(len(sub_axes))]
        free = [a for a in dict.fromkeys(used(goal)) if a not in used(state)]
        for number, (d, i) in enumerate(slots):
            own = state[d][i]
            for e, j in slots[number + 1 :]:
                other = state[e][j]
                if d == e or own.size == other.size:
                    yield _replaced(_replaced(state, d, i, other), e, j, own)
            for atom in free:
                if atom.size == own.size:
                    yield _replaced(state, d, i, atom)


def _with(dims: Dims, dim: int, sub_axes: SubAxes) -> Dims:
    return (*dims[:dim], sub_axes, *dims[dim + 1 :])


def _replaced(dims: Dims, dim: int, place: int, sub_axis: SubAxis) -> Dims:
    own = dims[dim]
    return _with(dims, dim, (*own[:place], sub_axis, *own[place + 1 :]))


def _joined(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Merges consecutive cuts or gathers of the same dimension."""
    found: list[Step] = []
    for step in steps:
        last = found[-1] if found else None
        if isinstance(step, Cut) and isinstance(last, Cut) and last.dim == step.dim:
            found[-1] = Cut(step.dim, merged(last.sub_axes + step.sub_axes))
        else:
            found.append(step)
    return tuple(found)


def _pairs(
    shape: Sequence[int], source: Dims, target: Dims, manual: SubAxes, count: int
) -> tuple[tuple[int, int], ...] | None:
    """Returns, for each partition, the source of the part that it needs, if parts stay intact."""
    if legal(source, shape) != _merged(source):
        return None
    has: dict[tuple[int, ...], list[int]] = {}
    needs: dict[tuple[int, ...], list[int]] = {}
    for p in range(count):
        outside = tuple(place_in((d,), p) for d in manual)
        for sharding, table in ((source, has), (target, needs)):
            key = tuple(place_in(sub_axes, p) for sub_axes in sharding)
            table.setdefault(outside + key, []).append(p)
    pairs = []
    for key, targets in needs.items():
        sources = has.get(key, [])
        if len(sources) != len(targets):
            return None
        own = [p for p in targets if p in sources]
        left = [p for p in sources if p not in own]
        pairs += [(p, p) for p in own]
        pairs += list(zip(left, [p for p in targets if p not in own], strict=True))
    return tuple(sorted(pairs))
