"""Converts a program over a mesh to the program of one chip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._constants import array_of
from ttmlir.frontends.stablehlo._diagnostics import UnsupportedError
from ttmlir.frontends.stablehlo._importer import reason_against
from ttmlir.frontends.stablehlo._locations import Place, called_at, place_of
from ttmlir.frontends.stablehlo._op import Op, is_composite
from ttmlir.frontends.stablehlo._types import is_complex, numpy_of, shape_of
from ttmlir.frontends.stablehlo.spmd import control_flow, reductions, sharded_indexing
from ttmlir.frontends.stablehlo.spmd.collective_emitter import Emitter, Part
from ttmlir.frontends.stablehlo.spmd.divergence import Varying
from ttmlir.frontends.stablehlo.spmd.gspmd import OUTER_TILES, tiles_text
from ttmlir.frontends.stablehlo.spmd.op_sharding_rules import rule_of
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Assignment, Tensor, choose
from ttmlir.frontends.stablehlo.spmd.shardings import Meshes, parse_tiles
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    SubAxis,
    common,
    legal,
    merged,
    overlap,
    size,
    union,
    used,
    whole,
)

_RETURNS = frozenset({"func.return", "stablehlo.return", "sdy.return"})
_SHARDING = "sdy.sharding"
Handler: TypeAlias = "Callable[[Partitioner, Any, list[Part]], list[Part]]"


class Partitioner:
    """Walks over a program and emits that of one chip at the insertion point.

    Args:
        functions: of the module, by name.
        meshes: of the module.
    """

    def __init__(self, functions: dict[str, Any], meshes: Meshes) -> None:
        self.functions = functions
        self.meshes = meshes
        self.emitter = Emitter(meshes.count)
        self.varying = Varying(functions, meshes.count)
        self._env: dict[Any, Part] = {}
        self._futures: dict[Any, list[Part]] = {}
        #: The locations of the enclosing calls.
        self._calls: list[Place] = []

    # Walking -------------------------------------------------------------------------------------

    def part(self, value: Any) -> Part:
        """Returns the part for a value of the source."""
        return self._env[value]

    def run(self, block: Any, arguments: Sequence[Part]) -> list[Part]:
        """Partitions a block with the given arguments, and returns its results."""
        for argument, part in zip(block.arguments, arguments, strict=True):
            self._env[argument] = part
        for op in block.operations:
            operation = op.operation
            if operation.name in _RETURNS:
                return [self._env[v] for v in operation.operands]
            with operation.location:
                results = self._visit(operation, [self._env[v] for v in operation.operands])
            for result, part in zip(operation.results, results, strict=True):
                self._env[result] = part
        return []

    def _visit(self, operation: Any, parts: list[Part]) -> list[Part]:
        name = str(operation.name)
        if handler := _HANDLERS.get(name):
            return handler(self, operation, parts)
        if name == "stablehlo.composite":
            own = str(operation.attributes["name"].value)
            if not is_composite(own):
                return self._call(operation.attributes["decomposition"].value, parts)
            name = own
        elif name in ("stablehlo.custom_call", "mhlo.custom_call"):
            target = str(operation.attributes["call_target_name"].value)
            if target in _BORDERS:
                return _BORDERS[target](self, operation, parts)
        return self._divided(self._op(operation, name), parts)

    def _op(self, operation: Any, name: str = "") -> Op:
        """Wraps an operation to read its attributes."""
        place = called_at(place_of(operation.location), self._calls)
        return Op(cast(Any, None), operation, (), place, name)

    def _call(self, name: str, parts: list[Part]) -> list[Part]:
        """Inlines a function of the module."""
        outer, self._env = self._env, {}
        try:
            return self.run(self.functions[name].regions[0].blocks[0], parts)
        finally:
            self._env = outer

    # Plain ops -----------------------------------------------------------------------------------

    def wanted(self, operation: Any) -> list[Dims | None]:
        """Returns Shardy's shardings of the results; None where there is none."""
        kinds = [v.type for v in operation.results]
        if _SHARDING not in operation.attributes:
            return [None] * len(kinds)
        return [
            legal(dims, shape_of(kind), self.emitter.manual) if _is_tensor(kind) else None
            for dims, kind in zip(
                self.meshes.per_value(operation.attributes[_SHARDING]), kinds, strict=True
            )
        ]

    def _divided(self, op: Op, parts: list[Part]) -> list[Part]:
        """Applies an op to parts of its operands, by its rule."""
        operation, emitter = op.operation, self.emitter
        if reason := reason_against(operation):
            raise UnsupportedError(op.name, reason, op.place)
        wanted = self.wanted(operation)
        if any(p.partial for p in parts):
            total = reductions.sum_of_partial(emitter, op, parts, wanted[0])
            if total is not None:
                return [total if total.partial else self._towards(total, wanted[0])]
            parts = [reductions.finished(emitter, p) for p in parts]
        rule = rule_of(op)
        if rule.reduces and not reductions.may_divide(op, parts):
            rule = reductions.kept_whole(rule)
        results = [_described(v) for v in operation.results]
        manual = union(p.manual for p in parts)
        busy = union([emitter.manual, manual])
        varies = self.varying.result(operation, union(p.varies for p in parts), busy)
        assignment: Assignment = {}
        if any(any(p.dims) for p in parts) or any(any(d) for d in wanted if d):
            operands = [
                Tensor(shape_of(v.type), p.dims, _width(v.type)) if p.shape is not None else _NONE
                for v, p in zip(operation.operands, parts, strict=True)
            ]
            assignment = choose(rule, operands, results, wanted, busy, emitter.count)
        given = [
            emitter.reshard(part, rule.dims(factors, assignment))
            for part, factors in zip(parts, rule.operands, strict=True)
        ]
        cuts = {d: assignment[f] for f, d in rule.indexed.items() if f in assignment}
        is_inside = None
        if cuts:
            given, is_inside = sharded_indexing.shifted(emitter, op, given, cuts)
        copy = operation.clone(ir.InsertionPoint.current)
        if _SHARDING in copy.attributes:
            del copy.attributes[_SHARDING]
        found = []
        for i, (value, factors) in enumerate(zip(operation.results, rule.results, strict=True)):
            dims = rule.dims(factors, assignment)
            result = copy.results[i]
            if not _is_tensor(value.type):
                found.append(Part(result, None, (), manual, varies))
                continue
            part = Part(result, shape_of(value.type), dims, manual, varies)
            kind = ir.RankedTensorType(value.type)
            extents = local_extents(part)
            result.set_type(ir.RankedTensorType.get(extents, kind.element_type))
            found.append(part)
        for i, part in enumerate(given):
            copy.operands[i] = part.value
        if rule.adapt is not None:
            rule.adapt(copy, {f: size(d) for f, d in assignment.items()})
        if cuts and op.name == "stablehlo.gather":
            found = [sharded_indexing.masked(emitter, op, found[0], is_inside)]
        found = reductions.combine(emitter, op, rule, assignment, given, found, wanted)
        found = [
            p if p.partial else self._towards(p, dims)
            for p, dims in zip(found, wanted, strict=True)
        ]
        return _with_constants(op, parts, found)

    def _iota(self, operation: Any, parts: list[Part]) -> list[Part]:
        """Returns numbers along a dimension; a chip's part counts from its start."""
        (dims,) = self.wanted(operation)
        dim = int(operation.attributes["iota_dimension"].value)
        if not dims or not dims[dim]:
            return self._divided(self._op(operation), parts)
        kind = operation.results[0].type
        return [self.emitter.counting(shape_of(kind), dims, dim, kind.element_type)]

    def _towards(self, part: Part, dims: Dims | None) -> Part:
        """Shards a result as wanted, as far as it needs no communication."""
        if dims is None or part.shape is None or not any(dims):
            return part
        now = list(part.dims)
        for d, sub_axes in enumerate(dims):
            _, rest, more = common(now[d], sub_axes)
            if more and not rest and not overlap(more, used(tuple(now))):
                now[d] = merged(now[d] + more)
        return self.emitter.reshard(part, tuple(now))

    # Shardings and regions -----------------------------------------------------------------------

    def _constraint(self, operation: Any, parts: list[Part]) -> list[Part]:
        dims = self.meshes.dims(operation.attributes["sharding"])
        (part,) = parts
        assert part.shape is not None
        return [self.emitter.reshard(part, legal(dims, part.shape, self.emitter.manual))]

    def _identity(self, operation: Any, parts: list[Part]) -> list[Part]:
        return parts[: len(operation.results)]

    def _function_call(self, operation: Any, parts: list[Part]) -> list[Part]:
        self._calls.append(place_of(operation.location))
        try:
            return self._call(operation.attributes["callee"].value, parts)
        finally:
            self._calls.pop()

    def _named_computation(self, operation: Any, parts: list[Part]) -> list[Part]:
        return self.run(operation.regions[0].blocks[0], parts)

    def _async_start(self, operation: Any, parts: list[Part]) -> list[Part]:
        """Runs asynchronous computations synchronously."""
        (future,) = operation.results
        self._futures[future] = self.run(operation.regions[0].blocks[0], parts)
        return [Part(None, None, ())]

    def _async_done(self, operation: Any, parts: list[Part]) -> list[Part]:
        return self._futures[operation.operands[0]]

    def _manual_computation(self, operation: Any, parts: list[Part]) -> list[Part]:
        emitter, outer = self.emitter, self.emitter.manual
        own = self.meshes.manual(operation)
        block = operation.regions[0].blocks[0]
        inside = []
        for part, dims, argument in zip(
            parts,
            self.meshes.per_value(operation.attributes["in_shardings"]),
            block.arguments,
            strict=True,
        ):
            if part.shape is None:
                inside.append(part)
                continue
            shape = shape_of(argument.type)
            free, cut = _separated(dims, own, shape, outer)
            given = emitter.reshard(
                part, tuple(merged(c + f) for c, f in zip(cut, free, strict=True))
            )
            varies = union([given.varies, self.varying.atoms(used(cut))])
            inside.append(Part(given.value, shape, free, given.manual, varies))
        emitter.manual = outer + own
        emitter.enter()
        try:
            results = self.run(block, inside)
            outside = []
            for part, dims, value in zip(
                results,
                self.meshes.per_value(operation.attributes["out_shardings"]),
                operation.results,
                strict=True,
            ):
                if part.shape is None:
                    outside.append(part)
                    continue
                free, cut = _separated(dims, own, part.shape, outer)
                part = emitter.reshard(part, free)
                both = tuple(merged(c + f) for c, f in zip(cut, free, strict=True))
                left = tuple(d for d in part.varies if not overlap((d,), own))
                outside.append(Part(part.value, shape_of(value.type), both, part.manual, left))
        finally:
            emitter.leave()
            emitter.manual = outer
        return outside

    # HLO shardings
    # ---------------------------------------------------------------------------------

    def _to_shards(self, operation: Any, parts: list[Part]) -> list[Part]:
        """Begins a manual computation in some sub-axes."""
        (part,) = parts
        assert part.shape is not None
        rank, count = len(part.shape), self.emitter.count
        manual = parse_tiles(tiles_text(operation), rank, count).manual
        dims = parse_tiles(tiles_text(operation, OUTER_TILES), rank, count).dims
        cut = tuple(tuple(d for d in sub_axes if _inside(d, manual)) for sub_axes in dims)
        given = self.emitter.reshard(part, cut)
        shape = shape_of(operation.results[0].type)
        varies = union([given.varies, self.varying.atoms(used(cut))])
        return [Part(given.value, shape, whole(rank), union([given.manual, manual]), varies)]

    def _to_whole(self, operation: Any, parts: list[Part]) -> list[Part]:
        """Ends a manual computation."""
        (part,) = parts
        shape = shape_of(operation.results[0].type)
        dims = parse_tiles(tiles_text(operation), len(shape), self.emitter.count).dims
        given = self.emitter.reshard(part, whole(len(shape)))
        return [Part(given.value, shape, dims)]


