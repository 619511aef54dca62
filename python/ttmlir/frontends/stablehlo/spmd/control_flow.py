"""Partitioning of loops and conditionals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo.spmd.collective_emitter import Emitter, Part
from ttmlir.frontends.stablehlo.spmd.divergence import Varying
from ttmlir.frontends.stablehlo.spmd.sub_axes import Dims, SubAxes, union


class PartitionerLike(Protocol):
    """The methods of the partitioner that are used here."""

    emitter: Emitter
    varying: Varying

    def part(self, value: Any) -> Part: ...
    def run(self, block: Any, arguments: Sequence[Part]) -> list[Part]: ...
    def wanted(self, operation: Any) -> list[Dims | None]: ...


def _return(parts: Sequence[Part]) -> None:
    ir.Operation.create("stablehlo.return", operands=[p.value for p in parts])


def _manual(partitioner: PartitionerLike, parts: Sequence[Part]) -> SubAxes:
    return union([partitioner.emitter.manual, *(p.manual for p in parts)])


# Loops -------------------------------------------------------------------------------------------


def loop(partitioner: PartitionerLike, operation: Any, parts: list[Part]) -> list[Part]:
    """Builds a loop whose values keep their shardings."""
    emitter = partitioner.emitter
    dims = [
        p.dims if d is None else d
        for p, d in zip(parts, partitioner.wanted(operation), strict=True)
    ]
    parts = [emitter.reshard(p, d) for p, d in zip(parts, dims, strict=True)]
    manual = _manual(partitioner, parts)
    varies = partitioner.varying.carried(
        operation, [p.varies for p in parts], lambda v: partitioner.part(v).varies, manual
    )
    owned = union(p.manual for p in parts)
    parts = [
        replace(p, varies=v, manual=owned, constant=None)
        for p, v in zip(parts, varies, strict=True)
    ]
    kinds = [p.value.type for p in parts]
    copy: Any = ir.Operation.create(
        "stablehlo.while", results=kinds, operands=[p.value for p in parts], regions=2
    )
    condition, body = (region.blocks[0] for region in operation.regions)
    blocks = [
        region.blocks.append(*kinds, arg_locs=[operation.location] * len(kinds))
        for region in copy.regions
    ]
    with ir.InsertionPoint(blocks[0]):
        emitter.enter()
        (turns,) = partitioner.run(condition, _with_values(parts, blocks[0].arguments))
        turns = emitter.reshard(turns, ())
        # All chips iterate as long as any chip does.
        _return([emitter.all_reduce(turns, turns.varies, "or") if turns.varies else turns])
        emitter.leave()
    with ir.InsertionPoint(blocks[1]):
        emitter.enter()
        given = _with_values(parts, blocks[1].arguments)
        is_own = turns.varies
        if is_own:
            (turns,) = partitioner.run(condition, given)
            turns = emitter.reshard(turns, ())
        found = partitioner.run(body, given)
        found = [emitter.reshard(p, d) for p, d in zip(found, dims, strict=True)]
        if is_own:
            found = [
                _selected(emitter, turns, new, old) for new, old in zip(found, given, strict=True)
            ]
        _return(found)
        emitter.leave()
    return _with_values(parts, copy.results)


def _with_values(parts: Sequence[Part], values: Any) -> list[Part]:
    return [replace(p, value=v) for p, v in zip(parts, values, strict=True)]


def _selected(emitter: Emitter, flag: Part, yes: Part, no: Part) -> Part:
    """Selects one of two parts of the same sharding."""
    if yes.shape is None:
        return yes
    value = emitter.build(
        "stablehlo.select", [flag.value, yes.value, no.value], yes.extents, yes.element, {}
    )
    varies = union([flag.varies, yes.varies, no.varies])
    return replace(
        yes, value=value, varies=varies, manual=union([yes.manual, no.manual]), constant=None
    )


# Conditionals ------------------------------------------------------------------------------------


def branches(partitioner: PartitionerLike, operation: Any, parts: list[Part]) -> list[Part]:
    """Builds a choice between regions."""
    emitter = partitioner.emitter
    chosen = emitter.reshard(parts[0], ())
    wanted = partitioner.wanted(operation)
    if chosen.varies:
        return _all_branches(partitioner, operation, chosen, wanted)
    copy: Any = ir.Operation.create(
        str(operation.name),
        results=[v.type for v in operation.results],
        operands=[chosen.value],
        regions=len(operation.regions),
    )
    results: list[list[Part]] = []
    for region, source in zip(copy.regions, operation.regions, strict=True):
        with ir.InsertionPoint(region.blocks.append()):
            emitter.enter()
            found = partitioner.run(source.blocks[0], ())
            # By default all branches have the shardings of the first one.
            dims = [p.dims if d is None else d for p, d in zip(found, wanted, strict=True)]
            found = [emitter.reshard(p, d) for p, d in zip(found, dims, strict=True)]
            wanted = [*dims]
            _return(found)
            emitter.leave()
        results.append(found)
    for value, part in zip(copy.results, results[0], strict=True):
        value.set_type(part.value.type)
    joined = []
    for value, *each in zip(copy.results, *results, strict=True):
        varies, manual = union(p.varies for p in each), union(p.manual for p in each)
        joined.append(replace(each[0], value=value, varies=varies, manual=manual, constant=None))
    return joined


def _all_branches(
    partitioner: PartitionerLike, operation: Any, chosen: Part, wanted: Sequence[Dims | None]
) -> list[Part]:
    """Computes all branches; each chip then selects its results."""
    emitter = partitioner.emitter
    results: list[Part] = []
    regions = list(operation.regions)
    # From the last branch, which handles all other numbers, to the first one.
    for number in reversed(range(len(regions))):
        found = partitioner.run(regions[number].blocks[0], ())
        dims = [p.dims for p in results] or [
            p.dims if d is None else d for p, d in zip(found, wanted, strict=True)
        ]
        found = [emitter.reshard(p, d) for p, d in zip(found, dims, strict=True)]
        if not results:
            results = found
            continue
        flag = chosen
        if operation.name == "stablehlo.case":
            value = emitter.full(number, [], chosen.element)
            flag = replace(chosen, value=emitter.compare("EQ", chosen.value, value))
        results = [_selected(emitter, flag, a, b) for a, b in zip(found, results, strict=True)]
    return results
