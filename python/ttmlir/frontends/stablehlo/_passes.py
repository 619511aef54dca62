"""Passes of jaxlib that modules go through before they are imported."""

from __future__ import annotations

import functools
from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

#: Ops that others have replaced in StableHLO.
_OLD = frozenset(
    {
        "stablehlo.broadcast",
        "stablehlo.create_token",
        "stablehlo.cross-replica-sum",
        "stablehlo.dot",
        "stablehlo.einsum",
        "stablehlo.torch_index_select",
        "stablehlo.unary_einsum",
    }
)


@functools.cache
def register_passes() -> None:
    """Makes the passes of StableHLO and Shardy known, once in a process."""
    stablehlo.register_stablehlo_passes()


def new_context() -> ir.Context:
    """A context with the dialects of modules of JAX."""
    context = ir.Context()
    # A pool of threads takes longer to begin than a module to parse.
    context.enable_multithreading(False)
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    sdy.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    chlo.register_dialect(context)
    stablehlo.register_dialect(context)
    return context


def modernize(module: Any) -> None:
    """Replaces ops that StableHLO has given up by those that it has instead."""
    names: set[str] = set()
    _collect(module.operation, names)
    if names & _OLD:
        register_passes()
        with module.context:
            passes = "builtin.module(func.func(stablehlo-legalize-deprecated-ops))"
            passmanager.PassManager.parse(passes).run(module.operation)


def portable(module: Any) -> bytes:
    """The module as a portable artifact; ops of chlo become those of StableHLO, in place."""
    register_passes()
    with module.context:
        passes = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
        passmanager.PassManager.parse(passes).run(module.operation)
        version = stablehlo.get_current_version()
        return bytes(stablehlo.serialize_portable_artifact(module, version))


def _collect(operation: Any, names: set[str]) -> None:
    names.add(str(operation.name))
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                _collect(op.operation, names)
