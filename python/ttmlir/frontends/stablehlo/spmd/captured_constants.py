"""Constants that bodies of ops capture from the enclosing function."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo.spmd.gspmd import walk


def copy_constants(module: Any, scopes: Collection[str]) -> None:
    """Copies captured constants into the bodies of reductions, sorts and similar ops, so that an op
    can be copied without its surroundings. JAX moves constants to the top of functions.

    Args:
        module: is changed.
        scopes: the ops whose regions stay in place.
    """
    for op in walk(module.operation):
        if op.name not in scopes:
            for region in op.regions:
                for block in region.blocks:
                    _copy(op, block)


def _copy(outer: Any, block: Any) -> None:
    inside = list(walk(outer))
    own = {result for op in inside for result in op.results}
    copies: dict[Any, Any] = {}
    for op in inside:
        for i, value in enumerate(op.operands):
            if value in own or not _is_constant(value):
                continue
            if value not in copies:
                copy = value.owner.clone(ir.InsertionPoint.at_block_begin(block))
                copies[value] = copy.results[0]
            op.operands[i] = copies[value]


def _is_constant(value: Any) -> bool:
    return getattr(value.owner, "name", "") == "stablehlo.constant"
