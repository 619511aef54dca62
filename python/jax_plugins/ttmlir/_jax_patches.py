"""Adds the platform to JAX's internal lists of platforms, which have no registration API."""

from __future__ import annotations

from typing import Any


def apply(platform: str) -> None:
    """Enables donation of arguments, matrix factorizations, collectives and the persistent
    compilation cache for this platform."""
    from jax._src import compilation_cache
    from jax._src.interpreters import mlir

    from ttmlir.frontends.jax import _collectives, _linalg

    _linalg.register()
    _collectives.register()
    donating = mlir._platforms_with_donation
    if platform not in donating:
        donating.append(platform)
    original = compilation_cache.is_cache_used
    if hasattr(original, "_ttmlir_platform"):
        return

    def is_cache_used(backend: Any) -> bool:
        if backend.platform == platform:
            return bool(compilation_cache._is_cache_enabled())
        return bool(original(backend))

    vars(is_cache_used)["_ttmlir_platform"] = platform
    compilation_cache.is_cache_used = is_cache_used
