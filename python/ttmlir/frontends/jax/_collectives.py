"""Lowering rules for collectives that JAX only provides for some platforms."""

from __future__ import annotations


def register() -> None:
    """Registers JAX's lowering of ``pbroadcast`` for platforms without one."""
    from jax._src.lax import parallel
    from jax.interpreters import mlir

    primitive = getattr(parallel, "pbroadcast_p", None)
    lowering = getattr(parallel, "_pbroadcast_lowering", None)
    if primitive is not None and lowering is not None:
        mlir.register_lowering(primitive, lowering)
