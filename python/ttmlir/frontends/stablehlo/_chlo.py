"""Ops of chlo that are lowered to StableHLO."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import func

from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._passes import register_passes


def is_chlo(name: str) -> bool:
    """Whether an op of chlo may be imported as other ops."""
    return name.startswith("chlo.")


def lowered_chlo(op: Op) -> Any:
    """Lowers an op of chlo to a block of StableHLO ops with an argument for each operand.

    Raises:
        ValueError: the legalization does not support it.
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
        try:
            passmanager.PassManager.parse(passes).run(module.operation)
        except ir.MLIRError:
            raise ValueError("there are no ops of StableHLO for these types") from None
    function = module.body.operations[0]
    block = function.operation.regions[0].blocks[0]
    if any(inner.operation.name == op.name for inner in block.operations):
        raise ValueError("there are no ops of StableHLO for these types")
    # The block does not keep its module alive.
    op.importer.keep(module)
    return block