_HANDLERS: dict[str, Handler] = {
    "func.call": Partitioner._function_call,
    "sdy.manual_computation": Partitioner._manual_computation,
    "sdy.named_computation": Partitioner._named_computation,
    "sdy.propagation_barrier": Partitioner._identity,
    "sdy.reshard": Partitioner._constraint,
    "sdy.sharding_constraint": Partitioner._constraint,
    "sdy.sharding_group": Partitioner._identity,
    "stablehlo.async_done": Partitioner._async_done,
    "stablehlo.async_start": Partitioner._async_start,
    "stablehlo.case": control_flow.branches,
    "stablehlo.if": control_flow.branches,
    "stablehlo.iota": Partitioner._iota,
    "stablehlo.while": control_flow.loop,
}
_BORDERS: dict[str, Handler] = {
    "SPMDFullToShardShape": Partitioner._to_shards,
    "SPMDShardToFullShape": Partitioner._to_whole,
}


def _is_tensor(kind: Any) -> bool:
    return str(kind).startswith("tensor<")


def _described(value: Any) -> Tensor:
    if not _is_tensor(value.type):
        return _NONE
    shape = shape_of(value.type)
    return Tensor(shape, whole(len(shape)), _width(value.type))


_NONE = Tensor((), (), 0)


def _width(kind: Any) -> int:
    """Returns the size of an element in bytes."""
    return int(numpy_of(kind).itemsize)


