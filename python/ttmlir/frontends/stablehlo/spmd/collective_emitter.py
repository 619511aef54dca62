"""Emits collectives that exchange parts of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._types import Shape, is_complex
from ttmlir.frontends.stablehlo.spmd.reshard import Cut, Exchange, Gather, Step, plan
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    by_order,
    groups,
    legal,
    local_shape,
    merged,
    size,
    union,
)

#: The custom call for a chip's part of a tensor.
PARTITION = "ttmlir.mesh_partition"
#: The custom call for numbers along a dimension from a computed start.
COUNTING = "ttmlir.counting"
#: Reductions of parts.
BODIES = {
    "sum": "stablehlo.add",
    "max": "stablehlo.maximum",
    "min": "stablehlo.minimum",
    "or": "stablehlo.or",
}


@dataclass(frozen=True, eq=False)
class Part:
    """A value in the program of one chip: its part of a value in the source.

    Attributes:
        value: of jaxlib's bindings.
        shape: of the whole tensor; None if it is not a tensor.
        dims: its sharding.
        manual: sub-axes in which the enclosing computation is manual.
        varies: the smallest sub-axes in which whole tensors may differ.
        constant: the value of all elements, if it is known.
        partial: sub-axes along which it must still be summed.
    """

    value: Any
    shape: Shape | None
    dims: Dims
    manual: SubAxes = ()
    varies: SubAxes = ()
    constant: Any = None
    partial: SubAxes = ()

    @property
    def element(self) -> Any:
        """The element type."""
        return ir.RankedTensorType(self.value.type).element_type

    @property
    def extents(self) -> Shape:
        """The extents of the part."""
        return tuple(ir.RankedTensorType(self.value.type).shape)


def dense(rows: Sequence[Sequence[int]]) -> Any:
    """Returns an attribute for a table of integers."""
    return ir.DenseElementsAttr.get(np.array(rows, np.int64))


def integer(value: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def array(values: Sequence[int]) -> Any:
    return ir.DenseI64ArrayAttr.get(list(values))


class Emitter:
    """Emits ops at the insertion point of jaxlib's bindings.

    Args:
        count: number of partitions.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        #: Digits in which the computation is manual.
        self.manual: SubAxes = ()
        # By region, because values computed in one are not visible outside.
        self._made: list[dict[Any, Part]] = [{}]

    def enter(self) -> None:
        """Enters a region."""
        self._made.append({})

    def leave(self) -> None:
        """Leaves a region."""
        self._made.pop()

    def build(
        self,
        name: str,
        operands: Sequence[Any],
        shape: Sequence[int],
        element: Any,
        attributes: dict[str, Any],
        regions: int = 0,
    ) -> Any:
        """Builds an op and returns its only result."""
        kind = ir.RankedTensorType.get(list(shape), element)
        op = ir.Operation.create(
            name, results=[kind], operands=list(operands), attributes=attributes, regions=regions
        )
        return op.results[0]

    # Steps of a resharding -----------------------------------------------------------------------

    def reshard(self, part: Part, dims: Dims) -> Part:
        """Changes the sharding of a tensor to one that divides its extents."""
        if part.shape is None:
            return part
        dims = tuple(merged(d) for d in dims)
        if part.dims == dims:
            return part
        key = (part.value, part.shape, part.dims, dims)
        for made in reversed(self._made):
            known: Part | None = made.get(key)
            if known is not None:
                return known
        manual = union([self.manual, part.manual])
        found = part
        for step in plan(part.shape, part.dims, dims, manual, self.count).steps:
            found = self._step(found, step)
        found = replace(found, dims=dims)
        self._made[-1][key] = found
        return found

    def _step(self, part: Part, step: Step) -> Part:
        if isinstance(step, Gather):
            return self.gather(part, step.dim, step.sub_axes)
        if isinstance(step, Cut):
            return self.cut(part, step.dim, step.sub_axes)
        if isinstance(step, Exchange):
            return self._exchange(part, step.cut, step.joined, step.sub_axes)
        attributes = {"source_target_pairs": dense(step.pairs)}
        name = "stablehlo.collective_permute"
        value = self.build(name, [part.value], part.extents, part.element, attributes)
        return replace(part, value=value, dims=step.dims)

    def gather(self, part: Part, dim: int, sub_axes: SubAxes) -> Part:
        """Gathers all parts along the least significant sub-axes of a dimension."""
        kept = _without(part.dims[dim], sub_axes)
        value, extents = part.value, list(part.extents)
        for run in reversed(by_order(sub_axes)):
            extents[dim] *= size(run)
            value = self.build(
                "stablehlo.all_gather",
                [value],
                extents,
                part.element,
                {
                    "all_gather_dim": integer(dim),
                    "replica_groups": dense(groups(run, self.count)),
                },
            )
        return replace(part, value=value, dims=_with(part.dims, dim, kept))

    def cut(self, part: Part, dim: int, sub_axes: SubAxes) -> Part:
        """Returns the partition's part of a dimension along sub-axes, which are less significant
        than its existing ones."""
        value, extents = part.value, list(part.extents)
        for run in by_order(sub_axes):
            extents[dim] //= size(run)
            value = self.build(
                "stablehlo.custom_call",
                [value],
                extents,
                part.element,
                {
                    "call_target_name": ir.StringAttr.get(PARTITION),
                    "dim": integer(dim),
                    "replica_groups": dense(groups(run, self.count)),
                },
            )
        own = merged(part.dims[dim] + sub_axes)
        return replace(part, value=value, dims=_with(part.dims, dim, own))

    def _exchange(self, part: Part, cut: int, joined: int, sub_axes: SubAxes) -> Part:
        extents = list(part.extents)
        extents[cut] //= size(sub_axes)
        extents[joined] *= size(sub_axes)
        value = self.build(
            "stablehlo.all_to_all",
            [part.value],
            extents,
            part.element,
            {
                "split_dimension": integer(cut),
                "concat_dimension": integer(joined),
                "split_count": integer(size(sub_axes)),
                "replica_groups": dense(groups(sub_axes, self.count)),
            },
        )
        dims = _with(part.dims, joined, _without(part.dims[joined], sub_axes))
        return replace(part, value=value, dims=_with(dims, cut, merged(dims[cut] + sub_axes)))

    # Other ---------------------------------------------------------------------------------------

    def full(self, number: int, extents: Sequence[int], element: Any) -> Any:
        """Fills a tensor with a number."""
        kind = ir.RankedTensorType.get(list(extents), element)
        if is_complex(kind):
            value = f"value = dense<({number}.0, 0.0)> : {kind}"
            whole: Any = ir.Operation.parse(f'"stablehlo.constant"() <{{{value}}}> : () -> {kind}')
            ir.InsertionPoint.current.insert(whole)
            return whole.results[0]
        attribute: Any = (
            ir.FloatAttr.get(element, float(number))
            if str(element)[0] in "bf"
            else ir.IntegerAttr.get(element, number)
        )
        elements = ir.DenseElementsAttr.get_splat(kind, attribute)
        return self.build("stablehlo.constant", [], extents, element, {"value": elements})

    def compare(self, direction: str, a: Any, b: Any) -> Any:
        """Compares integers, with a direction such as ``GE``."""
        attributes = {
            "comparison_direction": ir.Attribute.parse(
                f"#stablehlo<comparison_direction {direction}>"
            ),
            "compare_type": ir.Attribute.parse("#stablehlo<comparison_type SIGNED>"),
        }
        shape = ir.RankedTensorType(a.type).shape
        flag = ir.IntegerType.get_signless(1)
        return self.build("stablehlo.compare", [a, b], shape, flag, attributes)

    def begin(self, sub_axes: SubAxes, extent: int) -> Any:
        """Returns the start of the partition's part of a dimension, as a vector of one number;
        ``extent`` is that of a part."""
        i32 = ir.IntegerType.get_signless(32)
        begins = np.arange(size(sub_axes), dtype=np.int32) * extent
        value = ir.DenseElementsAttr.get(begins)
        table = self.build("stablehlo.constant", [], begins.shape, i32, {"value": value})
        return self.cut(Part(table, begins.shape, ((),)), 0, sub_axes).value

    def counting(self, shape: Shape, dims: Dims, dim: int, element: Any) -> Part:
        """Returns the numbers from 0 along a sharded dimension."""
        extents = local_shape(shape, dims)
        attributes = {
            "call_target_name": ir.StringAttr.get(COUNTING),
            "iota_dimension": integer(dim),
        }
        begin = self.begin(dims[dim], extents[dim])
        found = self.build("stablehlo.custom_call", [begin], extents, element, attributes)
        return Part(found, shape, dims)

    def all_reduce(self, part: Part, sub_axes: SubAxes, kind: str) -> Part:
        """Reduces the tensors of the partitions that differ in sub-axes."""
        value = part.value
        for run in by_order(sub_axes):
            value = self._reduction("stablehlo.all_reduce", value, part.extents, run, kind, {})
        return replace(part, value=value)

    def reduce_scatter(self, part: Part, sub_axes: SubAxes, kind: str, dim: int) -> Part:
        """Returns parts of the reduced tensors along a dimension; the sub-axes are of one order."""
        extents = list(part.extents)
        extents[dim] //= size(sub_axes)
        value = self._reduction(
            "stablehlo.reduce_scatter",
            part.value,
            extents,
            sub_axes,
            kind,
            {"scatter_dimension": integer(dim)},
        )
        own = merged(part.dims[dim] + sub_axes)
        return replace(part, value=value, dims=_with(part.dims, dim, own))

    def _reduction(
        self,
        name: str,
        value: Any,
        extents: Sequence[int],
        sub_axes: SubAxes,
        kind: str,
        attributes: dict[str, Any],
    ) -> Any:
        element = ir.RankedTensorType(value.type).element_type
        attributes = {"replica_groups": dense(groups(sub_axes, self.count)), **attributes}
        found = self.build(name, [value], extents, element, attributes, regions=1)
        scalar = ir.RankedTensorType.get([], element)
        location = ir.Location.unknown()
        block = found.owner.regions[0].blocks.append(scalar, scalar, arg_locs=[location] * 2)
        with ir.InsertionPoint(block):
            both = self.build(BODIES[kind], list(block.arguments), [], element, {})
            ir.Operation.create("stablehlo.return", operands=[both])
        return found

    def stacked(self, part: Part, sub_axes: SubAxes) -> Part:
        """Stacks the tensors of the partitions that differ in sub-axes along a new dimension 0."""
        assert part.shape is not None
        row = self.build("stablehlo.reshape", [part.value], (1, *part.extents), part.element, {})
        count = size(sub_axes)
        one = replace(part, value=row, shape=(count, *part.shape), dims=(sub_axes, *part.dims))
        return self.gather(one, 0, sub_axes)

    def border_in(self, value: Any, shape: Shape, dims: Dims) -> Part:
        """Converts an argument, whose parts may be padded, to a sharding that divides it."""
        own = legal(dims, shape)
        part = Part(value, shape, dims)
        for d, sub_axes in enumerate(dims):
            if own[d] == merged(sub_axes):
                continue
            part = self.gather(part, d, sub_axes)
            value = self.build(
                "stablehlo.slice",
                [part.value],
                [n if i != d else shape[d] for i, n in enumerate(part.extents)],
                part.element,
                {
                    "start_indices": array([0] * len(shape)),
                    "limit_indices": array(
                        [n if i != d else shape[d] for i, n in enumerate(part.extents)]
                    ),
                    "strides": array([1] * len(shape)),
                },
            )
            part = replace(part, value=value)
        return part

    def border_out(self, part: Part, dims: Dims) -> Part:
        """Converts a result to a sharding that may need padding."""
        assert part.shape is not None
        own = legal(dims, part.shape)
        even = tuple(
            sub_axes if own[d] == merged(sub_axes) else () for d, sub_axes in enumerate(dims)
        )
        part = self.reshard(part, even)
        for d, sub_axes in enumerate(dims):
            if even[d] != sub_axes:
                part = self.cut(self._padded(part, d, size(sub_axes)), d, sub_axes)
        return part

    def _padded(self, part: Part, dim: int, parts: int) -> Part:
        extents = list(part.extents)
        more = -extents[dim] % parts
        extents[dim] += more
        zero = self.full(0, [], part.element)
        none = array([0] * len(extents))
        value = self.build(
            "stablehlo.pad",
            [part.value, zero],
            extents,
            part.element,
            {
                "edge_padding_low": none,
                "edge_padding_high": array([more if d == dim else 0 for d in range(len(extents))]),
                "interior_padding": none,
            },
        )
        return replace(part, value=value)


def _with(dims: Dims, dim: int, sub_axes: SubAxes) -> Dims:
    return tuple(sub_axes if d == dim else own for d, own in enumerate(dims))


def _without(own: SubAxes, sub_axes: SubAxes) -> SubAxes:
    """Removes sub-axes that are the least significant ones."""
    found = list(merged(own))
    rest = size(sub_axes)
    while rest > 1:
        last = found.pop()
        if last.size <= rest:
            rest //= last.size
        else:
            found.append(last.split(last.size // rest)[0])
            rest = 1
    return tuple(found)
