"""Shardings in the representations of Shardy and HLO."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations
from typing import Any

import numpy as np
from jaxlib.mlir.dialects import sdy

from ttmlir.frontends.stablehlo._types import Shape
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    SubAxis,
    local_shape,
    merged,
    ordered,
    place_in,
    used,
)


@dataclass(frozen=True)
class Sharding:
    """The sharding of an argument or a result.

    ``dims`` has the sub-axes of each dimension. If they do not divide an extent, it is rounded up
    and the last parts are padded. ``count`` is the number of partitions.
    """

    dims: Dims
    count: int

    def local(self, shape: Sequence[int]) -> Shape:
        """Returns the shape of a part of a tensor of ``shape``."""
        return local_shape(shape, self.dims)

    def hlo(self) -> str:
        """Formats the HLO sharding, such as ``{devices=[2,1,4]<=[8] last_tile_dim_replicate}``,
        by partition index."""
        own = used(self.dims)
        if not own:
            return "{replicated}"
        tiles = [math.prod(d.size for d in sub_axes) for sub_axes in self.dims]
        rest = self.count // math.prod(tiles)
        if rest > 1:
            tiles.append(rest)
        shape = ",".join(map(str, tiles))
        behind = " last_tile_dim_replicate" if rest > 1 else ""
        form = None if any(d.order for d in own) else _iota(own, self.count)
        form = form or ",".join(map(str, self._devices()))
        return f"{{devices=[{shape}]{form}{behind}}}"

    def _devices(self) -> list[int]:
        """Returns the partitions in the order of their parts."""
        return sorted(range(self.count), key=lambda p: (_tile_index(self.dims, p), p))


def _tile_index(dims: Dims, partition: int) -> tuple[int, ...]:
    return tuple(place_in(sub_axes, partition) for sub_axes in dims)


def _iota(own: SubAxes, count: int) -> str | None:
    """Formats ``<=[2,4]T(1,0)``: the partition indices, reshaped and transposed."""
    bounds = {1, count}
    for sub_axis in own:
        bounds |= {sub_axis.stride, sub_axis.stride * sub_axis.size}
    strides = sorted(bounds)
    if any(b % a for a, b in pairwise(strides)):
        return None
    # The most significant first.
    atoms = [SubAxis(a, b // a) for a, b in pairwise(strides)][::-1]
    order = []
    for sub_axis in own:
        inside = [
            i
            for i, a in enumerate(atoms)
            if sub_axis.stride <= a.stride < sub_axis.stride * sub_axis.size
        ]
        order += inside
    order += [i for i in range(len(atoms)) if i not in order]
    # Atoms that stay adjacent are merged.
    runs = [
        [i for _, i in run] for _, run in groupby(enumerate(order), key=lambda at: at[1] - at[0])
    ]
    ranked = sorted(range(len(runs)), key=lambda r: runs[r][0])
    sizes = [math.prod(atoms[i].size for i in runs[r]) for r in ranked]
    turned = [ranked.index(r) for r in range(len(runs))]
    text = f"<=[{','.join(map(str, sizes))}]"
    return text if turned == sorted(turned) else f"{text}T({','.join(map(str, turned))})"


# Shardy ------------------------------------------------------------------------------------------


def mesh_size(module: Any) -> int:
    """Returns the number of devices of the module's largest mesh, 1 if there is none."""
    found = 1
    for op in module.body.operations:
        if op.operation.name == "sdy.mesh":
            axes = sdy.MeshAttr(op.operation.attributes["mesh"]).axes
            found = max(found, math.prod(int(sdy.MeshAxisAttr(a).size) for a in axes))
    return found


