"""The table of rules, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ttmlir._padding.analysis import RefusedError, Rule, Step, Value
from ttmlir._padding.factors import Dim, Dims, dims_of

RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Enters a function in the table as the rule of ops."""

    def enter(found: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, found))
        return found

    return enter


def plain(step: Step) -> list[Value]:
    """Returns results whose dimensions have one factor each."""
    return [Value(dims_of(*step.shapes(i))) for i in range(len(step.padded.results))]


def apart(step: Step) -> list[Value]:
    """An op without a rule."""
    found = plain(step)
    for value in (*step.inputs, *found):
        if value.varies:
            raise step.refuse(value.dims, "the op has no rule for padding along")
    step.check_attributes()
    for other, padded in zip(step.other.regions, step.padded.regions, strict=True):
        if [str(b) for b in other.blocks] != [str(b) for b in padded.blocks]:
            raise RefusedError("its body depends on the extents")
        if any(step.walk.values[v].varies for v in _captured(padded, step.walk.values)):
            raise RefusedError("there is no rule for padding in its body")
    return found


def _captured(region: Any, values: Mapping[Any, Value]) -> Iterator[Any]:
    """Yields the values that a region uses from outside."""
    for block in region.blocks:
        for op in block.operations:
            yield from (v for v in op.operation.operands if v in values)
            for inner in op.operation.regions:
                yield from _captured(inner, values)


def broadcast(step: Step, inputs: list[Dims], rank: int) -> Dims:
    """Returns the dimensions of elements that are paired by NumPy's rules."""
    found: list[Dim] = []
    for i in range(rank):
        own = [dims[i - rank + len(dims)] for dims in inputs if i - rank + len(dims) >= 0]
        longest = [dim for dim in own if dim]
        if any(dim != longest[0] for dim in longest):
            raise step.refuse(longest, "its operands are padded differently along")
        found.append(longest[0] if longest else ())
    return tuple(found)
