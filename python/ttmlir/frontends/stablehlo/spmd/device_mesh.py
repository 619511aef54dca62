"""The chips of a program over a mesh, and their groups."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ttmlir.frontends.stablehlo.spmd.sub_axes import Dims, groups, merged


@dataclass(frozen=True)
class Mesh:
    """The positions of the partitions of a program.

    Attributes:
        shape: of the builder's mesh, with two axes.
        chips: the chip at each position in row-major order: ``chip_ids`` of ``ttmlir.compile``.
            Empty if the compiler chooses.
        partitions: the index of the partition at each position.
    """

    shape: tuple[int, ...]
    chips: tuple[int, ...]
    partitions: tuple[int, ...]

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The position of each partition."""
        return tuple(sorted(range(len(self.partitions)), key=lambda i: self.partitions[i]))

    def axis_groups(self, axis: int | None) -> list[list[int]]:
        """Returns groups of positions that differ along an axis, or one of all positions, in
        order."""
        rows, columns = self.shape
        if axis is None:
            return [list(range(rows * columns))]
        if axis == 1:
            return [[r * columns + c for c in range(columns)] for r in range(rows)]
        return [[r * columns + c for r in range(rows)] for c in range(columns)]

    def axes_of(self, found: Sequence[Sequence[int]], ordered: bool = True) -> list[int] | None:
        """Returns the axes along which groups of positions lie, the first one first; None for other
        groups.

        Args:
            found: positions of the members of each group.
            ordered: whether the order of the members matters.
        """
        wanted = {tuple(g if ordered else sorted(g)) for g in found}
        for axis in (1, 0):
            if wanted == set(map(tuple, self.axis_groups(axis))):
                return [axis]
        return [0, 1] if wanted == set(map(tuple, self.axis_groups(None))) else None

    def at_border(self, dims: Dims) -> tuple[list[int | None], Dims]:
        """Returns the part of a sharding that the host can split and join: for each mesh axis the
        dimension that it shards, and the resulting sharding."""
        count = len(self.partitions)
        along: list[int | None] = [None] * len(self.shape)
        rest: list[Any] = [()] * len(dims)
        for d, sub_axes in enumerate(dims):
            own = merged(sub_axes)
            if len({sub_axis.order for sub_axis in own}) != 1:
                continue
            at = [[self.positions[p] for p in group] for group in groups(own, count)]
            axes = self.axes_of(at)
            if axes is not None and all(along[a] is None for a in axes):
                rest[d] = own
                for a in axes:
                    along[a] = d
        return along, tuple(rest)


def links_of(system: Any) -> set[tuple[int, int]]:
    """Returns the pairs of chips with an Ethernet link, in both orders."""
    content = json.loads(system.as_json())["system_desc"]
    found = set()
    for channel in content.get("chip_channels") or []:
        a, b = int(channel["device_id0"]), int(channel["device_id1"])
        found |= {(a, b), (b, a)}
    return found


def choose(
    count: int,
    strides: Sequence[int],
    devices: Sequence[int] | None,
    links: set[tuple[int, int]] | None,
) -> Mesh:
    """Chooses the mesh of a program.

    Args:
        count: number of partitions.
        strides: boundaries of sub-axes in the program's shardings, preferred for mesh axes.
        devices: the chip of each partition; None if the compiler may choose.
        links: linked pairs of chips; None if the system is unknown.

    Raises:
        ValueError: the chips are not linked as a mesh.
    """
    shapes = sorted(_shapes(count), key=lambda shape: _preference(shape, strides))
    numbers = tuple(range(count))
    chips = tuple(devices) if devices is not None else ()
    if links is None:
        return Mesh(shapes[0], chips, numbers)
    if devices is None:
        system = sorted({chip for link in links for chip in link})
        for shape in shapes:
            if next(_placements(shape, system, links), None) is not None:
                return Mesh(shape, (), numbers)
        raise ValueError(
            f"expected a system with a mesh of {count} chips, found {max(len(system), 1)}"
        )
    for shape in shapes:
        if _are_linked(shape, chips, links):
            return Mesh(shape, chips, numbers)
    for shape in shapes:
        if found := next(_placements(shape, sorted(chips), links), None):
            return Mesh(shape, found, tuple(chips.index(chip) for chip in found))
    raise ValueError(
        f"expected chips that Ethernet links join to a mesh, found {list(chips)}: take neighbours"
    )


def _shapes(count: int) -> Iterator[tuple[int, int]]:
    return ((rows, count // rows) for rows in range(1, count + 1) if count % rows == 0)


def _preference(shape: tuple[int, int], strides: Sequence[int]) -> tuple[int, int, int]:
    """Returns a sort key that prefers shapes whose axes are sub-axes of the program."""
    rows, columns = shape
    is_line = 1 in shape
    missed = len([s for s in strides if is_line or s != columns])
    return missed, int(not is_line and columns not in strides), rows


def _neighbours(shape: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yields pairs of adjacent positions, the lower one first."""
    rows, columns = shape
    for position in range(rows * columns):
        if position % columns:
            yield position - 1, position
        if position >= columns:
            yield position - columns, position


def _are_linked(shape: tuple[int, int], chips: Sequence[int], links: set[tuple[int, int]]) -> bool:
    return all((chips[a], chips[b]) in links for a, b in _neighbours(shape))


def _placements(
    shape: tuple[int, int], chips: Sequence[int], links: set[tuple[int, int]]
) -> Iterator[tuple[int, ...]]:
    """Yields assignments of chips to positions in which neighbours are linked."""
    before: dict[int, list[int]] = {}
    for a, b in _neighbours(shape):
        before.setdefault(b, []).append(a)

    def extend(taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        position = len(taken)
        if position == shape[0] * shape[1]:
            yield taken
            return
        for chip in chips:
            if chip not in taken and all(
                (taken[a], chip) in links for a in before.get(position, [])
            ):
                yield from extend((*taken, chip))

    return extend(())