def _with_constants(op: Op, parts: Sequence[Part], found: list[Part]) -> list[Part]:
    """Propagates known uniform values to results of constants and ops that keep them."""
    if op.name == "stablehlo.constant" and not is_complex(op.operation.results[0].type):
        value: Any = ir.DenseElementsAttr(op.attribute("value"))
        if value.is_splat:
            number = array_of(value, value.type).reshape(-1)[:1]
            return [replace(found[0], constant=number[0] if number.size else None)]
    if op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape"):
        return [replace(found[0], constant=parts[0].constant)]
    return found


def _inside(sub_axis: SubAxis, others: SubAxes) -> bool:
    """Whether a sub-axis is contained in others."""
    return any(
        sub_axis.order == o.order
        and sub_axis.stride % o.stride == 0
        and (o.stride * o.size) % (sub_axis.stride * sub_axis.size) == 0
        for o in others
    )


def local_extents(part: Part) -> list[int]:
    """Returns the extents of a part."""
    assert part.shape is not None
    return [n // size(sub_axes) for n, sub_axes in zip(part.shape, part.dims, strict=True)]


def _separated(
    dims: Dims, manual: SubAxes, shape: Sequence[int], outer: SubAxes
) -> tuple[Dims, Dims]:
    """Splits the sub-axes of each dimension into those that are not manual, as far as they divide
    the local shape, and manual ones."""
    cut = tuple(tuple(d for d in sub_axes if _inside(d, manual)) for sub_axes in dims)
    free = tuple(tuple(d for d in sub_axes if not overlap((d,), manual)) for sub_axes in dims)
    return legal(free, shape, (*manual, *outer)), cut