class Meshes:
    """The meshes of a module, by name.

    Args:
        module: of jaxlib's bindings.

    Raises:
        ValueError: a mesh does not have the program's number of devices.
    """

    def __init__(self, module: Any, count: int) -> None:
        self.count = count
        self._axes: dict[str, dict[str, SubAxis]] = {}
        for op in module.body.operations:
            if op.operation.name == "sdy.mesh":
                mesh = sdy.MeshAttr(op.operation.attributes["mesh"])
                self._axes[str(op.operation.attributes["sym_name"].value)] = self._read(mesh)

    def _read(self, mesh: Any) -> dict[str, SubAxis]:
        axes = [sdy.MeshAxisAttr(a) for a in mesh.axes]
        devices = tuple(int(i) for i in mesh.device_ids)
        if not axes:  # Maximal, on one device, or empty.
            return {}
        if devices == tuple(range(len(devices))):
            devices = ()
        stride = math.prod(int(a.size) for a in axes)
        if stride != self.count:
            raise ValueError(f"expected a mesh of {self.count} devices, found one of {stride}")
        found = {}
        for axis in axes:
            stride //= int(axis.size)
            found[str(axis.name)] = SubAxis(stride, int(axis.size), devices)
        return found

    def sub_axes(self) -> list[SubAxis]:
        """Returns the sub-axes of all axes."""
        return [d for axes in self._axes.values() for d in axes.values()]

    def dims(self, attribute: Any) -> Dims:
        """Returns the sub-axes of each dimension of a ``sdy.sharding``.

        Raises:
            ValueError: the sharding has partial sums.
        """
        sharding = sdy.TensorShardingAttr(attribute)
        if list(sharding.unreduced_axes):
            raise ValueError(
                "tensors that are still to be summed over an axis (unreduced) are not supported: "
                "reduce them where they are computed"
            )
        axes = self._mesh(sharding.mesh_or_ref)
        return tuple(
            merged(_axis(axes, a) for a in sdy.DimensionShardingAttr(d).axes)
            for d in sharding.dimension_shardings
        )

    def manual(self, operation: Any) -> SubAxes:
        """Returns the sub-axes of the manual axes of a manual computation."""
        names = [str(n) for n in re.findall(r'"([^"]*)"', str(operation.attributes["manual_axes"]))]
        for name in ("in_shardings", "out_shardings"):
            for attribute in sdy.TensorShardingPerValueAttr(operation.attributes[name]).shardings:
                axes = self._mesh(sdy.TensorShardingAttr(attribute).mesh_or_ref)
                if set(names) <= set(axes):
                    return ordered(axes[n] for n in names)
        if not names:
            return ()
        raise ValueError(f"no mesh has the axes {', '.join(names)}")

    def per_value(self, attribute: Any) -> list[Dims]:
        """Returns the shardings of several values."""
        return [self.dims(a) for a in sdy.TensorShardingPerValueAttr(attribute).shardings]

    def _mesh(self, reference: Any) -> dict[str, SubAxis]:
        text = str(reference)
        if text.startswith("@"):
            return self._axes[text[1:].strip('"')]
        return self._read(sdy.MeshAttr(reference))


def _axis(axes: dict[str, SubAxis], attribute: Any) -> SubAxis:
    reference = sdy.AxisRefAttr(attribute)
    sub_axis = axes[str(reference.name)]
    if reference.sub_axis_info is None:
        return sub_axis
    info = sdy.SubAxisInfoAttr(reference.sub_axis_info)
    part = sub_axis.split(int(info.pre_size))[1]
    return part.split(int(info.size))[0]


# Tiles of HLO ------------------------------------------------------------------------------------

_TILES = re.compile(r"devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))")


@dataclass(frozen=True)
class Tiles:
    """A parsed HLO sharding: the sub-axes of the dimensions, and the manual ones."""

    dims: Dims
    manual: SubAxes


def parse_tiles(text: str, rank: int, count: int) -> Tiles:
    """Parses an HLO sharding of a tensor.

    Raises:
        ValueError: the form is not supported.
    """
    none: Dims = ((),) * rank
    everything = (SubAxis(1, count),)
    content = text.strip().strip("{}").strip()
    if content == "manual":
        return Tiles(none, everything)
    if content in ("", "replicated") or content.startswith("maximal"):
        return Tiles(none, ())
    match = _TILES.search(content)
    if match is None or "unreduced" in content:
        raise ValueError(f"the sharding {text} is not supported")
    shape = _numbers(match[1])
    if match[4]:
        devices = np.array(_numbers(match[4]))
    else:
        reshaped = np.arange(count).reshape(_numbers(match[2]))
        devices = reshaped.transpose(_numbers(match[3])) if match[3] else reshaped
    sub_axes = _split(_sub_axes(devices.reshape(-1), count), shape)
    groups = sub_axes[rank:]
    manual: SubAxes = ()
    if found := re.search(r"last_tile_dims=\{([\w, ]+)\}", text):
        kinds = [kind.strip() for kind in found[1].split(",")]
        manual = ordered(
            d for kind, own in zip(kinds, groups, strict=True) if kind == "manual" for d in own
        )
    return Tiles(tuple(merged(d) for d in sub_axes[:rank]), manual)


def _numbers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


def _sub_axes(devices: Any, count: int) -> list[SubAxis]:
    """Returns sub-axes, the most significant first, that enumerate the partitions in order."""
    atoms = prime_sub_axes(count)
    numbers = np.arange(count).reshape([a.size for a in atoms])
    for order in permutations(range(len(atoms))):
        if (numbers.transpose(order).reshape(-1) == devices).all():
            return [atoms[i] for i in order]
    return prime_sub_axes(count, tuple(int(d) for d in devices))


def prime_sub_axes(count: int, order: tuple[int, ...] = ()) -> list[SubAxis]:
    """Returns the smallest sub-axes of partition indices, the most significant first."""
    found = []
    stride = count
    for prime in _primes(count):
        stride //= prime
        found.append(SubAxis(stride, prime, order))
    return found


def _primes(n: int) -> Iterator[int]:
    p = 2
    while n > 1:
        while n % p == 0:
            yield p
            n //= p
        p += 1


def _split(sub_axes: list[SubAxis], shape: Sequence[int]) -> list[SubAxes]:
    """Returns the sub-axes of each dimension of a tile assignment."""
    left = list(sub_axes)
    found = []
    for extent in shape:
        own: list[SubAxis] = []
        while extent > 1:
            if not left or extent % left[0].size:
                raise ValueError(f"tiles of {list(shape)} are not parts of the devices' numbers")
            own.append(left.pop(0))
            extent //= own[-1].size
        found.append(tuple(own))
    return found
