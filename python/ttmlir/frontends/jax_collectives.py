"""Collectives that JAX lowers for the platforms of others only."""

from __future__ import annotations


def register() -> None:
    """Gives ``pbroadcast`` the lowering that JAX has for it, on platforms that have none."""
    from jax._src.lax import parallel
    from jax.interpreters import mlir

    primitive = getattr(parallel, "pbroadcast_p", None)
    lowering = getattr(parallel, "_pbroadcast_lowering", None)
    if primitive is not None and lowering is not None:
        mlir.register_lowering(primitive, lowering)
