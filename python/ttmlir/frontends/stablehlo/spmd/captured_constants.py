"""Constants that the bodies of ops take from the function around them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo.spmd.gspmd import walk


def copy_constants(module: Any, scopes: Collection[str]) -> None:
    """Gives bodies of reductions, sorts and the like constants of their own, so that an op can be
    copied without what is around it. JAX moves constants to the top of functions.

    Args:
        module: is changed.
        scopes: the ops whose regions stay where they are.
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
