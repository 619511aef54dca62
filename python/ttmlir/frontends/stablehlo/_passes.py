"""Passes of jaxlib that run before import."""

from __future__ import annotations

import functools
from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

#: Ops that were replaced in StableHLO.
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
    """Registers the passes of StableHLO and Shardy, once in a process."""
    stablehlo.register_stablehlo_passes()


def new_context() -> ir.Context:
    """Creates a context with the dialects of JAX's modules."""
    context = ir.Context()
    # Starting a thread pool takes longer than parsing a module.
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
    """Replaces ops that were removed from StableHLO by their successors."""
    names: set[str] = set()
    _collect(module.operation, names)
    if names & _OLD:
        register_passes()
        with module.context:
            passes = "builtin.module(func.func(stablehlo-legalize-deprecated-ops))"
            passmanager.PassManager.parse(passes).run(module.operation)


def portable(module: Any) -> bytes:
    """Serializes the module as a portable artifact; first lowers ops of chlo to StableHLO in
    place."""
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
