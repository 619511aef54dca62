"""Imports all handler modules, and explains why an op has no handler."""

from __future__ import annotations

# Each module registers its handlers.
from ttmlir.frontends.stablehlo import (  # noqa: F401
    _collectives,
    _complex_ops,
    _control_flow,
    _custom_calls,
    _dot_general,
    _elementwise,
    _indexing,
    _linalg,
    _random,
    _reduce_window,
    _reductions,
    _shapes,
    _sorting,
)

_TRANSFER = "programs do not communicate with the host: return the value, or pass it as an argument"
_REASONS = {
    "stablehlo.send": _TRANSFER,
    "stablehlo.recv": _TRANSFER,
    "stablehlo.infeed": _TRANSFER,
    "stablehlo.outfeed": _TRANSFER,
    "stablehlo.dynamic_conv": "the padding is computed: give it as numbers",
}


def why_not(name: str) -> str:
    """Explains why an op without a handler cannot be imported, and suggests a remedy."""
    if name in _REASONS:
        return _REASONS[name]
    dialect = name.partition(".")[0]
    if dialect not in ("stablehlo", "chlo", "mhlo", "sdy", "func"):
        return f"expected ops of StableHLO, found one of {dialect}: lower the function with JAX"
    return "the op is not supported: rewrite the line with other functions of jax.numpy or jax.lax"
