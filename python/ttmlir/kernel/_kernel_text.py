"""Inserts kernels given as text into a dispatch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttmlir import ir
from ttmlir._parsing import diagnostics
from ttmlir.dialects import func
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._kernels import Kernel
from ttmlir.kernel._resources import CircularBuffer


def insert_text(
    kernel: Kernel,
    region: ir.Region,
    buffers: dict[CircularBuffer, ir.Type],
    arguments: Sequence[Any],
) -> None:
    """Moves the body of the kernel's function into ``region``, whose arguments are ``buffers``.

    Raises:
        BuildError: the text does not have exactly one function of circular buffers, or it does not
            take as many as ``arguments``.
    """
    function = _function(kernel)
    body = function.body.blocks[0]
    if len(function.body.blocks) != 1:
        raise BuildError(f"{kernel.source}: expected a function of one block")
    count = len(body.arguments)
    if count != len(arguments):
        raise BuildError(
            f"{kernel.source}: the function takes {count} circular buffers, "
            f"found {len(arguments)} arguments"
        )
    for buffer in arguments:
        if buffer not in buffers:
            raise BuildError(
                f"{kernel.source}: the circular buffer '{buffer.name}' is not on all cores of "
                "the kernel"
            )
    places = list(buffers)
    where = function.location
    new = [body.add_argument(kind, where) for kind in buffers.values()]
    for old, buffer in zip(list(body.arguments)[:count], arguments, strict=True):
        old.replace_all_uses_with(new[places.index(buffer)])
    for _ in arguments:
        body.erase_argument(0)
    _replace_return(body)
    body.append_to(region)


def _function(kernel: Kernel) -> func.FuncOp:
    assert isinstance(kernel.body, str)
    context = ir.Context.current
    assert context is not None
    with diagnostics(context, f"{kernel.source} is not a valid kernel"):
        module = ir.Operation.parse(kernel.body, source_name=kernel.source)
    # A text with a single op is parsed as that op.
    if isinstance(module, func.FuncOp):
        return module
    if not isinstance(module, ir.Module) and module.operation.name != "builtin.module":
        raise BuildError(
            f"{kernel.source}: expected a module with one func.func, found {module.operation.name}"
        )
    operations = module.operation.regions[0].blocks[0].operations
    found = [op for op in operations if isinstance(op, func.FuncOp)]
    if len(found) != 1:
        raise BuildError(f"{kernel.source}: expected one func.func, found {len(found)}")
    return found[0]


def _replace_return(body: ir.Block) -> None:
    last = body.operations[len(body.operations) - 1]
    if last.operation.name == "func.return":
        ir.Operation.create("ttkernel.return", loc=last.location, ip=ir.InsertionPoint(last))
        last.operation.erase()
