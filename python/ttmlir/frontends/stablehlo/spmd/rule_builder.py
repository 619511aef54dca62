"""Builds sharding rules, and registers them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._types import Shape, shape_of
from ttmlir.frontends.stablehlo.spmd.sharding_rules import Adapt, Factors, Rule

Builder: TypeAlias = "Callable[[Op], Rule]"

RULES: dict[str, Builder] = {}


def rules(*names: str) -> Callable[[Builder], Builder]:
    """Registers a function as the rule of ops."""

    def enter(builder: Builder) -> Builder:
        for name in names:
            RULES[name] = builder
        return builder

    return enter


def shapes_of(values: Sequence[Any]) -> list[Shape]:
    return [shape_of(v.type) if str(v.type).startswith("tensor<") else () for v in values]


class RuleBuilder:
    """A rule under construction: dimensions are whole until they get factors."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.inputs = shapes_of(op.operation.operands)
        self.outputs = shapes_of(op.operation.results)
        self._operands: list[list[Factors]] = [[()] * len(s) for s in self.inputs]
        self._results: list[list[Factors]] = [[()] * len(s) for s in self.outputs]
        self.sizes: dict[int, int] = {}
        self.reduces: dict[int, str] = {}
        self.indexed: dict[int, int] = {}

    def factor(
        self,
        extent: int,
        operands: Mapping[int, int] | None = None,
        results: Mapping[int, int] | None = None,
        reduces: str = "",
    ) -> int:
        """Appends a factor to dimensions; returns its index.

        Args:
            extent: its size.
            operands: the dimension of each operand with this factor, by operand index.
            results: the dimension of each result with this factor.
            reduces: the reduction of partial results, if results do not have this factor.
        """
        number = len(self.sizes)
        self.sizes[number] = extent
        for tensors, places in ((self._operands, operands), (self._results, results)):
            for i, d in (places or {}).items():
                tensors[i][d] = (*tensors[i][d], number)
        if reduces:
            self.reduces[number] = reduces
        return number

    def rule(self, adapt: Adapt | None = None, work: int = 0) -> Rule:
        return Rule(
            tuple(map(tuple, self._operands)),
            tuple(map(tuple, self._results)),
            self.sizes,
            self.reduces,
            self.indexed,
            adapt,
            work,
        )


def array(values: Sequence[int]) -> Any:
    return ir.DenseI64ArrayAttr.get(list(values))


def divided(name: str, numbers: Sequence[int], factors: Mapping[int, int]) -> Adapt:
    """Divides the numbers of an attribute in proportion to their dimensions."""

    def adapt(copy: Any, cuts: Mapping[int, int]) -> None:
        copy.attributes[name] = array(
            [n // cuts.get(factors[d], 1) if d in factors else n for d, n in enumerate(numbers)]
        )

    return adapt
