"""Custom calls that JAX makes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._constants import Known
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import HANDLERS, Op, Result, handles
from ttmlir.frontends.stablehlo._types import numpy_of, shape_of

#: Calls that only annotate a value.
_PLACEMENTS = frozenset(
    {
        "LayoutConstraint",
        "MoveToDevice",
        "MoveToHost",
        "PinToDevice",
        "SPMDFullToShardShape",
        "SPMDShardToFullShape",
        "Sharding",
        "annotate_device_placement",
        "xla.sdy.FuncResultSharding",
        "xla.sdy.GlobalToLocalShape",
        "xla.sdy.LocalToGlobalShape",
    }
)
_CALLBACKS = (
    "xla_ffi_python_cpu_callback",
    "xla_ffi_partitioned_python_cpu_callback",
    "xla_python_cpu_callback",
    "xla_buffer_python_cpu_callback",
)
_CALLS: dict[str, Callable[[Op], Result]] = {}


def calls(target: str) -> Callable[[Callable[[Op], Result]], Callable[[Op], Result]]:
    """Registers a function in the table of custom calls."""

    def enter(handler: Callable[[Op], Result]) -> Callable[[Op], Result]:
        _CALLS[target] = handler
        return handler

    return enter


@handles("stablehlo.custom_call", "mhlo.custom_call")
def _custom_call(op: Op) -> Result:
    target = op.text("call_target_name")
    if target in _PLACEMENTS:
        return list(op.inputs)
    if target in _CALLS:
        return _CALLS[target](op)
    for prefix in ("mhlo.", "chlo."):
        chlo = "chlo." + target.removeprefix(prefix)
        if target.startswith(prefix) and chlo in HANDLERS:
            return op.importer.apply(chlo, op.operation, op.inputs)
    raise op.fail(why_not_call(target))


def why_not_call(target: str) -> str:
    """Explains why a custom call cannot be imported, and suggests a remedy."""
    if target in _CALLBACKS:
        return (
            f"the callback to Python ('{target}') cannot run on the device: take jax.debug, "
            "io_callback and pure_callback out of the function, or call it outside"
        )
    return (
        f"the custom call '{target}' is not known: lower the function for the platform tt, with "
        '.lower(lowering_platforms=("tt",))'
    )


@calls("mhlo.topk")
@calls("TopK")
def _top_k(op: Op) -> Result:
    attributes: Any = op.attribute("mhlo.attributes") if op.has("mhlo.attributes") else {}
    largest = "largest" not in attributes or bool(ir.BoolAttr(attributes["largest"]).value)
    x = op.tensor()
    values, places = op.b.topk(x, op.shape()[-1], x.rank - 1, largest)
    return [values, cast(op, places, op.dtype(1))]


@calls("shape_assertion")
def _shape_assertion(op: Op) -> Result:
    """A constraint on symbolic extents; they are known when a program is specialized."""
    holds = op.inputs[0]
    if not isinstance(holds, Known) or bool(holds.array):
        return []
    text = op.text("error_message")
    for i, value in enumerate(op.inputs[1:]):
        text = text.replace(f"{{{i}}}", str(value.array) if isinstance(value, Known) else "?")
    raise op.fail(text.partition(" Please see")[0])


# Factorizations ----------------------------------------------------------------------------------


def inlined(op: Op, name: str, **options: Any) -> Result:
    """Imports a function of ``jax_linalg`` with options in place of an op."""
    try:
        import jax

        from ttmlir.frontends import jax_linalg
    except ImportError:
        raise op.fail(f"its lowering requires JAX: install jax ({name})") from None
    function = functools.partial(getattr(jax_linalg, name), **options)
    types = [value.type for value in op.operation.operands]
    shapes = [jax.ShapeDtypeStruct(shape_of(kind), numpy_of(kind)) for kind in types]
    lowered = jax.jit(function).trace(*shapes).lower(lowering_platforms=("tt",))
    return op.importer.call_module(lowered.compiler_ir("stablehlo"), op.inputs, op.place)


def _function(name: str) -> Callable[[Op], Result]:
    return lambda op: inlined(op, name)


_CALLS["Qr"] = _function("reflectors")
_CALLS["ProductOfElementaryHouseholderReflectors"] = _function("product_of_reflectors")


@calls("ApproxTopK")
def _approx_top_k(op: Op) -> Result:
    """Exact top-k elements."""
    config: Any = op.attribute("mhlo.backend_config")
    dim = int(ir.IntegerAttr(config["reduction_dim"]).value)
    called = op.attribute("called_computations")
    comparator = op.importer.functions[ir.FlatSymbolRefAttr(called[0]).value]
    first = next(iter(comparator.regions[0].blocks[0].operations)).operation
    largest = Op(op.importer, first, (), op.place).text("comparison_direction") in ("GT", "GE")
    values, places = op.b.topk(op.tensor(), op.shape()[dim], dim, largest)
    return [values, cast(op, places, op.dtype(1))]
