"""Marks of the ops that define extents which depend on values."""

from __future__ import annotations

from typing import Any

from ttmlir import ir
from ttmlir.builder import Tensor

#: Attributes of ops that define extents which depend on values: the name of the extent.
COUNT, _COUNTED, ALONG = "ttmlir.count", "ttmlir.counted", "ttmlir.counted_dim"
PART = "ttmlir.counted_part"


def mark_count(count: Tensor, name: str) -> Tensor:
    """Marks the number of elements (1,) along the extent ``name``, which depends on values."""
    with count.value.context:
        count.value.owner.attributes[COUNT] = ir.StringAttr.get(name)
    return count


def mark_counted(x: Tensor, name: str, dim: int) -> Tensor:
    """Marks a result of a pad of which the elements along a dimension up to this number exist."""
    with x.value.context:
        attributes = x.value.owner.attributes
        attributes[_COUNTED] = ir.StringAttr.get(name)
        attributes[ALONG] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim)
    return x


def mark_part(x: Tensor, dim: int) -> Tensor:
    """Marks elements of a tensor along a dimension, which ``mark_counted`` is called for next: the
    positions of those that exist have no padding."""
    with x.value.context:
        kind = ir.IntegerType.get_signless(64)
        x.value.owner.attributes[PART] = ir.IntegerAttr.get(kind, dim)
    return x


def unmark(op: Any) -> None:
    """Removes the marks of an op, and the op if it is nothing but a mark."""
    is_counted = _COUNTED in op.attributes
    for name in (COUNT, _COUNTED, ALONG, PART):
        if name in op.attributes:
            del op.attributes[name]
    if is_counted and not any(int(n) for n in op.attributes["padding"]):
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
