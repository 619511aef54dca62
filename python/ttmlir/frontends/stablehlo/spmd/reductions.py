"""Reductions over sharded dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._reductions import kind_of, neutral
from ttmlir.frontends.stablehlo._types import NUMPY
from ttmlir.frontends.stablehlo.spmd.collective_emitter import Emitter, Part, array
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Assignment, Rule
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxes,
    by_order,
    common,
    merged,
    size,
    union,
)

#: Ops in idempotent bodies that choose one of two values: combining an initial value twice has no
#: effect.
_CHOICES = frozenset(
    {
        "stablehlo.and",
        "stablehlo.compare",
        "stablehlo.constant",
        "stablehlo.not",
        "stablehlo.or",
        "stablehlo.return",
        "stablehlo.select",
    }
)


def may_divide(op: Op, parts: Sequence[Part]) -> bool:
    """Whether the reduced dimensions may be sharded, although each part starts with the initial
    value."""
    if op.name != "stablehlo.reduce":
        return True
    if len(parts) == 2 and (kind := kind_of(op, op.dtype())):
        start = parts[1].constant
        nothing = NUMPY[op.dtype()].type(neutral(kind[1], op.dtype()))
        return start is not None and bool(start == nothing)
    return len(parts) > 2 and all(o.operation.name in _CHOICES for o in op.block().operations)


def kept_whole(rule: Rule) -> Rule:
    """Returns the rule with whole dimensions in place of reduced ones."""
    operands = tuple(
        tuple(tuple(f for f in factors if f not in rule.reduces) for factors in dims)
        for dims in rule.operands
    )
    return replace(rule, operands=operands, reduces={})


def combine(
    emitter: Emitter,
    op: Op,
    rule: Rule,
    assignment: Assignment,
    operands: Sequence[Part],
    results: list[Part],
    wanted: Sequence[Dims | None],
) -> list[Part]:
    """Computes the results of an op from those of its parts."""
    reduced = {f: d for f, d in assignment.items() if f in rule.reduces and d}
    if not reduced:
        return results
    sub_axes = merged(d for own in reduced.values() for d in own)
    kind = next(rule.reduces[f] for f in reduced)
    if kind == "body":
        return _by_body(emitter, op, sub_axes, operands, results)
    if kind == "sum" and is_summand(op.operation):
        return [replace(part, partial=sub_axes) for part in results]
    return [
        _reduced(emitter, part, sub_axes, kind, dims)
        for part, dims in zip(results, wanted, strict=True)
    ]


def is_summand(operation: Any) -> bool:
    """Whether the only use of an op's single result is an addition in the same block: then parts
    can be summed after that."""
    if len(operation.results) != 1:
        return False
    users = [use.owner.operation for use in operation.results[0].uses]
    return (
        len(users) == 1 and users[0].name == "stablehlo.add" and users[0].block == operation.block
    )


def finished(emitter: Emitter, part: Part, wanted: Dims | None = None) -> Part:
    """Sums a partial part."""
    if not part.partial:
        return part
    return _reduced(emitter, replace(part, partial=()), part.partial, "sum", wanted)


def sum_of_partial(
    emitter: Emitter, op: Op, parts: Sequence[Part], wanted: Dims | None
) -> Part | None:
    """Adds two partial values with the same pending sub-axes; None for other values."""
    if op.name != "stablehlo.add" or parts[0].partial != parts[1].partial:
        return None
    a, b = parts
    if a.dims != b.dims:
        return None
    value = emitter.build(op.name, [a.value, b.value], a.extents, a.element, {})
    manual, varies = union([a.manual, b.manual]), union([a.varies, b.varies])
    found = replace(a, value=value, manual=manual, varies=varies)
    return found if is_summand(op.operation) else finished(emitter, found, wanted)


def _reduced(
    emitter: Emitter, part: Part, sub_axes: SubAxes, kind: str, wanted: Dims | None
) -> Part:
    """Reduces a part with those of other chips, and shards the result if wanted."""
    dim = _scattered(part, sub_axes, wanted)
    if dim is None:
        return emitter.all_reduce(part, sub_axes, kind)
    return emitter.reduce_scatter(part, sub_axes, kind, dim)


def _scattered(part: Part, sub_axes: SubAxes, wanted: Dims | None) -> int | None:
    """Returns the dimension to be sharded along the sub-axes of a reduction."""
    if wanted is None or len({d.order for d in sub_axes}) != 1:
        return None
    for d, (own, target) in enumerate(zip(part.dims, wanted, strict=True)):
        _, rest, more = common(own, target)
        if not rest and more == sub_axes and part.extents[d] % size(sub_axes) == 0:
            return d
    return None


def _by_body(
    emitter: Emitter, op: Op, sub_axes: SubAxes, operands: Sequence[Part], results: Sequence[Part]
) -> list[Part]:
    """Stacks the results of all parts, and reduces them with the op's body."""
    stacked = []
    for part in results:
        whole = part
        for run in by_order(sub_axes):
            whole = emitter.stacked(whole, run)
        stacked.append(whole)
    copy = op.operation.clone(ir.InsertionPoint.current)
    if "sdy.sharding" in copy.attributes:
        del copy.attributes["sdy.sharding"]
    count = len(results)
    for i, part in enumerate([*stacked, *operands[count:]]):
        copy.operands[i] = part.value
    copy.attributes["dimensions"] = array(list(range(len(by_order(sub_axes)))))
    found = []
    for part, value in zip(results, copy.results, strict=True):
        value.set_type(ir.RankedTensorType.get(list(part.extents), part.element))
        found.append(replace(part, value=value))
    return found
