"""Ops of chlo that are made of ops of StableHLO."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import func

from ttmlir.frontends.stablehlo._op import HANDLERS, Op
from ttmlir.frontends.stablehlo._passes import register_passes

#: What the legalization of jaxlib knows and no handler does.
_LOWERED = frozenset(
    {
        "chlo._asin_acos_kernel",
        "chlo.bessel_i1e",
        "chlo.conj",
        "chlo.constant",
        "chlo.constant_like",
        "chlo.is_inf",
        "chlo.is_neg_inf",
        "chlo.is_pos_inf",
        "chlo.next_after",
        "chlo.polygamma",
        "chlo.ragged_dot",
        "chlo.zeta",
    }
)


def is_handled_chlo(name: str) -> bool:
    """Whether an op of chlo can be imported, by a handler or as other ops."""
    return name in _LOWERED or name.startswith("chlo.broadcast_") or name in HANDLERS


def lowered_chlo(op: Op) -> Any:
    """A block of StableHLO ops with an argument for each operand of an op of chlo.

    Raises:
        ValueError: the legalization has no ops for it.
    """
    operation = op.operation
    register_passes()
    with operation.context, operation.location:
        module = ir.Module.create()
        inputs = [v.type for v in operation.operands]
        results = [v.type for v in operation.results]
        with ir.InsertionPoint(module.body):
            function = func.FuncOp("main", ir.FunctionType.get(inputs, results))
            block = function.add_entry_block()
        with ir.InsertionPoint(block):
            copy = operation.clone()
            for i, argument in enumerate(block.arguments):
                copy.operation.operands[i] = argument
            func.ReturnOp(list(copy.operation.results))
        passes = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
        passmanager.PassManager.parse(passes).run(module.operation)
    function = module.body.operations[0]
    block = function.operation.regions[0].blocks[0]
    if any(inner.operation.name == op.name for inner in block.operations):
        raise ValueError("there are no ops of StableHLO for these types")
    # The block does not keep its module alive.
    op.importer.keep(module)
    return block
