"""Conditionals and loops, whose bodies are graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.torch._op import Op, Operand, Result, Value, handles


def _part(op: Op, graph: torch.fx.GraphModule, inputs: Sequence[Value]) -> tuple[Tensor, ...]:
    """Imports a graph and returns its results, in its dtypes."""
    found = op.importer.call(graph, inputs)
    return tuple(op.tensor(value) for value in found)


@handles("cond")
def _cond(
    op: Op,
    pred: Operand,
    true_graph: torch.fx.GraphModule,
    false_graph: torch.fx.GraphModule,
    operands: Sequence[Any] = (),
) -> Result:
    if isinstance(pred, (bool, torch.Tensor)):
        return list(op.importer.call(true_graph if bool(pred) else false_graph, operands))
    # In either branch, a known tensor is built where it is used.
    return op.b.cond(
        op.tensor(pred),
        lambda: _part(op, true_graph, operands),
        lambda: _part(op, false_graph, operands),
    )


@handles("while_loop")
def _while_loop(
    op: Op,
    condition: torch.fx.GraphModule,
    body: torch.fx.GraphModule,
    carried: Sequence[Any],
    others: Sequence[Any] = (),
) -> Result:
    first = [op.tensor(x) for x in carried]
    return op.b.while_loop(
        lambda *now: _part(op, condition, [*now, *others]),
        lambda *now: _part(op, body, [*now, *others]),
        first,
    )
