"""Finds the sub-axes in which values of a manual computation may differ.

All chips run the program together, so a condition that differs between chips cannot control it:
both branches are computed, and loops iterate until all chips are done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo.spmd.shardings import prime_sub_axes
from ttmlir.frontends.stablehlo.spmd.sub_axes import SubAxes, SubAxis, groups, overlap, union

#: Collectives that give all members of a group the same result.
_SHARED = frozenset({"stablehlo.all_gather", "stablehlo.all_reduce"})
_MOVED = frozenset(
    {
        "stablehlo.all_to_all",
        "stablehlo.collective_broadcast",
        "stablehlo.collective_permute",
        "stablehlo.partition_id",
        "stablehlo.reduce_scatter",
        "stablehlo.replica_id",
    }
)
_RETURNS = frozenset({"func.return", "stablehlo.return", "sdy.return"})


class Varying:
    """Propagates sub-axes through a program.

    Args:
        functions: those of the module, by name.
        count: number of partitions.
    """

    def __init__(self, functions: dict[str, Any], count: int) -> None:
        self.functions, self.count = functions, count

    def atoms(self, sub_axes: SubAxes) -> SubAxes:
        """Returns the smallest sub-axes that depend on the given ones."""
        orders = dict.fromkeys(d.order for d in sub_axes)
        every = [a for order in orders for a in prime_sub_axes(self.count, order)]
        return tuple(a for a in every if overlap((a,), sub_axes))

    def result(self, operation: Any, operands: SubAxes, manual: SubAxes) -> SubAxes:
        """Returns the sub-axes of an op's result, if the op has no relevant regions.

        Args:
            operation: of the source.
            operands: the sub-axes of all its operands.
            manual: sub-axes in which the computation is manual.
        """
        name = str(operation.name)
        if name in _MOVED:
            # In programs with HLO shardings the manual sub-axes are unknown.
            return self.atoms(manual or (SubAxis(1, self.count),))
        if name in _SHARED:
            rows = ir.DenseElementsAttr(operation.attributes["replica_groups"])
            group_of = _group_of(np.array(rows), self.count)
            return tuple(d for d in operands if not self._is_shared(d, group_of))
        return operands

    def _is_shared(self, sub_axis: SubAxis, group_of: Sequence[int]) -> bool:
        rows = groups((sub_axis,), self.count)
        return all(len({group_of[p] for p in row}) == 1 for row in rows)

    def run(
        self,
        block: Any,
        arguments: Sequence[SubAxes],
        outer: Callable[[Any], SubAxes],
        manual: SubAxes,
    ) -> list[SubAxes]:
        """Returns the sub-axes of a block's results.

        Args:
            block: of the source.
            arguments: the sub-axes of its arguments.
            outer: the sub-axes of a value from outside.
            manual: sub-axes in which the computation is manual.
        """
        found: dict[Any, SubAxes] = dict(zip(block.arguments, arguments, strict=True))

        def of(value: Any) -> SubAxes:
            return found[value] if value in found else outer(value)

        for op in block.operations:
            operation = op.operation
            given = [of(v) for v in operation.operands]
            if operation.name in _RETURNS:
                return given
            results = self._results(operation, given, of, manual)
            found.update(zip(operation.results, results, strict=True))
        return []

    def _results(
        self, operation: Any, given: list[SubAxes], of: Callable[[Any], SubAxes], manual: SubAxes
    ) -> list[SubAxes]:
        name = str(operation.name)
        if name == "func.call":
            function = self.functions[operation.attributes["callee"].value]
            return self.run(function.regions[0].blocks[0], given, of, manual)
        if name == "sdy.named_computation":
            return self.run(operation.regions[0].blocks[0], given, of, manual)
        if name == "stablehlo.while":
            return self.carried(operation, given, of, manual)
        if name in ("stablehlo.if", "stablehlo.case"):
            branches = [self.run(r.blocks[0], [], of, manual) for r in operation.regions]
            return [union([given[0], *each]) for each in zip(*branches, strict=True)]
        if name == "sdy.manual_computation":  # Values may differ in the sub-axes outside, too.
            return [self.atoms(manual)] * len(operation.results)
        return [self.result(operation, union(given), manual)] * len(operation.results)

    def carried(
        self,
        operation: Any,
        given: Sequence[SubAxes],
        of: Callable[[Any], SubAxes],
        manual: SubAxes,
    ) -> list[SubAxes]:
        """Returns the sub-axes of the values carried by a loop, in any iteration."""
        now = list(given)
        while True:
            condition = self.run(operation.regions[0].blocks[0], now, of, manual)[0]
            body = self.run(operation.regions[1].blocks[0], now, of, manual)
            after = [union([a, b, condition]) for a, b in zip(now, body, strict=True)]
            if [set(a) for a in after] == [set(n) for n in now]:
                return now
            now = after


def _group_of(rows: Any, count: int) -> list[int]:
    """Returns the group index of each partition; without groups all are in one."""
    found = [0] * count
    if rows.size:
        for number, row in enumerate(rows.reshape(len(rows), -1).tolist()):
            for partition in row:
                if partition >= 0:
                    found[partition] = number
    return found
