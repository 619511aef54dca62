"""Rules of ops while they are written, and the table of them."""

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
    """Enters a function into the table under the names of ops."""

    def enter(builder: Builder) -> Builder:
        for name in names:
            RULES[name] = builder
        return builder

    return enter


def shapes_of(values: Sequence[Any]) -> list[Shape]:
    return [shape_of(v.type) if str(v.type).startswith("tensor<") else () for v in values]


class Draft:
    """A rule while it is written: all dimensions are whole until factors are put there."""

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
        """A factor behind those that dimensions have; returns its number.

        Args:
            extent: its size.
            operands: the dimension of each operand that has it, by the number of the operand.
            results: the dimension of each result that has it.
            reduces: how parts of the results are combined, if they do not have it.
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
    """Divides numbers of an attribute as their dimensions are."""

    def adapt(copy: Any, cuts: Mapping[int, int]) -> None:
        copy.attributes[name] = array(
            [n // cuts.get(factors[d], 1) if d in factors else n for d, n in enumerate(numbers)]
        )

    return adapt
